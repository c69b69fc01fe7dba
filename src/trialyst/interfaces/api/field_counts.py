"""The values of every field, counted once a generation in a process of its own, and kept on disk.

All fields together take a core for the better part of a minute on thirty thousand studies: too
long for a request, and in this process it would slow every other one.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import msgspec

from trialyst.errors import Overloaded
from trialyst.locks import try_lock

__all__ = ["CountAll", "FieldCounts"]

CountAll = Callable[[Path], list[dict[str, Any]]]
"""Counts the values of every field of the registry in a directory, as they are answered."""
RETRY_AFTER = 20.0
_KEPT = 4
"""Generations whose counts are kept."""


class FieldCounts:
    """The counts of generations, in a directory of files."""

    def __init__(self, directory: Path, count_all: CountAll) -> None:
        self._directory = directory
        self._count_all = count_all
        self._guard = threading.Lock()
        self._process: SpawnProcess | None = None
        self._read: tuple[Path, list[dict[str, Any]]] | None = None

    def get(self, registry: Path, generation: str) -> list[dict[str, Any]]:
        """Give the counts, or begin to count.

        Raises:
            Overloaded: they are being counted.
        """
        digest = hashlib.blake2b(f"{registry}\0{generation}".encode(), digest_size=12).hexdigest()
        path = self._directory / f"{digest}.json"
        with self._guard:
            if self._read is not None and self._read[0] == path:
                return self._read[1]
            if path.exists():
                counts: list[dict[str, Any]] = msgspec.json.decode(path.read_bytes())
                self._read = (path, counts)
                return counts
            self._begin(registry, path)
        raise Overloaded(
            "The values of all fields are being counted; name some in `fields`, or ask again later",
            retry_after=RETRY_AFTER,
        )

    def _begin(self, registry: Path, path: Path) -> None:
        if self._process is not None and self._process.is_alive():
            return
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(
            target=_count, args=(self._count_all, registry, path), daemon=True
        )
        self._process.start()


def _count(count_all: CountAll, registry: Path, path: Path) -> None:
    """Count and keep, unless another process of this server does already."""
    os.nice(10)
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent / "counting.lock").open("w") as lock:
        if not try_lock(lock.fileno()) or path.exists():
            return
        unfinished = path.with_suffix(".part")
        try:
            unfinished.write_bytes(msgspec.json.encode(count_all(registry)))
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        _forget_old(sorted(path.parent.glob("*.json"), key=lambda each: each.stat().st_mtime))


def _forget_old(files: Sequence[Path]) -> None:
    for each in files[:-_KEPT]:
        each.unlink(missing_ok=True)
