"""Guesses beside what a note states: which leads, and which of the stated is but a finding.

A condition that stands where a finding of the likeliest guess stands is a part of that picture,
and one that half of all patients have is seldom what a note is about. What a note says to be
diagnosed is never lowered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.matching.prescreen.presentations import ENOUGH, Guess
from trialyst.matching.prescreen.term import STATED, Role, SearchTerm, concept_phrases, name_phrases

if TYPE_CHECKING:
    from trialyst.matching.patient import Fact, PatientProfile
    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["add_guesses"]

SURE = 5
"""Points from which a guess explains what is stated beside it."""
FURTHEST = 4
"""Points behind the best from which a guess is left out."""
BELOW = 0.8
"""What a condition that a guess explains weighs at most, of the guess's weight."""
DIAGNOSED = 1.7
"""What only a condition weighs that is said to be diagnosed, or spoken of again and again."""
_COMPANIONS = frozenset(
    map(
        fold_phrase,
        "Hypertension|Obesity|Diabetes Mellitus|Diabetes Mellitus, Type 2|Hyperlipidemias"
        "|Hypercholesterolemia|Dyslipidemias|Overweight|Gastroesophageal Reflux|Pharyngitis"
        "|Anemia|Common Cold|Alcoholism|Tobacco Use Disorder|Osteoarthritis|Hypothyroidism"
        "|Respiratory Tract Infections|Allergic Rhinitis|Rhinitis, Allergic, Seasonal".split("|"),
    )
)


def add_guesses(
    stated: dict[str, SearchTerm],
    guesses: Sequence[Guess],
    profile: PatientProfile,
    vocabulary: Vocabulary,
) -> dict[str, SearchTerm]:
    """Give the stated terms and the guesses, each weighed beside the others."""
    best = max((guess.points for guess in guesses), default=0)
    if best < ENOUGH and any(term.weight >= DIAGNOSED for term in stated.values()):
        return stated
    kept = [guess for guess in guesses if guess.points >= best - FURTHEST]
    terms = dict(stated)
    for guess in kept:
        for name, weight in _weights(guess, best):
            _add(terms, name, weight, guess, profile=profile, vocabulary=vocabulary)
    leading = [
        guess
        for guess in kept
        if guess.points == best >= SURE and not _is_stated(guess, stated, vocabulary)
    ]
    return _lower_explained(terms, stated, leading, profile, vocabulary) if leading else terms


def _is_stated(guess: Guess, terms: Mapping[str, SearchTerm], vocabulary: Vocabulary) -> bool:
    known = terms.get(_key(guess.name, vocabulary))
    return known is not None and known.why == STATED


def _weights(guess: Guess, best: int) -> list[tuple[str, float]]:
    weight = min(1.4, guess.points / 6) * (1.0 if guess.points == best else 0.7)
    return [(guess.name, weight), *((name, 0.6 * weight) for name in guess.wider)]


def _lower_explained(
    terms: dict[str, SearchTerm],
    stated: Mapping[str, SearchTerm],
    leading: Sequence[Guess],
    profile: PatientProfile,
    vocabulary: Vocabulary,
) -> dict[str, SearchTerm]:
    named = [_meant(name, vocabulary) for guess in leading for name in _names(guess)]
    guessed = [concept for concept in named if concept is not None]
    spans = [span for guess in leading for span in guess.spans]
    most = BELOW * _weights(leading[0], leading[0].points)[0][1]
    lowered = dict(terms)
    for key, said in stated.items():
        term = terms[key]
        if term.weight <= most or said.weight >= DIAGNOSED or said.role is not Role.CONDITION:
            continue
        facts = profile.by_concept.get(key, ())
        explained = fold_phrase(term.name) in _COMPANIONS or _are_within(facts, spans)
        if explained and not _is_kin(vocabulary.get(key), guessed):
            lowered[key] = replace(term, weight=most)
    return lowered


def _meant(name: str, vocabulary: Vocabulary) -> Concept | None:
    """Give the concept of a name; one that is merely near (`Infections`) says less than words."""
    found = vocabulary.resolve(name)
    return found.concept if found.exact else None


def _key(name: str, vocabulary: Vocabulary) -> str:
    concept = _meant(name, vocabulary)
    return concept.id if concept else f"name:{name}"


def _names(guess: Guess) -> tuple[str, ...]:
    return guess.name, *guess.wider


def _are_within(facts: Collection[Fact], spans: Collection[tuple[int, int]]) -> bool:
    """Whether each fact overlaps one of the spans."""
    return bool(facts) and all(
        any(fact.start < end and start < fact.end for start, end in spans) for fact in facts
    )


def _is_kin(concept: Concept | None, others: Collection[Concept]) -> bool:
    """Whether a concept is one of the others, or above or below one."""
    if concept is None:
        return False
    trees = [f"{tree}." for tree in concept.trees]
    return any(
        concept.id == other.id
        or any(
            f"{tree}.".startswith(own) or own.startswith(f"{tree}.")
            for tree in other.trees
            for own in trees
        )
        for other in others
    )


def _add(
    terms: dict[str, SearchTerm],
    name: str,
    weight: float,
    guess: Guess,
    *,
    profile: PatientProfile,
    vocabulary: Vocabulary,
) -> None:
    key = _key(name, vocabulary)
    known = terms.get(key)
    if known is None:
        concept = _meant(name, vocabulary)
        phrases = concept_phrases(concept) if concept else name_phrases((name,), most=1)
        terms[key] = SearchTerm(name, Role.CONDITION, weight, phrases, "guessed from findings", key)
    elif not _only_names(guess, profile.by_concept.get(key, ())):
        raised = known.weight + 0.6 * weight
        terms[key] = replace(known, weight=raised, role=Role.CONDITION)


def _only_names(guess: Guess, facts: Collection[Fact]) -> bool:
    """Whether a guess rests on nothing but the name of the condition, which is stated anyway."""
    return all(
        any(fact.start <= start and end <= fact.end for fact in facts) for start, end in guess.spans
    )
