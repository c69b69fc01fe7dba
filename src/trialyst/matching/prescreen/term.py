"""A term of a search: its part, its weight and the phrases it is found by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase, phrase_variants

if TYPE_CHECKING:
    from trialyst.vocabulary import Concept

__all__ = [
    "MOST_NAMES_ASIDE",
    "SHALLOWEST",
    "SHORTEST_NAME",
    "STATED",
    "Role",
    "SearchTerm",
    "concept_phrases",
    "is_too_wide",
    "name_phrases",
    "wide_names",
]

STATED = "stated"
"""Why a term is searched for that the note names."""
MOST_NAMES = 14
MOST_NAMES_ASIDE = 8
"""Of treatments and of wider and narrower conditions, which matter less."""
SHORTEST_NAME = 4
SHALLOWEST = 2
"""Steps below the top of a tree; headings above it are whole specialities."""
# Headings so wide that a search for them finds anything.
_TOO_WIDE = frozenset(
    map(
        fold_phrase,
        "Disease|Emergencies|Pain|Syndrome|Signs and Symptoms|Wounds and Injuries|Infections"
        "|Neoplasms|Chronic Disease|Acute Disease|Recurrence|Inflammation|Vital Signs|Women"
        "|Constriction, Pathologic|Sclerosis|Communicable Diseases|Activities of Daily Living"
        "|Atrophy|Facies|Rupture|Cysts|Granuloma".split("|"),
    )
)


class Role(StrEnum):
    """What part a term plays; the words are those of the plan a user reads."""

    CONDITION = "condition"
    SYMPTOM = "symptom"
    TREATMENT = "treatment"
    PROCEDURE = "procedure"
    BIOMARKER = "biomarker"
    BROADER = "broader"
    NARROWER = "narrower"
    SIMILAR = "similar"
    """Studied by the trials nearest to the note's words."""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """Something to look for, under any of its names."""

    name: str
    role: Role
    weight: float
    phrases: tuple[str, ...]
    """Its names, folded; none contains another."""
    why: str
    """Where it comes from, such as `stated` or `guessed from findings`."""
    concept: str = ""


def is_too_wide(name: str) -> bool:
    """Whether a name says so little that a search for it finds anything."""
    return fold_phrase(name) in _TOO_WIDE


def wide_names(text: str) -> tuple[str, ...]:
    """Give the names too wide to lead a search that stand in a text, folded."""
    padded = f" {fold_phrase(text)} "
    return tuple(sorted(name for name in _TOO_WIDE if f" {name} " in padded))


def name_phrases(names: Iterable[str], *, most: int) -> tuple[str, ...]:
    """Fold names to phrases, leaving out each that contains another."""
    spelt = {v for name in names for v in phrase_variants(name) if v}
    kept: list[str] = []
    for tokens in sorted(spelt, key=lambda tokens: (len(tokens), tokens)):
        padded = f" {' '.join(tokens)} "
        if not any(f" {known} " in padded for known in kept):
            kept.append(padded.strip())
    return tuple(kept[:most])


def concept_phrases(concept: Concept, *, most: int = MOST_NAMES) -> tuple[str, ...]:
    """Fold the names of a concept to phrases."""
    names = [name for name in concept.synonyms if len(name) >= SHORTEST_NAME]
    return name_phrases(names or (concept.preferred,), most=most)
