"""When things happened to a study: dates in order, in agreement with its status.

Dates are day ordinals until they are rendered. Nothing here looks at the clock: the data end on
`DATA_DATE`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from trialyst.starter.draw import Draw, Weighted

__all__ = [
    "DATA_DATE",
    "DATA_TIMESTAMP",
    "TODAY",
    "Timeline",
    "draw_timeline",
    "iso",
    "render_dates",
    "weekday",
]

DATA_DATE = "2026-10-30"
DATA_TIMESTAMP = f"{DATA_DATE}T09:00:05"

TODAY = date.fromisoformat(DATA_DATE).toordinal()
_FIRST_START = date(2004, 1, 5).toordinal()
_POST_DATES_EXACT_FROM = date(2017, 1, 18).toordinal()
_START_TYPE_FROM = date(2012, 1, 1).toordinal()
_STALE = 800
"""Days without an update after which the registry calls a status unknown, with some room."""
_PRECISION = Weighted({10: 70.0, 7: 29.6, 4: 0.4})


@dataclass(frozen=True, slots=True)
class Timeline:
    """The dates of one study as day ordinals; None where it has none."""

    first_submit: int
    first_post: int
    last_submit: int
    last_post: int
    start: int | None = None
    primary: int | None = None
    completion: int | None = None
    start_actual: bool = False
    primary_actual: bool = False
    completion_actual: bool = False
    results_submit: int | None = None
    results_post: int | None = None


def iso(day: int) -> str:
    return date.fromordinal(day).isoformat()


def weekday(day: int) -> int:
    """Move a weekend day to the next Monday: the registry posts on weekdays only."""
    since_monday = (day - 1) % 7
    return day + 7 - since_monday if since_monday > 4 else day


def draw_timeline(draw: Draw, status: str, *, last_known: str | None, results: bool) -> Timeline:
    """Draw dates that agree with the status."""
    if status in {"COMPLETED", "TERMINATED"}:
        return _ended(draw, results=results)
    if status == "WITHDRAWN":
        return _withdrawn(draw)
    if status == "NOT_YET_RECRUITING":
        return _planned(draw)
    if status == "UNKNOWN":
        return _stale(draw, not_started=last_known == "NOT_YET_RECRUITING")
    if status in {"RECRUITING", "ENROLLING_BY_INVITATION", "ACTIVE_NOT_RECRUITING", "SUSPENDED"}:
        return _ongoing(draw, closed=status == "ACTIVE_NOT_RECRUITING")
    first = draw.between(_FIRST_START + 2500, TODAY - 60)
    return _posted(draw, first, updated_from=first)


def _posted(draw: Draw, first_submit: int, *, updated_from: int) -> Timeline:
    """Give the registration dates: submitted, posted, and updated on or after a day."""
    first_submit = min(first_submit, TODAY - 12)
    first_post = weekday(first_submit + draw.between(1, 7))
    earliest = max(updated_from, first_submit)
    latest = max(earliest, min(TODAY - 4, earliest + draw.between(0, 900)))
    last_submit = min(latest, TODAY - 4)
    if draw.chance(0.1):
        last_submit = earliest
    last_post = max(first_post, weekday(last_submit + draw.between(0, 3)))
    return Timeline(first_submit, first_post, last_submit, min(last_post, TODAY))


def _ended(draw: Draw, *, results: bool) -> Timeline:
    reserve = 760 if results else 60
    start = draw.between(_FIRST_START, TODAY - reserve - 420)
    completion = draw.between(start + 90, min(start + 2600, TODAY - reserve))
    primary = completion - int((completion - start) * draw.pick((0.0, 0.0, 0.1, 0.3)))
    registered = min(start + draw.between(-200, 300), completion)
    submit = primary + draw.between(200, 600) if results else None
    known = max(completion, submit or 0, registered)
    line = _posted(draw, registered, updated_from=known)
    if submit is not None:
        post = weekday(submit + draw.between(20, 90))
        last = max(line.last_submit, submit)
        line = replace(
            line,
            results_submit=submit,
            results_post=post,
            last_submit=last,
            last_post=max(line.last_post, post, weekday(last)),
        )
    return replace(
        line,
        start=start,
        primary=primary,
        completion=completion,
        start_actual=True,
        primary_actual=True,
        completion_actual=True,
    )


def _withdrawn(draw: Draw) -> Timeline:
    start = draw.between(_FIRST_START + 1000, TODAY - 30)
    line = _posted(draw, start - draw.between(20, 240), updated_from=start)
    completion = start + draw.between(120, 1200)
    return replace(line, start=start, primary=completion - 20, completion=completion)


def _planned(draw: Draw) -> Timeline:
    start = TODAY + draw.between(1, 240)
    first = TODAY - draw.between(15, 260)
    line = _posted(draw, first, updated_from=first)
    primary = start + draw.between(180, 1600)
    return replace(line, start=start, primary=primary, completion=primary + draw.between(0, 400))


def _ongoing(draw: Draw, *, closed: bool) -> Timeline:
    start = draw.between(TODAY - (2200 if closed else 1500), TODAY - 45)
    registered = start + draw.between(-200, 30)
    line = _posted(draw, registered, updated_from=max(start, registered, TODAY - 600))
    past_primary = closed and draw.chance(0.4) and line.last_submit - start > 150
    primary = (
        draw.between(start + 120, line.last_submit)
        if past_primary
        else TODAY + draw.between(20, 1500)
    )
    completion = max(primary, TODAY) + draw.between(10, 700)
    return replace(
        line,
        start=start,
        primary=primary,
        completion=completion,
        start_actual=True,
        primary_actual=past_primary,
    )


def _stale(draw: Draw, *, not_started: bool) -> Timeline:
    completion = TODAY - draw.between(_STALE, 5200)
    start = completion - draw.between(200, 1500)
    primary = completion - draw.between(0, 100)
    if not_started:
        first = start - draw.between(60, 200)
        line = _posted(draw, first, updated_from=first)
        updated = min(line.last_submit, start - 10)
        line = replace(line, last_submit=updated, last_post=max(line.first_post, weekday(updated)))
        return replace(line, start=start, primary=primary, completion=completion)
    line = _posted(draw, start - draw.between(0, 150), updated_from=start)
    updated = min(line.last_submit, primary - 1)
    line = replace(line, last_submit=updated, last_post=max(line.first_post, weekday(updated)))
    return replace(line, start=start, primary=primary, completion=completion, start_actual=True)


def render_dates(draw: Draw, line: Timeline) -> dict[str, Any]:
    """Render the date fields of the status module, in the registry's order."""
    fields: dict[str, Any] = {}
    old = line.start is not None and line.start < _START_TYPE_FROM
    for name, day, actual in (
        ("start", line.start, line.start_actual),
        ("primaryCompletion", line.primary, line.primary_actual),
        ("completion", line.completion, line.completion_actual),
    ):
        if day is None:
            continue
        struct = {"date": iso(day)[: draw.weighted(_PRECISION) if actual else draw.pick((7, 10))]}
        if not (old and name == "start"):
            struct["type"] = "ACTUAL" if actual else "ESTIMATED"
        fields[f"{name}DateStruct"] = struct
    fields["studyFirstSubmitDate"] = iso(line.first_submit)
    fields["studyFirstSubmitQcDate"] = iso(line.first_submit)
    fields["studyFirstPostDateStruct"] = _post_struct(line.first_post)
    if line.results_submit is not None and line.results_post is not None:
        fields["resultsFirstSubmitDate"] = iso(line.results_submit)
        fields["resultsFirstSubmitQcDate"] = iso(line.results_post - 7)
        fields["resultsFirstPostDateStruct"] = _post_struct(line.results_post)
    fields["lastUpdateSubmitDate"] = iso(line.last_submit)
    fields["lastUpdatePostDateStruct"] = _post_struct(line.last_post)
    return fields


def _post_struct(day: int) -> dict[str, str]:
    exact = day >= _POST_DATES_EXACT_FROM
    return {"date": iso(day), "type": "ACTUAL" if exact else "ESTIMATED"}
