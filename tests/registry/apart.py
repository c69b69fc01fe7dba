"""The rule for unquoted names written out naively: the name or a synonym, or its own words nearby.

Imports nothing of the registry; what it shares with the engine are the tables of pieces and areas,
the folding of words, and the vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

from tests.registry.oracle.evaluator import predicate
from tests.registry.oracle.records import Record
from trialyst.essie import areas
from trialyst.essie.ast import Expansion, ExpansionLevel, Phrase
from trialyst.essie.pieces import Kind as PieceKind
from trialyst.folding import fold, phrase_variants
from trialyst.vocabulary import Kind, Vocabulary

__all__ = ["TELLING", "matches_bare", "matches_quoted", "names_of"]

Test = Callable[[Record], bool]

_TITLES = ("BriefTitle", "OfficialTitle", "Keyword")
_ONE_TITLE = ("BriefTitle", "OfficialTitle")
_CONDITIONS = ("Condition", "ConditionMeshTerm")
_INTERVENTIONS = (
    "InterventionName",
    "InterventionOtherName",
    "ArmGroupLabel",
    "InterventionMeshTerm",
)
TELLING = {
    "ConditionSearch": (*_TITLES, *_CONDITIONS),
    "InterventionSearch": (*_TITLES, *_INTERVENTIONS),
    "BasicSearch": (
        *_TITLES,
        *_CONDITIONS,
        *_INTERVENTIONS,
        "Acronym",
        "BriefSummary",
        "PrimaryOutcomeMeasure",
    ),
}
"""Pieces that weigh enough in an area for words standing apart there to count."""
AFTER, BEFORE = 4, 2
"""Words that may stand between a word and the next of the name, behind it or before it."""
EMPTY_WORDS = frozenset(
    "a an and as at by for from in into of on or the to versus vs with without".split()
)


def names_of(vocabulary: Vocabulary, text: str) -> list[str] | None:
    """Give a text and the other names of what it certainly means; None if that is not known."""
    meant = vocabulary.resolve(text, kinds=(Kind.CONDITION, Kind.DRUG))
    if not meant.exact or meant.concept is None:
        return None
    return [text, *(name for name in meant.concept.synonyms if len(name) > 3)]


def matches_quoted(names: Sequence[str], area_name: str) -> Test:
    """Test for the first name in the area, or another where the area takes synonyms."""
    own = predicate(Expansion(ExpansionLevel.TERM, Phrase(names[0])), area_name)
    expanded = tuple(
        piece.name
        for part in areas.areas()[area_name].parts
        if part.synonyms
        for piece in part.pieces
        if piece.kind is PieceKind.TEXT
    )
    others = [
        f" {' '.join(variant)} "
        for name in names[1:]
        for variant in phrase_variants(name)
        if variant
    ]
    return lambda record: own(record) or any(other in record.folded(expanded) for other in others)


def matches_bare(vocabulary: Vocabulary, names: Sequence[str], area_name: str) -> Test:
    """Test for what quoting finds, or for words of the first name in one title or near each other.

    Another single word that means what a word means alone will do in its place.
    """
    quoted = matches_quoted(names, area_name)
    asked = [[_called(vocabulary, word) for word in words] for words in _relaxed_names(names)]
    telling = TELLING[area_name]

    def holds(record: Record) -> bool:
        if quoted(record):
            return True
        text = record.folded(telling)
        there = [
            words
            for words in asked
            if all(any(f" {word} " in text for word in either) for either in words)
        ]
        return any(_stand_together(record, name, words) for words in there for name in telling)

    return holds


def _called(vocabulary: Vocabulary, word: str) -> list[str]:
    others = names_of(vocabulary, word) or [word]
    return [word, *(name for (name, *more) in map(fold, others[1:]) if not more)]


def _relaxed_names(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Give the words of the first name, or the fewest of them that make another name of it."""
    asked = _words(names[0])
    words = [each for each in map(_words, names) if set(each) <= set(asked)]
    several = [each for each in words if len(each) > 1 and len(set(each)) == len(each)]
    alone = {word for name in names if len(fold(name)) == 1 for word in fold(name)}
    if alone & set(asked):
        return []
    return [each for each in several if not any(set(other) < set(each) for other in several)]


def _words(name: str) -> tuple[str, ...]:
    written = [fold(word) for word in name.split()]
    if any(len(word) > 1 and any(part.isdigit() for part in word) for word in written):
        return ()
    return tuple(part for word in written for part in word if part not in EMPTY_WORDS)


def _stand_together(record: Record, piece: str, words: Sequence[Sequence[str]]) -> bool:
    values = [value.split() for value in record.folded((piece,)).split("|")]
    if piece in _ONE_TITLE and not any(either[0].isdigit() for either in words):
        return any(all(not set(each).isdisjoint(value) for each in words) for value in values)
    return all(
        any(_is_near(value, *pair) for value in values for pair in product(*either))
        for either in combinations(words, 2)
    )


def _is_near(value: Sequence[str], word: str, following: str) -> bool:
    return any(
        there - here - 1 <= AFTER if there > here else here - there - 1 <= BEFORE
        for here in range(len(value))
        if value[here] == word
        for there in range(len(value))
        if value[there] == following
    )
