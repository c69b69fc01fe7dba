"""Ages that a criterion speaks of, in years or in weeks of gestation."""

from __future__ import annotations

from typing import NamedTuple

from trialyst.eligibility.requirement import Interval

__all__ = ["AgePhrase", "find_ages"]


class AgePhrase(NamedTuple):
    """Ages at `text[start:end]`."""

    start: int
    end: int
    interval: Interval
    """In years, months and days as fractions; in weeks where `gestational`. Ages are in completed
    units, so that "75 years" ends below 76."""
    gestational: bool = False


def find_ages(text: str) -> list[AgePhrase]:
    """Find the ages in a criterion, in its order; never a score, a duration or a time since."""
    return []
