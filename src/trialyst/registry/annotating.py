"""Annotating the trials of a generation on all cores.

A part of the trials is given to each of some helping processes, which read the records themselves
and write what they make to a file of their own. They run this module, not the caller's script, so a
script that builds a registry needs no guard; what one leaves undone its caller does.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import trialyst
from trialyst.annotation import encode_annotation
from trialyst.ctgov.parse_readable import parse_readable
from trialyst.registry import generation as layout
from trialyst.registry.records import RecordReader
from trialyst.registry.trial_reader import open_annotator

if TYPE_CHECKING:
    from trialyst.annotation import Annotate
    from trialyst.vocabulary import Vocabulary

__all__ = ["Helpers", "annotate_batches", "open_helpers"]

_BATCH = 500
_FOLDER = "annotating"
WORTH_A_PROCESS = 3_000
"""Trials for which it is worth to start a process: some seconds of work."""


def annotate_batches(
    records: RecordReader, numbers: Sequence[int], annotate: Annotate
) -> Iterator[list[tuple[int, bytes]]]:
    """Yield trials with their encoded annotations, some hundred at a time."""
    for start in range(0, len(numbers), _BATCH):
        found = records.get(numbers[start : start + _BATCH])
        yield [
            (number, encode_annotation(annotate(parse_readable(record))))
            for number, record in found.items()
        ]


@contextlib.contextmanager
def open_helpers(
    generation: Path, vocabulary: Vocabulary, due: Sequence[int], *, processes: int | None = None
) -> Iterator[Helpers]:
    """Start a process for each core but this one, as far as it is worth it.

    Args:
        vocabulary: Where it does not come from a file, no process can open it too.
        processes: How many work, this one included; without it, one a core if that is worth it.
    """
    most = processes or min(os.cpu_count() or 1, len(due) // WORTH_A_PROCESS)
    names = vocabulary.path
    count = max(0, most - 1) if names is not None and sys.executable else 0
    # Every so manieth batch: old trials are short and lie together.
    parts = [_every(due, count + 1, part) for part in range(1, count + 1)]
    folder = generation.parent / _FOLDER
    helpers = Helpers(generation, [(folder / str(at), part) for at, part in enumerate(parts)])
    try:
        if count:
            # What a killed process left; whoever annotates is the only writer.
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        helpers.start(str(names))
        yield helpers
    finally:
        helpers.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _every(due: Sequence[int], count: int, part: int) -> list[int]:
    starts = range(part * _BATCH, len(due), count * _BATCH)
    return [number for start in starts for number in due[start : start + _BATCH]]


class Helpers:
    """The processes that annotate a part of the trials each."""

    def __init__(self, generation: Path, parts: Sequence[tuple[Path, list[int]]]) -> None:
        self._generation = generation
        self._parts = parts
        self._running: list[subprocess.Popen[bytes]] = []

    @property
    def numbers(self) -> Iterable[int]:
        """Give the trials that were given away."""
        return (number for _, part in self._parts for number in part)

    def start(self, names: str) -> None:
        """Start them; `names` is the file of the vocabulary."""
        # Found where this one was, however it was.
        home = str(Path(trialyst.__file__).parent.parent)
        beside = os.environ.get("PYTHONPATH")
        paths = os.pathsep.join([home, beside] if beside else [home])
        for path, part in self._parts:
            asked = [str(self._generation), names, str(path), str(os.getpid())]
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, *asked],
                stdin=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": paths},
            )
            self._running.append(process)
            with contextlib.suppress(OSError):
                assert process.stdin is not None
                process.stdin.write(array("I", part).tobytes())
                process.stdin.close()

    def finished(self) -> Iterator[Path]:
        """Wait for each and give its file; none of one that failed."""
        for process, (path, _) in zip(self._running, self._parts, strict=True):
            if process.wait() == 0:
                yield path

    def stop(self) -> None:
        """End those that still run, and wait until they have."""
        for process in self._running:
            process.kill()
            process.wait()


def _help(generation: Path, names: Path, path: Path, parent: int) -> None:
    """Annotate the trials whose numbers come in, as long as the process that asked lives."""
    from trialyst.vocabulary.learned import LearnedNames
    from trialyst.vocabulary.lookup import Vocabulary
    from trialyst.vocabulary.table import Table

    numbers = array("I")
    numbers.frombytes(sys.stdin.buffer.read())
    vocabulary = Vocabulary(Table.open(names))
    if (generation / layout.LEARNED).exists():
        vocabulary = vocabulary.with_learned(LearnedNames.load(generation / layout.LEARNED))
    with (
        contextlib.closing(RecordReader(generation / layout.RECORDS)) as records,
        contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db,
    ):
        db.execute("PRAGMA synchronous = OFF")
        db.execute("CREATE TABLE trials (nct INTEGER PRIMARY KEY, blob BLOB)")
        db.execute("BEGIN")
        annotate = open_annotator(vocabulary).annotate
        for rows in annotate_batches(records, list(numbers), annotate):
            if os.getppid() != parent:
                sys.exit(1)
            db.executemany("INSERT INTO trials VALUES (?, ?)", rows)
        db.execute("COMMIT")


if __name__ == "__main__":
    _help(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
