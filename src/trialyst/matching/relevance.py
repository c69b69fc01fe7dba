"""Whether a trial is about something the patient has at all.

Said to be not so only where nothing points to it: the trial's conditions are known, the patient has
none of them, nothing broader or narrower, and neither the note nor the search that found the trial
names one. Prevention, screening, diagnosis and healthy volunteers need no condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.matching.patient import Assertion, FactKind
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial
    from trialyst.matching.patient import PatientProfile
    from trialyst.vocabulary import Vocabulary
    from trialyst.vocabulary.concept import Concept

__all__ = ["Relevance"]

_NEEDS_NO_CONDITION = frozenset({"PREVENTION", "SCREENING", "DIAGNOSTIC"})
_GENERAL = 1
"""Steps of the tree number of a heading such as Neoplasms, which says too little to tell."""


class Relevance:
    """One patient's conditions, to be compared with those of many trials."""

    def __init__(self, profile: PatientProfile, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._words = f" {fold_phrase(' '.join(_affirmed(profile)))} "
        self._conditions = _trees(profile, FactKind.CONDITION)
        primary = profile.primary_diagnosis
        held = None if primary is None else primary.concept
        self._primary = frozenset(() if held is None else held.trees)
        self._primary_name = "" if primary is None else fold_phrase(primary.name)
        self._symptoms = _trees(profile, FactKind.SYMPTOM)

    def has_condition(self, trial: Trial, *, found_by: Sequence[str] = ()) -> bool | None:
        """Tell whether the patient has what the trial is about; None where that cannot be told.

        Args:
            found_by: the patient's terms by which the search found the trial.
        """
        if any(self._vocabulary.resolve(term, kinds=(Kind.CONDITION,)) for term in found_by):
            return True
        concepts = list(self._concepts(trial))
        names = [*trial.conditions, *(name for c in concepts for name in c.synonyms)]
        if any(self._is_related(tree) for concept in concepts for tree in concept.trees) or any(
            f" {fold_phrase(name)} " in self._words for name in names
        ):
            return True
        known = self._conditions and any(concept.trees for concept in concepts)
        return False if known and not _is_open_to_healthy(trial) else None

    def is_primary(self, trial: Trial) -> bool:
        """Tell whether the trial is about the patient's main diagnosis, or a kind of it."""
        if any(fold_phrase(condition) == self._primary_name for condition in trial.conditions):
            return bool(self._primary_name)
        return any(
            _is_joined(tree, own)
            for concept in self._concepts(trial)
            for tree in concept.trees
            for own in self._primary
        )

    def _concepts(self, trial: Trial) -> Iterator[Concept]:
        for condition in trial.conditions:
            yield from self._vocabulary.resolve(condition, kinds=(Kind.CONDITION,)).concepts
        for term in trial.condition_mesh:
            concept = self._vocabulary.get(f"MESH:{term.id}")
            if concept is not None:
                yield concept

    def _is_related(self, tree: str) -> bool:
        """Whether a patient's condition is this, narrower or broader; a symptom not broader."""
        return any(_is_within(own, tree) for own in self._conditions | self._symptoms) or any(
            _is_joined(tree, own) for own in self._conditions
        )


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


def _is_within(tree: str, other: str) -> bool:
    return tree == other or tree.startswith(f"{other}.")


def _is_joined(tree: str, own: str) -> bool:
    """Whether a trial's condition is the patient's, broader, or one of its kinds."""
    return _is_within(own, tree) or (own.count(".") >= _GENERAL and _is_within(tree, own))


def _is_open_to_healthy(trial: Trial) -> bool:
    purpose = trial.design.primary_purpose
    return bool(trial.eligibility.healthy_volunteers) or str(purpose) in _NEEDS_NO_CONDITION
