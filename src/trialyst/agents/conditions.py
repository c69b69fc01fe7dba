"""Conditions as trials are annotated with them, without whole fields and, beside others, signs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from trialyst.annotation import ConditionAnnotation
from trialyst.vocabulary import Concept, Kind, Term, Vocabulary

__all__ = ["Condition", "ConditionNames"]

_DISEASES = ("C", "F03")
"""Branches of MeSH whose headings are diseases."""
_SIGNS = "C23"
"""Signs, symptoms and processes: fever, pain, syndrome."""


class Condition(NamedTuple):
    """A condition: `key` is equal for all its names."""

    key: str
    name: str
    is_sign: bool = False
    """No disease of its own: a sign, a symptom or a process."""


@dataclass(slots=True)
class ConditionNames:
    """Reads conditions with a vocabulary; what was read once is remembered."""

    vocabulary: Vocabulary
    _read: dict[str, Condition | None] = field(default_factory=dict)

    def read_all(self, annotation: ConditionAnnotation) -> tuple[Condition, ...]:
        """Give what a trial is chiefly about, each once; signs only where nothing else is."""
        terms = annotation.focus or annotation.concepts
        known = dict.fromkeys(each for term in terms if (each := self._of_term(term)))
        return tuple(each for each in known if not each.is_sign) or tuple(known)

    def _of_term(self, term: Term) -> Condition | None:
        if term.id not in self._read:
            self._read[term.id] = self._to_condition(self.vocabulary.get(term.id))
        return self._read[term.id]

    def read(self, text: str) -> Condition | None:
        """Give the condition a text means; None for an unknown one and for a whole field."""
        if text not in self._read:
            self._read[text] = self._find(text)
        return self._read[text]

    def _find(self, text: str) -> Condition | None:
        found = self.vocabulary.resolve(text, kinds=(Kind.CONDITION,))
        return None if found.ambiguous else self._to_condition(found.concept)

    def _to_condition(self, concept: Concept | None) -> Condition | None:
        if concept is None or concept.kind is not Kind.CONDITION or _is_whole_field(concept):
            return None
        return Condition(concept.id, concept.preferred, _is_sign(concept))


def _is_sign(concept: Concept) -> bool:
    diseases = [tree for tree in concept.trees if tree.startswith(_DISEASES)]
    return bool(diseases) and all(tree.startswith(_SIGNS) for tree in diseases)


def _is_whole_field(concept: Concept) -> bool:
    """Whether a heading is a branch itself, such as Neoplasms, and no disease one could treat."""
    diseases = [tree for tree in concept.trees if tree.startswith(_DISEASES)]
    return bool(concept.trees) and not any("." in tree for tree in diseases)
