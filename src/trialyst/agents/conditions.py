"""Conditions as records name them, put together by concept: `NSCLC` and `Lung Cancer, NSCLC`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from trialyst.vocabulary import Concept, Kind, Vocabulary

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
    """Reads condition texts with a vocabulary; what was read once is remembered."""

    vocabulary: Vocabulary
    _read: dict[str, Condition | None] = field(default_factory=dict)

    def read_all(self, texts: Iterable[str]) -> tuple[Condition, ...]:
        """Give the known conditions of a trial, each once; signs only where nothing else is."""
        known = dict.fromkeys(each for text in texts if (each := self.read(text)))
        return tuple(each for each in known if not each.is_sign) or tuple(known)

    def read(self, text: str) -> Condition | None:
        """Give the condition a text means; None for an unknown one and for a whole field."""
        if text not in self._read:
            self._read[text] = self._find(text)
        return self._read[text]

    def _find(self, text: str) -> Condition | None:
        found = self.vocabulary.resolve(text, kinds=(Kind.CONDITION,))
        concept = found.concept
        if concept is None or found.ambiguous or _is_whole_field(concept):
            return None
        return Condition(concept.id, concept.preferred, _is_sign(concept))


def _is_sign(concept: Concept) -> bool:
    diseases = [tree for tree in concept.trees if tree.startswith(_DISEASES)]
    return bool(diseases) and all(tree.startswith(_SIGNS) for tree in diseases)


def _is_whole_field(concept: Concept) -> bool:
    """Whether a heading is a branch itself, such as Neoplasms, and no disease one could treat."""
    diseases = [tree for tree in concept.trees if tree.startswith(_DISEASES)]
    return bool(concept.trees) and not any("." in tree for tree in diseases)
