"""Matching: from a patient note to ranked, explained trials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.matching.ingest import parse_note, understand
    from trialyst.matching.patient import (
        Assertion,
        ConceptRef,
        Fact,
        FactKind,
        KeyFacts,
        Note,
        PatientAge,
        PatientProfile,
        Quantity,
        Sentence,
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
    "ingest": ("parse_note", "understand"),
    "patient": (
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
    ),
}

__getattr__ = lazy_names(__name__, _HOMES)
