"""What a criterion's clauses are made of: leaves, and the words that join, deny or limit them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.eligibility.phrases import Item
    from trialyst.eligibility.requirement import Requirement

__all__ = ["CONNECTORS", "Element", "divided"]

CONNECTORS = frozenset(("or", "and", "but", ",", ";", "/"))


@dataclass(slots=True)
class Element:
    """A leaf, or a word that joins, denies or limits."""

    kind: str
    start: int
    end: int
    node: Requirement | None = None
    value: str = ""
    fresh: bool = False
    """Whether a subject or a verb of its own stands before it."""
    bare: bool = False
    """Whether it lacks its noun."""
    aside: bool = False
    """Whether it only says who judges what stands beside it."""
    placed: bool = False
    """Whether the words behind it tell only where it is."""
    reason: bool = False
    """Whether it names what the treatment or operation before it is for."""
    leading: bool = False
    """Whether its time stands before it, where it is that of the list that begins with it too."""
    shared: bool = False
    """Whether it shares a noun with the leaf behind the next connector."""
    field: bool = False
    """Whether it names nothing but a part of the body."""
    chunk: Sequence[Item] = ()
    """The words of a leaf that lacks its noun."""


def divided(elements: list[Element], divider: str) -> list[list[Element]]:
    """Give the pieces between the dividers that hold anything."""
    pieces: list[list[Element]] = [[]]
    for element in elements:
        if element.kind == divider:
            pieces.append([])
        else:
            pieces[-1].append(element)
    return [piece for piece in pieces if piece]
