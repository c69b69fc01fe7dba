"""Exact texts to index queries: words as written, and where in a value they stand.

Coverage is decided by the edges of values, the exact level by words as written. What neither has
(texts of sites, long texts at the exact level, values with unusual characters) is left as
candidates whose stored records are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from trialyst.essie.ast import CoverageKind, ExpansionLevel
from trialyst.essie.pieces import Kind, Piece
from trialyst.essie.resolved import MatchText
from trialyst.registry.expansion import STATE, Segment
from trialyst.registry.phrases import Queries
from trialyst.registry.schema import (
    EDGE,
    EDGE_DISTANCE,
    IRREGULAR,
    edged_pieces,
    written_fields,
)
from trialyst.registry.written import holds_as_folded, written_tokens

if TYPE_CHECKING:
    import tantivy

__all__ = ["Placed", "place_text", "reads_stored_text"]

Tokens = tuple[str, ...]


class Placed(NamedTuple):
    """What the index says of a text that must stand in a certain way."""

    decided: list[tantivy.Query]
    """Match only studies that have it so."""
    candidates: list[tantivy.Query]
    """Match every other study that may."""
    unread: list[Piece]
    """The pieces to look at in the records of the candidates."""


class _Searched(NamedTuple):
    piece: Piece
    weight: float
    spelt: tuple[Tokens, ...]


def reads_stored_text(node: MatchText) -> bool:
    """Whether stored records may have to be read for a text that must stand in a certain way."""
    names = {piece.name for part in node.target.parts for piece in part.pieces if _is_text(piece)}
    return node.level is ExpansionLevel.NONE or not names <= edged_pieces()


def place_text(make: Queries, node: MatchText, segment: Segment) -> Placed:
    """Give the queries of a text at the exact level or with a coverage.

    Args:
        segment: the spellings it stands for.
    """
    placed = Placed([], [], [])
    as_written = node.level is ExpansionLevel.NONE
    can_decide = not as_written or holds_as_folded(node.text)
    for searched in _searched(node, segment):
        name = searched.piece.name
        coverage = node.coverage if name in edged_pieces() else CoverageKind.CONTAINS
        folded = make.any_of(
            [make.placed(name, _with_edges(tokens, coverage)) for tokens in searched.spelt]
        )
        known = written_fields() if as_written else {each: each for each in edged_pieces()}
        if not can_decide or name not in known:
            placed.candidates.append(folded)
            placed.unread.append(searched.piece)
            continue
        spelt = (tuple(written_tokens(node.text)),) if as_written else searched.spelt
        for tokens in spelt:
            query = make.placed(known[name], _with_edges(tokens, node.coverage))
            placed.decided.append(make.boosted(query, searched.weight))
        if as_written:
            placed.candidates.append(make.all_of([folded, make.term(IRREGULAR, name)]))
            placed.unread.append(searched.piece)
    return placed


def _is_text(piece: Piece) -> bool:
    return piece.kind is Kind.TEXT


def _searched(node: MatchText, segment: Segment) -> Iterator[_Searched]:
    broad = (*segment.variants, *segment.synonyms)
    for part in node.target.parts:
        spelt = broad if part.synonyms else segment.variants
        for piece in filter(_is_text, part.pieces):
            codes = segment.codes if piece.name == STATE else ()
            yield _Searched(piece, part.weight, (*spelt, *codes))


def _with_edges(tokens: Sequence[str], coverage: CoverageKind) -> list[tuple[int, str]]:
    """Give the words with their places, the edges of the value among them."""
    last = EDGE_DISTANCE + len(tokens) - 1
    placed = list(enumerate(tokens, EDGE_DISTANCE))
    if coverage in (CoverageKind.FULL_MATCH, CoverageKind.STARTS_WITH):
        placed.insert(0, (0, EDGE))
    if coverage in (CoverageKind.FULL_MATCH, CoverageKind.ENDS_WITH):
        placed.append((last + EDGE_DISTANCE, EDGE))
    return placed
