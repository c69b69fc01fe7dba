"""Numbers as a note writes them: with thousands separators, comparators, ranges, in words."""

from __future__ import annotations

import re
from typing import NamedTuple

from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.units import find_unit

__all__ = ["COUNTS", "LIMIT_OF_NORMAL", "Figure", "find_figure", "to_number"]

COUNTS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:[.,][0-9]+)?|\.[0-9]+)"
_COMPARATOR = (
    r"<\s?=|>\s?=|=<|=>|[<>\u2264\u2265~\u2248=]|less than or equal to|greater than or equal to"
    r"|less than|greater than|more than|at least|at most|up to|over|under|above|below"
    r"|approximately|approx\.?|about|around|nearly|almost"
)
_FIGURE = re.compile(
    rf"\s*(?:({_COMPARATOR})\s*)?({_NUMBER})(?![0-9])"
    rf"(?:\s*(?:-|\u2013|\u2014|to)\s*({_NUMBER})(?![0-9/]))?"
    r"(?:\s*(?:/|out of)\s*([0-9]+)(?![0-9.]))?",
    re.IGNORECASE,
)
LIMIT_OF_NORMAL = re.compile(
    r"\s*(?:x|\u00d7|\*|times|fold)?\s*(?:(?:the|greater than|higher than|above)\s+)*"
    r"(?:institutional\s+|laboratory\s+|local\s+)*"
    r"(?:uln|upper\s+(?:limits?|range|level|end|bound|normal)|iuln|unl|normal\s+upper\s+limit)\b"
    r"|\s*-?(?:x|\u00d7|\*|times|fold)\s*(?:the\s+)?(?:institutional\s+|laboratory\s+)*normal\b",
    re.IGNORECASE,
)
"""What makes of a number before it a multiple of the upper limit of normal."""
_SIGNS = {
    "\u2264": "<=",
    "\u2265": ">=",
    "=<": "<=",
    "=>": ">=",
    "less than or equal to": "<=",
    "greater than or equal to": ">=",
    "less than": "<",
    "under": "<",
    "below": "<",
    "greater than": ">",
    "more than": ">",
    "over": ">",
    "above": ">",
    "at least": ">=",
    "at most": "<=",
    "up to": "<=",
}


class Figure(NamedTuple):
    """A number at a place, `text[start:end]` with its unit; `over` is what follows a slash."""

    quantity: Quantity
    over: int | None
    start: int
    end: int


def to_number(text: str) -> float:
    """Read a number; a comma before three figures separates thousands, else it is a decimal one.

    >>> to_number("1,840"), to_number("38,5"), to_number("25")
    (1840.0, 38.5, 25.0)
    """
    whole, comma, rest = text.rpartition(",")
    if comma and len(rest.partition(".")[0]) == 3:
        return float(text.replace(",", ""))
    return float(f"{whole}.{rest}" if comma else text)


def find_figure(text: str, at: int) -> Figure | None:
    """Find the number that stands at a place, with its comparator, range and unit.

    >>> find_figure("ANC > 1,500 /mm3", 3).quantity
    Quantity(number=1500.0, unit='/uL', comparator='>', upper=None)
    """
    match = _FIGURE.match(text, at)
    if match is None:
        return None
    sign, number, upper, over = match.groups()
    end = match.end()
    unit = None
    if over is None or not upper:
        unit = find_unit(text, end)
    if over is not None and unit is None and find_unit(text, match.end(2)) is not None:
        # "10^9" and the like begin with a slash too; the longer reading is the unit.
        over, end = None, match.end(2)
        unit = find_unit(text, end)
    quantity = Quantity(
        number=to_number(number),
        unit="" if unit is None else unit[0],
        comparator=_comparator(sign),
        upper=None if upper is None else to_number(upper),
    )
    if quantity.upper is not None and quantity.upper <= quantity.number:
        quantity = Quantity(quantity.number, quantity.unit, quantity.comparator)
    start = match.start(1) if sign else match.start(2)
    return Figure(
        quantity, None if over is None else int(over), start, end if unit is None else unit[1]
    )


def _comparator(sign: str | None) -> str:
    if sign is None:
        return "="
    plain = " ".join(sign.lower().split())
    if plain in _SIGNS:
        return _SIGNS[plain]
    compact = plain.replace(" ", "")
    if compact in ("<=", ">=", "<", ">", "="):
        return compact
    return "~"
