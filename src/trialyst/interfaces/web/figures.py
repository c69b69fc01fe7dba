"""Small figures as SVG: the timeline of a trial, effects with their intervals, enrichment."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from markupsafe import Markup

from trialyst.interfaces.web.svg import cut, element, figure, link

__all__ = ["draw_enrichment", "draw_forest", "draw_timeline"]

WIDTH = 720
_STEPS = {
    "first_posted": "First posted",
    "start": "Start",
    "primary_completion": "Primary completion",
    "completion": "Completion",
    "results_first_posted": "Results posted",
    "last_update_posted": "Last update",
}
_LONG_AGO = 2 * 365
"""Days after its last step from which on a timeline does not reach until today."""
_NUMBER = re.compile(r"^\s*[<>≤≥~]?\s*(-?\d+(?:\.\d+)?)\s*$")
_RATIO = re.compile(r"ratio|relative|fold", re.IGNORECASE)
_DASHED = "3 3"
_LETTER = 6.6
"""Width of a letter of a label, rather more than less: fonts differ."""

Step = tuple[date, str, Mapping[str, Any]]
Across = Callable[[Any], float]
"""Gives where across a figure a value stands."""


def _day(text: str) -> date:
    year, month, day = (*map(int, text.split("-")), 7, 1)[:3]
    return date(year, month, day)


def draw_timeline(dates: Mapping[str, Any], *, today: date) -> Markup | None:
    """Draw the steps of a trial on a line of years, today marked; None where none is dated."""
    steps = [
        (_day(dates[name]["date"]), label, dates[name])
        for name, label in _STEPS.items()
        if name in dates
    ]
    if len(steps) < 2:
        return None
    days = [step[0] for step in steps]
    ended = max(days) < today - timedelta(days=_LONG_AGO)
    first, last = min(days), max(days) if ended else max(*days, today)
    span = max((last - first).days, 1)
    left, line = 12, 46
    long = _length(steps, first, span, room=WIDTH - left, today=today)

    def at(day: date) -> float:
        return round(left + long * (day - first).days / span, 1)

    parts = [element("path", class_="stroke-soft", d=f"M{left} {line}H{at(last)}")]
    if not ended:
        x = at(today)
        drawn = f"M{x} 30V{line + 8}"
        parts += [
            element("path", class_="stroke-focus", stroke_dasharray=_DASHED, d=drawn),
            element("text", "today", class_="soft", x=x + 3, y=28),
        ]
    if "start" in dates and "primary_completion" in dates:
        begun, done = (at(_day(dates[name]["date"])) for name in ("start", "primary_completion"))
        size = {"width": max(done - begun, 1.0), "height": 6, "rx": 3}
        parts.append(element("rect", class_="fill-bar", x=begun, y=line - 3, **size))
    parts += _labels(steps, at, line=line, today=today)
    parts += _years(first, last, at)
    return figure(parts, width=WIDTH, height=line + 38 + 18 * (len(steps) - 1), label="Timeline")


def _length(steps: Sequence[Step], first: date, span: int, *, room: float, today: date) -> float:
    """Give how long the line may be: the label behind each step has to fit as well."""
    longest = room - _LETTER * len("today ")
    for step in steps:
        if part := (step[0] - first).days / span:
            longest = min(longest, (room - _LETTER * len(_told(step, today)) - 8) / part)
    return longest


def _told(step: Step, today: date) -> str:
    day, label, dated = step
    estimated = " (estimated)" if dated.get("type") == "ESTIMATED" and day > today else ""
    return f"{label} {dated['date']}{estimated}"


def _labels(steps: Sequence[Step], at: Across, *, line: int, today: date) -> Iterator[Markup]:
    """Give a dot and a label for each step, the latest on top: no line crosses a label then."""
    ordered = sorted(steps, key=lambda each: each[0], reverse=True)
    for row, (day, label, step) in enumerate(ordered):
        told = _told((day, label, step), today)
        x, y = at(day), line + 24 + 18 * row
        tone = "fill-accent" if day <= today else "fill-soft"
        yield element("path", class_="stroke-line", d=f"M{x} {line}V{y - 4}")
        yield element("circle", element("title", told), class_=tone, cx=x, cy=line, r=5)
        yield element("text", told, x=x + 4, y=y)


def _years(first: date, last: date, at: Across) -> Iterator[Markup]:
    years = range(first.year + 1, last.year + 1)
    every = max(1, len(years) // 12)
    for year in years:
        if year % every == 0:
            x = at(date(year, 1, 1))
            yield element("text", str(year), class_="soft", x=x, y=14, text_anchor="middle")


class _Effect(NamedTuple):
    analysis: Mapping[str, Any]
    estimate: float
    low: float
    high: float


def _number(text: object) -> float | None:
    found = _NUMBER.match(str(text or ""))
    return float(found[1]) if found else None


def _effects(analyses: Iterable[Mapping[str, Any]]) -> Iterator[_Effect]:
    for each in analyses:
        estimate, low, high = (_number(each.get(k)) for k in ("estimate", "ci_lower", "ci_upper"))
        if estimate is not None and low is not None and high is not None:
            yield _Effect(each, estimate, low, high)


def draw_forest(analyses: Iterable[Mapping[str, Any]], groups: Mapping[str, str]) -> Markup | None:
    """Draw effects with their confidence intervals, ratios on a logarithmic scale.

    None where no analysis states an estimate with both ends of an interval.
    """
    effects = list(_effects(analyses))
    if not effects:
        return None
    ratio = all(
        _RATIO.search(str(each.analysis.get("estimate_type", ""))) and min(each[1:]) > 0
        for each in effects
    )
    scale: Callable[[float], float] = math.log if ratio else float
    null = 1.0 if ratio else 0.0
    values = [scale(null), *(scale(value) for each in effects for value in each[1:])]
    low, high = min(values), max(values)
    pad = (high - low) * 0.06 or 1.0
    left, right = 250, 190
    unit = (WIDTH - left - right) / (high - low + 2 * pad)

    def at(value: float) -> float:
        return round(left + (scale(value) - low + pad) * unit, 1)

    height = 34 * len(effects) + 46
    x, told = at(null), f"{null:g}: no difference"
    parts = [
        element("path", class_="stroke-soft", stroke_dasharray=_DASHED, d=f"M{x} 14V{height - 26}"),
        element("text", told, class_="soft", x=x, y=height - 10, text_anchor="middle"),
        *(_forest_row(each, groups, at, 30 + 34 * place) for place, each in enumerate(effects)),
    ]
    label = "Effects with their confidence intervals"
    return figure(parts, width=WIDTH, height=height, label=label)


def _forest_row(each: _Effect, groups: Mapping[str, str], at: Across, y: int) -> Markup:
    told = each.analysis
    compared = " vs ".join(groups.get(group, group) for group in told.get("groups", ())[:2])
    kind = str(told.get("estimate_type") or "Estimate")
    effect = f"{told['estimate']} ({told['ci_lower']} to {told['ci_upper']})"
    p_value = f", p {told['p_value']}" if told.get("p_value") else ""
    line = f"M{at(each.low)} {y}H{at(each.high)}"
    square = {"x": at(each.estimate) - 4.5, "y": y - 4.5, "width": 9, "height": 9}
    return element(
        "g",
        element("title", f"{kind}: {effect}{p_value}. {compared}"),
        element("text", cut(kind, 36), x=8, y=y),
        element("text", cut(compared, 40), class_="soft", x=8, y=y + 13),
        element("path", class_="stroke-ink", stroke_width=1.6, d=line),
        element("rect", class_="fill-accent", **square),
        element("text", effect, x=WIDTH - 8, y=y + 4, text_anchor="end"),
    )


def draw_enrichment(items: Sequence[Mapping[str, Any]]) -> Markup | None:
    """Draw how unlikely each pathway's share of genes is: a bar of -log10 of the adjusted p."""
    if not items:
        return None
    scores = [-math.log10(max(each["adjusted_p_value"], 1e-300)) for each in items]
    left, height = 300, 26 * len(items) + 34
    unit = (WIDTH - left - 70) / max(*scores, 1.5)
    limit = left - math.log10(0.05) * unit
    line = f"M{limit:.1f} 6V{height - 26}"
    parts = [
        element("path", class_="stroke-focus", stroke_dasharray=_DASHED, d=line),
        element("text", "adjusted p 0.05", class_="soft", x=limit + 4, y=height - 10),
    ]
    for place, (each, score) in enumerate(zip(items, scores, strict=True)):
        parts.append(_enriched_row(each, max(score * unit, 1.0), left, 10 + 26 * place))
    return figure(parts, width=WIDTH, height=height, label="Enriched pathways")


def _enriched_row(each: Mapping[str, Any], long: float, left: int, y: int) -> Markup:
    share = f"{each['overlap_count']} of {each['gene_count']}"
    told = f"{each['title']}: {share} genes, adjusted p {each['adjusted_p_value']:.2g}"
    return link(
        f"/pathways/{each['id'].split(':')[-1]}",
        told,
        element("title", told),
        element("text", cut(each["title"], 44), x=left - 8, y=y + 12, text_anchor="end"),
        element("rect", class_="fill-bar", x=left, y=y, width=long, height=15, rx=2),
        element("text", share, x=left + long + 6, y=y + 12),
    )
