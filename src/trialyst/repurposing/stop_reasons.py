"""Why a trial stopped, told from its free text by rules: no model, no network, no guess.

Every category that the text gives as a reason is listed with the words that say so. What the text
denies, only names (a safety monitoring board) or only looks at (data under review) is no reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from trialyst.repurposing.stop_rules import load_rules
from trialyst.repurposing.wording import Wording, read_wording

__all__ = ["StopCategory", "StopEvidence", "StopReason", "classify_stop_reason"]


class StopCategory(StrEnum):
    """Why a trial stopped; the first of several that hold is its category."""

    SAFETY = "safety"
    EFFICACY = "efficacy"
    ENROLLMENT = "enrollment"
    BUSINESS = "business"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class StopEvidence:
    """Words of the text that say a category: always `text == why_stopped[start:end]`."""

    category: StopCategory
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why a trial stopped, as far as its text tells."""

    category: StopCategory
    categories: tuple[StopCategory, ...]
    """Every category that holds, the gravest first; `category` is the first of them."""
    success: bool
    """Stopped because it had reached its goal; the category is then `other`."""
    usable: bool
    """The text names a reason, not only that or by whom the trial was stopped."""
    evidence: tuple[StopEvidence, ...]


_FAILINGS = (
    StopCategory.SAFETY,
    StopCategory.EFFICACY,
    StopCategory.ENROLLMENT,
    StopCategory.BUSINESS,
)
_ORDER = tuple(StopCategory)
_UNKNOWN = StopReason(StopCategory.UNKNOWN, (StopCategory.UNKNOWN,), False, False, ())


def classify_stop_reason(text: str | None) -> StopReason:
    """Classify the `why_stopped` text of a trial; without one the category is `unknown`.

    >>> classify_stop_reason("Slow accrual, not related to safety").category.value
    'enrollment'
    >>> [e.text for e in classify_stop_reason("Closed early for toxicity.").evidence]
    ['toxicity']
    """
    if text is None:
        return _UNKNOWN
    wording = read_wording(text)
    if not any(map(str.isalnum, wording.words)):
        return _UNKNOWN
    return _judged(text, wording)


def _judged(text: str, wording: Wording) -> StopReason:
    found = _found(wording)
    evidence = tuple(
        StopEvidence(category, text[start:end], start, end)
        for category, spans in found.categories.items()
        for start, end in (wording.place(*span) for span in spans)
    )
    categories = tuple(found.categories) or (StopCategory.OTHER,)
    return StopReason(
        category=categories[0],
        categories=categories,
        success=found.success,
        usable=found.usable,
        evidence=evidence,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    categories: dict[StopCategory, list[tuple[int, int]]]
    success: bool
    usable: bool


def _found(wording: Wording) -> _Found:
    patterns = load_rules().patterns
    words = patterns["aside"].sub(_struck, wording.words)
    # What is said of enrolment (its futility, a goal not met) is not said of the treatment.
    treatment = patterns["enrollment reason"].sub(_struck, words)
    reasons = {
        StopCategory.SAFETY: _spans(patterns["safety reason"], words),
        StopCategory.EFFICACY: _spans(patterns["efficacy reason"], treatment),
        StopCategory.ENROLLMENT: _spans(patterns["enrollment reason"], words),
        StopCategory.BUSINESS: _spans(patterns["business reason"], words),
    }
    unmet = patterns["efficacy reason"].sub(_struck, treatment)
    if goal := _spans(patterns["goal"], unmet):
        if not any(reasons.values()):
            return _Found({StopCategory.OTHER: goal}, True, True)
    else:
        reasons[StopCategory.EFFICACY] += _spans(patterns["efficacy mention"], unmet)
    reasons[StopCategory.OTHER] = _spans(patterns["other reason"], words)
    usable = any(reasons.values())
    reasons[StopCategory.BUSINESS] += _spans(patterns["business vague"], words)
    if any(reasons.values()):
        return _Found({key: spans for key, spans in reasons.items() if spans}, False, usable)
    if decided := _spans(patterns["business maker"], words):
        return _Found({StopCategory.BUSINESS: decided}, False, False)
    state = patterns["enrollment aside"].sub(_struck, words)
    hints = _tier(state, "hint")
    return _Found(hints, False, StopCategory.ENROLLMENT in hints)


def _tier(words: str, tier: str) -> dict[StopCategory, list[tuple[int, int]]]:
    patterns = load_rules().patterns
    found = {}
    for category in _ORDER:
        pattern = patterns.get(f"{category} {tier}")
        if pattern and (spans := _spans(pattern, words)):
            found[category] = spans
    return found


def _spans(pattern: re.Pattern[str], words: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(words)]


def _struck(match: re.Match[str]) -> str:
    return re.sub(r"[^ ]", "_", match.group())
