"""The tree of an Essie expression: frozen nodes that remember where they stood in the text.

Positions take no part in equality, so `parse(render(tree)) == tree`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

__all__ = [
    "All",
    "And",
    "Area",
    "Coverage",
    "CoverageKind",
    "Distance",
    "Expansion",
    "ExpansionLevel",
    "Missing",
    "Node",
    "Not",
    "Or",
    "Phrase",
    "Range",
    "Search",
    "Span",
    "Tilt",
    "Words",
]


class Span(NamedTuple):
    """Start and end of a node in its text, in characters from 0; `end` is exclusive."""

    start: int
    end: int


NOWHERE = Span(0, 0)


class CoverageKind(StrEnum):
    """How much of a value a phrase must cover."""

    FULL_MATCH = "FullMatch"
    STARTS_WITH = "StartsWith"
    ENDS_WITH = "EndsWith"
    CONTAINS = "Contains"


class ExpansionLevel(StrEnum):
    """How far a match may stray from the words as written."""

    NONE = "None"
    TERM = "Term"
    CONCEPT = "Concept"
    RELAXATION = "Relaxation"
    LOSSY = "Lossy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Any part of an expression."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Words(Node):
    """A run of unquoted words, one term under relaxation; a comma is the word `,`."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrase(Node):
    """Quoted text."""

    text: str


@dataclass(frozen=True, slots=True)
class And(Node):
    """All of the children hold; juxtaposition means the same. Never nested directly in an And."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """At least one of the children holds. Never nested directly in an Or."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """The child does not hold."""

    child: Node


@dataclass(frozen=True, slots=True)
class Area(Node):
    """The child is looked for in a piece or search area; with `size`, in its number of values."""

    name: str
    child: Node
    size: bool = False


@dataclass(frozen=True, slots=True)
class Search(Node):
    """The child holds within one nested document (`Location`), or the study (`Study`)."""

    document: str
    child: Node


@dataclass(frozen=True, slots=True)
class Coverage(Node):
    """The terms of the child cover their values as `kind` says."""

    kind: CoverageKind
    child: Node


@dataclass(frozen=True, slots=True)
class Expansion(Node):
    """The terms of the child are expanded as far as `level` says."""

    level: ExpansionLevel
    child: Node


@dataclass(frozen=True, slots=True)
class Tilt(Node):
    """The child, ranked with a bias towards high values of a field; matches the same studies."""

    name: str
    child: Node


@dataclass(frozen=True, slots=True)
class Range(Node):
    """A closed interval; `None` is MIN as low and MAX as high. Bounds are as written."""

    low: str | None
    high: str | None


@dataclass(frozen=True, slots=True)
class Missing(Node):
    """The piece has no value."""


@dataclass(frozen=True, slots=True)
class All(Node):
    """Every study."""


@dataclass(frozen=True, slots=True)
class Distance(Node):
    """A circle; `unit` is `mi` or `km`."""

    latitude: float
    longitude: float
    radius: float
    unit: str
