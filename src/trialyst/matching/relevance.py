"""Whether a trial is about something the patient has at all.

Said to be not so only where it is certain: every condition of the trial is known, none is of a kind
the patient has anything of, and the note does not name it. Prevention, screening, diagnosis and
healthy volunteers need no condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.matching.patient import FactKind
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial
    from trialyst.matching.patient import PatientProfile
    from trialyst.vocabulary import Vocabulary

__all__ = ["Relevance"]

_NEEDS_NO_CONDITION = frozenset({"PREVENTION", "SCREENING", "DIAGNOSTIC"})
_KINDS = (FactKind.CONDITION, FactKind.SYMPTOM)
_FAMILY = 2
"""Steps of a tree number, such as C04.588, that diseases of one family share."""


class Relevance:
    """One patient's conditions, to be compared with those of many trials."""

    def __init__(self, profile: PatientProfile, vocabulary: Vocabulary) -> None:
        concepts = [fact.concept for fact in profile.held(*_KINDS) if fact.concept is not None]
        self._vocabulary = vocabulary
        self._words = f" {fold_phrase(profile.note.text)} "
        self._families = {_family(tree) for concept in concepts for tree in concept.trees}
        self._known = bool(concepts) and all(concept.trees for concept in concepts)

    def has_condition(self, trial: Trial) -> bool | None:
        """Give False where the patient certainly has nothing the trial is about, else None."""
        if not self._known or not trial.conditions or _is_open_to_healthy(trial):
            return None
        certain = all(map(self._is_foreign, trial.conditions))
        return False if certain else None

    def _is_foreign(self, condition: str) -> bool:
        found = self._vocabulary.resolve(condition, kinds=(Kind.CONDITION,))
        trees = [tree for concept in found.concepts for tree in concept.trees]
        if not trees or any(_family(tree) in self._families for tree in trees):
            return False
        names = (name for concept in found.concepts for name in concept.synonyms)
        return not any(f" {fold_phrase(name)} " in self._words for name in (condition, *names))


def _is_open_to_healthy(trial: Trial) -> bool:
    purpose = trial.design.primary_purpose
    return bool(trial.eligibility.healthy_volunteers) or str(purpose) in _NEEDS_NO_CONDITION


def _family(tree: str) -> str:
    return ".".join(tree.split(".")[:_FAMILY])
