"""Patterns that look for letters they cannot do without before they search.

Most patterns of the rules are in few criteria. Finding a word is many times faster than searching a
pattern for it, so what a match must hold is worked out from the pattern itself, when first used.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

__all__ = ["GatedPattern", "find_needed", "gated"]

_MOST_LETTERS = 4
"""Letters of a class, as in `m[ae]n`, up to which each is written out."""
_MOST_SPELLINGS = 8
_WIDTHLESS = frozenset({"AT", "ASSERT", "ASSERT_NOT"})


class GatedPattern:
    """A pattern searched only in texts that hold one of the words a match must have."""

    __slots__ = ("needed", "pattern")
    needed: tuple[str, ...]

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Search as a pattern does."""
        for word in self.needed:
            if word in text:
                return self.pattern.search(text, start, end)
        return None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Find all matches as a pattern does."""
        for word in self.needed:
            if word in text:
                return self.pattern.finditer(text)
        return iter(())

    def __getattr__(self, name: str) -> tuple[str, ...]:
        """Work out the words that a match must have one of, when they are first asked for."""
        if name != "needed":
            raise AttributeError(name)
        self.needed = find_needed(self.pattern)
        return self.needed


def gated(pattern: str) -> GatedPattern:
    """Compile a pattern that is in few of the texts it is searched in."""
    return GatedPattern(re.compile(pattern))


def find_needed(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Give words of which each match has one; the empty one where none is known.

    >>> find_needed(re.compile(r"(?:non-)?smok(?:er|ing)s?|nicotine"))
    ('smok', 'nicotine')
    """
    if pattern.flags & re.IGNORECASE:
        return ("",)
    parsed = import_module("re._parser").parse(pattern.pattern, pattern.flags)
    return _of_sequence(parsed) or ("",)


def _of_sequence(items: Iterable[tuple[Any, Any]]) -> tuple[str, ...]:
    """Give the best of what the parts of a sequence need, nothing where no part needs a word."""
    found: list[tuple[str, ...]] = []
    spelled: tuple[str, ...] = ("",)
    for name, value in items:
        letters = _letters(str(name), value)
        if letters and len(spelled) * len(letters) <= _MOST_SPELLINGS:
            spelled = tuple(word + letter for word in spelled for letter in letters)
        elif str(name) not in _WIDTHLESS:
            found += [spelled, _of_part(str(name), value)]
            spelled = letters or ("",)
    found.append(spelled)
    return max((words for words in found if words), key=_worth, default=())


def _worth(words: Sequence[str]) -> tuple[int, int]:
    return min(map(len, words)), -len(words)


def _letters(name: str, value: Any) -> tuple[str, ...]:
    """Give the letters of which one must stand at a place, if they are few."""
    if name == "LITERAL":
        return (chr(value),)
    if name != "IN" or len(value) > _MOST_LETTERS:
        return ()
    plain = all(str(kind) == "LITERAL" for kind, _ in value)
    return tuple(chr(letter) for _, letter in value) if plain else ()


def _of_part(name: str, value: Any) -> tuple[str, ...]:
    if name == "SUBPATTERN":
        _, added, _, inner = value
        return () if added & re.IGNORECASE else _of_sequence(inner)
    if name == "BRANCH":
        needed = [_of_sequence(branch) for branch in value[1]]
        return (
            tuple(dict.fromkeys(word for words in needed for word in words)) if all(needed) else ()
        )
    if name in ("MAX_REPEAT", "MIN_REPEAT") and value[0] > 0:
        return _of_sequence(value[2])
    return ()
