"""Long texts in short: the beginning, up to the end of a sentence."""

from __future__ import annotations

import re

__all__ = ["CUT", "excerpt"]

CUT = " [...]"
"""Marks a text that goes on."""

_SENTENCE_END = re.compile(r"[.!?][\"')\]]*(?=\s)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|vs|i\.e|e\.g|approx|no|dr|mg|fig|cf|etc)|\b[a-z])\.$", re.I
)
_LEAST = 0.4
"""The share of the room that whole sentences must fill; else a text is cut between words."""


def excerpt(text: str, limit: int) -> str:
    """Give a text of at most so many characters, cut after a sentence where one ends in time.

    >>> excerpt("One sentence. Another one, which is longer.", 25)
    'One sentence. [...]'
    >>> excerpt("Short.", 25)
    'Short.'
    """
    whole = " ".join(text.split())
    if len(whole) <= limit:
        return whole
    room = whole[: limit - len(CUT)]
    ends = [
        found.end()
        for found in _SENTENCE_END.finditer(room + " ")
        if not _ABBREVIATION.search(room[: found.end()])
    ]
    if ends and ends[-1] >= _LEAST * len(room):
        return room[: ends[-1]] + CUT
    return (room.rpartition(" ")[0] or room).rstrip(" ,;:") + CUT
