"""Drugs near a drug: those of its narrowest classes, and those that act on the same gene.

Wide classes lend nothing: that drugs lower blood pressure or glucose says little about each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trialyst.agents.critique import narrow_classes
from trialyst.folding import fold_phrase
from trialyst.pathways.targets import drugs_on, targets_of
from trialyst.vocabulary import Kind, Vocabulary

__all__ = ["MOST_RELATIVES", "Relative", "find_relatives"]

MOST_RELATIVES = 40
"""A wide class has more; each costs a search."""
SAME_CLASS, SAME_TARGET = 1.0, 0.8


@dataclass(frozen=True, slots=True)
class Relative:
    """A drug near another, and through what."""

    name: str
    through: str
    """The class, or the gene both act on."""
    tie: float
    """How near: 1 for the same narrow class, less for the same target."""


def find_relatives(vocabulary: Vocabulary, drug: str) -> tuple[Relative, ...]:
    """Give the drugs near a drug, each once, the nearest first."""
    concept = vocabulary.resolve(drug, kinds=(Kind.DRUG,)).concept
    names = (drug, *(concept.names if concept else ()))
    itself = {fold_phrase(name) for name in names}
    found: dict[str, Relative] = {}
    for relative in _near(vocabulary, drug, names):
        key = fold_phrase(relative.name)
        if key not in itself:
            found.setdefault(key, relative)
    return tuple(found.values())


def _near(vocabulary: Vocabulary, drug: str, names: tuple[str, ...]) -> Iterator[Relative]:
    for each in narrow_classes(vocabulary, drug):
        for member in each.members:
            yield Relative(member, each.name, SAME_CLASS)
    for target in targets_of(*names):
        for other in drugs_on(target.gene):
            if other.action == target.action:
                yield Relative(other.drug, target.gene, SAME_TARGET)
