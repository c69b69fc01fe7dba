"""Words of pathways and of questions about them, and how much each says of a pathway.

A title says more than a gene or metabolite, and these more than an annotation or the description.
A word and the number behind it are also one word, so that IL-6, IL6 and IL 6 agree and differ from
an IL-2 beside some other 6.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from trialyst.folding import fold, fold_phrase

__all__ = ["Text", "Title", "WordIndex", "query_words", "single_words", "to_phrase", "whole"]

TITLE = 10.0
LABEL = 3.0
ANNOTATION = 1.5
DESCRIPTION = 1.0
WHOLE_LABEL = 2.0
"""More for a label that is the question itself, and for a title that holds it."""
TITLE_HOLDS = 6.0
TITLE_BEGINS = 9.0
TITLE_TOPIC = 12.0
WHOLE_TITLE = 15.0
HUMAN_FIRST = 25.0
"""More for a human pathway where no organism is asked for: above all that words can differ by."""
IN_TITLE = 40.0
"""More for a title that holds the question, and for one that is the question or has it as a topic:
above what a human pathway with a lesser title can have."""
TITLE_ANSWERS = 80.0

_TITLE_LENGTH = 0.08
"""How much each further word of a title takes from it; the least it keeps is six tenths."""
_LEAST = 0.6

_DOUBLED = re.compile(r"([aeiou]\w*[aeiou]l)l(?=ing$|ed$|er$)")
"""British: signalling, labelled, modeller. Folding leaves these to each."""
_BETWEEN_TOPICS = re.compile(r"\s+(?:and|&)\s+|\s*[,;]\s+", re.IGNORECASE)

_EMPTY_WORDS = frozenset(
    "a an and are as at by for from in into is it of on or the to via with pathway".split()
)
"""Words that every other pathway has; they count only in a question of nothing else."""


@dataclass(frozen=True, slots=True)
class Text:
    """What is searched of a pathway."""

    title: str
    labels: Sequence[str] = ()
    annotations: Sequence[str] = ()
    description: str = ""


class Title:
    """A title as it is compared with questions."""

    def __init__(self, text: str) -> None:
        self._phrase = to_phrase(text)
        self._topics = frozenset(map(to_phrase, _BETWEEN_TOPICS.split(text)))

    def weigh(self, phrase: str) -> float:
        """Say how much more a question as a whole is worth to this title than its single words."""
        if self._phrase == phrase:
            return TITLE_ANSWERS + WHOLE_TITLE
        if phrase in self._topics:
            return TITLE_ANSWERS + TITLE_TOPIC
        if self._phrase.startswith(f"{phrase} "):
            return IN_TITLE + TITLE_BEGINS
        return IN_TITLE + TITLE_HOLDS if f" {phrase} " in f" {self._phrase} " else 0.0


class WordIndex:
    """Gathers the words of pathways, in the order of their ordinals."""

    def __init__(self) -> None:
        self._weights: dict[str, dict[int, float]] = defaultdict(dict)
        self._count = 0

    def add(self, text: Text) -> None:
        """Add the next pathway."""
        ordinal = self._count
        self._count += 1
        for word, weight in _weigh(text).items():
            self._weights[word][ordinal] = weight

    def postings(self) -> Iterator[tuple[str, list[int], list[float]]]:
        """Yield each word with the pathways that have it and what it adds to their relevance."""
        for word, weights in sorted(self._weights.items()):
            rarity = math.log1p(self._count / len(weights))
            yield word, list(weights), [weight * rarity for weight in weights.values()]


def query_words(text: str) -> list[str]:
    """Give the words a pathway should have to answer a question.

    >>> query_words("The IL-6 signaling pathway")
    ['il6', 'signaling']
    """
    words = list(dict.fromkeys(_joined_words(text)))
    telling = [word for word in words if word not in _EMPTY_WORDS]
    return telling or words


def to_phrase(text: str) -> str:
    """Give a title or a question in the form in which the two are compared.

    >>> to_phrase("IL-9 signaling pathway") == to_phrase("IL9 signaling")
    True
    """
    return " ".join(_joined_words(text)).removesuffix(" pathway")


def whole(text: str) -> str:
    """Give the key of a label that is exactly this text.

    >>> whole("IL-6") == whole("il 6")
    True
    """
    return f"={fold_phrase(text)}"


def _weigh(text: Text) -> dict[str, float]:
    weights: dict[str, float] = defaultdict(float)
    title = single_words(text.title)
    share = max(_LEAST, 1 - _TITLE_LENGTH * (len(title) - 1))
    for word in _words(title):
        weights[word] += TITLE * share
    for word in _distinct(text.labels):
        weights[word] += LABEL
    for label in {whole(label) for label in text.labels}:
        weights[label] = WHOLE_LABEL
    for word in _distinct(text.annotations):
        weights[word] += ANNOTATION
    for word, times in Counter(_words_all(single_words(text.description))).items():
        weights[word] += DESCRIPTION * times / (times + 1)
    return weights


def _distinct(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _words(single_words(text))}


def _words(tokens: Sequence[str]) -> set[str]:
    return set(_words_all(tokens))


def _words_all(tokens: Sequence[str]) -> Iterator[str]:
    """Yield every token, and every word with the number behind it as one more."""
    yield from tokens
    for first, second in pairwise(tokens):
        if second[0].isdigit() and not first[0].isdigit():
            yield first + second


def single_words(text: str) -> list[str]:
    """Give the words of a text, folded.

    >>> single_words("Wnt signalling, IL-6") == single_words("WNT signaling IL6")
    True
    """
    return [_DOUBLED.sub(r"\1", word) for word in fold(text)]


def _joined_words(text: str) -> Iterator[str]:
    """Yield the words of a text, a word and the number behind it as one."""
    tokens = single_words(text)
    at = 0
    while at < len(tokens):
        follower = tokens[at + 1] if at + 1 < len(tokens) else ""
        if follower[:1].isdigit() and not tokens[at][0].isdigit():
            yield tokens[at] + follower
            at += 2
        else:
            yield tokens[at]
            at += 1
