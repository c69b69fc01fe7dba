"""Bounds of a protocol made wider: `age<=80` lets in whoever is 80, wherever the text draws a line.

A bound stands in the fields of the record, in an inclusion ("eGFR of at least 60") or the other way
round in an exclusion ("eGFR below 60"). What is wide enough already stays as it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from trialyst.ctgov.ages import Age as BoundAge
from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.analytes import get_analyte, measured_entries, to_common_unit
from trialyst.eligibility.requirement import (
    Age,
    All,
    AnyOf,
    AtLeast,
    Bound,
    Except,
    Given,
    Interval,
    Measured,
    Not,
    Requirement,
)
from trialyst.errors import InvalidInput
from trialyst.folding import fold_phrase

if TYPE_CHECKING:
    from trialyst.ctgov.protocol import Eligibility
    from trialyst.eligibility.chart import Chart
    from trialyst.eligibility.criteria import ReadCriterion

__all__ = [
    "AGE",
    "Relaxation",
    "bounds_of",
    "parse_relaxation",
    "relax_criteria",
    "relax_fields",
    "value_of",
]

AGE = "age"
_WRITTEN = re.compile(r"\s*([^<>=]+?)\s*(<=|>=|<|>|=|\bup to\b|\bdown to\b)\s*([0-9.]+)\s*\Z")


class Relaxation(NamedTuple):
    """Everybody is let in whose value is at most, or at least, a number."""

    what: str
    """`age`, in years, or the id of an analyte, in its own unit."""
    upward: bool
    """Whether higher values are let in: an upper bound is raised."""
    number: float

    def __str__(self) -> str:
        return f"{self.what}{'<=' if self.upward else '>='}{self.number:g}"


def parse_relaxation(text: str) -> Relaxation:
    """Read a bound as a person writes it.

    >>> str(parse_relaxation("age up to 80")), str(parse_relaxation("eGFR>=45"))
    ('age<=80', 'egfr>=45')

    Raises:
        InvalidInput: it is no bound, or of something that is not known.
    """
    found = _WRITTEN.match(text)
    if found is None or found[2] == "=":
        raise InvalidInput(
            f"Not a bound: {text!r}",
            hint="Write what is bounded, <= or >=, and a number, such as 'age<=80' or 'eGFR>=45'.",
            invalid_input=text,
        )
    what, number = fold_phrase(found[1]), float(found[3])
    known = AGE if what == AGE else _analyte(what)
    if known is None:
        raise InvalidInput(
            f"There is no measured value {found[1]!r}",
            hint="Name age or a laboratory value or score as criteria do, such as eGFR or ECOG.",
            invalid_input=text,
        )
    return Relaxation(known, found[2][0] in "<u", number)


def _analyte(folded: str) -> str | None:
    if get_analyte(folded.replace(" ", "_")) is not None:
        return folded.replace(" ", "_")
    listed = (each.analyte.id for name, each in measured_entries() if fold_phrase(name) == folded)
    return next(listed, None)


def relax_fields(fields: Eligibility, asked: Relaxation) -> Eligibility:
    """Give the record's own bounds of age, made wider."""
    if asked.what != AGE:
        return fields
    bound = BoundAge.parse(f"{math.ceil(asked.number)} Years")
    if asked.upward and fields.maximum_age is not None and fields.maximum_age < bound:
        return fields.model_copy(update={"maximum_age": bound})
    if not asked.upward and fields.minimum_age is not None and bound < fields.minimum_age:
        return fields.model_copy(update={"minimum_age": bound})
    return fields


def relax_criteria(
    read: Sequence[ReadCriterion], asked: Relaxation
) -> tuple[tuple[ReadCriterion, ...], tuple[int, ...]]:
    """Give criteria with wider bounds, and the places of those that changed."""
    changed: list[int] = []
    relaxed: list[ReadCriterion] = []
    for place, each in enumerate(read):
        wanted = each.criterion.kind is not CriterionKind.EXCLUSION
        requirement = _relax(each.requirement, asked, wanted=wanted)
        if requirement != each.requirement:
            changed.append(place)
        relaxed.append(msgspec.structs.replace(each, requirement=requirement))
    return tuple(relaxed), tuple(changed)


def _relax(requirement: Requirement, asked: Relaxation, *, wanted: bool) -> Requirement:
    replace = msgspec.structs.replace
    match requirement:
        case All(parts=parts) | AnyOf(parts=parts) | AtLeast(parts=parts):
            return replace(
                requirement, parts=tuple(_relax(each, asked, wanted=wanted) for each in parts)
            )
        case Not(part=part, left_out=left_out):
            # "Children are excluded" among exclusions rules children out.
            turned = wanted if left_out and not wanted else not wanted
            return replace(requirement, part=_relax(part, asked, wanted=turned))
        case Except(of=of):
            return replace(requirement, of=_relax(of, asked, wanted=wanted))
        case Given(then=then):
            return replace(requirement, then=_relax(then, asked, wanted=wanted))
        case Age(years=years, gestational=False) if asked.what == AGE:
            return replace(requirement, years=_widen(years, asked, wanted=wanted))
        case Measured(analyte=analyte, interval=interval, bound=Bound.UNIT) if (
            analyte == asked.what and interval is not None
        ):
            return replace(requirement, interval=_widen(interval, asked, wanted=wanted))
    return requirement


def _widen(interval: Interval, asked: Relaxation, *, wanted: bool) -> Interval:
    replace, number = msgspec.structs.replace, asked.number
    if wanted:
        if asked.upward and interval.high is not None and interval.high < number:
            return replace(interval, high=number, high_included=True)
        if not asked.upward and interval.low is not None and interval.low > number:
            return replace(interval, low=number, low_included=True)
        return interval
    # What is ruled out shrinks: the number itself is let in.
    if asked.upward and interval.low is not None and interval.low < number:
        return replace(interval, low=number, low_included=False)
    if not asked.upward and interval.high is not None and interval.high > number:
        return replace(interval, high=number, high_included=False)
    return interval


def bounds_of(requirement: Requirement, *, wanted: bool) -> Iterator[Relaxation]:
    """Yield the numeric bounds of a requirement, each with the way that lets more people in."""
    match requirement:
        case All(parts=parts) | AnyOf(parts=parts) | AtLeast(parts=parts):
            for part in parts:
                yield from bounds_of(part, wanted=wanted)
        case Not(part=part, left_out=left_out):
            yield from bounds_of(part, wanted=wanted if left_out and not wanted else not wanted)
        case Except(of=part) | Given(then=part):
            yield from bounds_of(part, wanted=wanted)
        case Age(years=years, gestational=False):
            yield from _ends(AGE, years, wanted=wanted)
        case Measured(analyte=analyte, interval=Interval() as interval, bound=Bound.UNIT):
            if get_analyte(analyte) is not None:
                yield from _ends(analyte, interval, wanted=wanted)


def _ends(what: str, interval: Interval, *, wanted: bool) -> Iterator[Relaxation]:
    if interval.low is not None:
        yield Relaxation(what, not wanted, interval.low)
    if interval.high is not None:
        yield Relaxation(what, wanted, interval.high)


def value_of(chart: Chart, what: str) -> float | None:
    """Give a patient's last value of something, in the unit of its bounds."""
    if what == AGE:
        return None if chart.age is None else chart.age.years
    known = get_analyte(what)
    for value in reversed(chart.lab_values):
        if known is not None and value.analyte == what and value.value is not None:
            common = to_common_unit(value.value, known)
            if common is not None:
                return common.number
    return None
