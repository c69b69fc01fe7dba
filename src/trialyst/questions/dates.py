"""Dates as people write them: ISO, the registry's month first, or with the month in words."""

from __future__ import annotations

import re
from typing import Any

from trialyst.ctgov.dates import PartialDate
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.questions.values import read_text

__all__ = ["is_ambiguous", "read_date"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SHAPES = (
    re.compile(r"(?P<y>\d{4})(?:[-/.](?P<m>\d{1,2})(?:[-/.](?P<d>\d{1,2}))?)?(?:T.*)?"),
    re.compile(r"(?P<m>\d{1,2})/(?:(?P<d>\d{1,2})/)?(?P<y>\d{4})"),
    re.compile(r"(?:(?P<d>\d{1,2})\.? )?(?P<word>[a-z]{3,9})\.?,? (?P<y>\d{4})", re.IGNORECASE),
    re.compile(
        r"(?P<word>[a-z]{3,9})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})", re.IGNORECASE
    ),
)


def read_date(argument: str, value: Any) -> PartialDate:
    """Read a day, a month or a year, or raise InvalidInput.

    >>> str(read_date("start_from", "March 2024")), str(read_date("start_from", "3/15/2024"))
    ('2024-03', '2024-03-15')
    """
    text = " ".join((read_text(argument, value) or "").split())
    for shape in _SHAPES:
        found = shape.fullmatch(text)
        if found and (date := _to_date(found)):
            return date
    raise InvalidInput(
        f"{argument} is {text!r}, not a date",
        hint=Hint(
            "Write {date} as yyyy-MM-dd, yyyy-MM or yyyy, such as {example}.",
            date=Argument(argument),
            example=Argument(argument, "2024-01-31"),
        ),
        invalid_input=text,
    )


def is_ambiguous(value: Any) -> bool:
    """Whether day and month could be told the other way round.

    >>> is_ambiguous("01/02/2021"), is_ambiguous("03/15/2024"), is_ambiguous("2021-01-02")
    (True, False, False)
    """
    found = re.fullmatch(r"\s*(\d{1,2})/(\d{1,2})/\d{4}\s*", str(value))
    return found is not None and found[1] != found[2] and int(found[2]) <= 12


def _to_date(found: re.Match[str]) -> PartialDate | None:
    parts = found.groupdict()
    month = parts.get("m")
    if word := parts.get("word"):
        if word[:3].lower() not in _MONTHS:
            return None
        month = str(_MONTHS.index(word[:3].lower()) + 1)
    day = parts.get("d")
    numbers = [parts["y"], *(each.zfill(2) for each in (month, day if month else None) if each)]
    try:
        return PartialDate.parse("-".join(numbers))
    except ValueError:
        return None
