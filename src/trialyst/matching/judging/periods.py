"""Times: how long or how recently a criterion asks for, and how long a note says a thing has been.

A period is a range of days, its ends None where nothing bounds it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.matching.judging.gates import gated

if TYPE_CHECKING:
    from trialyst.matching.judging.view import NoteView
    from trialyst.matching.patient import Fact

__all__ = ["COUNT", "AskedTime", "Period", "find_times", "read_count", "since", "time_of"]

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
).split()
_NUMBERS = {word: number for number, word in enumerate(_WORDS)} | {
    "a": 1, "an": 1, "once": 1, "twice": 2, "single": 1, "both": 2, "no": 0, "none": 0,
    "thirty": 30,
}  # fmt: skip
COUNT = r"(?:[0-9]+(?:\.[0-9]+)?|(?:" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")\b)"
_UNIT = r"(hour|day|week|wk|month|mo|year|yr|decade)s?\b"
_DAYS = {
    "hour": 1 / 24, "day": 1.0, "week": 7.0, "wk": 7.0, "month": 30.4375, "mo": 30.4375,
    "year": 365.25,
    "yr": 365.25, "decade": 3652.5,
}  # fmt: skip
_AMOUNT = rf"({COUNT})\s*-?\s*(?:consecutive\s+|full\s+|calendar\s+)?{_UNIT}"
_BEFORE = (
    r"(?:\s*(?:duration|(?:prior to|before|preceding|of|from|until|at|ago)\s*(?:the\s+)?"
    r"(?:study\s+)?(?:screening|baseline|enroll?ment|randomi[sz]ation|entry|inclusion|consent|visit"
    r"|first dose|study drug|study|day 1|registration|start of (?:study )?treatment)?))*"
)
_FOR = gated(
    r"(?:\b(?:for|of|lasting|since|duration|during|over|on|diagnosed)\s+)*(?:a\s+)?"
    r"(at least|>=|\u2265|not exceeding|no longer than|not (?:more|longer) than|>|more than"
    r"|greater than|no less than|minimum of|longer than|exceeding|<=|\u2264|<"
    r"|less than|at most|no more than|up to|shorter than)\s*(?:the\s+past\s+|the\s+last\s+)?"
    rf"{_AMOUNT}{_BEFORE}"
)
_OR_LONGER = gated(rf"\bfor\s+{_AMOUNT}\s+(?:or\s+(?:longer|more)|minimum){_BEFORE}")
_WITHIN = gated(
    r"\b(?:within|in|during|over)\s+(?:the\s+)?(?:(?:past|last|previous|prior|preceding)\s+)?"
    rf"(?:{_AMOUNT}|{_UNIT}){_BEFORE}"
)
_LESS = frozenset(
    {
        "<",
        "<=",
        "\u2264",
        "less than",
        "at most",
        "no more than",
        "up to",
        "shorter than",
        "not exceeding",
        "no longer than",
        "not more than",
        "not longer than",
    }
)

_LASTS = re.compile(
    r"\b(?:for|of|x|over)\s+(?:the\s+)?(?:(?:past|last|about|over|at least|more than|nearly|almost"
    rf"|approximately)\s+)*{_AMOUNT}|\({_AMOUNT}\)|{_AMOUNT}\s+(?:ago|earlier|previously)\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(rf"{_AMOUNT}(?:['\u2019])?\s+(?:history|hx)?\s*(?:of|with)\b", re.IGNORECASE)
_AGO = re.compile(rf"{_AMOUNT}\s+(?:ago|earlier|previously)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b((?:19|20)[0-9]{2})\b")
_EVER = re.compile(r"\bsince\s+(?:childhood|birth|infancy|adolescence)\b", re.IGNORECASE)
_GROWN_UP = 18
_NEAR = 90


class Period(NamedTuple):
    """A range of days."""

    low: float | None
    high: float | None
    """The first day that is too late."""


class AskedTime(NamedTuple):
    """A time a criterion sets, at a place of its text."""

    start: int
    end: int
    days: float
    within: bool = False
    """Whether it is a window in which something happened, not how long it has lasted."""
    less: bool = False
    """Whether it must last shorter."""

    def holds(self, lasted: Period) -> bool | None:
        """Whether what has lasted so long keeps to it; None where that is open."""
        if self.less or self.within:
            if lasted.high is not None and lasted.high <= self.days:
                return True
            return False if lasted.low is not None and lasted.low > self.days else None
        if lasted.low is not None and lasted.low >= self.days:
            return True
        return False if lasted.high is not None and lasted.high <= self.days else None


def read_count(word: str) -> float:
    """Read a number in digits or in words.

    >>> read_count("three"), read_count("2")
    (3.0, 2.0)
    """
    return float(_NUMBERS[word.lower()]) if word.lower() in _NUMBERS else float(word)


@lru_cache(maxsize=20_000)
def find_times(lowered: str) -> tuple[AskedTime, ...]:
    """Find the times that a criterion in lower case sets.

    >>> [(time.days, time.within) for time in find_times("insulin within 2 weeks")]
    [(14.0, True)]
    """
    found = [
        AskedTime(
            *match.span(), _days(match.group(2), match.group(3)), less=match.group(1) in _LESS
        )
        for match in _FOR.finditer(lowered)
    ]
    found += [
        AskedTime(*match.span(), _days(match.group(1), match.group(2)))
        for match in _OR_LONGER.finditer(lowered)
    ]
    for match in _WITHIN.finditer(lowered):
        if any(other.start < match.end() and match.start() < other.end for other in found):
            continue
        days = _days(match.group(1) or "one", match.group(2) or match.group(3))
        found.append(AskedTime(*match.span(), days, within=True))
    return tuple(sorted(found))


def _days(count: str, unit: str) -> float:
    return read_count(count) * _DAYS[unit.lower()]


def time_of(fact: Fact, view: NoteView) -> Period | None:
    """Say how long the note says a thing has been: `for 12 years`, `dx 2017`, `since childhood`."""
    sentence = view.note.sentence_at(fact.start)
    behind = view.note.text[fact.end : min(sentence.end, fact.end + _NEAR)]
    before = view.note.text[max(sentence.start, fact.start - _NEAR) : fact.start]
    if _EVER.search(behind) and view.years is not None:
        return Period(max(view.years - _GROWN_UP, 0) * _DAYS["year"], None)
    for match in (_LASTS.search(behind), _HISTORY.search(before)):
        if match is not None and not (match.re is _LASTS and _is_of_another(behind, match)):
            count, unit = [group for group in match.groups() if group][:2]
            low = _days(count, unit)
            return Period(low, low + _DAYS[unit.lower()])
    return _by_year(behind, view)


def _is_of_another(behind: str, match: re.Match[str]) -> bool:
    """Whether a list goes on before the time, so that it belongs to what comes later."""
    between = behind[: match.start()]
    return ";" in between or between.count(",") > 1 or "then" in between.split()


def _by_year(behind: str, view: NoteView) -> Period | None:
    match = _YEAR.search(behind[:30])
    if match is None or ";" in behind[: match.start()]:
        return None
    years = int(max(_YEAR.findall(view.note.text))) - int(match.group(1))
    return Period((years - 1) * _DAYS["year"], None) if years > 1 else None


def since(fact: Fact, view: NoteView) -> Period | None:
    """Say how long ago something happened: `two years ago`."""
    match = _AGO.search(fact.when) or _AGO.search(
        view.note.text[fact.end : min(view.note.sentence_at(fact.start).end, fact.end + _NEAR)]
    )
    if match is not None:
        low = _days(match.group(1), match.group(2))
        return Period(low, low + _DAYS[match.group(2).lower()])
    year = _YEAR.search(fact.when)
    if year is None:
        return None
    years = int(max(_YEAR.findall(view.note.text))) - int(year.group(1))
    return Period((years - 1) * _DAYS["year"], None) if years > 1 else None
