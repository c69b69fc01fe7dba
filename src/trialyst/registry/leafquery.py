"""Tests on single pieces to index queries; the same for the index of studies and that of sites."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from trialyst.essie.pieces import Kind, Piece, pieces
from trialyst.essie.resolved import (
    Absent,
    Between,
    MatchEnum,
    MatchFlag,
    MatchText,
    Resolved,
    SizeBetween,
)
from trialyst.registry.enumerated import EnumeratedValues
from trialyst.registry.expansion import Expander
from trialyst.registry.index import Searcher
from trialyst.registry.phrases import Queries
from trialyst.registry.schema import AGE_UNITS_PER_DAY, UNUSUAL, USUAL, listed_by, size_field
from trialyst.registry.textquery import TextQueries

if TYPE_CHECKING:
    import tantivy

__all__ = ["LeafQueries", "column_of"]


class LeafQueries:
    """Compiles the tests on single pieces; the same for studies and for sites."""

    def __init__(self, searcher: Searcher, make: Queries, expander: Expander) -> None:
        self.make = make
        self.values = EnumeratedValues(searcher, make)
        self.text = TextQueries(make, expander, self.values)

    def compile(self, node: Resolved) -> tantivy.Query:
        match node:
            case MatchText():
                return self.text.match(node)
            case MatchEnum():
                return self.make.term(node.piece.name, node.value)
            case MatchFlag():
                return self.make.term(node.piece.name, "true" if node.value else "false")
            case Between():
                return self._between(node.piece, node.low, node.high)
            case SizeBetween():
                return self.make.integers(size_field(node.piece), node.low, node.high)
            case Absent():
                return self._absent(node.piece)
            case _:
                return self.make.everything()

    def _between(self, piece: Piece, low: float | None, high: float | None) -> tantivy.Query:
        unit = AGE_UNITS_PER_DAY if piece.kind is Kind.AGE else 1
        to_low = round if piece.kind is Kind.AGE else math.ceil
        to_high = round if piece.kind is Kind.AGE else math.floor
        return self.make.integers(
            column_of(piece),
            None if low is None else to_low(low * unit),
            None if high is None else to_high(high * unit),
        )

    def _absent(self, piece: Piece) -> tantivy.Query:
        if piece.indexed_only and piece.name.startswith("Num"):
            return self.make.none_of(self.make.exists(column_of(piece)))
        told = self.make.term(UNUSUAL, piece.name)
        # Scored as every other study without the piece: what is rare here is no better match.
        return self.make.constant(told, 1.0) if piece.name in USUAL else self.make.none_of(told)


def column_of(piece: Piece) -> str:
    """Name the column of a number, date or age piece."""
    counted = listed_by().get(piece.name)
    return size_field(pieces()[counted]) if counted else piece.name
