"""How a trial's conditions stand to what the patient has.

A trial is about the main problem where its focus is that, a kind of it or something wider; a
sibling tumour is another disease. That it is about nothing the patient has is said only where
nothing points to it: its conditions are known, the patient has none of them, nothing broader or
narrower, and neither the note nor the search that found the trial names one. Prevention, screening,
diagnosis and healthy volunteers need no condition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.folding import fold_phrase
from trialyst.matching.patient import Assertion, FactKind
from trialyst.matching.prescreen.term import Role
from trialyst.matching.prescreen.terms import read_terms
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.relations import Relation, Relations
from trialyst.vocabulary.term import Term

if TYPE_CHECKING:
    from trialyst.annotation import ConditionAnnotation
    from trialyst.ctgov.trial import Trial
    from trialyst.matching.patient import PatientProfile
    from trialyst.vocabulary import Vocabulary

__all__ = ["Relevance", "Standing"]

_NEAREST = tuple(Relation)
_SAME_DISEASE = frozenset({Relation.SAME, Relation.NARROWER, Relation.WIDER})

_NEEDS_NO_CONDITION = frozenset({"PREVENTION", "SCREENING", "DIAGNOSTIC"})
_GENERAL = 1
"""Steps of the tree number of a heading such as Neoplasms, which says too little to tell."""
_MANY_ORGANS = frozenset(
    {"Carcinoma", "Adenocarcinoma", "Carcinoma, Squamous Cell", "Neoplasms, Squamous Cell"}
)
"""Tissues of which tumours of very many organs are: by themselves they name no disease."""
_BY_SITE = "C04.588."


class Standing(NamedTuple):
    """How a trial stands to a patient's conditions."""

    relation: Relation | None = None
    """Of what it is chiefly about to the main problem, the nearest; None where one is not known."""
    share: float = 0.0
    """Of what it is chiefly about, the share that the patient has."""
    far: bool = False
    """Whether it is so much wider that it is about a whole field: any cancer, any heart disease."""

    @property
    def primary(self) -> bool:
        """Whether it is about the main problem, a kind of it, or something wider."""
        return self.relation in _SAME_DISEASE


