"""Where a model may come in: it may say a sentence better and put sentences in another order.

It may not add anything. A rephrased sentence with a number, an id, a name or a denial that the
original does not have is dropped, counted, and the original is kept. Citations are not shown to
the model at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from trialyst.agents.sentences import Sentence, SentenceKind

__all__ = ["Rephrased", "Rephraser", "keeps_to", "rephrase"]


class Rephraser(Protocol):
    """A model behind the two things it may do."""

    async def rephrase(self, texts: Sequence[str]) -> Sequence[str]:
        """Give each text in other words, in the same order."""
        ...

    async def rank(self, texts: Sequence[str]) -> Sequence[int]:
        """Give the places of the texts, the most important first."""
        ...


class Rephrased(NamedTuple):
    """What became of the sentences."""

    sentences: tuple[Sentence, ...]
    refused: int
    """Rephrasings that said more than the data holds; the originals stand."""


_TOKEN = re.compile(r"[\w][\w.,/%+-]*[\w%+]|[\w%]")
_COUNTED = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty "
    "hundred thousand million dozen half third quarter twice double triple most majority few many "
    "several all every none both".split()
)
_DENIED = frozenset("no not never without nor neither cannot fails failed lacks lacking".split())
_QUOTED = re.compile(r'"[^"]*"')


def keeps_to(original: str, rephrased: str) -> bool:
    """Say whether a rephrased sentence says nothing that the original does not.

    >>> keeps_to("5 trials stopped early.", "Early stops: 5 trials.")
    True
    >>> keeps_to("5 trials stopped early.", "5 trials stopped early for safety in 2021.")
    False
    >>> keeps_to("5 trials stopped early.", "No trial stopped early.")
    False
    """
    if not rephrased.strip() or "\n" in rephrased.strip():
        return False
    known, said = _tokens(original), _tokens(rephrased)
    if set(_QUOTED.findall(original)) != set(_QUOTED.findall(rephrased)):
        return False
    return _facts(rephrased, said) <= known and _denials(said) == _denials(known)


async def rephrase(rephraser: Rephraser, sentences: Sequence[Sentence]) -> Rephrased:
    """Let a model rephrase and order findings; method and coverage stay as they are, at the end."""
    findings = [each for each in sentences if each.kind is SentenceKind.FINDING]
    others = [each for each in sentences if each.kind is not SentenceKind.FINDING]
    texts = [each.text for each in findings]
    if not texts:
        return Rephrased(tuple(sentences), 0)
    worded = list(await rephraser.rephrase(texts))
    if len(worded) != len(texts):
        worded, refused = texts, len(texts)
    else:
        kept = [keeps_to(text, new) for text, new in zip(texts, worded, strict=True)]
        worded = [
            new.strip() if fine else text
            for text, new, fine in zip(texts, worded, kept, strict=True)
        ]
        refused = kept.count(False)
    told = [
        each.model_copy(update={"text": text}) for each, text in zip(findings, worded, strict=True)
    ]
    places = list(await rephraser.rank(texts))
    if sorted(places) == list(range(len(told))):
        told = [told[place] for place in places]
    else:
        refused += 1
    return Rephrased((*told, *others), refused)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(token.strip(".,").lower() for token in _TOKEN.findall(text))


def _denials(tokens: frozenset[str]) -> frozenset[str]:
    return frozenset({"denied"} if tokens & _DENIED else ())


def _facts(text: str, tokens: frozenset[str]) -> frozenset[str]:
    """Give the words that must not be new: numbers, number words, and names inside the sentence."""
    numbers = {token for token in tokens if any(map(str.isdigit, token))}
    written = [token.strip(".,") for token in _TOKEN.findall(text)]
    names = {word.lower() for word in written[1:] if word[:1].isupper() or not word.islower()}
    reasons = {"safety", "efficacy", "futility", "enrollment", "business", "toxicity", "benefit"}
    return frozenset(numbers | names | (tokens & (_COUNTED | reasons)))
