"""Dates of a note, as the days they may mean."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

__all__ = ["DatePhrase", "find_dates"]

_MONTHS = {
    name: number
    for number, name in enumerate(
        "jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1
    )
}
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?P<year>(?:19|20)[0-9]{2})"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\w/.-])(?P<year>(?:19"
        r"|20)[0-9]{2})-(?P<number>[0-9]{1,2})-(?P<day>[0-9]{1,2})(?![\w/])",
        r"(?<![\w/.-])(?P<number>[0-9]{1,2})/(?P<day>[0-9]{1,2})/(?P<year>(?:19"
        r"|20)?[0-9]{2})(?![\w/])",
        rf"\b(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH},?\s{_YEAR}\b",
        rf"\b{_MONTH}\s(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s{_YEAR}\b",
        rf"\b{_MONTH},?\s(?:of\s)?{_YEAR}\b",
        r"(?<![\w/.-])(?P<number>0?[1-9]|1[0-2])/(?P<year>(?:19|20)[0-9]{2})(?![\w/])",
        r"\b(?:in|since|from|of|by)\s(?:early\s|late\s|about\s)?(?P<year>(?:19"
        r"|20)[0-9]{2})\b(?![/-][0-9])",
        r"(?<=[(,])\s?(?P<year>(?:19|20)[0-9]{2})(?=\))",
    )
)
_SINCE = re.compile(
    r"\bsince\s(?:the\s|early\s|late\s|about\s){0,2}[^\s]{0,10}\s?(?:[0-9]{1,2}(?:st|nd|rd"
    r"|th)?,?\s?)?$"
)


class DatePhrase(NamedTuple):
    """A date at `text[start:end]`: some day from `first` to `last`."""

    start: int
    end: int
    first: date
    last: date
    since: bool
    """Whether something has lasted from then on."""


def find_dates(plain: str) -> list[DatePhrase]:
    """Find the dates of a text in lower case; those of other patterns may overlap.

    >>> [found] = find_dates("since march 2021")
    >>> str(found.first), str(found.last), found.since
    ('2021-03-01', '2021-03-31', True)
    """
    found = []
    for pattern in _DATES:
        for match in pattern.finditer(plain):
            span = _span_of(match.groupdict())
            if span is not None:
                since = _SINCE.search(plain, max(0, match.start() - 24), match.start("year"))
                start = min(since.start(), match.start()) if since else match.start()
                found.append(DatePhrase(start, match.end(), *span, since is not None))
    return found


def _span_of(told: dict[str, str | None]) -> tuple[date, date] | None:
    """Give the first and the last day that a date may mean."""
    year = int(told.get("year") or 0)
    year += 0 if year > 99 else 2000 if year < 70 else 1900
    name = told.get("month")
    month = _MONTHS[name[:3]] if name else int(told.get("number") or 0)
    day = int(told.get("day") or 0)
    try:
        if not month:
            return date(year, 1, 1), date(year, 12, 31)
        if day:
            return (whole := date(year, month, day)), whole
        following = date(year + month // 12, month % 12 + 1, 1)
        return date(year, month, 1), following - timedelta(days=1)
    except ValueError:
        return None
