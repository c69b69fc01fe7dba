"""Words made from the name of a condition: what diabetic people have, and gouty arthritis is."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from trialyst.folding import fold, fold_phrase
from trialyst.questions.headings import meant_kind
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary
    from trialyst.vocabulary.concept import Concept, Resolution

__all__ = ["PEOPLE", "agent_of", "kinds_named_after", "noun_of"]

PEOPLE = frozenset(
    """
    adolescents adult adults boys child children females girls individuals infants kids males man
    men newborns participant participants patient patients people person persons population
    subject subjects teenagers volunteers woman women
    """.split()
)
"""Whom a word that stands before them describes."""

_NOUN_ENDINGS = {
    "stic": ("sm",),
    "tic": ("tes", "sis", "tis", "sy", ""),
    "ic": ("ia", "y", "ism", "is"),
    "iac": ("ia",),
    "ive": ("ion",),
    "ed": ("ion", "ia", "y"),
    "ese": ("esity",),
    "al": ("e", ""),
    "ous": ("osis",),
    "oid": ("oidism",),
    "ant": ("ancy",),
    "ile": ("ility",),
    "ac": ("ac disease",),
    "ar": ("ar disorder",),
}
"""How a word that describes people ends, and what it is made from: psoriatic, psoriasis."""
_INFECTION = re.compile(r"(.+) (?:infections?|virus disease)", re.IGNORECASE)
_ORGANISMS = ("B",)
"""Where MeSH files living things."""
_SHORTEST_STEM = 2
_ENDING_OF_NAME = 3
"""Letters of a name that give way where another word is made from it."""
_SHORTEST_BEGINNING = 4
MOST_KINDS = 100
"""A concept with more kinds is so broad that a word made from its name is no kind's own."""


def noun_of(vocabulary: Vocabulary, word: str) -> Resolution | None:
    """Give the condition that a single word ascribes to people, if it names none itself.

    Of `diabetics` and `diabetic` it is diabetes.
    """
    if not word.isalpha():
        return None
    (written,) = fold(word) or ("",)
    for ending, nouns in _NOUN_ENDINGS.items():
        stem = written.removesuffix(ending)
        if stem == written or len(stem) < _SHORTEST_STEM:
            continue
        for noun in nouns:
            found = vocabulary.resolve(stem + noun, kinds=(Kind.CONDITION, Kind.OTHER))
            certain = found.exact and not found.ambiguous
            if certain and meant_kind(found.matches[0].concept) is Kind.CONDITION:
                return found
    return None


@lru_cache(512)
def kinds_named_after(vocabulary: Vocabulary, concept: Concept) -> tuple[str, ...]:
    """Give kinds of a condition that are named by a word made from its name, as carcinomas, or by
    the agent of an infection.

    A trial indexed as Arthritis, Gouty alone has no word of gout. Other kinds have the name itself
    in theirs, or are looked for by it among the headings above them.
    """
    below = vocabulary.narrower(concept) if concept.kind is Kind.CONDITION else ()
    if not concept.trees or len(below) > MOST_KINDS:
        return ()
    single = {fold_phrase(name) for name in concept.synonyms if len(fold(name)) == 1}
    begun = tuple(
        name[: max(_SHORTEST_BEGINNING, len(name) - _ENDING_OF_NAME)]
        for name in single
        if len(name) >= _SHORTEST_BEGINNING
    )
    found = [
        kind.preferred
        for kind in below
        if single.isdisjoint(words := fold(kind.preferred))
        and any(word.startswith(begun) for word in words)
    ]
    return (*found, *_carcinomas(concept), *_agents(vocabulary, concept))


def _carcinomas(concept: Concept) -> tuple[str, ...]:
    """Give the carcinoma of a site for its cancer."""
    sites = (name.removesuffix(" cancer") for name in map(str.lower, concept.names) if " " in name)
    known = {fold_phrase(name) for name in concept.synonyms}
    found = (f"{site} carcinoma" for site in sites if f"{site} cancer" in known)
    return tuple(name for name in found if fold_phrase(name) not in known)


def _agents(vocabulary: Vocabulary, concept: Concept) -> tuple[str, ...]:
    """Give the agent for its infection: trials of COVID-19 that say SARS-CoV-2 alone."""
    infections = (_INFECTION.fullmatch(name) for name in concept.synonyms)
    agents = dict.fromkeys(found[1] for found in infections if found)
    known = [fold_phrase(name) for name in concept.synonyms if not _INFECTION.fullmatch(name)]
    return tuple(
        name for name in agents if _is_organism(vocabulary, name) and fold_phrase(name) not in known
    )


def _is_organism(vocabulary: Vocabulary, name: str) -> bool:
    return _organism(vocabulary, name) is not None


def _organism(vocabulary: Vocabulary, name: str) -> Resolution | None:
    found = vocabulary.resolve(name, kinds=(Kind.OTHER,))
    trees = found.concept.trees if found.concept and found.exact else ()
    return found if trees and all(tree.startswith(_ORGANISMS) for tree in trees) else None


def agent_of(vocabulary: Vocabulary, text: str) -> Resolution | None:
    """Give the organism of an infection with it: of `Helicobacter pylori infection`."""
    found = _INFECTION.fullmatch(text)
    return _organism(vocabulary, found[1]) if found else None
