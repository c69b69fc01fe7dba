"""The report of a backtest: how many pairs there were, and what followed, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel

from trialyst.repurposing.answers import Answer, Part

__all__ = ["BacktestLine", "BacktestReport", "Candidates", "Following", "Scope"]


class Scope(StrEnum):
    """The pairs that a line is compared with."""

    ALL = "all"
    UNTESTED = "untested"
    TESTED = "tested"


class Following(Part):
    """How many pairs of a line were followed by something."""

    pairs: int
    """Those that were."""
    share: float | None
    """Of the pairs of the line; None where it has none."""
    low: float | None
    """The ends of the Wilson 95 % interval of the share."""
    high: float | None
    lift: float | None
    """The share divided by that of all pairs of the scope; None where that is 0."""


class BacktestLine(Part):
    """The pairs of a grade, of a signal, or all of a scope, and what followed."""

    scope: Scope
    kind: str
    """`base`, `grade` or `signal`."""
    name: str
    meaning: str
    pairs: int
    new_trial: Following
    """A trial of the pair first posted after the cutoff; of an untested pair its first."""
    phase_3: Following
    """Such a trial in phase 3 (or 2/3)."""
    stop: Following
    """A trial of the pair, old or new, that stopped after the cutoff."""


class Candidates(Part):
    """What the pairs are made of: all that was seen by the cutoff."""

    trials: int
    """First posted by the cutoff."""
    drug_trials: int
    """Of those, with a drug and a condition that have a name here."""
    drugs: int
    recognized_drugs: int
    """Of those, known to the vocabulary; the others stand under the words of the record."""
    conditions: int
    pairs: int
    """Drugs times conditions."""
    tested_pairs: int
    later_trials: int
    """Trials with a drug and a condition, first posted after the cutoff and by the end."""
    later_trials_of_pairs: int
    """Of those, with a drug and a condition that had both been seen before."""
    undated_trials: int
    """Without a day of first posting or submission: left out."""
    inferred_trials: int = 0
    """Dated by their first submission, for want of a day of posting."""


class BacktestReport(Answer):
    """What became of every drug and condition, by the grade it had at the cutoff."""

    cutoff: str
    until: str
    """The last day of what followed: the horizon, or the newest posting if that comes first."""
    years: int | None = None
    """The horizon that was asked for; None for all later data."""
    follow_up_years: float
    """From the cutoff to `until`."""
    recognized_only: bool
    candidates: Candidates
    lines: tuple[BacktestLine, ...]

    def rows(self) -> Sequence[BaseModel]:
        return self.lines
