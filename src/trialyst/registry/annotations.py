"""The file of trials as annotated, made at ingest beside the records, and its index of conditions.

It tells which version of the reader made it; of another version, it counts as not there, and trials
are read when they are asked about. `registry upgrade` makes it anew.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trialyst.annotation import Role, decode_annotation
from trialyst.eligibility.version import reading_version
from trialyst.errors import RegistryError
from trialyst.registry import generation as layout
from trialyst.registry.annotating import annotate_batches, open_helpers
from trialyst.registry.records import RecordReader
from trialyst.registry.trial_reader import open_annotator
from trialyst.vocabulary.term import Term

if TYPE_CHECKING:
    from trialyst.annotation import TrialAnnotation
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "AnnotationReader",
    "KeptAnnotations",
    "LearnOnly",
    "annotate_generation",
    "annotation_problems",
    "annotation_version",
    "is_annotated",
    "tested_drugs",
]

_BATCH = 500
_DRUG = "tested drug:"
_TABLES = (
    "trials (nct INTEGER PRIMARY KEY, blob BLOB)",
    "dictionary (blob BLOB)",
    "about (name TEXT PRIMARY KEY, value TEXT)",
    "terms (id TEXT PRIMARY KEY, term BLOB, concepts BLOB, focus BLOB)",
)


@dataclass(frozen=True, slots=True)
class LearnOnly:
    """Names to learn others with, for a registry whose trials are to be annotated later."""

    vocabulary: Vocabulary


def annotation_version() -> str:
    """Give a short name that changes with the code and the tables that annotate a trial."""
    return reading_version("trialyst.annotation")


def is_annotated(generation: Path) -> bool:
    """Whether a generation has annotations of this version."""
    return _version_of(generation / layout.ANNOTATIONS) == annotation_version()


def _version_of(path: Path) -> str | None:
    if not path.exists():
        return None
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            return dict(db.execute("SELECT name, value FROM about")).get("version")
    except sqlite3.Error:
        return None


def annotate_generation(
    generation: Path, vocabulary: Vocabulary | None, *, changed: Iterable[int] = ()
) -> None:
    """Annotate the trials of a generation, or those of them that changed since it was copied.

    Written aside and put in place whole. What an annotation of the same version says of trials
    that did not change stays. Without names nothing is read; what changed is then not kept.
    """
    path = generation / layout.ANNOTATIONS
    aside = path.with_suffix(".aside")
    aside.unlink(missing_ok=True)
    if is_annotated(generation):
        shutil.copyfile(path, aside)
    if vocabulary is None and not aside.exists():
        path.unlink(missing_ok=True)
        return
    with (
        contextlib.closing(RecordReader(generation / layout.RECORDS)) as records,
        contextlib.closing(_Writer(aside)) as writer,
    ):
        numbers = records.numbers()
        writer.keep_only(set(numbers) - set(changed))
        if vocabulary is not None:
            _annotate_missing(generation, records, writer, vocabulary)
        unread = sorted(set(numbers) - writer.numbers())
        writer.finish(annotation_version(), unread)
    layout.sync_file(aside)
    aside.replace(path)


def _annotate_missing(
    generation: Path, records: RecordReader, writer: _Writer, vocabulary: Vocabulary
) -> None:
    held = writer.numbers()
    due = [number for number in records.numbers() if number not in held]
    with open_helpers(generation, vocabulary, due) as helpers:
        given = set(helpers.numbers)
        annotate = open_annotator(vocabulary).annotate
        own = [number for number in due if number not in given]
        for rows in annotate_batches(records, own, annotate):
            writer.put(rows)
        for part in helpers.finished():
            writer.merge(part)
    held = writer.numbers()
    # What a process that died has not done.
    for rows in annotate_batches(records, [each for each in due if each not in held], annotate):
        writer.put(rows)


class _Writer:
    """A file of annotations in the making."""

    def __init__(self, path: Path) -> None:
        is_copy = path.exists()
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("PRAGMA synchronous = OFF")
        self._is_copy = is_copy
        self._dropped: dict[int, bytes] = {}
        self._added: set[int] = set()
        for table in _TABLES:
            self._db.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        self._db.execute("BEGIN")

    def numbers(self) -> set[int]:
        return {number for (number,) in self._db.execute("SELECT nct FROM trials")}

    def keep_only(self, numbers: set[int]) -> None:
        gone = [(number,) for number in self.numbers() - numbers]
        for key in gone:
            self._dropped |= self._db.execute("SELECT nct, blob FROM trials WHERE nct = ?", key)
        self._db.executemany("DELETE FROM trials WHERE nct = ?", gone)

    def put(self, rows: Iterable[tuple[int, bytes]]) -> None:
        for number, blob in rows:
            self._db.execute("INSERT OR REPLACE INTO trials VALUES (?, ?)", (number, blob))
            if self._is_copy:
                self._added.add(number)

    def merge(self, path: Path) -> None:
        """Take what another process annotated."""
        with contextlib.closing(sqlite3.connect(path)) as other:
            self.put(other.execute("SELECT nct, blob FROM trials"))

    def finish(self, version: str, unread: Sequence[int]) -> None:
        """Bring the index from terms to trials up to date, and say what is not read."""
        if self._is_copy:
            self._update_terms()
        else:
            self._make_terms()
        about = {"version": version, "unread": ",".join(map(str, unread))}
        self._db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about.items())
        self._db.execute("COMMIT")

    def _make_terms(self) -> None:
        terms: dict[str, tuple[Term, array[int], array[int]]] = {}
        for number, blob in self._db.execute("SELECT nct, blob FROM trials ORDER BY nct"):
            for place, term in _places(blob):
                held = terms.setdefault(term.id, (term, array("i"), array("i")))
                held[place].append(number)  # type: ignore[union-attr]
        self._put_terms(
            (key, msgspec.msgpack.encode(term), concepts.tobytes(), focus.tobytes())
            for key, (term, concepts, focus) in terms.items()
        )

    def _update_terms(self) -> None:
        """Change the terms of the trials that changed, and no others."""
        terms: dict[str, tuple[Term, _Numbers, _Numbers]] = {}
        for number, blob in self._dropped.items():
            for place, term in _places(blob):
                held = terms.setdefault(term.id, (term, _Numbers(), _Numbers()))
                held[place].gone.add(number)  # type: ignore[union-attr]
        for number in self._added:
            for (blob,) in self._db.execute("SELECT blob FROM trials WHERE nct = ?", (number,)):
                for place, term in _places(blob):
                    held = terms.setdefault(term.id, (term, _Numbers(), _Numbers()))
                    held[place].come.add(number)  # type: ignore[union-attr]
        self._put_terms(self._changed_terms(terms))
        self._db.execute("DELETE FROM terms WHERE concepts = x'' AND focus = x''")

    def _changed_terms(
        self, terms: Mapping[str, tuple[Term, _Numbers, _Numbers]]
    ) -> Iterator[tuple[str, bytes, bytes, bytes]]:
        for key, (term, concepts, focus) in terms.items():
            held = self._db.execute(
                "SELECT term, concepts, focus FROM terms WHERE id = ?", (key,)
            ).fetchone() or (msgspec.msgpack.encode(term), b"", b"")
            yield key, held[0], concepts.apply(held[1]), focus.apply(held[2])

    def _put_terms(self, rows: Iterable[tuple[str, bytes, bytes, bytes]]) -> None:
        self._db.executemany("INSERT OR REPLACE INTO terms VALUES (?, ?, ?, ?)", list(rows))

    def close(self) -> None:
        self._db.close()


class _Numbers:
    """Trials that come to a term or leave it."""

    def __init__(self) -> None:
        self.gone: set[int] = set()
        self.come: set[int] = set()

    def apply(self, held: bytes) -> bytes:
        """Give the trials of a term after the change."""
        return array("i", sorted((set(array("i", held)) - self.gone) | self.come)).tobytes()


def _places(blob: bytes) -> Iterator[tuple[int, Term]]:
    """Yield the terms of a trial, each with the place that they have in an entry of the index.

    The drugs that it tests are terms of an id of our own, in no focus.
    """
    annotation = decode_annotation(blob)
    conditions = annotation.conditions
    yield from ((1, Term(f"{_DRUG}{name}", name)) for name in tested_drugs(annotation))
    for place, found in ((1, conditions.concepts), (2, conditions.focus)):
        for term in found:
            yield place, term


def tested_drugs(annotation: TrialAnnotation) -> set[str]:
    """Give the names of the drugs that a trial tests; a procedure gives only one that is known."""
    return {
        each.drug.name
        for intervention in annotation.interventions
        for each in intervention.drugs
        if each.role is Role.TESTED and (each.drug.known or intervention.role is not Role.PROCEDURE)
    }


class AnnotationReader(RecordReader):
    """Reads what is kept; safe to share between threads."""

    @property
    def unread(self) -> list[int]:
        """Trials that were added without names to read them by."""
        about = dict(self._rows("SELECT name, value FROM about"))
        return [int(number) for number in about["unread"].split(",") if number]

    def annotations(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the encoded annotations of trials; those not read yet are absent."""
        return dict(self._stored("trials", numbers))

    def having(self, is_meant: Callable[[Term], bool], *, focus: bool) -> set[int]:
        """Give the trials that have a term that is meant, among all or only in focus."""
        place = "focus" if focus else "concepts"
        found: set[int] = set()
        for key, term in self._rows(
            "SELECT id, term FROM terms WHERE id NOT GLOB ?", (f"{_DRUG}*",)
        ):
            if is_meant(msgspec.msgpack.decode(term, type=Term)):
                ((held,),) = self._rows(f"SELECT {place} FROM terms WHERE id = ?", (key,))
                found.update(array("i", held))
        return found

    def values(self, *, drugs: bool) -> dict[str, array[int]]:
        """Give the names of drugs that trials test, or of their conditions, with their trials."""
        which = "GLOB" if drugs else "NOT GLOB"
        rows = self._rows(f"SELECT term, concepts FROM terms WHERE id {which} ?", (f"{_DRUG}*",))
        found: dict[str, array[int]] = {}
        for term, concepts in rows:
            name = msgspec.msgpack.decode(term, type=Term).name
            found.setdefault(name, array("i")).extend(array("i", concepts))
        return found

    def numbers(self) -> list[int]:
        """Give the numbers of all annotated trials, ascending."""
        return [number for (number,) in self._rows("SELECT nct FROM trials ORDER BY nct")]


