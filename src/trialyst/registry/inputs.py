"""Files to raw study records: zip archives, directories, JSON arrays and lines, compressed or not.

Yields the bytes of one study at a time, with where they stood. A record that is not JSON is told
apart from a file that cannot be read to its end: the first is skipped, the second stops a build.
"""

from __future__ import annotations

import json
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path, PurePath, PurePosixPath
from typing import IO, NamedTuple

import msgspec

from trialyst.errors import InvalidInput
from trialyst.registry.compressed import COMPRESSED, decompress
from trialyst.registry.jsontext import CHUNK, LONGEST_RECORD, JsonText, RecordTooLong, is_page

__all__ = ["InputFile", "RawRecord", "RecordStream", "find_inputs"]

_PLAIN = {".json", ".jsonl", ".ndjson"}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLANK = _BYTE_ORDER_MARK + b" \t\r\n"
_LOOK_AHEAD = 20

_UNREADABLE = (
    EOFError,
    NotImplementedError,
    OSError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)
_ENCRYPTED = 0x1
# What macOS puts beside files on other disks and into archives; it has the names of the files.
_FINDER = "._"
_FINDER_FOLDER = "__MACOSX"


class RawRecord(NamedTuple):
    """The bytes of one study and where they were read."""

    data: bytes
    place: str


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read, with what tells whether it changed since."""

    path: Path
    size: int
    modified: int


def find_inputs(paths: Iterable[Path]) -> list[InputFile]:
    """List the files that paths name; a directory stands for the study files below it."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if _is_known(p) and p.is_file())
            if not inside:
                raise InvalidInput(
                    f"There are no study files in {str(path)!r}",
                    hint="Expected .json, .jsonl or .zip files, plain or .gz, .xz, .zst.",
                    invalid_input=str(path),
                )
            files.extend(inside)
        elif path.is_file():
            files.append(path)
        else:
            raise _not_a_file(path)
    unique = list(dict.fromkeys(file.resolve() for file in files))
    stats = [(file, file.stat()) for file in unique]
    return [InputFile(file, stat.st_size, stat.st_mtime_ns) for file, stat in stats]


def _not_a_file(path: Path) -> InvalidInput:
    if path.exists():
        return InvalidInput(
            f"{str(path)!r} is neither a file nor a directory",
            hint="Save what it gives to a file first: a build that was cut off reads it again.",
            invalid_input=str(path),
        )
    return InvalidInput(
        f"There is no file or directory {str(path)!r}",
        hint="Give the bulk zip, a directory of study files, or JSON (lines) files.",
        invalid_input=str(path),
    )


def _is_known(path: PurePath) -> bool:
    if path.name.startswith(_FINDER) or _FINDER_FOLDER in path.parts:
        return False
    *_, before, last = ["", "", *(suffix.lower() for suffix in path.suffixes)]
    return last in _PLAIN | {".zip"} or (last in COMPRESSED and before in _PLAIN)


class RecordStream:
    """The studies of some files in order, with how many bytes of the files have been read."""

    def __init__(self, files: Sequence[InputFile]) -> None:
        self._files = files
        self._finished = 0
        self._current: IO[bytes] | None = None
        self.bytes_total = sum(file.size for file in files)

    @property
    def bytes_read(self) -> int:
        here = self._current.tell() if self._current and not self._current.closed else 0
        return min(self._finished + here, self.bytes_total)

    def __iter__(self) -> Iterator[RawRecord]:
        """Yield records.

        Raises:
            InvalidInput: a file is no JSON at all, or is damaged before its end.
        """
        for file in self._files:
            try:
                with file.path.open("rb", buffering=CHUNK) as self._current:
                    yield from _read_file(file.path, self._current)
            except _UNREADABLE as problem:
                raise InvalidInput(
                    f"{str(file.path)!r} cannot be read to its end: {problem}",
                    hint="Fetch the file again; nothing of the registry was changed.",
                    invalid_input=str(file.path),
                ) from problem
            self._finished += file.size


def _read_file(path: Path, file: IO[bytes]) -> Iterator[RawRecord]:
    if path.suffix.lower() == ".zip":
        yield from _read_zip(file, path.name)
    else:
        yield from _read_stream(decompress(path, file), path.name)


