"""Sentences that carry their sources: what a finding says and the records it rests on.

A finding names at least one trial or paper, or it cannot be made. What says how something was done
or how far the data reaches is marked as method or coverage instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from pydantic import model_validator

from trialyst.repurposing.answers import Part

__all__ = [
    "MOST_CITED",
    "Sentence",
    "SentenceKind",
    "cite",
    "coverage",
    "finding",
    "listed",
    "method",
    "of",
]

MOST_CITED = 6
"""Ids that are shown behind a sentence; the JSON holds all of them."""


class SentenceKind(StrEnum):
    """What a sentence speaks of."""

    FINDING = "finding"
    """Records: cites at least one."""
    COVERAGE = "coverage"
    """How far the data reaches, and what it does not hold."""
    METHOD = "method"
    """How something was worked out."""


class Sentence(Part):
    """One sentence and the records it rests on."""

    text: str
    kind: SentenceKind = SentenceKind.FINDING
    nct_ids: tuple[str, ...] = ()
    pmids: tuple[str, ...] = ()
    topic: str = ""
    """What of its agent's subjects it is on; `lead` for what a summary takes up."""

    @model_validator(mode="after")
    def _check_sources(self) -> Sentence:
        if self.kind is SentenceKind.FINDING and not (self.nct_ids or self.pmids):
            raise ValueError(f"a finding without a source: {self.text!r}")
        return self

    @property
    def cited(self) -> str:
        """The sentence with its sources before the full stop."""
        sources = cite(self.nct_ids, self.pmids)
        return f"{self.text.removesuffix('.')} ({sources})." if sources else self.text


def finding(
    text: str, nct_ids: Iterable[str] = (), pmids: Iterable[str] = (), *, topic: str = ""
) -> Sentence:
    """Give a sentence on records."""
    return Sentence(
        text=_capitalised(text),
        nct_ids=tuple(dict.fromkeys(nct_ids)),
        pmids=tuple(dict.fromkeys(pmids)),
        topic=topic,
    )


def _capitalised(text: str) -> str:
    """Begin a sentence with a capital, unless its first word has one elsewhere: mRNA-1273."""
    first = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if first.islower() else text


def coverage(text: str, *, topic: str = "") -> Sentence:
    """Give a sentence on what the data holds."""
    return Sentence(text=text, kind=SentenceKind.COVERAGE, topic=topic)


def method(text: str) -> Sentence:
    """Give a sentence on how something was done."""
    return Sentence(text=text, kind=SentenceKind.METHOD)


def cite(nct_ids: Sequence[str], pmids: Sequence[str] = (), *, most: int = MOST_CITED) -> str:
    """Write sources behind a sentence, so many of each kind, and how many more there are.

    >>> cite(["NCT00000001", "NCT00000002"], ["123"], most=1)
    'NCT00000001 and 1 more; PMID 123'
    """
    trials = ", ".join(nct_ids[:most]) + _more(nct_ids, most)
    papers = ", ".join(f"PMID {pmid}" for pmid in pmids[:most]) + _more(pmids, most)
    return "; ".join(filter(None, (trials, papers)))


def _more(ids: Sequence[str], most: int) -> str:
    return f" and {len(ids) - most} more" if len(ids) > most else ""


def of(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun.

    >>> of(1, "trial"), of(1200, "trial"), of(2, "person", "people")
    ('1 trial', '1,200 trials', '2 people')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str], *, last: str = "and") -> str:
    """Join words as a sentence does.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
