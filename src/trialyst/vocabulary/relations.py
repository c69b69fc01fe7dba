"""How two terms stand to each other: same, narrower, wider, sibling or unrelated.

MeSH trees tell most of it, `data/relations.txt` what they leave out, `classes.txt` which drug
belongs to which class. Judging, matching and repurposing all ask here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from trialyst.vocabulary.classes import classes_of

if TYPE_CHECKING:
    from trialyst.vocabulary.lookup import Vocabulary
    from trialyst.vocabulary.term import Term

__all__ = ["Relation", "Relations"]


class Relation(StrEnum):
    """How one term stands to another."""

    SAME = "same"
    NARROWER = "narrower"
    """The first is a kind of the second: whoever has the first has the second."""
    WIDER = "wider"
    """The second is a kind of the first."""
    SIBLING = "sibling"
    """Kinds of the same near thing, so that who has the one is known not to have the other by it."""
    UNRELATED = "unrelated"


class Relations:
    """Tells relations with one vocabulary; keep one for many questions."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def relate(self, one: Term, other: Term) -> Relation:
        """Say how the first term stands to the second."""
        if one.id == other.id or one.id in other.others or other.id in one.others:
            return Relation.SAME
        if other.id.startswith("class:"):
            name = other.id.removeprefix("class:")
            if any(each.name == name for each in classes_of(one.name)):
                return Relation.NARROWER
        if _is_under(one.trees, other.trees):
            return Relation.NARROWER
        if _is_under(other.trees, one.trees):
            return Relation.WIDER
        if _share_parent(one.trees, other.trees):
            return Relation.SIBLING
        return Relation.UNRELATED


def _is_under(below: tuple[str, ...], above: tuple[str, ...]) -> bool:
    return any(tree.startswith(f"{wide}.") for tree in below for wide in above)


def _share_parent(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    parents = {tree.rpartition(".")[0] for tree in one if "." in tree}
    return any(tree.rpartition(".")[0] in parents for tree in other)
