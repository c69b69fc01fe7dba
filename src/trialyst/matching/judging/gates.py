"""Patterns searched only in texts that hold letters which no match can do without.

Most patterns of the rules are in few criteria. What a match must hold is worked out from the
pattern itself. A text is looked at once, word by word, for what all patterns need; words come back
in every criterion, so each is remembered with the patterns that it opens, a bit each.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain
from threading import Lock
from typing import Any, NamedTuple

__all__ = ["GatedPattern", "Gates", "find_needed", "gated"]

_BOUNDARY = "\b"
"""Stands before what a word begins with."""
_MOST_LETTERS = 5
"""Letters of a class, as in `m[ae]n`, up to which each is written out."""
_MOST_SPELLINGS = 8
_WIDTHLESS = frozenset({"AT", "ASSERT", "ASSERT_NOT"})
_WORD = re.compile(r"[A-Za-z0-9]+")
_SHORT = 3
"""Letters by which a needed word is looked up."""
_ALL = -1
"""Every gate, all bits."""
_TEXTS = 50_000
_WORDS = 100_000
_ODD_CASE = re.compile("[\u0130\u0131\u017f\u212a]")
"""Letters that are the same as plain ones where case does not count."""


class _Source(NamedTuple):
    """A pattern that is not compiled yet, and what it needs if that is known."""

    pattern: str
    flags: int = 0
    needed: tuple[str, ...] | None = None


class _Words:
    """Words that patterns need, and the gates each of them opens, a bit each."""

    __slots__ = ("_beginning", "_inside")

    def __init__(self) -> None:
        self._beginning: dict[str, list[tuple[str, int]]] = defaultdict(list)
        """By their first letters, those with which a word of the text must begin."""
        self._inside: dict[str, list[tuple[str, int]]] = defaultdict(list)

    def enter(self, needed: str, gate: int) -> bool:
        """Enter the longest word of what is needed; it may have none."""
        match = max(_WORD.finditer(needed), key=lambda found: len(found.group()), default=None)
        if match is None:
            return False
        word = match.group()
        entries = self._beginning if match.start() else self._inside
        entries[word[:_SHORT]].append((word, gate))
        return True

    def opened(self, word: str) -> int:
        """Give the gates that a word of a text opens."""
        found = _opened_at(word, 0, self._beginning)
        for at in range(len(word)):
            found |= _opened_at(word, at, self._inside)
        return found


def _opened_at(word: str, at: int, entries: dict[str, list[tuple[str, int]]]) -> int:
    found = 0
    for end in range(at + 1, min(at + _SHORT, len(word)) + 1):
        for needed, gate in entries.get(word[at:end], ()):
            if word.startswith(needed, at):
                found |= gate
    return found


class _House:
    """All gates there are, and which of them a text opens."""

    def __init__(self, sources: Sequence[_Source]) -> None:
        # A gate that is entered later, while others search, counts as open.
        self._always = -1 << len(sources)
        self._marks: dict[str, int] = defaultdict(int)
        self._words = _Words()
        self._any_case = _Words()
        """Those of them that are also met in capitals."""
        self._by_word: dict[str, int] = {}
        for at, source in enumerate(sources):
            self._enter(source, 1 << at)

    def _enter(self, source: _Source, gate: int) -> None:
        any_case = bool(source.flags & re.IGNORECASE)
        known = source.needed
        for needed in find_needed(source.pattern, source.flags) if known is None else known:
            mark = needed.strip(_BOUNDARY)
            if not mark or (any_case and not mark.isascii()):
                self._always |= gate
            elif not self._words.enter(needed, gate):
                self._marks[mark] |= gate
            elif any_case:
                self._any_case.enter(needed, gate)

    def opened(self, text: str) -> int:
        """Give the gates that a text opens."""
        if not text.isascii() and _ODD_CASE.search(text):
            return _ALL
        found = self._always
        known = self._by_word
        for word in _WORD.findall(text):
            opens = known.get(word)
            found |= self._of_word(word) if opens is None else opens
        for mark, gates in self._marks.items():
            if mark in text:
                found |= gates
        return found

    def _of_word(self, word: str) -> int:
        if len(self._by_word) >= _WORDS:
            self._by_word.clear()
        opens = self._words.opened(word)
        if not word.islower():
            opens |= self._any_case.opened(word.lower())
        self._by_word[word] = opens
        return opens


_admitted: list[_Source] = []
"""What is behind gates, in the order of their bits."""
_admission = Lock()


def _admit(sources: Iterable[_Source]) -> int:
    """Put patterns behind gates of their own; give the place of the first."""
    with _admission:
        place = len(_admitted)
        _admitted.extend(sources)
    _opened.cache_clear()
    return place


@lru_cache(maxsize=1)
def _house(gates: int) -> _House:
    return _House(_admitted[:gates])


@lru_cache(maxsize=_TEXTS)
def _opened(text: str) -> int:
    return _house(len(_admitted)).opened(text)


class Gates:
    """Gates in a row, each opened by words that begin with one of its beginnings."""

    __slots__ = ("_first", "_mask")

    def __init__(self, beginnings: Sequence[Iterable[str]]) -> None:
        needed = (tuple(_BOUNDARY + word for word in words) for words in beginnings)
        self._first = _admit(_Source("", needed=words) for words in needed)
        self._mask = (1 << len(beginnings)) - 1

    def opened(self, text: str) -> Iterator[int]:
        """Give the places of the gates that a text opens, in order."""
        left = _opened(text) >> self._first & self._mask
        while left:
            lowest = left & -left
            yield lowest.bit_length() - 1
            left ^= lowest


class GatedPattern:
    """A pattern searched only in texts that hold one of the words a match must have."""

    __slots__ = ("_bit", "_source", "pattern")
    pattern: re.Pattern[str]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source = _Source(pattern, flags)
        self._bit = 1 << _admit([self._source])

    def __getattr__(self, name: str) -> re.Pattern[str]:
        """Compile the pattern when a text first opens the gate."""
        if name != "pattern":
            raise AttributeError(name)
        self.pattern = re.compile(self._source.pattern, self._source.flags)
        return self.pattern

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Search as a pattern does."""
        return self.pattern.search(text, start, end) if _opened(text) & self._bit else None

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Match at a place as a pattern does."""
        return self.pattern.match(text, start) if _opened(text) & self._bit else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match all of a text as a pattern does."""
        return self.pattern.fullmatch(text) if _opened(text) & self._bit else None

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        """Find all matches as a pattern does."""
        opened = _opened(text) & self._bit
        return self.pattern.finditer(text, start, end) if opened else iter(())

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Replace all matches as a pattern does."""
        return self.pattern.sub(replacement, text) if _opened(text) & self._bit else text


def gated(pattern: str, flags: int = 0) -> GatedPattern:
    """Put a pattern behind a gate that is in few of the texts it is searched in."""
    return GatedPattern(pattern, flags)


@cache
def find_needed(pattern: str, flags: int = 0) -> tuple[str, ...]:
    """Give words of which each match has one; the empty one where none is known.

    They are in lower case where case does not count; what begins a word has a boundary before it.

    >>> find_needed(r"(?:non-)?smok(?:er|ing)s?|\\bnicotine")
    ('smok', '\\x08nicotine')
    """
    parsed = import_module("re._parser").parse(pattern, flags)
    needed = _of_sequence(parsed) or ("",)
    return tuple(map(str.lower, needed)) if flags & re.IGNORECASE else needed


def _of_sequence(items: Iterable[tuple[Any, Any]], *, begins: bool = False) -> tuple[str, ...]:
    """Give the best of what the parts of a sequence need, nothing where no part needs a word."""
    found: list[tuple[str, ...]] = []
    spelled: tuple[str, ...] = (_BOUNDARY,) if begins else ("",)
    for name, value in ((str(name), value) for name, value in items):
        letters = _letters(name, value)
        if letters and len(spelled) * len(letters) <= _MOST_SPELLINGS:
            spelled = tuple(word + letter for word in spelled for letter in letters)
        elif name == "AT" and str(value) == "AT_BOUNDARY":
            found.append(spelled)
            spelled = (_BOUNDARY,)
        elif name not in _WIDTHLESS:
            found += [spelled, _of_part(name, value, begins=spelled == (_BOUNDARY,))]
            spelled = letters or ("",)
    found.append(spelled)
    return max((words for words in found if words), key=_worth, default=())


def _worth(words: Sequence[str]) -> tuple[int, int]:
    return min(len(word.strip(_BOUNDARY)) for word in words), -len(words)


def _letters(name: str, value: Any) -> tuple[str, ...]:
    """Give the letters of which one must stand at a place, if they are few."""
    if name == "LITERAL":
        return (chr(value),)
    if name != "IN" or len(value) > _MOST_LETTERS:
        return ()
    plain = all(str(kind) == "LITERAL" for kind, _ in value)
    return tuple(chr(letter) for _, letter in value) if plain else ()


def _of_part(name: str, value: Any, *, begins: bool) -> tuple[str, ...]:
    if name == "SUBPATTERN":
        _, added, _, inner = value
        return () if added & re.IGNORECASE else _of_sequence(inner, begins=begins)
    if name == "BRANCH":
        needed = [_of_sequence(branch, begins=begins) for branch in value[1]]
        return tuple(dict.fromkeys(chain.from_iterable(needed))) if all(needed) else ()
    if name in ("MAX_REPEAT", "MIN_REPEAT") and value[0] > 0:
        return _of_sequence(value[2], begins=begins)
    return ()
