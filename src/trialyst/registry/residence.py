"""Keeps what a long-lived reader holds of an index in memory within bounds.

The engine maps its files, and every page ever looked at counts as memory of this process until
somebody else needs it. Pages handed back stay in the system's cache: to look at them again costs a
fault and no reading. Linux only; elsewhere nothing is done.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Residence"]

MOST_BYTES = 300_000_000
"""Pages of the index from which on all of them go."""
CHECK_EVERY = 64
"""Searches between two looks at how much is there."""
_PROC = Path("/proc/self")
_MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (?:\S+ +){4}(.*)")


class _Mapping(NamedTuple):
    start: int
    size: int
    resident: int


class Residence:
    """The pages of one index directory."""

    def __init__(self, directory: Path) -> None:
        self._prefix = f"{directory.resolve()}/"
        self._searches = 0

    def note_search(self) -> None:
        """Hand pages back if the searches since the last look have left too many."""
        self._searches += 1
        # All that is mapped is told at once; only if that is much is it worth asking whose it is.
        if self._searches % CHECK_EVERY == 0 and _mapped_bytes() > MOST_BYTES < self.resident():
            self.hand_back()

    def resident(self) -> int:
        """Tell how many bytes of the index are in this process's memory."""
        return sum(mapping.resident for mapping in self._mappings())

    def hand_back(self) -> None:
        """Let go of every page; who reads one now is given it again by the system."""
        advise = _madvise()
        for mapping in self._mappings():
            advise(mapping.start, mapping.size, mmap.MADV_DONTNEED)

    def _mappings(self) -> Iterator[_Mapping]:
        place: tuple[int, int] | None = None
        for line in _read("smaps").splitlines():
            if found := _MAPPING.fullmatch(line):
                start, end = int(found[1], 16), int(found[2], 16)
                place = (start, end - start) if found[3].startswith(self._prefix) else None
            elif place and line.startswith("Rss:"):
                yield _Mapping(*place, int(line.split()[1]) * 1024)


def _mapped_bytes() -> int:
    sizes = _read("statm").split()
    return int(sizes[2]) * mmap.PAGESIZE if sizes else 0


def _read(name: str) -> str:
    try:
        return (_PROC / name).read_text("utf-8", "replace")
    except OSError:
        return ""


@cache
def _madvise() -> Any:
    import ctypes

    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return advise
