"""What somebody means who types into one box: an id, a gene, a drug and a condition, a note."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from trialyst.errors import InvalidInput
from trialyst.ids import NctId
from trialyst.questions.free_text import read_free_text
from trialyst.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trialyst.vocabulary import Vocabulary

__all__ = ["Destination", "Place", "find_destination", "is_gene"]

LONGEST_QUESTION = 300
"""Characters; what is longer is a note, and a note never stands in an address."""
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)")
_PERSON = re.compile(
    r"\b\d{1,3}[ -]?(?:years?|yrs?|months?|weeks?|days?)[ -]old\b|\b\d{1,3} ?y/?o\b", re.I
)
_PATHWAY = re.compile(r"(?:WP:)?(WP[1-9]\d{0,4})", re.IGNORECASE)
_GENE = re.compile(r"[A-Z][A-Z0-9-]{1,11}")


class Place(StrEnum):
    """Where a text leads."""

    TRIAL = "trial"
    PATHWAY = "pathway"
    GENE = "gene"
    REPURPOSING = "repurposing"
    NOTE = "note"
    SEARCH = "search"


class Destination(NamedTuple):
    """A place, and what to ask for there; of a note nothing, for it goes no further."""

    place: Place
    arguments: Mapping[str, str]


def find_destination(names: Vocabulary, text: str) -> Destination:
    """Say where a text leads; what is nothing in particular is searched for."""
    text = text.strip()
    if _is_note(text):
        return Destination(Place.NOTE, {})
    try:
        return Destination(Place.TRIAL, {"nct_id": str(NctId.parse(text))})
    except InvalidInput:
        pass
    if found := _PATHWAY.fullmatch(text):
        return Destination(Place.PATHWAY, {"pathway_id": found[1].upper()})
    if _GENE.fullmatch(text) and is_gene(names, text):
        return Destination(Place.GENE, {"gene": text})
    return _pair(names, text) or Destination(Place.SEARCH, {"query": text})


def _is_note(text: str) -> bool:
    return (
        len(text) > LONGEST_QUESTION
        or text.startswith(("{", "["))
        or _PERSON.search(text) is not None
        or len(text.splitlines()) > 1
        or len(_SENTENCE_END.findall(text)) > 1
    )


def is_gene(names: Vocabulary, text: str) -> bool:
    """Whether a text means a gene before anything else."""
    found = names.resolve(text)
    return bool(found.matches) and found.matches[0].concept.kind is Kind.GENE


def _pair(names: Vocabulary, text: str) -> Destination | None:
    """Give a drug and a condition, where the text names one of each and nothing else."""
    read = read_free_text(names, text)
    parts = {segment.kind: segment.text for segment in read.segments}
    named = set(parts) == {"condition", "intervention"} and len(read.segments) == 2
    if not named or read.wishes or read.denied:
        return None
    asked = {"drug": parts["intervention"], "condition": parts["condition"]}
    return Destination(Place.REPURPOSING, asked)
