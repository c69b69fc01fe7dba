"""Limits on measured values in a criterion, and the same values read in a note.

Only quantities whose unit can be told from the number are read here; what a note measures in
another unit is left alone rather than guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trialyst.matching.judging.gates import gated

__all__ = ["Limit", "Reading", "find_limits", "find_readings"]

_QUANTITIES = {
    "systolic blood pressure": r"systolic(?: blood)?(?: pressure)?|\bsbp\b",
    "diastolic blood pressure": r"diastolic(?: blood)?(?: pressure| bp)?|\bdbp\b",
    "heart rate": r"heart rate|pulse(?: rate)?|bradycardia|tachycardia|\bhr\b",
    "respiratory rate": r"respiratory rate|\brr\b|respirations",
    "temperature": r"temperature|\bfever\b|\btemp\b",
    "oxygen saturation": r"(?:oxygen|o2) sat\w*|\bspo2\b|\bsao2\b",
    "creatinine": r"(?:serum )?creatinine(?! clear)",
    "platelets": r"platelets?(?: count)?",
    "hemoglobin": r"h(?:ae|e)moglobin(?! a)|\bhb\b|\bhgb\b",
    "body mass index": r"\bbmi\b|body mass index",
    "glasgow coma scale": r"\bgcs\b|glasgow(?: coma)?(?: scale)?",
    "ejection fraction": r"ejection fraction|\blvef\b|\bef\b",
    "ecog": r"\becog\b",
    "white cells": r"\bwbc\b|white (?:blood )?cell(?: count)?",
}
_SIGNS = {
    ">": ">", ">=": ">=", "≥": ">=", "=>": ">=", "<": "<", "<=": "<=", "≤": "<=", "=<": "<=",
    "greater than": ">", "more than": ">", "above": ">", "over": ">", "exceeding": ">",
    "higher than": ">", "at least": ">=", "greater than or equal to": ">=", "less than": "<",
    "lower than": "<", "below": "<", "under": "<", "at most": "<=", "up to": "<=",
    "less than or equal to": "<=",
}  # fmt: skip
_SIGN = "|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))
_LIMIT = gated(
    "("
    + "|".join(f"(?P<q{at}>{pattern})" for at, pattern in enumerate(_QUANTITIES.values()))
    + rf")[^<>≤≥=.;\d]{{0,28}}?({_SIGN})\s?(\d+(?:[.,]\d+)?)(?! ?(?:x|×|times)\b)"
)
_NUMBER = gated(rf"(?:{_SIGN})\s?\d")
_NAMES = tuple(_QUANTITIES)
_BLOOD_PRESSURE = re.compile(r"\b(\d{2,3}) ?/ ?(\d{2,3})\b(?! ?(?:cm|lb|kg|years?))")
_READ = {
    "heart rate": re.compile(
        r"(?:pulse|heart rate|\bhr\b|tachycardia)(?: \w+){0,4}?\D{0,6}?(\d{2,3})\b"
    ),
    "respiratory rate": re.compile(
        r"(?:respiratory rate|\brr\b|respirations?)(?: \w+){0,3}?\D{0,6}?(\d{1,2})\b"
    ),
    "temperature": re.compile(
        r"(?:temperature|\btemp\b|\bt\b|\bfevers?\b)(?: \w+){0,4}?\D{0,6}?(?<![\d.])"
        r"(\d{2,3}(?:\.\d)?)\b"
    ),
    "oxygen saturation": re.compile(
        r"(?:saturation|sats?|\bspo2\b|\bsao2\b)(?: \w+){0,3}?\D{0,6}?(\d{2,3}) ?%"
    ),
    "creatinine": re.compile(r"creatinine(?: \w+){0,4}?\D{0,4}?(\d{1,2}(?:\.\d+)?) ?mg"),
    "platelets": re.compile(r"platelets?(?: \w+){0,3}?\D{0,4}?(\d{1,3}(?:,\d{3})+|\d{4,6})"),
    "hemoglobin": re.compile(
        r"(?:hemoglobin|\bhb\b|\bhgb\b)(?: \w+){0,3}?\D{0,4}?(\d{1,2}(?:\.\d+)?) ?g"
    ),
    "body mass index": re.compile(
        r"(?:\bbmi\b|body mass index)(?: \w+){0,3}?\D{0,4}?(\d{2}(?:\.\d+)?)"
    ),
    "glasgow coma scale": re.compile(r"(?:\bgcs\b|glasgow)(?: \w+){0,4}?\D{0,4}?(\d{1,2})\b"),
    "ejection fraction": re.compile(
        r"(?:ejection fraction|\blvef\b|\bef\b)(?: \w+){0,3}?\D{0,4}?(\d{1,2}) ?%"
    ),
    "ecog": re.compile(r"\becog\b(?: \w+){0,4}?\D{0,4}?([0-5])\b"),
    "white cells": re.compile(
        r"(?:\bwbc\b|white (?:blood )?cell(?: count)?)(?: \w+){0,3}?\D{0,4}?(\d{1,3},\d{3}|\d{4,6})"
    ),
}
_DIGIT = re.compile(r"[0-9]")
_ANY_DIGIT = re.compile(r"\d")
_FAHRENHEIT = 50.0
_LEAST = {"temperature": 30.0, "body mass index": 10.0, "heart rate": 20.0}
"""Smaller numbers count something else: the weeks of a fever, a z-score."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound on a measured quantity."""

    quantity: str
    sign: str
    number: float

    def holds(self, value: float) -> bool:
        """Whether a value keeps to the bound."""
        if self.sign == ">":
            return value > self.number
        if self.sign == ">=":
            return value >= self.number
        if self.sign == "<":
            return value < self.number
        return value <= self.number