def _read_zip(file: IO[bytes], name: str) -> Iterator[RawRecord]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            entry = PurePosixPath(info.filename)
            if info.is_dir() or entry.suffix.lower() not in _PLAIN or not _is_known(entry):
                continue
            if info.flag_bits & _ENCRYPTED:
                raise zipfile.BadZipFile(f"{info.filename!r} is encrypted")
            with archive.open(info) as member:
                yield from _read_stream(member, f"{name}/{info.filename}")


def _read_stream(stream: IO[bytes], name: str) -> Iterator[RawRecord]:
    """Tell JSON lines from other JSON, and yield the records of either."""
    lines = enumerate(iter(partial(stream.readline, CHUNK), b""), 1)
    number, line = next(((n, line) for n, line in lines if line.strip(_BLANK)), (0, b""))
    line = line.removeprefix(_BYTE_ORDER_MARK).lstrip()
    if not line:
        # A file of lines may hold none; one that should hold a study is damaged.
        if ".json" in map(str.lower, Path(name).suffixes):
            yield RawRecord(b"", name)
        return
    if not line.startswith((b"{", b"[")):
        raise InvalidInput(
            f"{name!r} does not hold studies: it begins with {line[:20]!r}",
            hint="Give study records as JSON: an array, one object, or one object a line.",
            invalid_input=name,
        )
    if line.startswith(b"[") or is_page(line):
        yield from _read_values(line, stream, name)
        return
    ahead = _look_ahead(number, line, stream)
    if ahead.are_studies:
        following = enumerate(_lines(stream), ahead.lines[-1][0] + 1)
        yield from _read_lines(chain(ahead.lines, following), name)
    else:
        yield from _read_values(b"".join(line for _, line in ahead.lines), stream, name)


class _Ahead(NamedTuple):
    lines: list[tuple[int, bytes]]
    are_studies: bool


def _look_ahead(number: int, line: bytes, stream: IO[bytes]) -> _Ahead:
    """Read until a line is a study by itself: the first ones may be damaged records.

    In an indented object no line is one.
    """
    if not line.endswith(b"\n"):
        line += next(_lines(stream), b"")
    lines = [(number, line)]
    if _is_object(line):
        return _Ahead(lines, are_studies=True)
    for following in islice(enumerate(_lines(stream), number + 1), _LOOK_AHEAD):
        lines.append(following)
        if following[1].startswith(b'{"protocolSection"') and _is_object(following[1]):
            return _Ahead(lines, are_studies=True)
    return _Ahead(lines, are_studies=False)


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield lines; one that is longer than any record ends the reading before it fills memory."""
    while line := stream.readline(LONGEST_RECORD + 1):
        if len(line) > LONGEST_RECORD:
            raise RecordTooLong
        yield line


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False
    except RecursionError:
        return line.rstrip().endswith(b"}")


def _read_lines(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[RawRecord]:
    for number, line in lines:
        if stripped := line.strip():
            if not line.endswith(b"\n") and _is_cut_off(stripped):
                raise EOFError(f"line {number} breaks off in the middle of a record")
            yield RawRecord(stripped, f"{name}:{number}")


def _is_cut_off(line: bytes) -> bool:
    """Whether a line is JSON as far as it goes, and not to its end."""
    try:
        msgspec.json.decode(line)
    except msgspec.DecodeError as problem:
        return "truncated" in str(problem)
    except (RecursionError, UnicodeDecodeError):
        pass
    return False


def _read_values(first: bytes, stream: IO[bytes], name: str) -> Iterator[RawRecord]:
    """Cut studies out of arrays, out of the `studies` of pages, or indented objects."""
    text = JsonText(first, stream)
    position = 0
    while mark := text.peek():
        if mark == "[" or (mark == "{" and text.enter_page()):
            for data in _read_array(text):
                position += 1
                yield RawRecord(data, f"{name}[{position}]")
            if mark == "{":
                text.leave_page()
        elif mark == "{":
            position += 1
            yield RawRecord(_read_object(text, alone=position == 1), f"{name}[{position}]")
        else:
            raise EOFError(f"after record {position} comes {mark!r}, which begins no record")


def _read_array(text: JsonText) -> Iterator[bytes]:
    text.skip("[")
    while not text.skip("]"):
        yield text.next_value()
        if not text.skip(",") and text.peek() != "]":
            raise EOFError("the array ends without `]`")


def _read_object(text: JsonText, *, alone: bool) -> bytes:
    """Read one object; if it is all there is, damage to it is damage to one record only."""
    try:
        return text.next_value()
    except EOFError as problem:
        if not alone or isinstance(problem, RecordTooLong):
            raise
        return text.rest()
