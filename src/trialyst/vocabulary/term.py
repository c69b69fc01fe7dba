"""A normalised thing that criteria and charts speak of: a condition, a drug, a procedure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Term", "TermKind"]


class TermKind(StrEnum):
    """What sort of thing a name in a text stands for."""

    CONDITION = "condition"
    SYMPTOM = "symptom"
    """A complaint or sign; compared like a condition."""
    DRUG = "drug"
    DRUG_CLASS = "drug class"
    THERAPY = "therapy"
    """A treatment that is no single drug: radiotherapy, chemotherapy, a regimen, dialysis."""
    PROCEDURE = "procedure"
    """An operation or an examination."""
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Term:
    """A concept: the vocabulary's id, or one of ours such as `lab:hemoglobin`, `class:...`."""

    id: str
    name: str
    trees: tuple[str, ...] = ()
    """MeSH tree numbers, which tell what is a kind of what."""
    others: tuple[str, ...] = ()
    """Ids of what the words may mean besides."""
