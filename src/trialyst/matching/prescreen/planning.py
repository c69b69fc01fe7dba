"""The query plan of the deterministic PRESCREEN: which lists of trials to ask a source for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trialyst.ctgov.query import RELEVANCE, SortKey, TrialQuery
from trialyst.essie.ast import Node
from trialyst.essie.build import any_of, area, one_of, phrase, words
from trialyst.matching.patient import PatientAge, PatientProfile
from trialyst.matching.prescreen.features import Patient
from trialyst.matching.prescreen.term import Role, SearchTerm, wide_names
from trialyst.matching.prescreen.terms import read_terms
from trialyst.matching.prescreen.words import is_listed, key_words

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["WORDS", "PlannedQuery", "QueryPlan", "Scope", "plan", "to_trial_query", "with_similar"]

MOST_WORDS = 80
"""Words of the note searched for; more make the address of a live request too long."""
MOST_CHIEF = 8
MOST_ASIDE = 24

WORDS = "words of the note"
"""The label of the list whose first trials tell what similar trials study."""
_TEXT = ("BasicSearch", "EligibilitySearch")


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """One ranked list to ask for."""

    label: str
    """Which part of the plan it is, such as `conditions`."""
    terms: tuple[str, ...]
    node: Node
    most: int
    """How far down the list to read."""

    @property
    def text(self) -> str:
        """The query as a person would say it."""
        return f"{self.label}: {' OR '.join(self.terms)}"


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """Everything a run needs: the queries in their order, and the patient to rank by."""

    queries: tuple[PlannedQuery, ...]
    patient: Patient
    weights: Mapping[str, float] | None = None
    """Of the measures of fit; those that ship if None."""

    @property
    def terms(self) -> Sequence[SearchTerm]:
        """The terms of the patient, the weightiest first."""
        return self.patient.terms


@dataclass(frozen=True, slots=True)
class Scope:
    """Which trials may come in at all; empty means any."""

    statuses: tuple[str, ...] = ()
    study_types: tuple[str, ...] = ()
    filters: tuple[Node, ...] = ()


def plan(
    profile: PatientProfile,
    *,
    vocabulary: Vocabulary,
    guessing: bool = True,
    discreet: bool = False,
) -> QueryPlan:
    """Plan the search for a patient's trials.

    A profile of few facts still gives a plan: the words of the note are one of its queries.

    Args:
        guessing: whether to search for conditions that the findings point to as well.
        discreet: whether to search for those words of the note alone that trial records use:
            others may name somebody, and must not be sent anywhere.
    """
    terms = read_terms(profile, vocabulary, guessing=guessing)
    weighted = key_words(profile.note)
    if discreet:
        weighted = {word: weight for word, weight in weighted.items() if is_listed(word)}
    patient = Patient(terms, weighted, _age_days(profile.age), profile.sex)
    wide = wide_names(profile.note.text)
    return QueryPlan((*_queries(terms, weighted), *_general(wide)), patient)


def with_similar(made: QueryPlan, terms: Sequence[SearchTerm]) -> QueryPlan:
    """Add what similar trials study: its terms, and one more list."""
    names = [term.name for term in terms]
    asked = _named("conditions of similar trials", names, ("ConditionSearch",), most=400)
    patient = replace(made.patient, terms=(*made.terms, *terms))
    return replace(made, queries=(*made.queries, asked), patient=patient)


def to_trial_query(planned: PlannedQuery, scope: Scope) -> TrialQuery:
    """Give the query to ask a source."""
    types = (one_of("StudyType", *scope.study_types),) if scope.study_types else ()
    return TrialQuery(
        queries=(("term", planned.node),),
        filters=(*types, *scope.filters),
        statuses=scope.statuses,
        sort=(SortKey(RELEVANCE, descending=True),),
    )


def _queries(terms: Sequence[SearchTerm], weighted: Mapping[str, float]) -> Iterator[PlannedQuery]:
    chief = [term.name for term in terms if term.role is Role.CONDITION][:MOST_CHIEF]
    if chief:
        yield _named("main condition", chief[:1], ("ConditionSearch",), most=600)
        yield _named("conditions", chief, ("ConditionSearch",), most=800)
        yield _named("conditions in text", chief, _TEXT, most=800)
    aside = (Role.BROADER, Role.SYMPTOM)
    near = [term.name for term in terms if term.role in aside][:MOST_ASIDE]
    if near:
        yield _named("wider conditions and symptoms", near, ("ConditionSearch",), most=400)
    kept = tuple(weighted)[:MOST_WORDS]
    if kept:
        node = any_of(*(area(name, any_of(*map(words, kept))) for name in _TEXT))
        yield PlannedQuery(WORDS, kept, node, most=1500)


def _general(names: Sequence[str]) -> Iterator[PlannedQuery]:
    """Ask for trials of what nearly anybody has or is: women, pain, vital signs.

    Such names lead no search, but a trial that studies nothing else takes whoever has them.
    """
    if names:
        yield _named("general names in the note", names, ("ConditionSearch",), most=200)


def _named(label: str, names: Sequence[str], areas: Sequence[str], *, most: int) -> PlannedQuery:
    node = any_of(*(area(name, any_of(*map(phrase, names))) for name in areas))
    return PlannedQuery(label, tuple(names), node, most)


def _age_days(age: PatientAge | None) -> tuple[float, float] | None:
    if age is None:
        return None
    upper = age.value if age.upper is None else age.upper
    return age.value * age.unit.days, (upper + 1) * age.unit.days
