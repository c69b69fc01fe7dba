"""A text that is no known name, cut into the names it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trialyst.folding import fold

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary
    from trialyst.vocabulary.concept import Concept

__all__ = ["cut_names"]

_STOP_WORDS = frozenset("a an and as at by for from in into of on or the to versus vs with".split())


def cut_names(vocabulary: Vocabulary, text: str) -> Iterator[tuple[str, Concept | None]]:
    """Give the longest known names of a text and the words between them, as they are written."""
    words = [word for word in text.split() if fold(word)]
    tokens: list[str] = []
    starts: dict[int, int] = {}
    for at, word in enumerate(words):
        starts[len(tokens)] = at
        tokens.extend(fold(word))
    starts[len(tokens)] = len(words)
    done = 0
    for start, end, concept in vocabulary.segment(tokens):
        # A name that begins or ends inside a word, as in "HER2-positive", is not one here.
        if concept is None or start not in starts or end not in starts or starts[start] < done:
            continue
        yield from ((word, None) for word in words[done : starts[start]] if not _is_idle(word))
        yield " ".join(words[starts[start] : starts[end]]), concept
        done = starts[end]
    yield from ((word, None) for word in words[done:] if not _is_idle(word))


def _is_idle(word: str) -> bool:
    return word.lower() in _STOP_WORDS
