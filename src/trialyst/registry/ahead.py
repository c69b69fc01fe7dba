"""Reads and prepares records in a thread of its own, while the ones before are indexed."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable, Iterator
from typing import Generic, TypeVar

from trialyst.registry.inputs import RawRecord
from trialyst.registry.prepare import Batch, Preparer

__all__ = ["prepare_ahead"]

_BATCH_BYTES = 1 << 20
_WAITING = 2

Item = TypeVar("Item")


def prepare_ahead(records: Iterable[RawRecord]) -> Generator[Batch, None, None]:
    """Yield the records in batches of about a megabyte; a few are ready before they are asked for.

    What goes wrong while reading is raised here, after everything that was read before it.
    """
    reading = _Reading(map(Preparer(), _batches(records)))
    try:
        yield from reading
    finally:
        reading.stop()


def _batches(records: Iterable[RawRecord]) -> Iterator[list[RawRecord]]:
    batch: list[RawRecord] = []
    size = 0
    for record in records:
        batch.append(record)
        size += len(record.data)
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Reading(Generic[Item]):
    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self._read: queue.Queue[Item | BaseException | None] = queue.Queue(_WAITING)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="trialyst-reading", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Item]:
        while (item := self._read.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item

    def _run(self) -> None:
        end: BaseException | None = None
        try:
            for item in self._items:
                if not self._give(item):
                    return
        except BaseException as problem:
            end = problem
        self._give(end)

    def _give(self, item: Item | BaseException | None) -> bool:
        while not self._stopped.is_set():
            try:
                self._read.put(item, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()
