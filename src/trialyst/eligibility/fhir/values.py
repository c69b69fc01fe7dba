"""Values of observations: numbers in our units, words, and whether a number can be at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from trialyst.eligibility.fhir.bundle import plain_words, text_of
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.units import to_unit

if TYPE_CHECKING:
    from trialyst.eligibility.fhir.bundle import Resource

__all__ = ["interpretation_of", "quantity_of", "state_of", "value_words"]

_LARGEST = 1e15
"""No measurement is so large; comparing with it is false of what is no number."""
_COMPARATORS = frozenset(("<", "<=", ">", ">="))
_UCUM = {
    "mm[hg]": "mmHg",
    "cel": "C",
    "[degf]": "F",
    "[lb_av]": "lb",
    "[in_i]": "in",
    "{score}": "score",
    "(score)": "score",
    "score": "score",
    "{inr}": "",
    "{ratio}": "",
    "[ph]": "",
    "1": "",
    "mm/h": "mm/h",
}
_ANNOTATION = re.compile(r"\{[^{}]*\}")
_MARKS = str.maketrans({"{": "", "}": "", "[": "", "]": "", "*": "^", "_": " "})
_STATES = (
    (
        "negative",
        ("negative", "absent", "not detected", "wild type", "non-reactive", "nonreactive"),
    ),
    ("positive", ("positive", "present", "detected", "reactive", "amplified")),
    ("abnormal", ("abnormal",)),
    ("normal", ("normal",)),
    ("high", ("high",)),
    ("low", ("low",)),
)
_INTERPRETED = {
    "H": "high",
    "HH": "high",
    "HU": "high",
    "L": "low",
    "LL": "low",
    "LU": "low",
    "N": "normal",
    "A": "abnormal",
    "AA": "abnormal",
    "POS": "positive",
    "NEG": "negative",
    "DET": "positive",
    "ND": "negative",
}


def quantity_of(part: Resource) -> Quantity | None:
    """Give the number of an observation or a component with its unit, None if it has none."""
    given = part.get("valueQuantity")
    number = _number(given.get("value")) if isinstance(given, Mapping) else None
    if isinstance(given, Mapping) and number is not None:
        unit = str(given.get("unit") or given.get("code") or "")
        comparator = str(given.get("comparator") or "=")
        return Quantity(
            number,
            _unit(unit, str(given.get("code") or "")),
            comparator if comparator in _COMPARATORS else "=",
        )
    number = _number(part.get("valueInteger", part.get("valueDecimal")))
    return None if number is None else Quantity(number)


def _number(given: object) -> float | None:
    """Read a number that something can be; true, infinity and the like are none."""
    if not isinstance(given, int | float) or isinstance(given, bool):
        return None
    return float(given) if abs(given) < _LARGEST else None


def _unit(unit: str, code: str) -> str:
    """Give a unit in our spelling; UCUM's marks are read, and its annotations passed over.

    >>> _unit("", "mL/min/{1.73_m2}"), _unit("[IU]/L", ""), _unit("", "{beats}/min")
    ('mL/min/1.73m2', 'U/L', '/min')
    """
    for written in (unit, code):
        plain = written.strip().lower()
        if plain in _UCUM:
            return _UCUM[plain]
        for spelling in (plain, plain.translate(_MARKS), _ANNOTATION.sub("", plain)):
            if known := to_unit(spelling):
                return known
    return plain_words(unit or code)


def value_words(part: Resource) -> str:
    """Give an observation's value in words, empty if it has none."""
    quantity = quantity_of(part)
    if quantity is not None:
        shown = Quantity(round(quantity.number, 4), quantity.unit, quantity.comparator)
        return str(shown)
    if "valueCodeableConcept" in part:
        return text_of(part["valueCodeableConcept"])
    for name in ("valueString", "valueBoolean", "valueDateTime", "valueTime"):
        if name in part:
            return plain_words(str(part[name]))
    if isinstance(part.get("valueRatio"), Mapping):
        return "/".join(
            _side(part["valueRatio"].get(side)) for side in ("numerator", "denominator")
        )
    if isinstance(part.get("valueRange"), Mapping):
        return "-".join(_side(part["valueRange"].get(side)) for side in ("low", "high"))
    return f"not known ({text_of(part['dataAbsentReason'])})" if "dataAbsentReason" in part else ""


def _side(given: object) -> str:
    if not isinstance(given, Mapping):
        return "?"
    number = f"{given.get('comparator') or ''}{given.get('value', '?')}"
    return f"{number} {given.get('unit') or ''}".strip()


def state_of(text: str) -> str:
    """Give what the words of a result come to: `positive`, `negative`, `high`, ...; or empty.

    >>> state_of("Not detected"), state_of("Positive (qualifier value)")
    ('negative', 'positive')
    """
    plain = text.lower()
    return next((state for state, cues in _STATES if any(cue in plain for cue in cues)), "")


def interpretation_of(codes: list[str]) -> str:
    """Give what a laboratory's flag means; empty if there is none."""
    return next((_INTERPRETED[code] for code in codes if code in _INTERPRETED), "")
