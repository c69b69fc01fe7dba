"""Words of a text with their places, and tables of phrases to find among them.

Letters and digits make words, every other mark is a word of its own, so `h/o` in a list and in a
note are the same three words. Case is gone; `Word.start` leads back to how it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

__all__ = ["Phrase", "PhraseTable", "Word", "split_words"]

_WORD = re.compile(r"[^\W_]+|[^\w\s]")
_PLAIN = str.maketrans("\u2019\u2018\u02bc\u00b4`\u2010\u2011\u2012\u2013\u2014", "'''''-----")

Value = TypeVar("Value")


class Word(NamedTuple):
    """A word in lower case and where it stands."""

    text: str
    start: int
    end: int


class Phrase(NamedTuple, Generic[Value]):
    """A phrase found: the words `first` to `last`, the latter not included."""

    value: Value
    first: int
    last: int


def split_words(text: str, offset: int = 0) -> list[Word]:
    """Give the words of a text, their places counted from `offset`.

    >>> [word.text for word in split_words("H/o non-small-cell")]
    ['h', '/', 'o', 'non', '-', 'small', '-', 'cell']
    """
    plain = text.translate(_PLAIN).lower()
    if len(plain) != len(text):
        # A letter whose lower case is longer would shift every place behind it.
        plain = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return [
        Word(match.group(), match.start() + offset, match.end() + offset)
        for match in _WORD.finditer(plain)
    ]


class PhraseTable(Generic[Value]):
    """Phrases with a value each."""

    def __init__(self, phrases: Iterable[tuple[str, Value]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], Value]]] = {}
        for text, value in phrases:
            first, *tail = [word.text for word in split_words(text)]
            self._by_first.setdefault(first, []).append((tuple(tail), value))
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    def find(self, words: Sequence[Word]) -> Iterator[Phrase[Value]]:
        """Find phrases: leftmost first, the longest at each place, none overlapping."""
        by_first = self._by_first
        at = 0
        while at < len(words):
            found = None
            entries = by_first.get(words[at].text)
            if entries is not None:
                found = self._longest(entries, words, at)
            if found is None:
                at += 1
            else:
                yield found
                at = found.last

    def _longest(
        self, entries: list[tuple[tuple[str, ...], Value]], words: Sequence[Word], at: int
    ) -> Phrase[Value] | None:
        for tail, value in entries:
            last = at + 1 + len(tail)
            if last <= len(words) and all(
                words[at + 1 + number].text == word for number, word in enumerate(tail)
            ):
                return Phrase(value, at, last)
        return None
