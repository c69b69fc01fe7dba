"""The second pass: criteria of every trial to requirements; resumable.

It runs on all cores, writes a file aside and puts it beside the records when it is whole. Until
then, and for trials that change later, whoever needs a reading reads the texts again. What an
interrupted pass or an earlier generation read of the same texts is not read again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from trialyst.ctgov.parse_readable import parse_readable
from trialyst.eligibility.version import reading_version
from trialyst.errors import RegistryError
from trialyst.registry import generation as layout
from trialyst.registry.builder import writing
from trialyst.registry.kept import load_unread, newest_requirements, open_requirements
from trialyst.registry.records import RecordReader, compressor_for, train_dictionary
from trialyst.registry.requirements import Kept, RequirementWriter
from trialyst.registry.trial_reader import ReadTrial, TrialReader, hash_criteria

__all__ = ["ReadingProgress", "ReadingReport", "read_requirements"]

Item = TypeVar("Item")
OpenReader = Callable[[], TrialReader]
"""Makes the reader, in each process that reads; it must be picklable where there are several."""

BATCH = 32
"""Trials that a process reads at a time: some 600 criteria, a fraction of a second."""
WORTH_A_PROCESS = 100
"""Trials for which it is worth to start a process, which takes a second."""
COMMIT_SECONDS = 5.0
SAMPLE = 1_000
"""Trials from which a dictionary is learned; a smaller registry has none."""
LEVEL = 6
"""Takes 70 us a trial, a hundredth of reading it, and a fifth less room than level 1."""


class ReadingProgress(NamedTuple):
    """How far the pass is."""

    trials: int
    """Done, those of earlier passes included."""
    total: int
    criteria: int
    """Read in this pass."""
    seconds: float

    @property
    def rate(self) -> float:
        """Criteria a second."""
        return self.criteria / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class ReadingReport:
    """What a pass did."""

    trials: int = 0
    """Trials whose requirements are kept now."""
    read: int = 0
    reused: int = 0
    """Trials whose text had been read before."""
    criteria: int = 0
    """Criteria read in this pass."""
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Criteria a second."""
        return self.criteria / self.seconds if self.seconds else 0.0


def read_requirements(
    directory: Path,
    open_reader: OpenReader,
    *,
    processes: int = 1,
    progress: Callable[[ReadingProgress], None] = lambda told: None,
    commit_seconds: float = COMMIT_SECONDS,
) -> ReadingReport:
    """Read the criteria of every trial and keep what they mean beside the records.

    Killed or interrupted, it leaves the registry as it was, and the same call goes on.

    Args:
        processes: How many processes read at most; 1 reads in this one.
        commit_seconds: How much work a kill may cost.

    Raises:
        RegistryMissing: there is no registry in the directory.
        RegistryLocked: another process is writing it.
        RegistryError: the disk is full, or a process died.
    """
    with writing(directory), _held(directory) as generation:
        version = reading_version()
        if kept := _finished(generation, version):
            return ReadingReport(trials=kept, reused=kept)
        worth = layout.open_manifest(generation).records // WORTH_A_PROCESS
        used = max(1, min(processes, worth))
        with (
            contextlib.closing(_Readers(generation, open_reader, used)) as readers,
            contextlib.closing(_Pass(directory, generation, version)) as whole,
        ):
            return whole.run(readers, progress, commit_seconds)


@contextlib.contextmanager
def _held(directory: Path) -> Iterator[Path]:
    generation, held = layout.hold_current(directory)
    try:
        layout.open_manifest(generation)
        yield generation
    finally:
        os.close(held)


def _finished(generation: Path, version: str) -> int:
    """Give how many trials are kept if nothing is left to do, else 0."""
    kept = open_requirements(generation)
    if kept is None:
        return 0
    with contextlib.closing(kept):
        return 0 if kept.version != version or load_unread(generation) else len(kept)


