"""Misspelt names and words: what was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.vocabulary import Vocabulary

__all__ = ["Correction", "correct_name", "correct_words"]


class Suggestion(NamedTuple):
    """A known name."""

    text: str


class Correction(NamedTuple):
    """What a name was probably meant to be."""

    best: Suggestion | None = None
    clear: bool = False
    others: tuple[Suggestion, ...] = ()


async def correct_name(
    source: TrialSource, vocabulary: Vocabulary, text: str, *, param: str
) -> Correction:
    """Say what a whole name was probably meant to be."""
    return Correction()


async def correct_words(source: TrialSource, vocabulary: Vocabulary, text: str) -> str | None:
    """Give a text with its misspelt words put right."""
    return None