class KeptAnnotations:
    """What this version's reader kept of one generation's trials; damaged counts as not kept."""

    def __init__(self, generation: Path) -> None:
        self._generation = generation
        self._reader: AnnotationReader | None = None

    def open(self) -> AnnotationReader | None:
        """Give the file, None where there is none of this version."""
        if self._reader is None and is_annotated(self._generation):
            with contextlib.suppress(RegistryError):
                self._reader = AnnotationReader(self._generation / layout.ANNOTATIONS)
        return self._reader

    def get(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the encoded annotations of trials; what was not read yet is absent."""
        reader = self.open()
        with contextlib.suppress(RegistryError):
            return {} if reader is None else reader.annotations(numbers)
        return {}

    def close(self) -> None:
        """Let go of the file."""
        if self._reader is not None:
            self._reader.close()


def annotation_problems(generation: Path) -> Iterator[str]:
    """Say where annotations do not agree with the records; nothing if there are none."""
    if not is_annotated(generation):
        return
    try:
        with (
            contextlib.closing(AnnotationReader(generation / layout.ANNOTATIONS)) as kept,
            contextlib.closing(RecordReader(generation / layout.RECORDS)) as records,
        ):
            yield from (each.replace("records", "annotations", 1) for each in kept.problems())
            numbers = kept.numbers()
            if not set(numbers) <= set(records.numbers()):
                yield "annotations: some are of trials that have no record"
            for start in range(0, len(numbers), _BATCH):
                for blob in kept.annotations(numbers[start : start + _BATCH]).values():
                    decode_annotation(blob)
    except (RegistryError, msgspec.MsgspecError) as problem:
        yield f"annotations: {problem}"
