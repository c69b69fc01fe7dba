"""What fields of medicine a text speaks of, so that a cough is known to bear on the lungs.

A word list (`body_systems.txt`) read once; a text is a set of bits, one a field.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from trialyst.eligibility.tables import read_lines

__all__ = ["systems_of"]

_WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SHORTEST = 2
_REMEMBERED = 100_000


def systems_of(lowered: str) -> int:
    """Give the fields a text in lower case speaks of, a bit each.

    >>> bool(systems_of("a dry cough") & systems_of("asthma"))
    True
    """
    found = 0
    for word in _WORD.findall(lowered):
        found |= _of_word(word)
    return found


@lru_cache(maxsize=_REMEMBERED)
def _of_word(word: str) -> int:
    exact, beginnings = _listed()
    found = exact.get(word, 0) | exact.get(word.removesuffix("s"), 0)
    for length in range(_SHORTEST, len(word) + 1):
        found |= beginnings.get(word[:length], 0)
    if "-" in word:
        for piece in word.split("-"):
            found |= _of_word(piece)
    return found


@cache
def _listed() -> tuple[dict[str, int], dict[str, int]]:
    exact: dict[str, int] = {}
    beginnings: dict[str, int] = {}
    for at, line in enumerate(read_lines("body_systems.txt", package="trialyst.matching")):
        for word in line.partition(": ")[2].split():
            held = beginnings if word.endswith("*") else exact
            name = word.rstrip("*")
            held[name] = held.get(name, 0) | 1 << at
    return exact, beginnings
