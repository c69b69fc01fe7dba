"""Consent, willingness, compliance, the investigator's opinion: words that ask nothing of a chart.

Such words run on to the end of their clause; a condition, a value or a denial behind "and", "or"
or a comma begins a clause of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from trialyst.eligibility.elements import CONNECTORS
from trialyst.eligibility.phrases import Item
from trialyst.eligibility.requirement import Administrative, Not, Requirement

__all__ = ["AdministrativeWords", "read_administrative"]

_NEW_CLAUSE = frozenset(
    "neg name value age childbearing habit allergy took underwent cause unless except if tense "
    "proof general condition_head treats response".split()
)

_ENDS = frozenset("stop ; : unless cause if except childbearing age value left_out allowed".split())
_PASSED = frozenset("skip subject has link severity activity adjective".split())
_MORE_THAN_TOPIC = frozenset(("", "compliance", "opinion", "judged"))


class AdministrativeWords(NamedTuple):
    """What was found: `node` is None where the words only lead to contraception or the like."""

    node: Requirement | None
    denied: bool
    start: int
    end: int
    following: int
    """Index of the item behind it."""
    judged: bool = False
    """Whether it only tells who judges what stands beside it."""


def read_administrative(text: str, items: list[Item], at: int) -> AdministrativeWords:
    """Read administrative words from the item `at` on."""
    first, ends, topic = items[at], at, ""
    denial: Item | None = None
    depth = 0
    while ends < len(items):
        item = items[ends]
        depth += (item.kind == "(") - (item.kind == ")")
        if item.kind in _ENDS or depth < 0:
            break
        if item.kind in CONNECTORS and _begins_clause(items, ends):
            break
        if item.kind == "unable":
            denial = denial or item
        elif item.kind == "admin" and topic in ("", "compliance", "judged"):
            topic = item.value
        ends += 1
    start, end = first.start, items[ends - 1].end if ends > at else first.end
    led_to = items[ends].kind if ends < len(items) else ""
    if led_to in ("childbearing", "value") and topic in _MORE_THAN_TOPIC:
        return AdministrativeWords(None, denial is not None, start, end, ends)
    topic = topic or ("compliance" if first.kind != "able" else "procedure")
    begins = start if denial is None or denial.end >= end else denial.end
    words = text[begins:end].strip()
    judged, topic = topic == "judged", topic.replace("judged", "opinion")
    node: Requirement = Administrative(topic=topic, words=words, span=(start, end))
    if denial is not None:
        node = Not(part=node, span=(start, end))
    return AdministrativeWords(node, denial is not None, start, end, max(ends, at + 1), judged)


def _begins_clause(items: list[Item], at: int) -> bool:
    """Tell whether a clause of its own begins behind a connector."""
    listing = items[at - 1].kind == "name"
    for item in items[at + 1 : at + 6]:
        if item.kind == "name" and listing:
            return False
        if item.kind in _NEW_CLAUSE:
            return True
        if item.kind not in _PASSED:
            return False
    return False
