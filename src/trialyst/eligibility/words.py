"""Words of a text with their places, and tables of phrases to find among them.

Letters and digits make words, every other mark is a word of its own, so `h/o` in a list and in a
note are the same three words. Case is gone; `Word.start` leads back to how it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

__all__ = ["Phrase", "PhraseTable", "Word", "find_places", "split_texts", "split_words"]

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
    plain = _plain(text)
    # Made as tuples, which takes half the time: there are more words than anything else.
    return [
        tuple.__new__(Word, (match.group(), match.start() + offset, match.end() + offset))
        for match in _WORD.finditer(plain)
    ]


def split_texts(text: str) -> tuple[str, ...]:
    """Give the words of a text without their places, which costs far less."""
    return tuple(_WORD.findall(_plain(text)))


def find_places(text: str) -> list[tuple[int, int]]:
    """Give where the words of a text start and end, without the words."""
    return [match.span() for match in _WORD.finditer(_plain(text))]


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower().replace("`", "'")
    plain = text.translate(_PLAIN).lower()
    if len(plain) != len(text):
        # A letter whose lower case is longer would shift every place behind it.
        plain = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return plain


class PhraseTable(Generic[Value]):
    """Phrases with a value each; of two alike the first counts."""

    def __init__(self, phrases: Iterable[tuple[str, Value]]) -> None:
        tails: dict[str, dict[tuple[str, ...], Value]] = {}
        for text, value in phrases:
            first, *tail = [word.text for word in split_words(text)]
            tails.setdefault(first, {}).setdefault(tuple(tail), value)
        self._by_first = {
            first: (tuple(sorted({len(tail) for tail in known}, reverse=True)), known)
            for first, known in tails.items()
        }

    def find(self, words: Sequence[Word]) -> Iterator[Phrase[Value]]:
        """Find phrases: leftmost first, the longest at each place, none overlapping."""
        return self.find_texts(tuple([text for text, _, _ in words]))

    def find_texts(self, texts: tuple[str, ...]) -> Iterator[Phrase[Value]]:
        """Find phrases in words without their places."""
        by_first = self._by_first
        if by_first.keys().isdisjoint(texts):
            return
        after = 0
        for at, text in enumerate(texts):
            if text not in by_first or at < after:
                continue
            lengths, known = by_first[text]
            for length in lengths:
                tail = texts[at + 1 : at + 1 + length]
                if tail in known:
                    after = at + 1 + len(tail)
                    yield Phrase(known[tail], at, after)
                    break
