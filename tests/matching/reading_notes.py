"""How tests read a note: one reader for all, facts as short tuples."""

from __future__ import annotations

from functools import cache

from tests.shipped import shipped_vocabulary
from trialyst.matching.ingest import NoteReader
from trialyst.matching.patient import Fact, FactKind, PatientProfile


@cache
def reader() -> NoteReader:
    """Give the one reader."""
    return NoteReader(shipped_vocabulary())


def read(note: str) -> PatientProfile:
    """Read a note."""
    return reader().understand(note)


def facts(note: str, kind: FactKind) -> list[Fact]:
    """Give the facts of a kind in a note."""
    return list(read(note).of(kind))


def said(note: str, kind: FactKind) -> dict[str, str]:
    """Give how each thing of a kind is asserted, by its name."""
    return {fact.name: fact.assertion.value for fact in facts(note, kind)}
