"""Keeps what a long-lived reader holds of an index in memory within bounds.

The engine maps its files, and every page ever looked at counts as memory of this process until
somebody else needs it. Pages handed back stay in the system's cache: to look at them again costs a
fault and no reading. Linux only; elsewhere nothing is done.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Residence"]

MOST_BYTES = 256_000_000
"""Mapped pages, those of libraries among them, from which on the pages of the index go."""
CHECK_EVERY = 16
"""Searches between two looks at how much is there."""
_MAPS = Path("/proc/self/maps")
_SIZES = Path("/proc/self/statm")


class Residence:
    """The pages of one index directory."""

    def __init__(self, directory: Path) -> None:
        self._prefix = f"{directory.resolve()}/"
        self._searches = 0

    def note_search(self) -> None:
        """Hand pages back if the searches since the last look have left too many."""
        self._searches += 1
        if self._searches % CHECK_EVERY == 0 and _mapped_bytes() > MOST_BYTES:
            self.hand_back()

    def hand_back(self) -> None:
        """Let go of every page; who reads one now is given it again by the system."""
        advise = _madvise()
        for start, size in self._mappings() if advise else ():
            advise(start, size, mmap.MADV_DONTNEED)

    def _mappings(self) -> Iterator[tuple[int, int]]:
        for line in _MAPS.read_text("utf-8", "replace").splitlines():
            place, *_, path = line.split(maxsplit=5)
            if path.startswith(self._prefix):
                start, end = (int(address, 16) for address in place.split("-"))
                yield start, end - start


def _mapped_bytes() -> int:
    try:
        return int(_SIZES.read_text().split()[2]) * mmap.PAGESIZE
    except OSError:
        return 0


@cache
def _madvise() -> Any:
    if not _MAPS.exists():
        return None
    import ctypes

    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return advise
