"""What stands behind a number: a unit, a length of time, or a limit it is a multiple of."""

from __future__ import annotations

import re

from trialyst.eligibility.requirement import Bound
from trialyst.eligibility.signs import Token
from trialyst.eligibility.units import find_unit

__all__ = ["PERIODS", "read_limit", "read_measure"]

PERIODS = {
    "minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.4375, "year": 365.25,
    "decade": 3652.5,
}  # fmt: skip
"""Days in a unit of time."""
_PERIOD_LETTERS = {
    "mi": "minute", "h": "hour", "d": "day", "w": "week", "mo": "month", "y": "year",
    "de": "decade",
}  # fmt: skip
_PERIOD = re.compile(
    r"[\s-]{0,3}(?:(?:consecutive|full|calendar|complete|completed)\s{1,2})?"
    r"(y(?:ea)?rs?\b\.?|years?\b|y\.?/?o\b\.?|y(?=[\s,;.)-]|$)|mo(?:nth|s|n)?s?\b\.?"
    r"|w(?:ee)?ks?\b\.?|days?\b"
    r"|d(?=[\s,;)]|$)|h(?:ou)?rs?\b\.?(?!:?\s{0,2}[0-9])|h(?=[\s,;)]|$)|min(?:ute)?s?\b"
    r"|decades?\b)(?:\s?\([a-z]{1,6}\))?"
)
_WHOSE = (
    r"(?:(?:the|of|our|local|age|institution(?:al|'s)?|lab(?:oratory)?(?:'s)?|site|reference"
    r"|respective|value|above|than|greater|normal|adjusted|level)[\s-]{1,3}){0,5}"
)
_LIMIT = re.compile(
    rf"[\s-]{{0,3}}(?P<times>x\b|\*|times\b|folds?\b|x(?=[iu]))?[\s-]{{0,3}}{_WHOSE}"
    r"(?:(?P<up>i?uln\b|unl\b|upper\s{1,2}(?:normal|limits?|reference|range|level|end|bound"
    r"|value)\b"
    r"(?:\s{1,2}(?:limits?|range|value|level|of\s{1,2}(?:the\s{1,2})?(?:normal"
    r"|reference)(?:\s{1,2}(?:range|values?|limits?))?)\b){0,2}"
    r"|normal\s{1,2}upper\s{1,2}limits?)"
    r"|(?P<low>lln\b|lower\s{1,2}(?:normal|limits?|reference)\b(?:\s{1,2}(?:limits?|range"
    r"|of\s{1,2}(?:the\s{1,2})?normal(?:\s{1,2}range)?)\b){0,2})"
    r"|(?P<base>baseline\b|base-line\b)|(?P<norm>n(?![a-z0-9+-])|normal\b(?:\s{1,2}(?:values?|range|limits?"
    r"|level)\b)?))"
    r"(?:\s?\(i?ulns?\)|\s?\(llns?\)|\s?\(unl\))?"
)
_PREDICTED = re.compile(
    r"\s{0,3}\(?(?:of\s{1,3})?(?:(?:the|their|age-?|normal)\s{0,3}){0,3}(?:predicted|pred\b"
    r"|expected)(?:\s{1,2}normal)?(?:\s{1,2}values?\b)?"
    r"(?:\s{1,2}for (?:age|height|sex)(?:,? (?:and )?(?:age|height|sex|gender|race)){0,3}\b)?"
)


def read_measure(plain: str, token: Token) -> tuple[str, Bound, int]:
    """Give the unit or the limit behind a number, and where it ends."""
    end = token.end
    if token.unit:
        return token.unit, Bound.UNIT, end
    period = _PERIOD.match(plain, end)
    if period is not None:
        letters = period.group(1)
        key = letters[:2] if letters[:2] in _PERIOD_LETTERS else letters[0]
        return _PERIOD_LETTERS[key], Bound.UNIT, period.end()
    limit = _LIMIT.match(plain, end)
    if limit is not None and _multiplies(plain, token, limit):
        return "", _bound(limit), limit.end()
    unit = find_unit(plain, end)
    if unit is None:
        return "", Bound.UNIT, end
    if unit[0] == "%":
        predicted = _PREDICTED.match(plain, unit[1])
        if predicted is not None:
            return "%", Bound.PREDICTED, predicted.end()
    return unit[0], Bound.UNIT, unit[1]


def _multiplies(plain: str, token: Token, limit: re.Match[str]) -> bool:
    """Say whether a number is a multiple of the limit behind it: "5 x ULN", "1.5 ULN", "5N"."""
    if limit["times"]:
        return True
    if token.kind == "word":
        return bool(limit["up"] or limit["norm"])
    adjacent = not plain[token.end : limit.start(limit.lastgroup or 0)].strip(" -")
    return adjacent and bool(limit["up"] or limit["norm"] == "n")


def _bound(limit: re.Match[str]) -> Bound:
    if limit["low"]:
        return Bound.LOWER_LIMIT
    return Bound.BASELINE if limit["base"] else Bound.UPPER_LIMIT


def read_limit(plain: str, at: int) -> tuple[Bound, int] | None:
    """Give the limit of normal at a place that no number multiplies: "above the ULN"."""
    limit = _LIMIT.match(plain, at)
    if limit is None or limit["times"] or limit["base"] or limit["norm"]:
        return None
    return (Bound.UPPER_LIMIT if limit["up"] else Bound.LOWER_LIMIT), limit.end()