@dataclass(frozen=True, slots=True)
class Reading:
    """A measured quantity in a note, with its sentence and place."""

    quantity: str
    value: float
    sentence: int
    start: int
    end: int


def find_limits(lowered: str) -> tuple[Limit, ...]:
    """Find the bounds a criterion in lower case sets on quantities we can read in notes.

    >>> find_limits("systolic blood pressure < 100 mm hg")
    (Limit(quantity='systolic blood pressure', sign='<', number=100.0),)
    """
    found: list[Limit] = []
    if _ANY_DIGIT.search(lowered) is None or _NUMBER.search(lowered) is None:
        return ()
    for match in _LIMIT.finditer(lowered):
        at = next(at for at in range(len(_NAMES)) if match.group(f"q{at}") is not None)
        sign, number = match.groups()[-2:]
        limit = Limit(_NAMES[at], _SIGNS[sign], _scaled(_NAMES[at], number))
        if limit.number >= _LEAST.get(limit.quantity, 0):
            found.append(limit)
    return tuple(found)


def find_readings(lowered: str, *, sentence: int, offset: int) -> list[Reading]:
    """Find measured values in a sentence in lower case; places are counted from `offset`."""
    found: list[Reading] = []
    if _DIGIT.search(lowered) is None:
        return found
    for match in _BLOOD_PRESSURE.finditer(lowered):
        high, low = int(match.group(1)), int(match.group(2))
        if 50 <= high <= 280 and 20 <= low < high:
            place = (sentence, match.start() + offset, match.end() + offset)
            found.append(Reading("systolic blood pressure", high, *place))
            found.append(Reading("diastolic blood pressure", low, *place))
    for quantity, pattern in _READ.items():
        for match in pattern.finditer(lowered):
            value = _scaled(quantity, match.group(1))
            place = (sentence, match.start() + offset, match.end() + offset)
            found.append(Reading(quantity, value, *place))
    return found


def _scaled(quantity: str, number: str) -> float:
    value = float(number.replace(",", "" if re.search(r",\d{3}", number) else "."))
    if quantity == "temperature" and value > _FAHRENHEIT:
        return (value - 32) / 1.8
    return value
