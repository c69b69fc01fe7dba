"""A few words typed by a person, such as `serious sleep apnea`, to trials in their order.

The conditions and drugs named must be met; the other words are read as people mean them
(`data/lay_words.txt`: serious is severe) and weigh by where they stand and how near to the
condition. For a patient's note there is `search`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from trialyst.errors import InvalidInput
from trialyst.essie.build import all_of, any_of, area, phrase
from trialyst.essie.render import text_node
from trialyst.folding import fold, fold_phrase, phrase_variants
from trialyst.matching.prescreen.planning import PlannedQuery
from trialyst.matching.prescreen.rows import Field, FoldedText, TrialRow, fold_row
from trialyst.matching.prescreen.term import name_phrases
from trialyst.matching.prescreen.words import rarity
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["Inquiry", "read_inquiry", "score_inquiry"]

_FIELDS: Mapping[Field, float] = {
    Field.TITLE: 1.0,
    Field.CONDITION: 1.0,
    Field.INTERVENTION: 1.0,
    Field.KEYWORD: 0.8,
    Field.SUMMARY: 0.6,
    Field.INCLUSION: 0.5,
    Field.EXCLUSION: 0.1,
}
_NAMED = 8.0
_IN_TITLE = 1.5
_AS_WRITTEN = 0.5
_PLAIN_WORD = 1.5
_CLOSE = 0.9
_LOOSE = 0.4
_NEAR = 0.6
_REACH = 4
"""Words between a condition and a word that is about it."""
_ALSO = 0.3
"""What every further field adds to the best one."""
_RAREST = 4.0
MOST_NAMES = 60
_DOINGS = frozenset(
    "treatment treat treating treated therapy therapie manage managing management".split()
)
_LONGEST_LAY = 3


class _Word(NamedTuple):
    """A folded phrase, or the beginning of one."""

    text: str
    is_stem: bool

    def stands_in(self, text: str) -> bool:
        return f" {self.text}" in text if self.is_stem else f" {self.text} " in text


class _Lay(NamedTuple):
    said: tuple[_Word, ...]
    close: tuple[_Word, ...]
    loose: tuple[_Word, ...]


@dataclass(frozen=True, slots=True)
class _Named:
    """A condition or drug that was named."""

    written: str
    name: str
    names: tuple[_Word, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Asked:
    """Another word, and what it means in a record."""

    written: str
    spellings: tuple[_Word, ...]
    close: tuple[_Word, ...]
    loose: tuple[_Word, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a text asks for."""

    text: str
    named: tuple[_Named, ...]
    asked: tuple[_Asked, ...]
    doings: tuple[str, ...]
    """Words such as `treatment`, which count in a title only."""

    @property
    def queries(self) -> tuple[PlannedQuery, ...]:
        """The lists to ask a source for."""
        return tuple(_queries(self))


def read_inquiry(text: str, vocabulary: Vocabulary) -> Inquiry:
    """Read what a person typed.

    Raises:
        InvalidInput: there is no word in the text.
    """
    words = fold(text)
    if not words:
        raise InvalidInput(
            f"{text!r} has no words to search for", hint="Write a term.", invalid_input=text
        )
    named: list[_Named] = []
    free = [True] * len(words)
    for start, end, concept in vocabulary.segment(words):
        written = " ".join(words[start:end])
        if concept is not None and written not in _empty_words():
            named.append(_to_named(written, concept))
            free[start:end] = [False] * (end - start)
    asked, doings = [], []
    for word in _free_phrases(words, free):
        if word in _DOINGS:
            doings.append(word)
        elif word not in _empty_words():
            asked.append(_to_asked(word))
    return Inquiry(text, tuple(named), tuple(asked), tuple(doings))


def score_inquiry(inquiry: Inquiry, row: TrialRow) -> float:
    """Tell how well a trial answers."""
    texts = fold_row(row).fields
    title = f" {fold_phrase(row.brief_title)} "
    score = 0.0
    for named in inquiry.named:
        fields = (_FIELDS[field] for field, text in texts.items() if _any(named.names, text.text))
        score += _NAMED * max(fields, default=0.0)
        score += _IN_TITLE * _any(named.names, title) + _AS_WRITTEN * (
            f" {named.written} " in title
        )
    names = [name for named in inquiry.named for name in named.names]
    for asked in inquiry.asked:
        found = [weight * _met(asked, texts[field], names) for field, weight in _FIELDS.items()]
        score += asked.weight * (max(found) + _ALSO * sum(found))
    for doing in inquiry.doings:
        score += _PLAIN_WORD * (f" {doing} " in texts[Field.TITLE].text)
    return score


