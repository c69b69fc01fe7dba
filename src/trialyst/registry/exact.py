"""Checks on the stored text, for what the folded index cannot tell: case, accents, coverage."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from trialyst.ctgov.distance import distance_km
from trialyst.ctgov.values import values_at
from trialyst.essie.ast import CoverageKind, ExpansionLevel
from trialyst.essie.pieces import Piece, pieces
from trialyst.essie.resolved import (
    Absent,
    AllOf,
    AnyOf,
    Between,
    MatchEnum,
    MatchText,
    Near,
    NoneOf,
    Resolved,
    SizeBetween,
)
from trialyst.folding import fold
from trialyst.registry.expansion import STATE, Expander
from trialyst.registry.geo import point_of
from trialyst.registry.schema import listed_by

__all__ = ["SiteCheck", "TextCheck"]

Tokens = tuple[str, ...]


class TextCheck:
    """Whether a value holds a text, as the level and coverage of a match demand."""

    def __init__(
        self, node: MatchText, variants: Sequence[Tokens], *, codes: Sequence[Tokens] = ()
    ) -> None:
        self._variants = [variant for variant in variants if variant]
        self._codes = codes
        self._coverage = node.coverage
        self._written = _collapse(node.text) if node.level is ExpansionLevel.NONE else None

    def holds(self, study: Any, pieces: Sequence[Piece]) -> bool:
        """Tell whether some value of some of these text pieces passes."""
        return any(
            self._passes(value if type(value) is str else str(value), piece)
            for piece in pieces
            for value in values_at(study, piece)
        )

    def _passes(self, value: str, piece: Piece) -> bool:
        tokens = tuple(fold(value))
        wanted = (*self._variants, *self._codes) if piece.name == STATE else self._variants
        if not any(self._is_placed(variant, tokens) for variant in wanted):
            return False
        return self._written is None or self._is_written(_collapse(value))

    def _is_placed(self, variant: Tokens, tokens: Tokens) -> bool:
        size = len(variant)
        match self._coverage:
            case CoverageKind.FULL_MATCH:
                return tokens == variant
            case CoverageKind.STARTS_WITH:
                return tokens[:size] == variant
            case CoverageKind.ENDS_WITH:
                return tokens[-size:] == variant
            case _:
                starts = range(len(tokens) - size + 1)
                return any(tokens[start : start + size] == variant for start in starts)

    def _is_written(self, value: str) -> bool:
        written = self._written or ""
        bounded = rf"(?<![^\W_]){re.escape(written)}(?![^\W_])"
        match self._coverage:
            case CoverageKind.FULL_MATCH:
                return value == written
            case CoverageKind.STARTS_WITH:
                return re.match(rf"{re.escape(written)}(?![^\W_])", value) is not None
            case CoverageKind.ENDS_WITH:
                return re.search(rf"(?<![^\W_]){re.escape(written)}\Z", value) is not None
            case _:
                return re.search(bounded, value) is not None


def _collapse(text: str) -> str:
    return " ".join(text.split())


class SiteCheck:
    """Whether a study has one site for which an expression holds."""

    def __init__(self, expander: Expander) -> None:
        self._expander = expander

    def holds(self, study: Any, node: Resolved) -> bool:
        """Try each site on its own."""
        location = pieces()["Location"]
        return any(self._holds(_alone(site, location), node) for site in values_at(study, location))

    def _holds(self, study: Any, node: Resolved) -> bool:
        match node:
            case AllOf():
                return all(self._holds(study, child) for child in node.children)
            case AnyOf():
                return any(self._holds(study, child) for child in node.children)
            case NoneOf():
                return not self._holds(study, node.child)
            case MatchText():
                return self._holds_text(study, node)
            case MatchEnum():
                return node.value in values_at(study, node.piece)
            case Between():
                return _is_between(_size(study, pieces()[listed_by()[node.piece.name]]), node)
            case SizeBetween():
                return _is_between(_size(study, node.piece), node)
            case Absent():
                return not node.piece.indexed_only and not values_at(study, node.piece)
            case Near():
                return _is_near(study, node)
            case _:
                return True

    def _holds_text(self, study: Any, node: MatchText) -> bool:
        searched = [piece for part in node.target.parts for piece in part.pieces]
        if node.level in (ExpansionLevel.RELAXATION, ExpansionLevel.LOSSY):
            segments = self._expander.places(node.text)
        elif node.level is ExpansionLevel.CONCEPT and node.target.name == "LocationSearch":
            segments = [self._expander.place(node.text)]
        else:
            segments = [self._expander.literal(node.text)]
        return bool(segments) and all(
            TextCheck(node, segment.variants, codes=segment.codes).holds(study, searched)
            for segment in segments
        )


def _alone(site: Any, location: Piece) -> Any:
    """Make a study that has this site and nothing else."""
    study = [site]
    for key in reversed(location.path):
        study = {key: study}  # type: ignore[assignment]
    return study


def _size(study: Any, piece: Piece) -> int:
    return len(values_at(study, piece))


def _is_between(value: int, bounds: Between | SizeBetween) -> bool:
    low, high = bounds.low, bounds.high
    return (low is None or low <= value) and (high is None or value <= high)


def _is_near(study: Any, node: Near) -> bool:
    points = map(point_of, values_at(study, pieces()["LocationGeoPoint"]))
    centre = (node.latitude, node.longitude)
    return any(point and distance_km(point, centre) <= node.km for point in points)
