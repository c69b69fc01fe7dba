"""The terms a search for a patient's trials is made of, each with its part and its weight.

What the note names is weighed by how it is spoken of; what its findings point to is added as a
guess; the vocabulary gives wider and narrower conditions. Denied facts and relatives' are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

from trialyst.eligibility.names import read_names
from trialyst.folding import fold_phrase
from trialyst.matching.patient import Assertion, Fact, FactKind, PatientProfile
from trialyst.matching.prescreen.guesses import add_guesses
from trialyst.matching.prescreen.presentations import guess_conditions
from trialyst.matching.prescreen.term import (
    MOST_NAMES,
    MOST_NAMES_ASIDE,
    SHALLOWEST,
    SHORTEST_NAME,
    STATED,
    Role,
    SearchTerm,
    concept_phrases,
    is_too_wide,
    name_phrases,
)
from trialyst.vocabulary.concept import Concept, Kind
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["read_terms"]


_ROLES = {
    FactKind.CONDITION: Role.CONDITION,
    FactKind.SYMPTOM: Role.SYMPTOM,
    FactKind.THERAPY: Role.TREATMENT,
    FactKind.PROCEDURE: Role.PROCEDURE,
    FactKind.BIOMARKER: Role.BIOMARKER,
}
_BASE = {
    Role.CONDITION: 0.8,
    Role.SYMPTOM: 0.35,
    Role.TREATMENT: 0.3,
    Role.PROCEDURE: 0.3,
    Role.BIOMARKER: 0.4,
}
_LEFT_OUT = (Assertion.ABSENT, Assertion.FAMILY, Assertion.HYPOTHETICAL)
_DIAGNOSED = re.compile(
    r"(?:diagnos\w*|consistent with|confirm\w*|compatible with|positive for|suggest\w* of|known"
    r"|admitted (?:for|with)|follow[- ]?up (?:of|for))[^.;]{0,40}$",
    re.IGNORECASE,
)
# Even a symptom is what a search is about, where the note calls it the diagnosis.
_CALLED = re.compile(r"diagnos(?:is|ed)(?: of| with| as|:)? *$", re.IGNORECASE)
_REACH = 80
_SYMPTOM_TREE = "C23.888"
_SIGN_TREES = ("C23", "F02")
SHOWN = 0.5
SHOWN_MAIN = 1.0
"""Weights of conditions that findings show, and of the one the note is about."""
MOST_BROADER = 2
MOST_NARROWER = 12


def read_terms(
    profile: PatientProfile, vocabulary: Vocabulary, *, guessing: bool = True
) -> tuple[SearchTerm, ...]:
    """Give the terms of a patient, the weightiest first."""
    # A search asks first and then whoever tells what its trials are about: no words are kept.
    last = _last[0] if _last else None
    if last is not None and last.profile() is profile and last.asked == (vocabulary, guessing):
        return last.terms
    terms = _read(profile, vocabulary, guessing=guessing)
    _last[:] = [_LastTerms(ref(profile), (vocabulary, guessing), terms)]
    return terms


class _LastTerms(NamedTuple):
    profile: ref[PatientProfile]
    asked: tuple[Vocabulary, bool]
    terms: tuple[SearchTerm, ...]


_last: list[_LastTerms] = []


def _read(
    profile: PatientProfile, vocabulary: Vocabulary, *, guessing: bool
) -> tuple[SearchTerm, ...]:
    terms = _stated(profile, vocabulary)
    terms |= {key: term for key, term in _shown(profile, vocabulary) if key not in terms}
    if guessing:
        terms = add_guesses(terms, guess_conditions(profile), profile, vocabulary)
    terms |= {term.concept: term for term in _relatives(terms, profile, vocabulary)}
    return tuple(sorted(terms.values(), key=lambda term: (-term.weight, term.name)))


def _stated(profile: PatientProfile, vocabulary: Vocabulary) -> dict[str, SearchTerm]:
    spoken: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in profile.of(*_ROLES):
        if fact.negated or fact.assertion in _LEFT_OUT or fact.concept is None:
            continue
        if not fact.concept.id.startswith("lab:") and not is_too_wide(fact.name):
            spoken[fact.concept.id].append(fact)
    terms = {}
    for concept_id, facts in spoken.items():
        term = _stated_term(concept_id, facts, profile, vocabulary)
        if term.phrases:
            terms[concept_id] = term
    return terms


def _shown(profile: PatientProfile, vocabulary: Vocabulary) -> Iterator[tuple[str, SearchTerm]]:
    """Give the conditions that the chart's findings show though no words name them."""
    main = profile.chart.main
    for problem in profile.chart.problems:
        what = problem.what
        if not problem.inferred_from or problem.negated or is_too_wide(what.name):
            continue
        concept = vocabulary.get(what.id)
        phrases = concept_phrases(concept) if concept else name_phrases((what.name,), most=1)
        weight = SHOWN_MAIN if main is not None and main.what.id == what.id else SHOWN
        yield (
            what.id,
            SearchTerm(what.name, Role.CONDITION, weight, phrases, "shown by findings", what.id),
        )


