"""Ages a criterion asks for: `18-70 years of age`, `older than 6 months`, `Age>=40years old`.

A number of years that tells a duration or a window ("within 5 years") is no age.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from trialyst.matching.judging.gates import gated

__all__ = ["AgeRange", "find_age_ranges"]

_UNITS = {"y": 1.0, "m": 1 / 12, "w": 7 / 365.25, "d": 1 / 365.25, "h": 1 / 8766}
_NUMBERS = {"eighteen": "18", "sixteen": "16", "twenty-one": "21", "twenty one": "21", "six": "6"}
_UNIT = r"(?:y(?:ea)?rs?|yo|y|months?|mos?|weeks?|wks?|days?|hours?)\b\.?"
_N = r"(\d{1,3}(?:\.\d+)?)(?!\d)"
_WORDED = r"(?:\([a-z -]+\) ?)?"
_MORE = (
    r"(?:>=?|≥|=>|at least|minimum(?: age)?(?: of)?|older than|over|above|greater than"
    r"(?: or equal to)?|more than|after(?: the)? age of|from|aged?)"
)
_LESS = (
    r"(?:<=?|≤|=<|at most|maximum(?: age)?(?: of)?|younger than|under|below|less than"
    r"(?: or equal to)?|up to|before(?: the)? age of|until)"
)
_RANGE = re.compile(
    rf"(>=?|≥)? ?{_N} ?-?({_UNIT})?(?: of age| old)?,? ?(?:-|–|to|and|through|until)"
    rf" ?(?:<=?|≤|under|less than|up to)? ?{_N} ?-?({_UNIT})?"
)
_LOWER = re.compile(rf"({_MORE}) ?(?:the age of |age |an age of )?{_N} ?-?({_UNIT})?(?! ?%| ?/)")
_UPPER = re.compile(rf"({_LESS}) ?(?:the age of |age )?{_N} ?-?({_UNIT})?(?! ?%| ?/)")
_AFTER_LOWER = re.compile(
    rf"{_N} ?{_WORDED}-?({_UNIT})?(?: ?-?old| ?of age)? ?,?(?:\+|(?:and|or|&) (?:older|over|above|"
    r"more|greater)|onward|or ≥)"
)
_AFTER_UPPER = re.compile(
    rf"{_N} ?{_WORDED}-?({_UNIT})?(?: ?-?old| ?of age)? ?,?"
    r"(?:and|or|&) (?:younger|under|below|less)"
)
_SPEAKS_OF_AGE = gated(
    r"\bage[ds]?\b|\bage[≥≤<>=]|years?[ -]old|months?[ -]old|of age\b|\byo\b|\bolder\b|\byounger\b"
    r"|\badults?,? (?:between|over|aged?|\(?[>≥0-9])|years and (?:over|above|older)"
)
_OPENS_WITH_YEARS = re.compile(
    r"\W*(?:>=?|≥|<=?|≤)? ?\d+ ?-?(?:(?:-|–|to) ?\d+ ?)?(?:years?|yrs?)\b"
)
_AGE_WORD = re.compile(
    r"\W*(?:\d+[.)]\s*)?(?:(?:all|male|female|and|or|hospitali[sz]ed|outpatient|patients?|subjects?"
    r"|any|who|are|is|the|must|be)\s+)*(adults?|child(?:ren)?|p(?:a)?ediatrics?|infants?|neonates?"
    r"|newborns?)\b(?!\s+(?:of|in|bearing|pugh)\b|[-/])"
)
_AGE_WORDS = (
    ("adult", (18.0, math.inf)),
    ("child", (0.0, 18.0)),
    ("p", (0.0, 18.0)),
    ("infant", (0.0, 2.0)),
    ("n", (0.0, 0.25)),
)
"""Ages that a word stands for, wide where usage differs."""
_BETWEEN = re.compile(r"\b(?:between|from|ages?|aged)\b(?: the)?(?: ages?)?(?: of)?\W*$")
_OR_BEYOND = re.compile(r"(?:or|and) (?:>|<|older|younger|over|under|above|below|more|less)")
_OR_EQUAL = re.compile(r"([<>]) ?(?:or|/) ?=(?: to)?")
_OTHERS = re.compile(
    r"gestation|\bif\b|\bfor (?:those|women|men|females|males|child)|caregiver|guardian|parent"
    r"|daughter|\bonset\b|at diagnosis|partner|in case of|\bwho do not\b"
)
_ASIDE = re.compile(r"\([^()]*\)")
_DURATION = re.compile(
    r"(?:within|past|last|previous|prior|preceding|for|during|lasting|least|than|every|over)"
    r"(?: the| at least| more than| past| last)*$"
)


@dataclass(frozen=True, slots=True)
class AgeRange:
    """Ages from `low` up to `high`, in years, and where the criterion says so.

    "Over 75" is taken to begin with 75: registries mean completed years by either wording.
    """

    low: float
    high: float
    start: int
    end: int

    def holds(self, years: float) -> bool:
        """Whether an age in completed years lies in the range."""
        return self.low <= years < self.high


@lru_cache(maxsize=4096)
def find_age_ranges(text: str) -> tuple[AgeRange, ...]:
    """Find the ages a criterion speaks of.

    >>> [(found.low, found.high) for found in find_age_ranges("Age 25 to 65 years")]
    [(25.0, 66.0)]
    >>> find_age_ranges("Stroke within 5 years")
    ()
    """
    lowered = text.lower()
    if "=" in lowered:
        lowered = _OR_EQUAL.sub(r"\1=", lowered)
    found = _numbered(lowered) or _worded(lowered)
    return () if found and _OTHERS.search(lowered) else found


def _numbered(lowered: str) -> tuple[AgeRange, ...]:
    if not _speaks_of_age(lowered):
        return ()
    for word, digits in _NUMBERS.items():
        if word in lowered:
            lowered = lowered.replace(word, digits.rjust(len(word)))
    outside = _ASIDE.sub(lambda aside: " " * len(aside.group()), lowered)
    return tuple(_found(outside) or _found(lowered))


def _speaks_of_age(lowered: str) -> bool:
    return bool(_SPEAKS_OF_AGE.search(lowered) or _OPENS_WITH_YEARS.match(lowered))


def _worded(lowered: str) -> tuple[AgeRange, ...]:
    """Read `adults with`, `children who` at the beginning of a criterion."""
    match = _AGE_WORD.match(lowered)
    if match is None:
        return ()
    low, high = next(bounds for word, bounds in _AGE_WORDS if match.group(1).startswith(word))
    return (AgeRange(low, high, match.start(1), match.end(1)),)


def _found(text: str) -> list[AgeRange]:
    ranges = []
    for match in _RANGE.finditer(text):
        sign, low, low_unit, high, high_unit = match.groups()
        joined = " and " in match.group() and not _BETWEEN.search(text[: match.start()])
        if not joined and _is_age(text, match, high_unit or low_unit):
            lower = _years(low, low_unit or high_unit)
            below = re.search(r"<|less than|under", match.group()) is not None
            exact = "<=" in match.group() or "less than or" in match.group()
            upper = _years(high, high_unit, more=not below or exact)
            strict = 1 if sign == ">" else 0
            ranges.append(AgeRange(lower + 1e-9 * strict, upper, match.start(), match.end()))
    if ranges:
        return ranges
    ranges += _one_sided(text)
    return ranges


def _one_sided(text: str) -> list[AgeRange]:
    found = []
    low, high = 0.0, math.inf
    places: list[tuple[int, int]] = []
    for pattern, number, unit in ((_LOWER, 2, 3), (_AFTER_LOWER, 1, 2)):
        for match in pattern.finditer(text):
            if _is_age(text, match, match.group(unit)):
                low = max(low, _years(match.group(number), match.group(unit)))
                places.append(match.span())
    for pattern, number, unit in ((_UPPER, 2, 3), (_AFTER_UPPER, 1, 2)):
        for match in pattern.finditer(text):
            if _is_age(text, match, match.group(unit)):
                sign = match.group(1)
                closed = pattern is _AFTER_UPPER or "=" in sign or sign in ("≤", "up to")
                closed = closed or "equal" in sign or "most" in sign or "max" in sign
                high = min(high, _years(match.group(number), match.group(unit), more=closed))
                places.append(match.span())
    if places:
        span = min(place[0] for place in places), max(place[1] for place in places)
        bounds = [(low, high)] if low < high else [(0.0, high), (low, math.inf)]
        found = [AgeRange(*bound, *span) for bound in bounds]
    return found


def _is_age(text: str, match: re.Match[str], unit: str | None) -> bool:
    after = text[match.end() : match.end() + 24].lstrip(" ,.)")
    before = text[max(0, match.start() - 30) : match.start()]
    if re.match(r"(?:old|of age|aged?|or older|or younger|and older|\(inclusive)", after):
        return True
    if re.search(r"\bage[ds]?\b[^.;]{0,24}$", before) or re.search(r"\bage[ds]?\b", match.group()):
        return not re.match(r"(?:kg|mg|%|mm|cm|ml|g/|points)", after)
    if unit is None or not unit.startswith("y"):
        return _OR_BEYOND.match(after) is not None and _speaks_of_age(text[match.end() :])
    if re.match(r"(?:prior|before|ago|after|of (?:treat|follow|diag|sym)|preced|from)", after):
        return False
    return not _DURATION.search(before.rstrip()) and "within" not in match.group()


def _years(number: str, unit: str | None, *, more: bool = False) -> float:
    size = _UNITS[(unit or "y")[0]]
    return (float(number) + (1 if more else 0)) * size
