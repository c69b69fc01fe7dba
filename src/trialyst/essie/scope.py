"""The context a node stands in: where to look, how far to expand, how much to cover."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from trialyst.essie import ast
from trialyst.essie.areas import Area, Part, areas, find_area
from trialyst.essie.ast import CoverageKind, ExpansionLevel
from trialyst.essie.errors import clip
from trialyst.essie.pieces import Kind, Piece, find_piece, pieces
from trialyst.essie.resolved import Target

__all__ = ["Place", "Refusal", "Scope", "find_place", "to_target"]

Place = Area | Piece
"""What a name in brackets stands for."""

_WIDE_LEVELS = (ExpansionLevel.RELAXATION, ExpansionLevel.LOSSY)


class Refusal(Exception):
    """A node that makes no sense in its context; the resolver adds the text and place."""

    def __init__(self, message: str, *, node: ast.Node, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.node = node
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Scope:
    """What the operators around a node have set; None where they have said nothing."""

    home: Place
    """The place of bare words in study scope."""
    place: Place
    size: bool = False
    level: ExpansionLevel | None = None
    coverage: CoverageKind | None = None
    in_location: bool = False

    def enter_area(self, node: ast.Area) -> Scope:
        """Look in the named place from here on."""
        place = find_place(node.name, node=node)
        if node.size and not (isinstance(place, Piece) and place.is_list):
            raise Refusal(
                f"Unsupported size of `{clip(node.name)}`: it is no list",
                node=node,
                hint="Name a piece that holds a list, as in AREA[Phase:size]2.",
            )
        if self.in_location and not _is_in_location(place):
            raise Refusal(
                f"`{clip(node.name)}` is no field of document `Location`",
                node=node,
                hint="Inside SEARCH[Location] name Location pieces or LocationSearch.",
            )
        return replace(self, place=place, size=node.size)

    def enter_location(self) -> Scope:
        """Speak of one site from here on, in LocationSearch unless a site piece is named."""
        if _is_in_location(self.place):
            return replace(self, in_location=True)
        return replace(self, in_location=True, place=areas()["LocationSearch"], size=False)

    def enter_match(self, node: ast.Coverage | ast.Expansion) -> Scope:
        """Match with the operator's coverage or level from here on."""
        if isinstance(node, ast.Coverage):
            scope = replace(self, coverage=node.kind)
        else:
            scope = replace(self, level=node.level)
        if scope.level is ExpansionLevel.LOSSY and scope.coverage is not None:
            raise Refusal(
                "EXPANSION[Lossy] cannot be combined with COVERAGE",
                node=node,
                hint="Leave out one of the two.",
            )
        if scope.level in _WIDE_LEVELS and scope.coverage not in (None, CoverageKind.CONTAINS):
            raise Refusal(
                f"COVERAGE[{scope.coverage}] cannot be combined with EXPANSION[{scope.level}]",
                node=node,
                hint="Use EXPANSION[None], EXPANSION[Term] or EXPANSION[Concept] with it.",
            )
        return scope

    def level_of(self, *, quoted: bool) -> ExpansionLevel:
        """Give the level a text is expanded at: as said, but quotes and coverage cap it."""
        level = self.level or ExpansionLevel.RELAXATION
        strict = quoted or self.coverage not in (None, CoverageKind.CONTAINS)
        return ExpansionLevel.CONCEPT if strict and level in _WIDE_LEVELS else level


def find_place(name: str, *, node: ast.Node) -> Place:
    """Find what a name stands for: a piece by name, alternate name or path, or a search area."""
    place = find_area(name) or find_piece(name)
    if place is None:
        raise Refusal(
            f"Unknown area name: `{clip(name)}`",
            node=node,
            hint="Use a piece name such as Condition or a search area such as ConditionSearch.",
        )
    return place


def _is_in_location(place: Place) -> bool:
    if isinstance(place, Area):
        return place.name == "LocationSearch"
    return place.in_location


@cache
def to_target(place: Place) -> Target:
    """Give the weighted pieces a text in this place is looked for in."""
    if isinstance(place, Area):
        return Target(place.name, place.parts)
    if place.is_leaf:
        return Target(place.name, (Part(1.0, (place,), place.synonyms),))
    below = [
        piece
        for piece in pieces().values()
        if piece.kind in (Kind.TEXT, Kind.ENUM) and piece.path[: len(place.path)] == place.path
    ]
    split = (tuple(p for p in below if p.synonyms is synonyms) for synonyms in (True, False))
    parts = (Part(1.0, group, group[0].synonyms) for group in split if group)
    return Target(place.name, tuple(parts))
