"""Resident memory of a process and its descendants, sampled from /proc."""

from __future__ import annotations

import threading
from collections import defaultdict
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

__all__ = ["Memory", "PeakMemory", "tree_memory"]

PERIOD_SECONDS = 0.1
_PROC = Path("/proc")


class Memory(NamedTuple):
    """Bytes in memory: all of it, and the part the kernel cannot drop (no mapped files)."""

    resident: int
    private: int


def tree_memory(pid: int) -> Memory | None:
    """Sum over a process and its descendants, or None where there is no /proc."""
    if not (_PROC / "self" / "status").exists():
        return None
    children = _children()
    total = Memory(0, 0)
    waiting = [pid]
    while waiting:
        current = waiting.pop()
        waiting += children[current]
        own = _process_memory(current)
        total = Memory(total.resident + own.resident, total.private + own.private)
    return total


def _children() -> dict[int, list[int]]:
    table: dict[int, list[int]] = defaultdict(list)
    for path in _PROC.iterdir():
        if path.name.isdigit() and (fields := _status(int(path.name))):
            table[int(fields["PPid"])].append(int(path.name))
    return table


def _process_memory(pid: int) -> Memory:
    fields = _status(pid)
    anonymous, shared, mapped = (
        int(fields.get(key, "0 kB").split()[0]) * 1024 for key in ("RssAnon", "RssShmem", "RssFile")
    )
    return Memory(anonymous + shared + mapped, anonymous + shared)


def _status(pid: int) -> dict[str, str]:
    """Read a process's status; empty when it has ended meanwhile."""
    try:
        text = (_PROC / str(pid) / "status").read_text()
    except OSError:
        return {}
    pairs = (line.partition(":") for line in text.splitlines())
    return {key: value.strip() for key, _, value in pairs}


class PeakMemory:
    """The largest of many samples, taken while the block runs."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.peak: Memory | None = None

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(PERIOD_SECONDS):
            sample = tree_memory(self._pid)
            if sample:
                peak = self.peak or sample
                self.peak = Memory(*map(max, peak, sample))