class Relevance:
    """One patient's conditions, to be compared with those of many trials."""

    def __init__(self, profile: PatientProfile, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._words = f" {fold_phrase(' '.join(_affirmed(profile)))} "
        self._conditions = _trees(profile, FactKind.CONDITION)
        self._relations = Relations(vocabulary)
        self._main = tuple(_main_problems(profile, vocabulary))
        self._problems = [each.what for each in profile.chart.problems if each.is_there]
        symptoms = _trees(profile, FactKind.SYMPTOM)
        self._above = {each for own in self._conditions | symptoms for each in _branches(own)}
        self._telling = {own for own in self._conditions if own.count(".") >= _GENERAL}
        self._told = frozenset(self._words.split())
        self._are_conditions: dict[str, bool] = {}
        self._had: dict[str, bool] = {}

    def has_condition(self, trial: Trial, *, found_by: Sequence[str] = ()) -> bool | None:
        """Tell whether the patient has what the trial is about; None where that cannot be told.

        Args:
            found_by: the patient's terms by which the search found the trial.
        """
        if any(map(self._is_condition, found_by)):
            return True
        studied = _studied(
            self._vocabulary, trial.conditions, tuple(term.id for term in trial.condition_mesh)
        )
        if any(map(self._is_related, studied.trees)) or self._names_one(studied):
            return True
        known = self._conditions and studied.trees
        return False if known and not _is_open_to_healthy(trial) else None

    def _is_condition(self, term: str) -> bool:
        """Whether a term of the patient's search is a condition."""
        known = self._are_conditions.get(term)
        if known is None:
            found = self._vocabulary.resolve(term, kinds=(Kind.CONDITION,))
            known = self._are_conditions[term] = bool(found)
        return known

    def _names_one(self, studied: _Studied) -> bool:
        return any(
            name in self._words
            for first in studied.names.keys() & self._told
            for name in studied.names[first]
        )

    def stand(self, annotation: ConditionAnnotation) -> Standing:
        """Say how what a trial is chiefly about stands to the main problem, and how much is had."""
        focus = annotation.focus or annotation.concepts
        if not focus:
            return Standing()
        had = sum(map(self._has, focus))
        near, far = self._nearest(focus)
        return Standing(near, had / len(focus), far)

    def _has(self, what: Term) -> bool:
        """Whether a problem of the patient is a condition, a kind of it or wider."""
        known = self._had.get(what.id)
        if known is None:
            related = (self._relations.relate(own, what) for own in self._problems)
            known = self._had[what.id] = any(each in _SAME_DISEASE for each in related)
        return known

    def _nearest(self, focus: Sequence[Term]) -> tuple[Relation | None, bool]:
        """Give the nearest relation to the main problem, and whether it is by a whole field."""
        found = [
            (self._relations.relate(each, main), each) for main in self._main for each in focus
        ]
        if not found:
            return None, False
        nearest = min((relation for relation, _ in found), key=_NEAREST.index)
        if nearest is not Relation.WIDER:
            return nearest, False
        by = [each for relation, each in found if relation is Relation.WIDER]
        if not all(map(self._is_field, by)):
            return nearest, False
        elsewhere = any(r is Relation.SIBLING and _has_site(each) for r, each in found)
        if elsewhere and all(each.name in _MANY_ORGANS for each in by):
            # Carcinoma of organs that are named: what it is of is another disease.
            return Relation.SIBLING, False
        return nearest, True

    def _is_field(self, wide: Term) -> bool:
        """Whether a wider term is no disease but a field of them, or a tissue of many organs."""
        if wide.name in _MANY_ORGANS:
            return any(
                tree.startswith(_BY_SITE)
                for main in self._main
                for tree in self._relations.lineage(main)
            )
        return bool(wide.trees) and all(map(_is_top, wide.trees))

    def _is_related(self, tree: str) -> bool:
        """Whether a patient's condition is this, narrower or broader; a symptom not broader."""
        return tree in self._above or any(each in self._telling for each in _branches(tree))


class _Studied(NamedTuple):
    """What a trial names as its conditions."""

    trees: tuple[str, ...]
    names: Mapping[str, Sequence[str]]
    """Folded between spaces, by their first words."""


@lru_cache(4_000)
def _studied(vocabulary: Vocabulary, named: tuple[str, ...], mesh: tuple[str, ...]) -> _Studied:
    concepts = [
        concept
        for name in named
        for concept in vocabulary.resolve(name, kinds=(Kind.CONDITION,)).concepts
    ]
    concepts += filter(None, (vocabulary.get(f"MESH:{each}") for each in mesh))
    names: defaultdict[str, list[str]] = defaultdict(list)
    listed = dict.fromkeys((*named, *(name for each in concepts for name in each.synonyms)))
    for folded in dict.fromkeys(map(fold_phrase, listed)):
        names[folded.partition(" ")[0]].append(f" {folded} ")
    trees = dict.fromkeys(tree for concept in concepts for tree in concept.trees)
    return _Studied(tuple(trees), dict(names))


def _main_problems(profile: PatientProfile, vocabulary: Vocabulary) -> Iterator[Term]:
    """Give what the note is about: its diagnosis, and what a search for the patient leads with."""
    main = profile.chart.main
    if main is not None and not main.inferred_from:
        yield main.what
    lead = next((t for t in read_terms(profile, vocabulary) if t.role is Role.CONDITION), None)
    if lead is not None:
        concept = vocabulary.get(lead.concept)
        yield Term(lead.concept, lead.name, () if concept is None else tuple(concept.trees))


def _affirmed(profile: PatientProfile) -> Iterator[str]:
    """Give the sentences in which nothing is denied or said of a relative."""
    spoilt = {
        fact.sentence
        for fact in profile.facts
        if fact.assertion in (Assertion.ABSENT, Assertion.FAMILY)
    }
    return (each.text for each in profile.note.sentences if each.number not in spoilt)


def _trees(profile: PatientProfile, kind: FactKind) -> frozenset[str]:
    return frozenset(
        tree
        for fact in profile.of(kind)
        if fact.concept is not None and (fact.holds or fact.assertion is Assertion.POSSIBLE)
        for tree in fact.concept.trees
    )


def _branches(tree: str) -> Iterator[str]:
    """Yield a tree number and all above it."""
    yield tree
    while "." in tree:
        tree = tree.rpartition(".")[0]
        yield tree


def _has_site(term: Term) -> bool:
    return any(tree.startswith(_BY_SITE) for tree in term.trees)


def _is_top(tree: str) -> bool:
    """Whether a tree number is a field of medicine: whole branches, organs of the body."""
    steps = tree.count(".")
    return steps == 0 or (steps <= _GENERAL and tree[0] == "C" and not tree.startswith("C26"))


def _is_open_to_healthy(trial: Trial) -> bool:
    purpose = trial.design.primary_purpose
    return bool(trial.eligibility.healthy_volunteers) or str(purpose) in _NEEDS_NO_CONDITION
