"""When a resource says that something was: the day it is of, and how long before the record's."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date
from typing import Any

from trialyst.eligibility.chart import TimePoint

__all__ = ["course_of", "date_of", "end_of", "first_day", "point_in_time"]

_DATES = (
    "effectiveDateTime",
    "performedDateTime",
    "onsetDateTime",
    "authoredOn",
    "recordedDate",
    "assertedDate",
    "dateAsserted",
    "issued",
    "date",
    "occurrenceDateTime",
    "whenHandedOver",
)
_PERIODS = ("effectivePeriod", "performedPeriod", "onsetPeriod", "period", "occurrencePeriod")
_ENDS = ("abatementDateTime",)
_ENDING_PERIODS = ("abatementPeriod", "effectivePeriod", "performedPeriod", "occurrencePeriod")
_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


def date_of(resource: Mapping[str, Any]) -> str:
    """Give the day a resource is of, `YYYY-MM-DD` or shorter; empty if it has none."""
    for name in _DATES:
        if day := _day(resource.get(name)):
            return day
    for name in _PERIODS:
        period = resource.get(name)
        if isinstance(period, Mapping) and (day := _day(period.get("start") or period.get("end"))):
            return day
    return ""


def end_of(resource: Mapping[str, Any]) -> str:
    """Give the day on which what a resource tells of ended; empty where it does not say."""
    for name in _ENDS:
        if day := _day(resource.get(name)):
            return day
    for name in _ENDING_PERIODS:
        period = resource.get(name)
        if isinstance(period, Mapping) and (day := _day(period.get("end"))):
            return day
    return ""


def _day(given: object) -> str:
    match = _DAY.match(given) if isinstance(given, str) else None
    return match.group() if match is not None and first_day(match.group()) else ""


def first_day(text: str) -> date | None:
    """Give the first day that a day, month or year may mean, None if there is no such day.

    >>> first_day("2024-02"), first_day("2024-13-01")
    (datetime.date(2024, 2, 1), None)
    """
    parts = [int(part) for part in text[:10].split("-") if part.isdigit()]
    try:
        return date(*[*parts, 1, 1][:3]) if parts else None
    except ValueError:
        return None


def _last_day(text: str) -> date | None:
    first = first_day(text)
    if first is None or len(text) >= 10:
        return first
    month = first.month if len(text) >= 7 else 12
    return first.replace(month=month, day=monthrange(first.year, month)[1])


def point_in_time(text: str, as_of: date) -> TimePoint | None:
    """Give a day, month or year as a time before another day; None where there is none.

    >>> point_in_time("2025-12", date(2026, 1, 31)).days_ago
    (31.0, 61.0)
    """
    first, last = first_day(text), _last_day(text)
    if first is None or last is None:
        return None
    return TimePoint(text, _days_ago(first, last, as_of))


def course_of(start: str, end: str, as_of: date) -> TimePoint | None:
    """Give when something that is over ended and how long it lasted; what goes on, since when."""
    begun = point_in_time(start, as_of)
    if not end:
        lasting = None if begun is None else begun.days_ago
        return None if begun is None else TimePoint(start, begun.days_ago, lasting)
    ended = point_in_time(end, as_of)
    if ended is None or begun is None or ended.days_ago is None or begun.days_ago is None:
        return ended or begun
    longest = begun.days_ago[1] - ended.days_ago[0]
    if longest < 0:
        return ended
    shortest = max(0.0, begun.days_ago[0] - ended.days_ago[1])
    return TimePoint(f"{start} to {end}", ended.days_ago, (shortest, longest))


def _days_ago(first: date, last: date, as_of: date) -> tuple[float, float] | None:
    """Give the least and the most days; None for what begins after the day."""
    if first > as_of:
        return None
    return float(max(0, (as_of - last).days)), float((as_of - first).days)
