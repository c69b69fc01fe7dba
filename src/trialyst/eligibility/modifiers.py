"""What stands beside the noun of a leaf: how many, how severe, by which route, in which state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.requirement import (
    Has,
    Interval,
    Measured,
    Not,
    Requirement,
    Tense,
    Took,
    Underwent,
)
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.phrases import Item

__all__ = ["describe", "has_state", "read_manner", "read_route", "with_count", "with_state"]

_MEASURED_STATES = frozenset(("positive", "negative", "high", "low", "abnormal", "detectable"))


def with_count(leaf: Requirement, count: Interval | None) -> Requirement:
    """Give a treatment with how many are asked for; "no more than two" denies a third."""
    if count is None or (count.low == 1 and count.high is None):
        return leaf
    most, allowed = count.high, count.low is None
    if allowed:
        count = Interval(low=most, low_included=not count.high_included)
    if isinstance(leaf, Took):
        leaf = msgspec.structs.replace(leaf, lines=count)
    elif isinstance(leaf, Has | Underwent):
        told = _count_words(count)
        leaf = msgspec.structs.replace(leaf, modifiers=f"{told} {leaf.modifiers}".strip())
    else:
        return leaf
    return Not(part=leaf, span=leaf.span) if allowed else leaf


def _count_words(count: Interval) -> str:
    if count.high is None:
        return f"{'at least' if count.low_included else 'more than'} {count.low:g}"
    low = "" if count.low in (None, count.high) else f"{count.low:g} to "
    return f"{low}{count.high:g}"


def describe(leaf: Has, chunk: list[Item], text: str) -> Has:
    """Give a condition with what modifiers behind it tell."""
    told = {
        name: said if not getattr(leaf, name) else f"{getattr(leaf, name)}, {said}"
        for name, said in read_manner(chunk, text).items()
        if name != "stage"
    }
    stage = read_manner(chunk, text).get("stage", leaf.stage)
    return msgspec.structs.replace(leaf, **told, stage=stage)


def read_manner(chunk: list[Item], text: str) -> dict[str, Any]:
    """Read the severity, course, proof and stage that modifiers tell."""
    told: dict[str, list[str]] = {"severity": [], "activity": [], "proof": []}
    stages: list[str] = []
    for item in chunk:
        if item.kind in told:
            told[item.kind].append(" ".join(text[item.start : item.end].lower().split()))
        elif item.kind == "stage":
            stages.extend(item.value.stages)
            if item.value.grade:
                told["severity"].append(item.value.grade)
    manner: dict[str, Any] = {
        kind: ", ".join(dict.fromkeys(said)) for kind, said in told.items() if said
    }
    if stages:
        manner["stage"] = tuple(dict.fromkeys(stages))
    return manner


def read_route(chunk: list[Item], text: str) -> str:
    """Read by which route something is given."""
    said = [text[item.start : item.end].lower() for item in chunk if item.kind == "route"]
    return " ".join(dict.fromkeys(said))


def has_state(chunk: list[Item]) -> bool:
    """Tell whether modifiers say how a measured thing is."""
    return any(item.kind == "state" for item in chunk)


def _is_predicate(chunk: list[Item]) -> bool:
    """Tell "HIV negative" from "node-negative disease"."""
    return "state" in (chunk[0].kind, chunk[-1].kind)


def with_state(leaf: Requirement, chunk: list[Item]) -> Requirement:
    """Give a leaf in the state that modifiers tell: "HIV negative", "treatment-naive"."""
    states = [item.value for item in chunk if item.kind == "state"]
    if isinstance(leaf, Took | Underwent) and any(item.kind == "naive" for item in chunk):
        return Not(part=msgspec.structs.replace(leaf, tense=Tense.EVER), span=leaf.span)
    if not states:
        return leaf
    match leaf:
        case Measured() if states[-1] == "abnormal" and get_analyte(leaf.analyte) is None:
            # "Abnormal laboratory values" is a finding; no value of its own could be looked up.
            words = f"abnormal {leaf.words}"
            return Has(words=words, kind=TermKind.SYMPTOM, when=leaf.when, span=leaf.span)
        case Measured() if not leaf.state and leaf.interval is None:
            return msgspec.structs.replace(leaf, state=states[-1])
        case Has() if states[-1] == "negative" and leaf.what and _is_predicate(chunk):
            return Not(part=leaf, span=leaf.span)
        case Took() if states[-1] in _MEASURED_STATES and not leaf.response:
            words = leaf.words
            return Measured(
                analyte=words.lower(), words=words, state=states[-1], when=leaf.when, span=leaf.span
            )
        case Underwent() if states[-1] in ("normal", "negative") and chunk[0].kind == "state":
            words = leaf.words
            return Measured(
                analyte=words.lower(), words=words, state=states[-1], when=leaf.when, span=leaf.span
            )
        case Underwent() if states[-1] in ("abnormal", "positive"):
            words = f"{states[-1]} {leaf.words}"
            return Has(words=words, kind=TermKind.SYMPTOM, when=leaf.when, span=leaf.span)
        case _:
            return leaf
