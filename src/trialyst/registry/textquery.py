"""Text in an area to an index query: expansion, area weights, and ranking by closeness."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from trialyst.essie.areas import Part
from trialyst.essie.ast import CoverageKind, ExpansionLevel
from trialyst.essie.pieces import Kind, Piece
from trialyst.essie.resolved import MatchText, Target
from trialyst.folding import fold_phrase
from trialyst.registry.enumerated import EnumeratedValues
from trialyst.registry.expansion import STATE, Expander, Segment
from trialyst.registry.phrases import Queries
from trialyst.registry.remembered import Remembered
from trialyst.registry.schema import (
    GROUPS,
    PLAIN_WORDS,
    WIDEST_AREA,
    WORDS,
    WORDS_BETWEEN_VALUES,
)

if TYPE_CHECKING:
    import tantivy

__all__ = ["Clauses", "TextQueries", "fields_of", "name_fields", "needs_stored_text", "text_pieces"]

SYNONYM_PENALTY = 0.9
PHRASE_BONUS = 2.0
ONE_PIECE_BONUS = 0.5
ONE_PIECE_FIELDS = 1
MOST_ASKED_AFTERWARDS = 8
# One by one, each is asked about a study alone; of more, a disjunction of them all takes less.
MOST_ASKED_APART = 12
MOST_COMPILED = 128
# A field is weighty that has this share of the weight of the weightiest.
WEIGHTY = 0.6
# What is found in fields of little weight alone counts little, and so falls with distance.
FOUND_SCORE = 0.01
# Fields of less weight hold people, headings above a study's own and long texts.
NAMING = 0.5
_TITLES = frozenset({"BriefTitle", "OfficialTitle"})
# Far below a name that stands as it is written.
APART_SCORE = 0.05
# Far below any word match, so that a study of a narrower condition follows those that name it.
ANCESTOR_FACTOR = 0.01


class Clauses(NamedTuple):
    """A text as parts of a whole query, so that the engine sees all that must match at once."""

    found: list[tantivy.Query]
    """Must all match."""
    scored: list[tantivy.Query]
    """Match everything; give scores where they are wanted."""


class _Field(NamedTuple):
    name: str
    weight: float
    synonyms: bool
    weighty: bool = False
    """Whether it is scored; beside other words, a word in any other field is only found."""

    @property
    def is_id(self) -> bool:
        return self.name == "NCTId"


def needs_stored_text(node: MatchText) -> bool:
    """Whether the folded index cannot decide the match alone."""
    return node.level is ExpansionLevel.NONE or node.coverage is not CoverageKind.CONTAINS


def text_pieces(part: Part) -> list[Piece]:
    """Give the pieces of a part that hold text."""
    return [piece for piece in part.pieces if piece.kind is Kind.TEXT]


class TextQueries:
    """Compiles text matches for one index."""

    def __init__(self, queries: Queries, expander: Expander, values: EnumeratedValues) -> None:
        self._make = queries
        self._expander = expander
        self._values = values
        self._values_of: dict[str, Mapping[str, list[tantivy.Query]]] = {}
        self._compiled: Remembered[tuple[MatchText, bool], Clauses] = Remembered(MOST_COMPILED)
        self._segments: Remembered[tuple[Segment, Target, bool], Clauses] = Remembered(
            MOST_COMPILED
        )

    def segment_of(self, node: MatchText) -> Segment:
        """Give the spellings a quoted match or one at a fixed level stands for."""
        if node.level in (ExpansionLevel.NONE, ExpansionLevel.TERM):
            return self._expander.literal(node.text)
        if node.target.name == "LocationSearch":
            return self._expander.place(node.text)
        return self._expander.whole(node.text)

    def match(self, node: MatchText) -> tantivy.Query:
        """Match a text; at level None and under coverage this is only a superset."""
        return self._make.all_of([*chain(*self.clauses(node, narrowed=False))])

    def clauses(self, node: MatchText, *, narrowed: bool) -> Clauses:
        """Give the parts of a query for a text.

        Args:
            narrowed: the rest of the query leaves few of the studies that match this text.
        """
        asked = (node, narrowed)
        known = self._compiled.get(asked)
        return known or self._compiled.keep(asked, self._compile(node, narrowed=narrowed))

    def _compile(self, node: MatchText, *, narrowed: bool) -> Clauses:
        whole = self.segment_of(node)
        if node.level not in (ExpansionLevel.RELAXATION, ExpansionLevel.LOSSY):
            return self._anywhere(whole, node.target, narrowed=narrowed)
        segments = self._expander.segments(node.text)
        if node.level is ExpansionLevel.LOSSY:
            either = [whole, *segments, *self._expander.words(node.text)]
            return Clauses([self._any_of(either, node)], [])
        if len(segments) > 1:
            return self._scattered(whole, segments, node)
        (segment,) = segments or [whole]
        if set(whole.variants) <= set(segment.variants):
            return self._anywhere(segment, node.target, narrowed=narrowed)
        return Clauses([self._any_of([whole, segment], node)], [])

    def _any_of(self, segments: Sequence[Segment], node: MatchText) -> tantivy.Query:
        found = (self._anywhere(segment, node.target).found for segment in segments)
        return self._make.any_of(list(chain.from_iterable(found)))

    def _scattered(self, whole: Segment, segments: Sequence[Segment], node: MatchText) -> Clauses:
        """Match all segments wherever they stand, better the closer they are."""
        parts = [self._anywhere(segment, node.target, narrowed=True) for segment in segments]
        found = [query for part in parts for query in part.found]
        scored = [query for part in parts for query in part.scored]
        scored.append(self._make.scoring(self._bonuses(whole, segments, node.target)))
        if not whole.synonyms and not self._values_named(node.text, node.target):
            # Where the phrase stands, all its parts stand: it can only add to the score.
            return Clauses(found, scored)
        phrase = self._make.boosted(self._any_of([whole], node), PHRASE_BONUS)
        scattered = self._make.all_of([*found, *scored])
        return Clauses([self._make.any_of([phrase, scattered])], [])

    def match_places(self, node: MatchText) -> tuple[tantivy.Query, int]:
        """Match each place named, all within one document; also gives how many there are."""
        segments = self._expander.places(node.text)
        found = [self._any_of([segment], node) for segment in segments]
        return (self._make.all_of(found) if found else self._make.nothing()), len(found)

    def enum_values(self, node: MatchText) -> tantivy.Query:
        """Match the enumerated values of the area that the text names."""
        if node.level is not ExpansionLevel.NONE:
            return self._make.any_of(self._values_named(node.text, node.target))
        return self._make.any_of(
            [
                self._make.term(piece.name, value)
                for piece, _ in _searched(node.target).enumerated
                for value in self._values.written(piece, node.text)
            ]
        )

    def _values_named(self, text: str, target: Target) -> list[tantivy.Query]:
        known = self._values_of.get(target.name)
        if known is None:
            known = self._values_of[target.name] = self._find_values(target)
        return known.get(fold_phrase(text), [])

    def _find_values(self, target: Target) -> Mapping[str, list[tantivy.Query]]:
        found: defaultdict[str, list[tantivy.Query]] = defaultdict(list)
        for piece, weight in _searched(target).enumerated:
            for name, values in self._values.by_folded_name(piece).items():
                terms = (self._make.term(piece.name, value) for value in values)
                found[name] += [self._make.constant(term, weight) for term in terms]
        return found

    def _anywhere(self, segment: Segment, target: Target, *, narrowed: bool = False) -> Clauses:
        """Match a segment in any field of an area; scored apart only if narrowed."""
        asked = (segment, target, narrowed)
        known = self._segments.get(asked)
        if known is None:
            known = self._look_anywhere(segment, target, narrowed=narrowed)
            self._segments.keep(asked, known)
        return known

    def _look_anywhere(self, segment: Segment, target: Target, *, narrowed: bool) -> Clauses:
        searched = _searched(target)
        values = self._values_named(segment.text, target)
        apart = self._apart(segment, searched)
        if narrowed and _is_in_lists(segment, searched):
            return self._clauses([*self._listed(segment), *values], apart)
        if narrowed and _count_places(segment, searched) + len(values) <= MOST_ASKED_AFTERWARDS:
            # A disjunction scores all it matches, this only what the whole query finds.
            places = [*self._in_fields(segment, searched.fields), *values, *apart]
            found = self._make.constant(self._make.any_of(places), FOUND_SCORE)
            scored = self._in_fields(segment, _scored_fields(segment, searched))
            bonuses = [*scored, *values]
            if len(bonuses) > MOST_ASKED_APART:
                bonuses = [self._make.best_of(bonuses)]
            return Clauses([found], [self._make.scoring(bonuses)])
        # One flat disjunction: the engine walks nested ones again at every level.
        words = self._in_fields(segment, searched.fields)
        return Clauses([self._make.best_of([*words, *values, *apart])], [])

    def _clauses(self, scored: list[tantivy.Query], others: list[tantivy.Query]) -> Clauses:
        """Match any; one alone is scored where it is found, of several only what is found."""
        if len(scored) + len(others) == 1:
            return Clauses([*scored, *others], [])
        found = self._make.constant(self._make.any_of([*scored, *others]), FOUND_SCORE)
        return Clauses([found], [self._make.scoring([self._make.best_of(scored)])])

    def _listed(self, segment: Segment) -> list[tantivy.Query]:
        """Look words up in the field that has those of many."""
        term = self._make.term
        words = [term(WORDS, word) for (word,) in segment.variants]
        for (word,) in segment.synonyms:
            expanded = self._make.but_not(term(WORDS, word), term(PLAIN_WORDS, word))
            words.append(self._make.boosted(expanded, SYNONYM_PENALTY))
        return words

    def _in_fields(self, segment: Segment, fields: Sequence[_Field]) -> list[tantivy.Query]:
        return [query for field in fields for query in self._in_field(segment, field)]

    def _in_field(self, segment: Segment, field: _Field) -> list[tantivy.Query]:
        name, weight, phrases = field.name, field.weight, self._make.phrases
        found = phrases(name, segment.variants, weight)
        if field.synonyms and segment.synonyms:
            found += phrases(name, segment.synonyms, weight * SYNONYM_PENALTY)
        if name == STATE:
            found += phrases(name, segment.codes, weight)
        return found

    def _apart(self, segment: Segment, searched: _Searched) -> list[tantivy.Query]:
        """Match studies in which the words of a name stand in one title, or near each other.

        Of three words, two may stand in one value and two in another: then in one piece, no group.
        """
        found: list[tantivy.Query] = []
        for words in segment.apart:
            # What a number counts stands beside it: "phase 2 in type 1 diabetes".
            counted = any(word.isdigit() for (word, *_) in words)
            telling = searched.telling if counted else searched.besides_titles
            near = telling.fields if len(words) == 2 else telling.pieces
            found += [self._make.apart(field, words, WORDS_BETWEEN_VALUES) for field in near]
            if not counted:
                found += [self._make.together(title, words) for title in searched.titles]
        return [self._make.constant(self._make.any_of(found), APART_SCORE)] if found else []

    def _bonuses(
        self, whole: Segment, segments: Sequence[Segment], target: Target
    ) -> list[tantivy.Query]:
        """Reward studies that have all the words in one of the weightiest pieces, more so in a row.

        Where words are to stand in a row, positions are read; so it is asked where all of them are.
        """
        return [
            self._make.preferring(
                self._make.constant(
                    self._make.all_of([self._in_one(segment, field) for segment in segments]),
                    ONE_PIECE_BONUS * field.weight,
                ),
                [self._in_a_row(whole, field)],
            )
            for field in _searched(target).weightiest
        ]

    def _in_one(self, segment: Segment, field: _Field) -> tantivy.Query:
        spelt = (*segment.variants, *segment.synonyms)
        return self._make.any_of(self._make.phrases(field.name, spelt, 1.0))

    def _in_a_row(self, whole: Segment, field: _Field) -> tantivy.Query:
        weight = PHRASE_BONUS * field.weight
        return self._make.any_of(self._make.phrases(field.name, whole.variants, weight))


class _Telling(NamedTuple):
    """Fields, and the same with pieces in place of groups."""

    fields: tuple[str, ...]
    pieces: tuple[str, ...]


class _Searched(NamedTuple):
    """What an area searches."""

    fields: tuple[_Field, ...]
    """Its text pieces, groups in place of their members."""
    is_widest: bool
    """Whether one field has all its single words."""
    weightiest: tuple[_Field, ...]
    """The pieces in which words that stand together count more."""
    telling: _Telling
    """Weighty fields where synonyms count: a name whose words stand apart there is meant."""
    besides_titles: _Telling
    """The same without titles."""
    titles: tuple[str, ...]
    """Those of them that have one short value."""
    enumerated: tuple[tuple[Piece, float], ...]


def fields_of(target: Target) -> tuple[_Field, ...]:
    """Give the text fields of an area, groups in place of their pieces."""
    return _searched(target).fields


def name_fields(target: Target) -> tuple[str, ...]:
    """Give the fields of an area that hold names and titles: short, and searched by synonyms."""
    weighty = (field for field in fields_of(target) if field.synonyms and field.weight >= NAMING)
    return tuple(field.name for field in weighty if field.name in GROUPS)


def _scored_fields(segment: Segment, searched: _Searched) -> list[_Field]:
    """Give the fields in which a segment is scored; what has no digit is no id."""
    is_word = not any(map(str.isdigit, segment.text))
    return [field for field in searched.fields if field.weighty and not (field.is_id and is_word)]


def _is_in_lists(segment: Segment, searched: _Searched) -> bool:
    spellings = (*segment.variants, *segment.synonyms)
    return searched.is_widest and all(len(tokens) == 1 for tokens in spellings)


def _count_places(segment: Segment, searched: _Searched) -> int:
    """Count the places in which a segment is looked for, other than enumerated values."""
    own, others, is_apart = len(segment.variants), len(segment.synonyms), bool(segment.apart)
    expanding = sum(field.synonyms for field in searched.fields)
    return own * len(searched.fields) + others * expanding + is_apart


def _searched(target: Target) -> _Searched:
    known = _SEARCHED.get(target.name)
    if known is None:
        known = _SEARCHED[target.name] = _find_searched(target)
    return known


# A target is hashed with all its pieces; its name alone tells it apart, and is quick to look up.
_SEARCHED: dict[str, _Searched] = {}
_ANCESTORS = frozenset(GROUPS["group_ancestors"])


def _find_searched(target: Target) -> _Searched:
    held = [(piece, part) for part in target.parts for piece in part.pieces]
    texts = [
        _Field(piece.name, part.weight * _factor(piece.name), part.synonyms)
        for piece, part in held
        if piece.kind is Kind.TEXT
    ]
    # Ids and acronyms are single words, which cannot stand together.
    long = (field for field in texts if field.synonyms and field.name != "Acronym")
    weightiest = sorted(long, key=lambda field: -field.weight)[:ONE_PIECE_FIELDS]
    enumerated = [(piece, part.weight) for piece, part in held if piece.kind is Kind.ENUM]
    fields = _marked(_grouped(texts))
    telling = tuple(field.name for field in fields if field.weighty and field.synonyms)
    pieces = tuple(chain.from_iterable(map(_pieces_of, telling)))
    besides = tuple(name for name in pieces if name not in _TITLES)
    whole = (name for name in telling if _TITLES.isdisjoint(_pieces_of(name)))
    rest = (name for name in _pieces_of("group_titles") if name in besides)
    return _Searched(
        fields,
        target.name == WIDEST_AREA,
        tuple(weightiest),
        telling=_Telling(telling, pieces),
        besides_titles=_Telling((*rest, *whole), besides),
        titles=tuple(name for name in pieces if name in _TITLES),
        enumerated=tuple(enumerated),
    )


def _factor(name: str) -> float:
    # Scored as words are, not a constant: a union of words alone is the engine's fastest.
    return ANCESTOR_FACTOR if name in _ANCESTORS else 1.0


def _pieces_of(field: str) -> tuple[str, ...]:
    return GROUPS.get(field, (field,))


def _grouped(pieces: Sequence[_Field]) -> list[_Field]:
    fields = {field.name: field for field in pieces}
    for group, members in GROUPS.items():
        held = [fields[name] for name in members if name in fields]
        expanding = {field.synonyms for field in held}
        if len(held) == len(members) and len(expanding) == 1:
            weight = max(field.weight for field in held)
            fields = {name: fields[name] for name in fields if name not in members}
            fields[group] = _Field(group, weight, expanding.pop())
    return list(fields.values())


def _marked(fields: Sequence[_Field]) -> tuple[_Field, ...]:
    least = WEIGHTY * max((field.weight for field in fields), default=0.0)
    return tuple(field._replace(weighty=field.weight >= least) for field in fields)
