"""A free text as plain words, each with its place in the text.

Rules are matched against the words, evidence is quoted from the text. Case, accents, hyphens,
curly quotes and contractions are gone from the words; marks that end a clause stay as words.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

__all__ = ["Wording", "read_wording"]

_TOKEN = re.compile(r"[^\W_]+(?:['’´`][^\W_]+)*|(?<=\s)[-–—](?=\s)|[.,;!?()\[\]—%]|:(?!\w)")
_CLAUSE_END = {"!": ".", "?": ".", "[": "(", "]": ")", "–": "-", "—": "-"}
_APOSTROPHE = re.compile("['’´`]")
_CONTRACTED = {"can't": "can not", "won't": "will not", "cannot": "can not", "cant": "can not"}
# Bounds what one word can cost a rule; no rule looks further into a word.
_LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a text, a space before and after each, and where they stand in it."""

    words: str
    offsets: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Give the part of the text that `words[start:end]` was read from."""
        first = bisect_right(self.offsets, start) - 1
        last = bisect_right(self.offsets, end - 1) - 1
        return self.spans[max(first, 0)][0], self.spans[last][1]


def read_wording(text: str) -> Wording:
    """Read the words of a text.

    >>> read_wording("Sponsor didn't fund; Re-enrolment?").words
    ' sponsor did not fund ; re enrolment . '
    """
    pieces = []
    offsets = []
    spans = []
    position = 1
    for match in _TOKEN.finditer(text):
        word = _plain(match.group())
        pieces.append(word)
        offsets.append(position)
        spans.append(match.span())
        position += len(word) + 1
    return Wording(f" {' '.join(pieces)} ", tuple(offsets), tuple(spans))


def _plain(token: str) -> str:
    word = token[:_LONGEST_WORD].lower()
    if not word.isascii():
        word = _ascii(word)
    if word in _CLAUSE_END:
        return _CLAUSE_END[word]
    word = _APOSTROPHE.sub("'", word)
    if word in _CONTRACTED:
        return _CONTRACTED[word]
    if word.endswith("n't"):
        return f"{word[:-3]} not"
    return word.removesuffix("'s").replace("'", "")


def _ascii(word: str) -> str:
    marked = unicodedata.normalize("NFKD", word)
    plain = "".join(char for char in marked if not unicodedata.combining(char))
    return "".join(plain.split())[:_LONGEST_WORD] or "-"
