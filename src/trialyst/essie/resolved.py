"""What an expression means: tests on pieces, ready for any engine to carry out.

Names are looked up, values are read, defaults are filled in; nothing here can be invalid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trialyst.essie.areas import Part
from trialyst.essie.ast import CoverageKind, ExpansionLevel
from trialyst.essie.pieces import Piece, pieces

__all__ = [
    "Absent",
    "AllOf",
    "Annotated",
    "AnyOf",
    "Between",
    "Everything",
    "MatchEnum",
    "MatchFlag",
    "MatchText",
    "Near",
    "NoneOf",
    "Resolved",
    "SameLocation",
    "SizeBetween",
    "Target",
    "Tilted",
    "searched_pieces",
]


@dataclass(frozen=True, slots=True)
class Target:
    """Where a text is looked for: a search area, or a piece as a single part."""

    name: str
    parts: tuple[Part, ...]

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class Resolved:
    """Any part of a meaning."""


@dataclass(frozen=True, slots=True)
class MatchText(Resolved):
    """Some piece of the target holds the text, as the level and coverage allow."""

    target: Target
    text: str
    quoted: bool
    level: ExpansionLevel
    coverage: CoverageKind


@dataclass(frozen=True, slots=True)
class MatchEnum(Resolved):
    """The piece has this value among its values."""

    piece: Piece
    value: str


@dataclass(frozen=True, slots=True)
class MatchFlag(Resolved):
    """The piece is stated, and has this value."""

    piece: Piece
    value: bool


@dataclass(frozen=True, slots=True)
class Between(Resolved):
    """Some value lies in the closed interval; dates are `yyyyMMdd`, ages days, None is open.

    An interval that ends before it starts matches nothing.
    """

    piece: Piece
    low: int | float | None
    high: int | float | None


@dataclass(frozen=True, slots=True)
class SizeBetween(Resolved):
    """The number of values lies in the closed interval."""

    piece: Piece
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Absent(Resolved):
    """The piece has no value."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class Annotated(Resolved):
    """The annotation of the trial has a value in an area of our own."""

    area: str
    value: str | None
    """None where it has no value at all."""
    otherwise: Resolved
    """What stands for it where trials are not annotated."""


@dataclass(frozen=True, slots=True)
class Everything(Resolved):
    """Every study."""


@dataclass(frozen=True, slots=True)
class Near(Resolved):
    """Some site lies in the circle."""

    latitude: float
    longitude: float
    km: float


@dataclass(frozen=True, slots=True)
class AllOf(Resolved):
    """All children hold."""

    children: tuple[Resolved, ...]


@dataclass(frozen=True, slots=True)
class AnyOf(Resolved):
    """Some child holds."""

    children: tuple[Resolved, ...]


@dataclass(frozen=True, slots=True)
class NoneOf(Resolved):
    """The child does not hold."""

    child: Resolved


@dataclass(frozen=True, slots=True)
class SameLocation(Resolved):
    """The child holds within one site; it speaks of Location pieces only."""

    child: Resolved


@dataclass(frozen=True, slots=True)
class Tilted(Resolved):
    """The child, ranked with a bias towards high values of the piece."""

    piece: Piece
    child: Resolved


def searched_pieces(meaning: Resolved) -> tuple[Piece, ...]:
    """Give the pieces a meaning looks at, each once, in order of appearance."""
    return tuple(dict.fromkeys(_iter_pieces(meaning)))


def _iter_pieces(meaning: Resolved) -> Iterator[Piece]:
    match meaning:
        case MatchText():
            for part in meaning.target.parts:
                yield from part.pieces
        case MatchEnum() | MatchFlag() | Between() | SizeBetween() | Absent():
            yield meaning.piece
        case Near():
            yield pieces()["LocationGeoPoint"]
        case AllOf() | AnyOf():
            for child in meaning.children:
                yield from _iter_pieces(child)
        case NoneOf() | SameLocation() | Tilted():
            yield from _iter_pieces(meaning.child)
        case Annotated():
            yield from _iter_pieces(meaning.otherwise)
        case _:
            return
