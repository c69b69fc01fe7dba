"""Words of a text with their places, folded as everything else is folded."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from trialyst.folding import fold

__all__ = ["Token", "split_folded", "tokenize"]

_REMEMBERED = 50_000

_PIECE = re.compile(r"[^\W\d_]+(?:['\u2019\u02bc`\u00b4][sS\u017f]\b)?|[0-9]+")

_JOINED = re.compile("['`_]")


class Token(NamedTuple):
    """A folded token and where it stands in the text."""

    folded: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """Give the folded tokens of a text and where each stands.

    >>> tokenize("Crohn's, MK3475")[0]
    Token(folded='crohn', start=0, end=7)
    >>> [token.folded for token in tokenize("Crohn's, MK3475")]
    ['crohn', 'mk', '3475']
    """
    if _is_plain(text):
        places = [piece.span() for piece in _PIECE.finditer(text)]
        return [
            tuple.__new__(Token, (folded, start, end))
            for folded, (start, end) in zip(fold(text), places, strict=True)
        ]
    return [
        tuple.__new__(Token, (folded, piece.start(), piece.end()))
        for piece in _PIECE.finditer(text)
        for folded in _fold(piece.group())
    ]


def split_folded(text: str) -> list[str]:
    """Give the folded tokens of a text as `tokenize` does, without their places."""
    if _is_plain(text):
        return fold(text)
    return list(chain.from_iterable(map(_fold, _PIECE.findall(text))))


def _is_plain(text: str) -> bool:
    """Whether each run of letters or digits is a token, in a piece or in the whole text."""
    return text.isascii() and not _JOINED.search(text)


@lru_cache(maxsize=_REMEMBERED)
def _fold(piece: str) -> tuple[str, ...]:
    return tuple(fold(piece))
