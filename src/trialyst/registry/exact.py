"""Checks on the stored text, for what the folded index cannot tell: case, accents, coverage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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
        self._variants = [_spaced(variant) for variant in variants if variant]
        self._with_codes = [*self._variants, *map(_spaced, codes)]
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
        # Looked at first, as folding takes many times as long.
        if self._written is not None and not self._is_written(_collapse(value)):
            return False
        folded = _spaced(fold(value))
        wanted = self._with_codes if piece.name == STATE else self._variants
        return any(self._is_placed(variant, folded) for variant in wanted)

    def _is_placed(self, variant: str, folded: str) -> bool:
        match self._coverage:
            case CoverageKind.FULL_MATCH:
                return folded == variant
            case CoverageKind.STARTS_WITH:
                return folded.startswith(variant)
            case CoverageKind.ENDS_WITH:
                return folded.endswith(variant)
            case _:
                return variant in folded

    def _is_written(self, value: str) -> bool:
        written = self._written or ""
        if written not in value:
            return False
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


def _spaced(tokens: Iterable[str]) -> str:
    """Write words so that whole words, and only those, are found as a part of the text."""
    return f" {' '.join(tokens)} "


class _SiteTexts(NamedTuple):
    checks: list[TextCheck]
    searched: list[Piece]


class SiteCheck:
    """Whether a study has one site for which an expression holds."""

    def __init__(self, node: Resolved, expander: Expander) -> None:
        self._node = node
        self._expander = expander
        # By identity: the nodes are parts of one tree, and hashing them would take longer.
        self._texts: dict[int, _SiteTexts] = {}

    def holds(self, study: Any) -> bool:
        """Try each site on its own."""
        location = pieces()["Location"]
        return any(
            self._holds(_alone(site, location), self._node) for site in values_at(study, location)
        )

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
        texts = self._texts.get(id(node))
        if texts is None:
            searched = [piece for part in node.target.parts for piece in part.pieces]
            texts = self._texts[id(node)] = _SiteTexts(self._text_checks(node), searched)
        return bool(texts.checks) and all(
            check.holds(study, texts.searched) for check in texts.checks
        )

    def _text_checks(self, node: MatchText) -> list[TextCheck]:
        if node.level in (ExpansionLevel.RELAXATION, ExpansionLevel.LOSSY):
            segments = self._expander.places(node.text)
        elif node.level is ExpansionLevel.CONCEPT and node.target.name == "LocationSearch":
            segments = [self._expander.place(node.text)]
        else:
            segments = [self._expander.literal(node.text)]
        return [TextCheck(node, each.variants, codes=each.codes) for each in segments]


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
