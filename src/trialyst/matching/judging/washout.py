"""When a disqualifying verdict ends by itself: what is left of a washout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from trialyst.eligibility.requirement import (
    All,
    AnyOf,
    AtLeast,
    Except,
    Given,
    Has,
    Not,
    Requirement,
    Took,
    Underwent,
)

if TYPE_CHECKING:
    from trialyst.eligibility.chart import Entry

__all__ = ["days_until_clear"]


def days_until_clear(
    requirement: Requirement, evidence: Sequence[Entry], *, exclusion: bool
) -> int | None:
    """Give after how many days what disqualifies lies far enough back; None where it never does.

    Args:
        evidence: what the verdict rests on; each must be dated, or nothing can be said.
    """
    windows = list(_windows(requirement, wanted=not exclusion))
    times = [entry.when.days_ago if entry.when else None for entry in evidence]
    if not windows or not times:
        return None
    latest = [days[0] for days in times if days is not None]
    if len(latest) < len(times):
        return None
    left = max(windows) - min(latest)
    return ceil(left) if left > 0 else None


def _windows(requirement: Requirement, *, wanted: bool) -> Iterator[float]:
    """Give the days that must have passed since what a requirement rules out."""
    match requirement:
        case Not(part=part, left_out=False):
            yield from _windows(part, wanted=not wanted)
        case Not(part=part) | Except(of=part) | Given(then=part):
            yield from _windows(part, wanted=wanted)
        case All(parts=parts) | AnyOf(parts=parts) | AtLeast(parts=parts):
            for part in parts:
                yield from _windows(part, wanted=wanted)
        case Has(when=when) | Took(when=when) | Underwent(when=when) if when is not None:
            days = when.beyond if wanted else when.within
            if days is not None:
                yield days
        case _:
            return