class _Pass:
    """One pass over one generation."""

    def __init__(self, directory: Path, generation: Path, version: str) -> None:
        self._generation = generation
        self._aside = directory / layout.READING / layout.REQUIREMENTS
        self._aside.parent.mkdir(exist_ok=True)
        self._suspects: frozenset[int] | None = None
        """Trials whose text may be another than the one that was read; None if all may."""
        self._writer = self._begin(directory, version)
        self._started = self._saved = time.monotonic()

    def _begin(self, directory: Path, version: str) -> RequirementWriter:
        """Go on with an interrupted pass, or with what an earlier one put beside the records."""
        if self._aside.exists():
            writer = RequirementWriter(self._aside)
            if writer.about().get("version") == version:
                return writer
            writer.close()
            self._aside.unlink()
        older = newest_requirements(directory, version)
        if older is not None:
            self._suspects = load_unread(older.parent) if older.parent == self._generation else None
            copy = self._aside.with_suffix(".copy")
            shutil.copyfile(older, copy)
            copy.replace(self._aside)
        writer = RequirementWriter(self._aside)
        writer.describe(version=version)
        return writer

    def close(self) -> None:
        """Let go of the file; what was committed is there for the next pass."""
        self._writer.close()

    def run(
        self,
        readers: _Readers,
        progress: Callable[[ReadingProgress], None],
        commit_seconds: float,
    ) -> ReadingReport:
        with contextlib.closing(RecordReader(self._generation / layout.RECORDS)) as records:
            numbers = records.numbers()
        self._drop_outdated(readers, numbers)
        kept = self._writer.hashes()
        due = [number for number in numbers if number not in kept]
        report = ReadingReport(trials=len(numbers), reused=len(numbers) - len(due))
        compressor = compressor_for(self._dictionary(readers, due), level=LEVEL)
        for batch in readers.each(_Reader.read, _batches(due)):
            self._writer.put(
                Kept(each.number, each.hashed, compressor.compress(each.criteria)) for each in batch
            )
            report.read += len(batch)
            report.criteria += sum(each.size for each in batch)
            report.seconds = time.monotonic() - self._started
            done = report.reused + report.read
            if time.monotonic() - self._saved >= commit_seconds:
                self._writer.commit()
                self._saved = time.monotonic()
            progress(ReadingProgress(done, len(numbers), report.criteria, report.seconds))
        self._put_in_place()
        return report

    def _drop_outdated(self, readers: _Readers, numbers: Sequence[int]) -> None:
        """Forget trials whose text is not the one that was read, unless that was done before."""
        if self._writer.about().get("generation") == self._generation.name:
            return
        kept = self._writer.hashes()
        self._writer.remove(kept.keys() - set(numbers))
        suspects = kept.keys() if self._suspects is None else self._suspects & kept.keys()
        held = _batches([number for number in numbers if number in suspects])
        for batch in readers.each(_Reader.hash_texts, held):
            self._writer.remove(number for number, hashed in batch if kept[number] != hashed)
        self._writer.describe(generation=self._generation.name)

    def _dictionary(self, readers: _Readers, due: Sequence[int]) -> bytes:
        """Give the compression dictionary; a new file learns one from a sample of the trials."""
        held = self._writer.dictionary
        if held is not None:
            return held
        sample = due[:: len(due) // SAMPLE] if len(due) >= SAMPLE else ()
        read = readers.each(_Reader.read, _batches(sample))
        trained = train_dictionary([each.criteria for batch in read for each in batch])
        self._writer.set_dictionary(trained)
        return trained

    def _put_in_place(self) -> None:
        self._writer.commit()
        self._writer.close()
        layout.sync_file(self._aside)
        self._aside.replace(self._generation / layout.REQUIREMENTS)
        # The file goes with its generation; that some trials are out of date is true no more.
        (self._generation / layout.UNREAD).unlink(missing_ok=True)
        layout.sync_file(self._generation)


def _batches(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    return (numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH))


class _Reader:
    """Reads some trials, in this process or in one of several."""

    def __init__(self, generation: Path, open_reader: OpenReader) -> None:
        self._records = RecordReader(generation / layout.RECORDS)
        self._open_reader = open_reader
        self._reader: TrialReader | None = None

    def read(self, numbers: Sequence[int]) -> list[ReadTrial]:
        if self._reader is None:
            self._reader = self._open_reader()
        return [self._reader.read(*each) for each in self._records.get(numbers).items()]

    def hash_texts(self, numbers: Sequence[int]) -> list[tuple[int, int]]:
        return [
            (number, hash_criteria(parse_readable(record)))
            for number, record in self._records.get(numbers).items()
        ]

    def close(self) -> None:
        self._records.close()


class _Readers:
    """One reader in this process, or one in each of several."""

    def __init__(self, generation: Path, open_reader: OpenReader, processes: int) -> None:
        self._here = _Reader(generation, open_reader) if processes == 1 else None
        self._pool = None
        self._most = 3 * processes
        if processes > 1:
            self._pool = ProcessPoolExecutor(
                processes,
                # Threads of an index that was just written do not survive a fork.
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_start_reader,
                initargs=(generation, open_reader),
            )

    def each(
        self,
        work: Callable[[_Reader, Sequence[int]], list[Item]],
        batches: Iterable[Sequence[int]],
    ) -> Iterator[list[Item]]:
        """Do some work on every batch and yield what comes of it, in any order."""
        if self._here is not None or self._pool is None:
            for batch in batches:
                assert self._here is not None
                yield work(self._here, batch)
            return
        rest = iter(batches)
        running: set[Future[list[Item]]] = set()
        try:
            while True:
                for batch in islice(rest, self._most - len(running)):
                    running.add(self._pool.submit(_work, work.__name__, batch))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for each in done:
                    yield each.result()
        except BrokenProcessPool as problem:
            raise RegistryError(
                "A process that read criteria died",
                hint="Run the same command again; it goes on where it stopped.",
            ) from problem

    def close(self) -> None:
        if self._here is not None:
            self._here.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


_reader: _Reader | None = None
"""The reader of a process that does nothing else."""


def _start_reader(generation: Path, open_reader: OpenReader) -> None:
    global _reader
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _reader = _Reader(generation, open_reader)


def _end_with_parent() -> None:
    """End this process when the one that started it was killed and cannot say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(name: str, numbers: Sequence[int]) -> list[Any]:
    assert _reader is not None
    done: list[Any] = getattr(_reader, name)(numbers)
    return done