def _met(asked: _Asked, field: FoldedText, names: Sequence[_Word]) -> float:
    if _any(asked.spellings, field.text):
        met = 1.0
    elif _any(asked.close, field.text):
        met = _CLOSE
    elif _any(asked.loose, field.text):
        return _LOOSE
    else:
        return 0.0
    around = (_around(field.text, name.text) for name in names)
    return met + _NEAR * any(_any((*asked.spellings, *asked.close), text) for text in around)


def _around(text: str, name: str) -> str:
    """Give the words before and behind each place of a name."""
    before, *pieces = text.split(f" {name} ")
    near: list[str] = []
    for piece in pieces:
        near += [*before.split()[-_REACH:], "#", *piece.split()[:_REACH], "#"]
        before = piece
    return f" {' '.join(near)} "


def _any(words: Iterable[_Word], text: str) -> bool:
    return any(word.stands_in(text) for word in words)


def _queries(inquiry: Inquiry) -> Iterator[PlannedQuery]:
    text = ("BasicSearch", "EligibilitySearch")
    places = {Kind.CONDITION: "ConditionSearch", Kind.DRUG: "InterventionSearch"}
    meant = [
        phrase(word.text)
        for asked in inquiry.asked
        for word in (*asked.spellings, *asked.close)
        if not word.is_stem
    ]
    if inquiry.named:
        nodes = [
            area(places.get(item.kind, "BasicSearch"), phrase(item.name)) for item in inquiry.named
        ]
        names = tuple(item.name for item in inquiry.named)
        if meant:
            about = any_of(*(area(name, any_of(*meant)) for name in text))
            yield PlannedQuery("named, as asked", names, all_of(*nodes, about), most=800)
        yield PlannedQuery("named", names, all_of(*nodes), most=800)
        if len(nodes) > 1:
            yield PlannedQuery("any named", names, any_of(*nodes), most=400)
    if meant:
        node = any_of(*(area(name, any_of(*meant)) for name in text))
        yield PlannedQuery("words", (inquiry.text,), node, most=400)
    if not inquiry.named and not meant:
        yield PlannedQuery("words", (inquiry.text,), text_node(inquiry.text), most=400)


def _to_named(written: str, concept: Concept) -> _Named:
    names = [name for name in concept.synonyms if len(name) > _LONGEST_LAY]
    phrases = name_phrases((*names, concept.preferred, written), most=MOST_NAMES)
    return _Named(
        written,
        concept.preferred,
        tuple(_Word(text, is_stem=False) for text in phrases),
        concept.kind,
    )


def _to_asked(word: str) -> _Asked:
    spelt = dict.fromkeys((word, *(" ".join(tokens) for tokens in phrase_variants(word))))
    entries = [lay for lay in _lay_words() if any(_says(said, word) for said in lay.said)]
    return _Asked(
        word,
        tuple(_Word(text, is_stem=False) for text in spelt if text),
        tuple(item for lay in entries for item in lay.close),
        tuple(item for lay in entries for item in lay.loose),
        min(rarity(word.split()[0]), _RAREST),
    )


def _says(said: _Word, word: str) -> bool:
    return word.startswith(said.text) if said.is_stem else word == said.text


def _free_phrases(words: Sequence[str], free: list[bool]) -> Iterator[str]:
    """Give what is not named: the longest phrases people say first, then single words."""
    said = {item.text for lay in _lay_words() for item in lay.said}
    for size in range(_LONGEST_LAY, 0, -1):
        for start in range(len(words) - size + 1):
            written = " ".join(words[start : start + size])
            if all(free[start : start + size]) and (size == 1 or written in said):
                free[start : start + size] = [False] * size
                yield written


@cache
def _table() -> tuple[tuple[_Lay, ...], frozenset[str]]:
    listed = resources.files("trialyst.matching.prescreen").joinpath("data", "lay_words.txt")
    entries: list[_Lay] = []
    empty: set[str] = set()
    for line in listed.read_text("utf-8").splitlines():
        if line.startswith("- "):
            empty.update(fold_phrase(word) for word in line[2:].split(","))
        elif line and line[0] != "#":
            said, _, meant = line.partition(" = ")
            close, _, loose = meant.partition(" / ")
            entries.append(_Lay(_parse_words(said), _parse_words(close), _parse_words(loose)))
    return tuple(entries), frozenset(empty)


def _lay_words() -> tuple[_Lay, ...]:
    return _table()[0]


def _empty_words() -> frozenset[str]:
    return _table()[1]


def _parse_words(listed: str) -> tuple[_Word, ...]:
    words = (text.strip() for text in listed.split(","))
    return tuple(_Word(fold_phrase(text.rstrip("*")), text.endswith("*")) for text in words if text)
