"""What one mention of a problem tells of the others, and scores of how severe it is."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.ages import AgeUnit
from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.chart import Assertion, Problem, TimePoint
from trialyst.eligibility.tables import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trialyst.eligibility.chart import LabValue, PatientAge
    from trialyst.eligibility.reading.note import Note

__all__ = ["date_by_age", "rate_severity", "share_details"]

_SINCE_AGE = re.compile(
    r"\bsince (?:(?:approximately|about|around|the) )*age (?:of )?([0-9]{1,2})\b", re.IGNORECASE
)
_SINCE_REACH = 200
"""Letters behind a problem within which its beginning is told; a sentence may never end."""
_SHARED = ("severity", "stage", "activity", "when")


class _Scale(NamedTuple):
    analyte: str
    spans: tuple[tuple[float, float, str], ...]


@cache
def _scales() -> dict[str, tuple[_Scale, ...]]:
    """Give the scores of each condition by its name in lower case."""
    found: dict[str, tuple[_Scale, ...]] = {}
    for line in read_lines("severities.txt"):
        names, analyte, spans = (part.strip() for part in line.split("|"))
        scale = _Scale(analyte, tuple(map(_span, spans.split(";"))))
        for name in names.split(";"):
            found[name.strip()] = (*found.get(name.strip(), ()), scale)
    return found


def _span(text: str) -> tuple[float, float, str]:
    ends, _, word = text.strip().partition(" ")
    low, _, high = ends.partition("-")
    return float(low), float(high), word


def share_details(problems: Sequence[Problem]) -> list[Problem]:
    """Give each mention of a problem what the others tell of it, where they agree."""
    told: dict[tuple[str, str], list[object]] = {}
    for problem in problems:
        for field in _SHARED if problem.assertion is Assertion.PRESENT else ():
            value = getattr(problem, field)
            if value and not (field == "when" and value.days_ago is value.lasting is None):
                values = told.setdefault((problem.what.id, field), [])
                values += [] if value in values else [value]
    agreed = {key: values[0] for key, values in told.items() if len(values) == 1}
    return [_filled(each, agreed) for each in problems]


def _filled(problem: Problem, agreed: dict[tuple[str, str], object]) -> Problem:
    if problem.assertion is not Assertion.PRESENT:
        return problem
    missing = {
        field: agreed[problem.what.id, field]
        for field in _SHARED
        if not getattr(problem, field) and (problem.what.id, field) in agreed
    }
    return replace(problem, **missing) if missing else problem  # type: ignore[arg-type]


def rate_severity(problems: Iterable[Problem], values: Sequence[LabValue]) -> list[Problem]:
    """Give problems that are not called mild or severe what their score says."""
    rated = []
    for problem in problems:
        severity = problem.severity
        if not severity and problem.assertion is not Assertion.FAMILY and not problem.negated:
            scales = _scales().get(problem.what.name.lower(), ())
            severity = next(filter(None, (_rate(scale, values) for scale in scales)), "")
        rated.append(
            problem if severity == problem.severity else replace(problem, severity=severity)
        )
    return rated


def _rate(scale: _Scale, values: Sequence[LabValue]) -> str:
    analyte = get_analyte(scale.analyte)
    for value in reversed(values):
        if value.analyte != scale.analyte or value.value is None or not value.holds:
            continue
        common = value.value if analyte is None else to_common_unit(value.value, analyte)
        if common is not None:
            for low, high, word in scale.spans:
                if low <= common.number < high:
                    return word
    return ""


def date_by_age(problems: Sequence[Problem], note: Note, age: PatientAge | None) -> list[Problem]:
    """Give problems that go on since an age the time they have lasted."""
    if age is None:
        return list(problems)
    dated = []
    for problem in problems:
        match = None
        if problem.when is None and problem.holds and not problem.inferred_from:
            end = min(note.sentence_at(problem.start).end, problem.end + _SINCE_REACH)
            match = _SINCE_AGE.search(note.text, problem.end, end)
        if match is not None:
            days = max(0.0, age.years - float(match.group(1))) * AgeUnit.YEAR.days
            when = TimePoint(match.group(), lasting=(days, days))
            problem = replace(problem, when=when)
        dated.append(problem)
    return dated
