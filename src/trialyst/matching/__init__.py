"""Matching: from a patient note to ranked, explained trials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.eligibility.quantity import Quantity
    from trialyst.eligibility.reading.note import Note, Sentence, parse_note
    from trialyst.matching.ingest import understand
    from trialyst.matching.patient import (
        Assertion,
        ConceptRef,
        Fact,
        FactKind,
        KeyFacts,
        PatientAge,
        PatientProfile,
        Sex,
    )

__all__ = [
    "Assertion",
    "ConceptRef",
    "Fact",
    "FactKind",
    "KeyFacts",
    "Note",
    "PatientAge",
    "PatientProfile",
    "Quantity",
    "Sentence",
    "Sex",
    "parse_note",
    "understand",
]

_HOMES = {
    "ingest": ("understand",),
    "note": ("Note", "Sentence", "parse_note"),
    "patient": (
        "Assertion",
        "ConceptRef",
        "Fact",
        "FactKind",
        "KeyFacts",
        "PatientAge",
        "PatientProfile",
        "Sex",
    ),
    "quantity": ("Quantity",),
}

__getattr__ = lazy_names(__name__, _HOMES)
