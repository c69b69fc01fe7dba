"""Dates, ages and numbers as comparable values. One reading for bounds and for stored values.

A date is an integer `yyyyMMdd`; an age is days. Refuses dates that are not in the calendar.
"""

from __future__ import annotations

import re
from calendar import monthrange
from functools import lru_cache
from typing import NamedTuple

from trialyst.errors import InvalidInput

__all__ = ["DateSpan", "age_days", "date_key", "parse_date", "parse_number"]

_ISO_DATE = re.compile(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2})"
    r"(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?Z?)?)?)?"
)
_US_DATE = re.compile(r"(?P<month>[0-9]{1,2})/(?:(?P<day>[0-9]{1,2})/)?(?P<year>[0-9]{4})")

# Minutes keep every unit a whole number, so that 12 months equal 1 year without rounding.
_MINUTES_PER_DAY = 1440
_MINUTES = {
    "year": 525_960,
    "month": 43_830,
    "week": 10_080,
    "day": _MINUTES_PER_DAY,
    "hour": 60,
    "minute": 1,
}
_SHORT_UNITS = {
    short: unit
    for unit, shorts in {
        "year": ("y", "yr"),
        "month": ("m", "mo"),
        "week": ("w", "wk"),
        "day": ("d",),
        "hour": ("h", "hr"),
        "minute": ("min",),
    }.items()
    for short in shorts
}
_AGE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([a-z]+)", re.IGNORECASE)
# Eighteen digits fit a signed 64-bit integer.
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?P<fraction>\.[0-9]{1,18})?")


class DateSpan(NamedTuple):
    """First and last day of a full or partial date, as `yyyyMMdd`."""

    low: int
    high: int


def parse_date(text: str) -> DateSpan:
    """Read a full or partial date as the days it covers.

    >>> parse_date("2022-02")
    DateSpan(low=20220201, high=20220228)
    >>> parse_date("01/15/2015").low
    20150115

    Raises:
        InvalidInput: the text is no date, or no day of the calendar.
    """
    span = _read_date(text.strip())
    if span is None:
        raise InvalidInput(
            f"Invalid date: {text!r}",
            hint="Write yyyy-MM-dd, yyyy-MM, yyyy or MM/dd/yyyy.",
            invalid_input=text,
        )
    return span


def date_key(text: str) -> int | None:
    """Give a stored date as `yyyyMMdd`, a partial one as its first day; None if it is no date.

    >>> date_key("2023-06"), date_key("soon")
    (20230601, None)
    """
    span = _read_date(text.strip())
    return span.low if span else None


# A registry holds few distinct days, over and over.
@lru_cache(maxsize=32_768)
def _read_date(text: str) -> DateSpan | None:
    match = _ISO_DATE.fullmatch(text) or _US_DATE.fullmatch(text)
    if match is None:
        return None
    year = int(match["year"])
    first_month = int(match["month"] or 1)
    last_month = int(match["month"] or 12)
    if year < 1 or not 1 <= first_month <= 12:
        return None
    first_day = int(match["day"] or 1)
    length = monthrange(year, last_month)[1]
    if not 1 <= first_day <= length:
        return None
    last_day = int(match["day"] or length)
    start = year * 10_000 + first_month * 100 + first_day
    return DateSpan(start, year * 10_000 + last_month * 100 + last_day)


@lru_cache(maxsize=4096)
def age_days(text: str) -> float | None:
    """Give an age in days; None for `N/A` and whatever is no age.

    >>> age_days("18 Years"), age_days("2 weeks"), age_days("N/A")
    (6574.5, 14.0, None)
    >>> age_days("12 Months") == age_days("1y")
    True
    """
    match = _AGE.fullmatch(text.strip())
    if match is None:
        return None
    unit = match[2].lower()
    unit = _SHORT_UNITS.get(unit) or _SHORT_UNITS.get(unit.removesuffix("s")) or unit
    minutes = _MINUTES.get(unit) or _MINUTES.get(unit.removesuffix("s"))
    return None if minutes is None else float(match[1]) * minutes / _MINUTES_PER_DAY


def parse_number(text: str) -> int | float:
    """Read a decimal number, whole ones as an integer.

    >>> parse_number("50"), parse_number("-2.5")
    (50, -2.5)

    Raises:
        InvalidInput: the text is no number.
    """
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(
            f"Invalid number: {text!r}", hint="Write digits only.", invalid_input=text
        )
    return float(match[0]) if match["fraction"] else int(match[0])
