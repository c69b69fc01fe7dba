"""Words in a row, written in a table, and where they stand in a note and hold of the patient.

A pattern is written as words, `*` for any ending and `..` for up to four words between. Every way
to say a finding that `data/finding_words.txt` lists stands for each of the others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

from trialyst.eligibility.reading.scope import Scope, read_scope, to_assertion
from trialyst.folding import fold
from trialyst.matching.patient import Assertion
from trialyst.vocabulary.spotting import Token, tokenize

__all__ = ["Group", "Heard", "HeardNote", "Place", "parse_group", "read_table"]

BETWEEN = 4
"""Words that `..` may stand for."""
_NOT_THEIRS = (Assertion.ABSENT, Assertion.FAMILY, Assertion.HYPOTHETICAL)
_NOWHERE: Mapping[int, Sequence[Place]] = {}
_LACKS = frozenset("no not without absent absence never".split())


class _Word(NamedTuple):
    text: str
    is_stem: bool
    after_gap: bool

    def fits(self, token: Token) -> bool:
        return token.folded.startswith(self.text) if self.is_stem else token.folded == self.text


class _Pattern(NamedTuple):
    words: tuple[_Word, ...]

    @property
    def is_lack(self) -> bool:
        """Whether it is itself a denial, such as `no gestational sac`."""
        return self.words[0].text in _LACKS


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Alternatives, of which one is enough; the same text gives the same group."""

    patterns: tuple[_Pattern, ...]


class Heard(NamedTuple):
    """A piece of text, the number of its sentence, and where it stands in the note."""

    number: int
    start: int
    text: str
    end: int | None = None
    """Where it ends, if its words are not the note's own."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a group stands in a sentence, in offsets of the note."""

    start: int
    end: int
    holds: bool
    is_lack: bool


class HeardNote:
    """The folded words of a note, and where each stands; answers are remembered."""

    def __init__(self, pieces: Iterable[Heard]) -> None:
        self.pieces = tuple(pieces)
        self._tokens = [tokenize(piece.text) for piece in self.pieces]
        self._scopes: dict[int, Scope] = {}
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, tokens in enumerate(self._tokens):
            for at, token in enumerate(tokens):
                self._places[token.folded].append((number, at))
        self._words = sorted(self._places)
        self._found: dict[Group, Mapping[int, Sequence[Place]]] = {}

    def find(self, group: Group) -> Mapping[int, Sequence[Place]]:
        """Give the places of a group by the index of their piece."""
        known = self._found.get(group)
        if known is None:
            found: defaultdict[int, list[Place]] = defaultdict(list)
            for pattern in group.patterns:
                for piece, place in self._find(pattern):
                    found[piece].append(place)
            known = self._found[group] = found if found else _NOWHERE
        return known

    def _find(self, pattern: _Pattern) -> Iterator[tuple[int, Place]]:
        for piece, at in self._starts(pattern.words[0]):
            end = self._end(self._tokens[piece], at, pattern)
            if end is not None:
                yield piece, self._place(piece, at, end, is_lack=pattern.is_lack)

    def _starts(self, word: _Word) -> Sequence[tuple[int, int]]:
        if not word.is_stem:
            return self._places.get(word.text, ())
        starts: list[tuple[int, int]] = []
        for at in range(bisect_left(self._words, word.text), len(self._words)):
            if not self._words[at].startswith(word.text):
                break
            starts += self._places[self._words[at]]
        return sorted(starts)

    @staticmethod
    def _end(tokens: Sequence[Token], at: int, pattern: _Pattern) -> int | None:
        for word in pattern.words:
            last = min(len(tokens), at + 1 + BETWEEN * word.after_gap)
            found = next((i for i in range(at, last) if word.fits(tokens[i])), None)
            if found is None:
                return None
            at = found + 1
        return at

    def _place(self, piece: int, at: int, end: int, *, is_lack: bool) -> Place:
        start, stop = self._tokens[piece][at].start, self._tokens[piece][end - 1].end
        if piece not in self._scopes:
            self._scopes[piece] = read_scope(self.pieces[piece].text)
        assertion, _ = to_assertion(self._scopes[piece].effects(start, stop))
        heard = self.pieces[piece]
        span = (heard.start + start, heard.start + stop)
        if heard.end is not None:
            span = (heard.start, heard.end)
        return Place(*span, holds=assertion not in _NOT_THEIRS, is_lack=is_lack)


@cache
def parse_group(text: str) -> Group:
    """Read alternatives joined by `|`, each with every other way to say it."""
    ways = _ways()
    listed = (alternative.strip() for alternative in text.split("|"))
    spelt = (way for alternative in listed for way in ways.get(alternative, (alternative,)))
    return Group(tuple(_parse_pattern(way) for way in dict.fromkeys(spelt)))


def read_table(name: str) -> tuple[str, ...]:
    """Give the lines of a table without blanks and comments."""
    table = resources.files("trialyst.matching.prescreen").joinpath("data", name)
    lines = table.read_text("utf-8").splitlines()
    return tuple(line for line in lines if line.strip() and line[0] != "#")


@cache
def _ways() -> Mapping[str, tuple[str, ...]]:
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in read_table("finding_words.txt"):
        ways = dict.fromkeys(way.strip() for way in line.split("|"))
        for way in ways:
            found[way] |= ways
    return {way: tuple(others) for way, others in found.items()}


@cache
def _parse_pattern(text: str) -> _Pattern:
    words: list[_Word] = []
    after_gap = False
    for written in text.split():
        if written == "..":
            after_gap = True
            continue
        stem = written.endswith("*")
        for token in (written[:-1],) if stem else fold(written):
            words.append(_Word(token, stem, after_gap))
            after_gap = False
    return _Pattern(tuple(words))