def _stated_term(
    concept_id: str, facts: list[Fact], profile: PatientProfile, vocabulary: Vocabulary
) -> SearchTerm:
    concept = vocabulary.get(concept_id)
    role = _role(facts[0], concept)
    if role is Role.SYMPTOM and any(_stands_behind(_CALLED, fact, profile) for fact in facts):
        role = Role.CONDITION
    most = MOST_NAMES if role in (Role.CONDITION, Role.SYMPTOM) else MOST_NAMES_ASIDE
    phrases = (
        concept_phrases(concept, most=most)
        if concept is not None
        else name_phrases(
            (facts[0].name, facts[0].text, *_own_names().get(concept_id, ())), most=most
        )
    )
    return SearchTerm(
        facts[0].name, role, _weight(role, facts, profile), phrases, STATED, concept_id
    )


def _role(fact: Fact, concept: Concept | None) -> Role:
    if fact.kind is not FactKind.CONDITION or concept is None or not concept.trees:
        return _ROLES[fact.kind]
    is_sign = any(tree.startswith(_SYMPTOM_TREE) for tree in concept.trees)
    is_sign = is_sign or all(tree.startswith(_SIGN_TREES) for tree in concept.trees)
    return Role.SYMPTOM if is_sign else Role.CONDITION


def _stands_behind(cue: re.Pattern[str], fact: Fact, profile: PatientProfile) -> bool:
    return bool(cue.search(profile.note.text[max(0, fact.start - _REACH) : fact.start]))


def _weight(role: Role, facts: list[Fact], profile: PatientProfile) -> float:
    diagnosed = sum(_stands_behind(_DIAGNOSED, fact, profile) for fact in facts)
    weight = _BASE[role] + 0.15 * min(len(facts) - 1, 3)
    if role not in (Role.CONDITION, Role.SYMPTOM):
        return weight
    weight += (0.5 if role is Role.CONDITION else 0.25) * min(diagnosed, 2)
    if facts[0].sentence == profile.note.sentences[0].number:
        weight += 0.25
    primary = profile.primary_diagnosis
    if primary is not None and primary.concept is not None and role is Role.CONDITION:
        weight += 0.3 * (primary.concept.id == (facts[0].concept and facts[0].concept.id))
    past = all(fact.assertion is Assertion.HISTORICAL for fact in facts)
    return weight - 0.35 if past and not diagnosed and role is Role.CONDITION else weight


def _relatives(
    terms: dict[str, SearchTerm], profile: PatientProfile, vocabulary: Vocabulary
) -> Iterator[SearchTerm]:
    """Give the conditions just above and below the chief ones."""
    chief = [term for term in terms.values() if term.role is Role.CONDITION]
    top = max((term.weight for term in chief), default=0.0)
    seen = set(terms)
    for term in chief:
        if term.weight < 0.7 * top:
            continue
        concept = vocabulary.get(term.concept)
        for near in _wider(term.concept, concept, profile, vocabulary)[:MOST_BROADER]:
            if near.id not in seen and all(t.count(".") >= SHALLOWEST for t in near.trees):
                seen.add(near.id)
                yield _near(near, Role.BROADER, 0.4 * term.weight, f"wider than {term.name}")
        for near in vocabulary.narrower(concept)[:MOST_NARROWER] if concept else ():
            if near.id not in seen:
                seen.add(near.id)
                yield _near(near, Role.NARROWER, 0.5 * term.weight, f"a kind of {term.name}")


def _wider(
    key: str, concept: Concept | None, profile: PatientProfile, vocabulary: Vocabulary
) -> tuple[Concept, ...]:
    """Give what a condition is a kind of, the nearest first.

    A supplementary record of MeSH names its headings, a term of our own hangs below some.
    """
    if concept is not None:
        headings = tuple(filter(None, map(vocabulary.get, concept.related)))
        return vocabulary.broader(concept) if concept.trees else headings
    own = next((fact.concept for fact in profile.by_concept.get(key, ()) if fact.concept), None)
    if own is None:
        return ()
    above = {tree.rpartition(".")[0] for tree in own.trees}
    wider = vocabulary.broader(Concept(own.id, Kind.CONDITION, (own.name,), (), (), own.trees))
    return tuple(each for each in wider if not above.isdisjoint(each.trees))


@cache
def _own_names() -> dict[str, list[str]]:
    """Give the names of conditions that the vocabulary does not know, by id."""
    found: dict[str, list[str]] = {}
    for key, names in read_names().by_key.items():
        for name in names:
            if name.kind in (TermKind.CONDITION, TermKind.SYMPTOM) and len(key) >= SHORTEST_NAME:
                found.setdefault(f"term:{fold_phrase(name.thing)}", []).append(key)
    return found


def _near(concept: Concept, role: Role, weight: float, why: str) -> SearchTerm:
    phrases = concept_phrases(concept, most=MOST_NAMES_ASIDE)
    return SearchTerm(concept.preferred, role, weight, phrases, why, concept.id)
