"""Words of a question that no pathway has: which were probably meant, and which of these are clear.

A word that some pathway has is never touched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trialyst.pathways.words import single_words
from trialyst.vocabulary.spelling import Correction, correct_word

__all__ = ["Respelling", "respell"]

_OFFERED = 3


@dataclass(frozen=True, slots=True)
class Respelling:
    """A word that no pathway has, and words of pathways that are like it."""

    word: str
    used: str | None = None
    """What was searched for in its place; None where it is not clear what was meant."""
    offered: tuple[str, ...] = ()
    """Other words that may be meant, the likeliest first."""


def respell(
    text: str, is_known: Callable[[str], bool], counts: Callable[[], Mapping[str, int]]
) -> tuple[str, tuple[Respelling, ...]]:
    """Give the question to search for, and what became of the words that are not known.

    Args:
        counts: gives every known word with the number of pathways that have it; asked only where
            a word is not known.
    """
    words = single_words(text)
    unknown = dict.fromkeys(word for word in words if word.isalpha() and not is_known(word))
    told = {word: _respelling(correct_word(word, counts())) for word in unknown}
    used = {word: each.used for word, each in told.items() if each.used}
    if used:
        text = " ".join(used.get(word, word) for word in words)
    return text, tuple(told.values())


def _respelling(correction: Correction) -> Respelling:
    found = [each.text for each in (correction.best, *correction.others) if each]
    if correction.clear:
        return Respelling(correction.asked, found[0], tuple(found[1 : 1 + _OFFERED]))
    return Respelling(correction.asked, None, tuple(found[:_OFFERED]))
