"""Text in an area to an index query: expansion, area weights, and ranking by closeness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.essie.areas import Part
from trialyst.essie.ast import CoverageKind, ExpansionLevel
from trialyst.essie.enums import enums
from trialyst.essie.pieces import Kind, Piece
from trialyst.essie.resolved import MatchText, Target
from trialyst.folding import fold_phrase
from trialyst.registry.expansion import STATE, Expander, Segment
from trialyst.registry.phrases import Queries
from trialyst.registry.schema import group_of

if TYPE_CHECKING:
    import tantivy

__all__ = ["TextQueries", "needs_stored_text", "text_pieces"]

SYNONYM_PENALTY = 0.9
PHRASE_BONUS = 2.0
ONE_PIECE_BONUS = 0.5
ONE_PIECE_FIELDS = 4
# Far below any word match, so that a study of a narrower condition follows those that name it.
ANCESTOR_FACTOR = 0.01


class _Field(NamedTuple):
    name: str
    weight: float
    synonyms: bool


def needs_stored_text(node: MatchText) -> bool:
    """Whether the folded index cannot decide the match alone."""
    return node.level is ExpansionLevel.NONE or node.coverage is not CoverageKind.CONTAINS


def text_pieces(part: Part) -> list[Piece]:
    """Give the pieces of a part that hold text."""
    return [piece for piece in part.pieces if piece.kind is Kind.TEXT]


class TextQueries:
    """Compiles text matches for one index."""

    def __init__(self, queries: Queries, expander: Expander) -> None:
        self._make = queries
        self._expander = expander

    def segment_of(self, node: MatchText) -> Segment:
        """Give the spellings a quoted match or one at a fixed level stands for."""
        if node.level in (ExpansionLevel.NONE, ExpansionLevel.TERM):
            return self._expander.literal(node.text)
        if node.target.name == "LocationSearch":
            return self._expander.place(node.text)
        return self._expander.whole(node.text)

    def match(self, node: MatchText) -> tantivy.Query:
        """Match a text; at level None and under coverage this is only a superset."""
        whole = self.segment_of(node)
        phrase = self._anywhere(whole, node.target)
        if node.level not in (ExpansionLevel.RELAXATION, ExpansionLevel.LOSSY):
            return phrase
        segments = self._expander.segments(node.text)
        if len(segments) == 1 and segments[0].variants == whole.variants:
            return phrase
        found = [self._anywhere(segment, node.target) for segment in segments]
        if node.level is ExpansionLevel.LOSSY or len(found) < 2:
            return self._make.any_of([phrase, *found])
        bonuses = self._bonuses(whole, segments, node.target)
        scattered = self._make.preferring(self._make.all_of(found), bonuses)
        if not whole.synonyms:
            # Where the phrase stands, all its parts stand: it can only add to the score.
            return scattered
        return self._make.any_of([self._make.boosted(phrase, PHRASE_BONUS), scattered])

    def match_places(self, node: MatchText) -> tuple[tantivy.Query, int]:
        """Match each place named, all within one document; also gives how many there are."""
        segments = self._expander.places(node.text)
        found = [self._anywhere(segment, node.target) for segment in segments]
        return (self._make.all_of(found) if found else self._make.nothing()), len(found)

    def enum_values(self, node: MatchText) -> tantivy.Query:
        """Match the enumerated values of the area that the text names."""
        return self._make.any_of(
            [
                self._make.boosted(self._make.term(piece.name, value), part.weight)
                for part in node.target.parts
                for piece in part.pieces
                if piece.kind is Kind.ENUM
                for value in _named_values(
                    piece, node.text, exactly=node.level is ExpansionLevel.NONE
                )
            ]
        )

    def _anywhere(self, segment: Segment, target: Target) -> tantivy.Query:
        # One flat disjunction: the engine walks nested ones again at every level.
        clauses = [clause for field in _fields(target) for clause in self._in_field(segment, field)]
        for part in target.parts:
            for piece in part.pieces:
                if piece.kind is Kind.ENUM:
                    clauses.extend(
                        self._make.constant(self._make.term(piece.name, value), part.weight)
                        for value in _named_values(piece, segment.text, exactly=False)
                    )
        return self._make.best_of(clauses)

    def _in_field(self, segment: Segment, field: _Field) -> list[tantivy.Query]:
        spellings = [(tokens, field.weight) for tokens in segment.variants]
        if field.synonyms:
            weight = field.weight * SYNONYM_PENALTY
            spellings += [(tokens, weight) for tokens in segment.synonyms]
        if field.name == STATE:
            spellings += [(tokens, field.weight) for tokens in segment.codes]
        # Scored as words are, not a constant: a union of words alone is the engine's fastest.
        factor = ANCESTOR_FACTOR if field.name.endswith("AncestorTerm") else 1.0
        return [
            self._make.boosted(self._make.phrase(field.name, tokens), factor * weight)
            for tokens, weight in spellings
        ]

    def _bonuses(
        self, whole: Segment, segments: Sequence[Segment], target: Target
    ) -> list[tantivy.Query]:
        """Reward studies that have all the words in one of the weightiest pieces, more so in a row.

        Where words are to stand in a row, positions are read; so it is asked where all of them are.
        """
        written = replace(whole, synonyms=())
        return [
            self._make.preferring(
                self._make.constant(
                    self._make.all_of(
                        [self._make.any_of(self._in_field(segment, field)) for segment in segments]
                    ),
                    ONE_PIECE_BONUS * field.weight,
                ),
                [
                    self._make.boosted(
                        self._make.any_of(self._in_field(written, field)), PHRASE_BONUS
                    )
                ],
            )
            for field in sorted(_fields(target), key=lambda field: -field.weight)[:ONE_PIECE_FIELDS]
        ]


def _fields(target: Target) -> tuple[_Field, ...]:
    """Give the text fields of an area; BasicSearch has its short pieces grouped."""
    known = _FIELDS.get(target.name)
    if known is None:
        known = _FIELDS[target.name] = _find_fields(target)
    return known


# A target is hashed with all its pieces; its name alone tells it apart, and is quick to look up.
_FIELDS: dict[str, tuple[_Field, ...]] = {}


def _find_fields(target: Target) -> tuple[_Field, ...]:
    grouped = group_of() if target.name == "BasicSearch" else {}
    best: dict[str, _Field] = {}
    for part in target.parts:
        for piece in text_pieces(part):
            name = grouped.get(piece.name, piece.name)
            if name not in best or best[name].weight < part.weight:
                best[name] = _Field(name, part.weight, part.synonyms)
    return tuple(best.values())


def _named_values(piece: Piece, text: str, *, exactly: bool) -> list[str]:
    if exactly:
        values = enums()[piece.type].values
        return [v.value for v in values if text in (v.value, v.label, *v.exceptions.values())]
    return _values_by_name(piece.type).get(fold_phrase(text), [])


@cache
def _values_by_name(type_name: str) -> Mapping[str, list[str]]:
    table: dict[str, list[str]] = {}
    for value in enums()[type_name].values:
        for name in {
            fold_phrase(n) for n in (value.value, value.label, *value.exceptions.values())
        }:
            table.setdefault(name, []).append(value.value)
    return table
