"""Why a trial stopped, told from its free text by rules: no model, no network, no guess.

Every category that the text gives as a reason is listed with the words that say so. What the text
denies, only names (a safety monitoring board) or only looks at (data under review) is no reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trialyst.repurposing.stop_rules import load_rules, strike
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


_UNKNOWN = StopReason(
    StopCategory.UNKNOWN, (StopCategory.UNKNOWN,), success=False, usable=False, evidence=()
)


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
    usable: bool
    success: bool = False


def _found(wording: Wording) -> _Found:
    rules = load_rules()
    words = strike(wording.words, rules["aside"].spans(wording.words))
    enrollment = rules["enrollment reason"].spans(words)
    # What is said of enrolment (its futility, a goal not met) is not said of the treatment.
    treatment = strike(words, enrollment)
    if enrollment:
        treatment = strike(treatment, rules["enrollment outcome"].spans(treatment))
    efficacy = rules["efficacy reason"].spans(treatment)
    reasons = {
        StopCategory.SAFETY: _safety(wording.words, words),
        StopCategory.EFFICACY: efficacy,
        StopCategory.ENROLLMENT: enrollment,
        StopCategory.BUSINESS: rules["business reason"].spans(words),
    }
    unmet = strike(treatment, efficacy)
    if goal := rules["goal"].spans(strike(unmet, rules["unmet"].spans(unmet))):
        if not any(reasons.values()):
            return _Found({StopCategory.OTHER: goal}, usable=True, success=True)
    else:
        reasons[StopCategory.EFFICACY] = sorted(efficacy + rules["efficacy mention"].spans(unmet))
    reasons[StopCategory.OTHER] = rules["other reason"].spans(words)
    if not any(reasons.values()):
        reasons[StopCategory.SAFETY] = rules["safety hint"].spans(words)
    usable = any(reasons.values())
    reasons[StopCategory.BUSINESS] += rules["business vague"].spans(words)
    if not any(reasons.values()):
        reasons[StopCategory.OTHER] = rules["other vague"].spans(words)
    if any(reasons.values()):
        return _Found({key: spans for key, spans in reasons.items() if spans}, usable=usable)
    return _surmised(words)


def _safety(words: str, heard: str) -> list[tuple[int, int]]:
    rules = load_rules()
    plain = rules["safety plain"].spans(words)
    heard = strike(heard, plain)
    heard = strike(heard, rules["safety aside"].spans(heard))
    return sorted(plain + rules["safety reason"].spans(heard))


def _surmised(words: str) -> _Found:
    """What a text that gives no reason still lets one think."""
    rules = load_rules()
    if decided := rules["business maker"].spans(words):
        return _Found({StopCategory.BUSINESS: decided}, usable=False)
    state = strike(words, rules["enrollment aside"].spans(words))
    if lacking := rules["enrollment hint"].spans(state):
        return _Found({StopCategory.ENROLLMENT: lacking}, usable=True)
    if named := rules["business hint"].spans(words):
        return _Found({StopCategory.BUSINESS: named}, usable=False)
    rest = strike(words, rules["empty"].spans(words))
    return _Found({}, usable=any(map(str.isalpha, rest)))
