"""What a note may mean without saying so: findings to the conditions that present with them.

Reads `data/presentations.txt`, a table of common clinical knowledge. A guess widens the search and
never more: it is no diagnosis, and no verdict rests on it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

from trialyst.folding import fold
from trialyst.matching.context import read_context
from trialyst.matching.note import Note
from trialyst.matching.patient import Assertion, Sex
from trialyst.vocabulary.spotting import Token, tokenize

__all__ = ["Guess", "guess_conditions"]

ENOUGH = 4
"""Points from which a condition is worth a search."""
MOST_GUESSES = 6
MOST_SENTENCES = 300
"""A guess is for a note that does not name the condition; records of years name it."""

_WHO = re.compile(r"\{([^}]*)\}")
_HEARD = (Assertion.ABSENT, Assertion.FAMILY, Assertion.HYPOTHETICAL)
_DENIALS = frozenset("no not without absent absence never loss lost unable".split())


class _Pattern(NamedTuple):
    """Words in a row, each whole or the beginning of one."""

    words: tuple[str, ...]
    stems: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _Finding:
    points: int
    groups: tuple[tuple[_Pattern, ...], ...]


@dataclass(frozen=True, slots=True)
class _Presentation:
    names: tuple[str, ...]
    findings: tuple[_Finding, ...]
    sex: Sex | None
    from_years: float
    under_years: float


@dataclass(frozen=True, slots=True)
class Guess:
    """A condition the findings point to, with its wider names and the sentences that speak."""

    name: str
    wider: tuple[str, ...]
    points: int
    sentences: tuple[int, ...]


def guess_conditions(
    note: Note, *, years: float | None = None, sex: Sex | None = None
) -> tuple[Guess, ...]:
    """Give the conditions that the findings of a note point to, the likeliest first."""
    read = note.sentences[:MOST_SENTENCES]
    sentences = [_Heard(sentence.number, sentence.text) for sentence in read]
    guesses = (_weigh(item, sentences) for item in _presentations() if _admits(item, years, sex))
    found = [guess for guess in guesses if guess is not None]
    found.sort(key=lambda guess: (-guess.points, guess.name))
    return tuple(found[:MOST_GUESSES])


class _Heard:
    """The folded words of a sentence, and where each stands."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.tokens = tokenize(text)
        self.places: dict[str, list[int]] = defaultdict(list)
        for at, token in enumerate(self.tokens):
            self.places[token.folded].append(at)
        self._context = read_context(text)
        self._stems: dict[str, list[int]] = {}

    def find(self, pattern: _Pattern) -> Iterator[tuple[int, int]]:
        """Give where a pattern stands and holds of the patient."""
        size = len(pattern.words)
        for start in self._starts(pattern):
            run = self.tokens[start : start + size]
            if len(run) == size and all(
                _same(token, word, is_stem=stem)
                for token, word, stem in zip(run, pattern.words, pattern.stems, strict=True)
            ):
                yield start, start + size

    def holds(self, start: int, end: int) -> bool:
        assertion, _ = self._context.assertion(self.tokens[start].start, self.tokens[end - 1].end)
        return assertion not in _HEARD

    def _starts(self, pattern: _Pattern) -> list[int]:
        word = pattern.words[0]
        if not pattern.stems[0]:
            return self.places.get(word, [])
        if word not in self._stems:
            self._stems[word] = [
                at for at, token in enumerate(self.tokens) if token.folded.startswith(word)
            ]
        return self._stems[word]


def _same(token: Token, word: str, *, is_stem: bool) -> bool:
    return token.folded.startswith(word) if is_stem else token.folded == word


def _weigh(item: _Presentation, sentences: Sequence[_Heard]) -> Guess | None:
    points = 0
    told: set[int] = set()
    for finding in item.findings:
        number = next((s.number for s in sentences if _is_found(finding, s)), None)
        if number is not None:
            points += finding.points
            told.add(number)
    if points < ENOUGH:
        return None
    return Guess(item.names[0], item.names[1:], points, tuple(sorted(told)))


def _is_found(finding: _Finding, sentence: _Heard) -> bool:
    denied = False
    for group in finding.groups:
        places = [(place, pattern) for pattern in group for place in sentence.find(pattern)]
        if not places:
            return False
        # A finding that is itself a lack ("no gestational sac") stands under its own denial.
        if any(pattern.words[0] in _DENIALS for _, pattern in places):
            continue
        denied = denied or not any(sentence.holds(*place) for place, _ in places)
    return not denied or any(
        pattern.words[0] in _DENIALS for group in finding.groups for pattern in group
    )


def _admits(item: _Presentation, years: float | None, sex: Sex | None) -> bool:
    if sex is not None and item.sex is not None and item.sex is not sex:
        return False
    return years is None or item.from_years <= years < item.under_years


@cache
def _presentations() -> tuple[_Presentation, ...]:
    text = resources.files("trialyst.matching.prescreen").joinpath("data", "presentations.txt")
    lines = text.read_text("utf-8").splitlines()
    return tuple(_parse_line(line) for line in lines if line.strip() and line[0] != "#")


def _parse_line(line: str) -> _Presentation:
    head, _, listed = line.partition(" = ")
    who = _WHO.findall(head)
    names = tuple(name.strip() for name in _WHO.sub("", head).split(" ; "))
    sex = Sex.FEMALE if "f" in who else Sex.MALE if "m" in who else None
    return _Presentation(
        names,
        tuple(_parse_finding(text) for text in listed.split(";") if text.strip()),
        sex,
        _bound(who, ">", 0.0),
        _bound(who, "<", 999.0),
    )


def _bound(who: Iterable[str], sign: str, default: float) -> float:
    return next((float(text[1:-1]) for text in who if text.startswith(sign)), default)


def _parse_finding(text: str) -> _Finding:
    points, _, listed = text.strip().partition(" ")
    groups = (group.split("|") for group in listed.split(" + "))
    return _Finding(int(points), tuple(tuple(map(_parse_pattern, group)) for group in groups))


def _parse_pattern(text: str) -> _Pattern:
    words: list[str] = []
    stems: list[bool] = []
    for written in text.split():
        if written.endswith("*"):
            words.append(written[:-1])
            stems.append(True)
            continue
        for token in fold(written):
            words.append(token)
            stems.append(False)
    return _Pattern(tuple(words), tuple(stems))
