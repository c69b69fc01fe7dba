"""What people mean by headings that MeSH files under neither diseases nor drugs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary.concept import Concept

__all__ = ["is_thing", "meant_kind"]

_CONDITIONS = ("F01.145.126", "F01.145.805", "F01.470", "G08.686.157.500", "G08.686.784.769")
"""Behavioral symptoms, smoking, emotions, menopause, pregnancy: what somebody has or is in."""
_TREATMENTS = ("E02", "E03", "E04", "I03.350")
"""Therapeutics, anesthesia, surgery, exercise."""
_NO_THINGS = ("V", "Z")
"""Kinds of publications, and places."""


def meant_kind(concept: Concept) -> Kind:
    """Give what a concept is to somebody who looks for trials.

    Depression is a symptom to MeSH and a condition to whoever has it; radiotherapy is no drug, and
    given like one.
    """
    if concept.kind is Kind.OTHER:
        if any(tree.startswith(_CONDITIONS) for tree in concept.trees):
            return Kind.CONDITION
        if any(tree.startswith(_TREATMENTS) for tree in concept.trees):
            return Kind.DRUG
    return concept.kind


def is_thing(concept: Concept) -> bool:
    """Whether trials may be about it."""
    return not all(tree.startswith(_NO_THINGS) for tree in concept.trees)
