"""Prepares records in other processes once there are enough to be worth it, in input order."""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import IO

from trialyst.errors import RegistryError
from trialyst.registry.inputs import RawRecord
from trialyst.registry.pace import Pace
from trialyst.registry.prepare import Damage, Prepared, Preparer, read_frame, write_frame

__all__ = ["PreparingPool"]

CHUNK_BYTES = 1 << 20

Batch = list[Prepared | Damage]


class PreparingPool:
    """Maps raw records to prepared ones, in order."""

    def __init__(self, dictionary: bytes, pace: Pace) -> None:
        self._dictionary = dictionary
        self._workers = pace.workers if pace.workers is not None else (os.cpu_count() or 1)
        self._inline_records = pace.inline_records
        self._inline = Preparer(dictionary)
        self._threads: ThreadPoolExecutor | None = None
        self._own = threading.local()
        self._children: list[subprocess.Popen[bytes]] = []
        self._collects = False

    def __enter__(self) -> PreparingPool:
        # Records are trees of many small objects without cycles: looking for cycles among them
        # takes a third of the time and finds nothing.
        self._collects = gc.isenabled()
        gc.disable()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._collects:
            gc.enable()
        if self._threads:
            self._threads.shutdown(wait=False, cancel_futures=True)
        for child in tuple(self._children):
            child.kill()
        if self._threads:
            self._threads.shutdown(wait=True)
        # A thread may have been starting its child while the others were ended.
        for child in self._children:
            child.kill()
            child.wait()
            for stream in (child.stdin, child.stdout):
                with contextlib.suppress(OSError):
                    if stream:
                        stream.close()

    def map(self, records: Iterable[RawRecord]) -> Iterator[Batch]:
        """Yield prepared batches; at most a few chunks per worker are under way."""
        chunks = _chunks(records)
        done = 0
        for chunk in chunks:
            yield self._inline(chunk)
            done += len(chunk)
            if done >= self._inline_records and self._workers:
                break
        self._threads = ThreadPoolExecutor(self._workers or 1)
        waiting: deque[Future[Batch]] = deque()
        for chunk in chunks:
            waiting.append(self._threads.submit(self._prepare_outside, chunk))
            if len(waiting) > 2 * self._workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _prepare_outside(self, chunk: Sequence[RawRecord]) -> Batch:
        pipes: tuple[IO[bytes], IO[bytes]] | None = getattr(self._own, "pipes", None)
        if pipes is None:
            pipes = self._own.pipes = self._start()
        to_child, from_child = pipes
        try:
            write_frame(to_child, chunk)
            batch: Batch = read_frame(from_child)
        except (EOFError, OSError) as problem:
            raise RegistryError(
                "A process that prepares records ended unexpectedly",
                hint="It may have been killed for lack of memory; run the same build again.",
            ) from problem
        return batch

    def _start(self) -> tuple[IO[bytes], IO[bytes]]:
        child = subprocess.Popen(
            [sys.executable, "-m", "trialyst.registry.prepare"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C goes to the whole group of the terminal; these end when the parent says so.
            process_group=0,
        )
        self._children.append(child)
        assert child.stdin
        assert child.stdout
        write_frame(child.stdin, self._dictionary)
        return child.stdin, child.stdout


def _chunks(records: Iterable[RawRecord]) -> Iterator[list[RawRecord]]:
    chunk: list[RawRecord] = []
    size = 0
    for record in records:
        chunk.append(record)
        size += len(record.data)
        if size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
