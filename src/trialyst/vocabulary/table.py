"""A flat file of sorted keys and text lines, read through a memory map.

Opening costs one checksum and no parsing. Keys point to places: a line and a number in it. Owns
the file's layout; knows nothing of what keys and lines mean.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import tempfile
import zlib
from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["DamagedTable", "Place", "Table", "replace_file", "table_bytes"]

_MAGIC = b"TRIALYS1"
_HEADER = struct.Struct("=8sIIQIIIIQQ")
_CHECKED_FROM = 16
_CACHED_TOKENS = 200_000
_STEP = 64
"""Every so manieth key is held in memory once a key is looked up: some thousand of them."""


class DamagedTable(Exception):
    """The file is not a whole table; whoever wrote it should write it again."""


class Place(NamedTuple):
    """Where a key points: a line, and which of its names."""

    line: int
    name: int


class Table:
    """A table open for reading; safe to share between threads."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        """Read a table laid out by `table_bytes`.

        Raises:
            DamagedTable: it is truncated, altered or something else.
        """
        if len(data) < _HEADER.size:
            raise DamagedTable("The table is truncated")
        self.data = data
        self.path: Path | None = None
        view = memoryview(data)
        magic, check, _, total, keys, places, lines, _, key_bytes, _ = _HEADER.unpack(
            view[: _HEADER.size]
        )
        if magic != _MAGIC or total != len(data) or zlib.crc32(view[_CHECKED_FROM:]) != check:
            raise DamagedTable("The table is damaged")
        at = _HEADER.size
        self._key_ends, at = _numbers(view, at, keys + 1)
        self._place_ends, at = _numbers(view, at, keys + 1)
        self._places, at = _numbers(view, at, 2 * places)
        self._line_ends, at = _numbers(view, at, lines + 1)
        self._keys_at = at
        self._lines_at = at + key_bytes
        self._keys = range(keys)
        self._starts: dict[str, tuple[int, int]] = {}
        self._sparse: list[bytes] = []
        self.lines: int = lines

    @classmethod
    def open(cls, path: Path) -> Table:
        """Map a file; raises DamagedTable, or FileNotFoundError where there is none."""
        with path.open("rb") as stream:
            if os.fstat(stream.fileno()).st_size < _HEADER.size:
                raise DamagedTable(f"{path.name} is truncated")
            table = cls(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        table.path = path
        return table

    def __len__(self) -> int:
        return len(self._keys)

    def key(self, index: int) -> bytes:
        """Give the key at a position of the sorted order."""
        start = self._keys_at
        return self.data[start + self._key_ends[index] : start + self._key_ends[index + 1]]

    def line(self, number: int) -> str:
        """Give a line."""
        start = self._lines_at
        return self.data[
            start + self._line_ends[number] : start + self._line_ends[number + 1]
        ].decode()

    def places(self, key: str) -> list[Place]:
        """Give every place a key points to; none when there is no such key."""
        encoded = key.encode()
        block = bisect_right(self._every_step(), encoded)
        index = self._find(encoded, block - 1) if block else None
        return [] if index is None else self.places_at(index)

    def _every_step(self) -> list[bytes]:
        if not self._sparse:
            self._sparse = [self.key(index) for index in self._keys[::_STEP]]
        return self._sparse

    def _find(self, key: bytes, block: int) -> int | None:
        """Give the position of a key in a block of keys, if it is there.

        Searching their bytes for it beats comparing key by key; a find inside another key is none.
        """
        ends = self._key_ends
        if not key:
            return 0 if not ends[1] else None
        low = block * _STEP
        high = min(low + _STEP, len(self._keys))
        start = ends[low]
        keys = self.data[self._keys_at + start : self._keys_at + ends[high]]
        at = keys.find(key)
        while at >= 0:
            index = bisect_right(ends, start + at, low, high) - 1
            if ends[index] == start + at and ends[index + 1] - ends[index] == len(key):
                return index
            at = keys.find(key, at + 1)
        return None

    def places_at(self, index: int) -> list[Place]:
        """Give the places of the key at a position."""
        first, last = self._place_ends[index], self._place_ends[index + 1]
        return [Place(self._places[2 * i], self._places[2 * i + 1]) for i in range(first, last)]

    def between(self, low: str, high: str) -> range:
        """Give the positions of the keys from `low` up to, without, `high`."""
        first = bisect_left(self._keys, low.encode(), key=self.key)
        return range(first, bisect_left(self._keys, high.encode(), first, key=self.key))

    def keys_starting(self, beginning: str, lengths: range) -> Iterator[str]:
        """Yield the keys of some lengths, in bytes, that begin with some letters."""
        found = self.between(beginning, f"{beginning}\x7f")
        ends = self._key_ends[found.start : found.stop + 1].tolist()
        for start, end in pairwise(ends):
            if end - start in lengths:
                yield self.data[self._keys_at + start : self._keys_at + end].decode()

    def prefixes(self, tokens: Sequence[str], start: int) -> list[tuple[int, int]]:
        """Give (position after the last token, key position) of each key the tokens spell."""
        found: list[tuple[int, int]] = []
        phrase = tokens[start]
        low, high = self._starting_with(phrase)
        place = start + 1
        while low < high:
            if self.key(low) == phrase.encode():
                found.append((place, low))
                low += 1
            if place == len(tokens) or low == high:
                break
            phrase = f"{phrase} {tokens[place]}"
            low, high = self._narrowed(phrase, low, high)
            place += 1
        return found

    def keys_of_word(self, token: str) -> list[str]:
        """Give the keys that are a token, or begin with it and a space."""
        return [self.key(index).decode() for index in range(*self._starting_with(token))]

    def _starting_with(self, token: str) -> tuple[int, int]:
        known = self._starts.get(token)
        if known is None:
            if len(self._starts) >= _CACHED_TOKENS:
                self._starts.clear()
            known = self._starts[token] = (self._first(token), self._first(f"{token}!"))
        return known

    def _first(self, beginning: str) -> int:
        """Give the position of the first key that is not before some letters."""
        encoded = beginning.encode()
        block = bisect_left(self._every_step(), encoded)
        low = max(0, block - 1) * _STEP
        high = min(block * _STEP, len(self._keys))
        return bisect_left(self._keys, encoded, low, high, key=self.key)

    def _narrowed(self, phrase: str, low: int, high: int) -> tuple[int, int]:
        # A space sorts before every letter and digit, so keys that continue the phrase by whole
        # tokens lie together, and "!" is the first character after them.
        low = bisect_left(self._keys, phrase.encode(), low, high, key=self.key)
        return low, bisect_left(self._keys, f"{phrase}!".encode(), low, high, key=self.key)


def table_bytes(lines: Sequence[str], keys: Iterable[tuple[str, Place]]) -> bytes:
    """Lay out a table; the same lines and keys give the same bytes."""
    places: dict[str, list[Place]] = {}
    for key, place in keys:
        places.setdefault(key, []).append(place)
    order = sorted(places)
    encoded = [key.encode() for key in order]
    texts = [line.encode() for line in lines]
    targets = [place for key in order for place in sorted(places[key])]
    body = b"".join(
        (
            _offsets(map(len, encoded)),
            _offsets(len(places[key]) for key in order),
            array("I", (number for place in targets for number in place)).tobytes(),
            _offsets(map(len, texts)),
            *encoded,
            *texts,
        )
    )
    sizes = (len(order), len(targets), len(lines), 0)
    lengths = (sum(map(len, encoded)), sum(map(len, texts)))
    total = _HEADER.size + len(body)
    blank = _HEADER.pack(_MAGIC, 0, 0, total, *sizes, *lengths)
    check = zlib.crc32(body, zlib.crc32(blank[_CHECKED_FROM:]))
    return _HEADER.pack(_MAGIC, check, 0, total, *sizes, *lengths) + body


def replace_file(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all; processes writing the same one do not harm each other."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _offsets(lengths: Iterable[int]) -> bytes:
    return array("I", accumulate(lengths, initial=0)).tobytes()


def _numbers(view: memoryview, at: int, count: int) -> tuple[memoryview, int]:
    end = at + 4 * count
    return view[at:end].cast("I"), end
