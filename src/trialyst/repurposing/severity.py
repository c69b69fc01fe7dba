"""How grave a stopped trial is for a drug in a condition: 0 to 100, every term told.

The formula is ours and published in docs/guide/dossier.md:

    severity = 100 x reason x status x closeness x (40 + 20 phase + 20 people + 10 recency
               + 10 paper) / 100, rounded half up

Each factor and term lies between 0 and 1. What a record does not say counts 0 in its term and is
told as unknown: severity never rises by what nobody knows.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from trialyst.repurposing.stop_reasons import StopCategory

__all__ = ["Closeness", "ScoreTerm", "Severity", "Stop", "assess_severity", "total_score"]


class Closeness(StrEnum):
    """What a stopped trial shares with the question, the closest first."""

    DRUG_AND_CONDITION = "same drug and condition"
    DRUG = "same drug"
    CLASS_AND_CONDITION = "same class and condition"
    CLASS = "same class"
    CONDITION = "same condition"


REASON: Mapping[StopCategory, float] = {
    StopCategory.SAFETY: 1.0,
    StopCategory.EFFICACY: 0.9,
    StopCategory.OTHER: 0.4,
    StopCategory.UNKNOWN: 0.35,
    StopCategory.BUSINESS: 0.3,
    StopCategory.ENROLLMENT: 0.25,
}
"""Harm before failure before circumstances; a stop for success is 0 whatever its category."""
STATUS: Mapping[str, float] = {"TERMINATED": 1.0, "SUSPENDED": 0.8, "WITHDRAWN": 0.5}
"""A suspended trial may go on; a withdrawn one treated nobody."""
CLOSENESS: Mapping[Closeness, float] = {
    Closeness.DRUG_AND_CONDITION: 1.0,
    Closeness.DRUG: 0.8,
    Closeness.CLASS_AND_CONDITION: 0.75,
    Closeness.CLASS: 0.6,
    Closeness.CONDITION: 0.4,
}
FIXED, PHASE, PEOPLE, RECENCY, PAPER = 40.0, 20.0, 20.0, 10.0, 10.0
"""What the terms weigh; together 100."""
FULL_PHASE_RANK = 6
"""Phase 3, as `ctgov.phases.phase_rank` counts; nothing is later for a failure."""
FULL_PEOPLE = 1_000
RECENT_YEARS, OLD_YEARS = 5.0, 20.0
"""A stop counts as recent for five years, then less, after twenty not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """What is known of a stopped trial, and of its place in the question."""

    category: StopCategory
    status: str
    closeness: Closeness
    as_of: datetime.date
    """The day of the question, from which recency is counted."""
    success: bool = False
    phase_rank: int = 0
    enrollment: int | None = None
    stopped: datetime.date | None = None
    has_paper: bool = False
    """Whether a paper of type RESULT or DERIVED is linked to the record."""


class ScoreTerm(BaseModel):
    """One factor or term of a published formula."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str
    value: float
    """Between 0 and 1."""
    weight: float | None = None
    """What the term adds at most, of 100; None for a factor, which multiplies everything."""
    given: str
    """What the value was worked out from; `unknown` where the record does not say."""


class Severity(BaseModel):
    """How grave a stop is, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    score: int
    """0 to 100."""
    terms: tuple[ScoreTerm, ...]


def assess_severity(stop: Stop) -> Severity:
    """Work out the severity of a stop.

    >>> safety = Stop(category=StopCategory.SAFETY, status="TERMINATED", phase_rank=6,
    ...     closeness=Closeness.DRUG_AND_CONDITION, as_of=datetime.date(2026, 1, 1))
    >>> assess_severity(safety).score
    60
    """
    terms = (
        _reason(stop),
        ScoreTerm(name="status", value=STATUS.get(stop.status, 0.0), given=stop.status),
        ScoreTerm(name="closeness", value=CLOSENESS[stop.closeness], given=stop.closeness.value),
        ScoreTerm(name="fixed", value=1.0, weight=FIXED, given="any stop"),
        _phase(stop.phase_rank),
        _people(stop.enrollment),
        _recency(stop.stopped, stop.as_of),
        ScoreTerm(
            name="paper",
            value=float(stop.has_paper),
            weight=PAPER,
            given="a paper reports on it" if stop.has_paper else "no paper linked",
        ),
    )
    return Severity(score=total_score(terms), terms=terms)


def total_score(terms: Sequence[ScoreTerm]) -> int:
    """Multiply the factors with the sum of the weighted terms, and round half up."""
    factor = math.prod(term.value for term in terms if term.weight is None)
    total = sum(term.value * term.weight for term in terms if term.weight is not None)
    return math.floor(factor * total + 0.5)


def _reason(stop: Stop) -> ScoreTerm:
    if stop.success:
        return ScoreTerm(name="reason", value=0.0, given="stopped for success")
    return ScoreTerm(name="reason", value=REASON[stop.category], given=stop.category.value)


def _phase(rank: int) -> ScoreTerm:
    value = min(max(rank, 0), FULL_PHASE_RANK) / FULL_PHASE_RANK
    given = f"rank {rank} of 8" if rank > 0 else "no phase"
    return ScoreTerm(name="phase", value=round(value, 4), weight=PHASE, given=given)


def _people(enrollment: int | None) -> ScoreTerm:
    if enrollment is None:
        return ScoreTerm(name="people", value=0.0, weight=PEOPLE, given="unknown")
    value = min(math.log1p(max(enrollment, 0)) / math.log1p(FULL_PEOPLE), 1.0)
    given = f"{enrollment} enrolled"
    return ScoreTerm(name="people", value=round(value, 4), weight=PEOPLE, given=given)


def _recency(stopped: datetime.date | None, as_of: datetime.date) -> ScoreTerm:
    if stopped is None:
        return ScoreTerm(name="recency", value=0.0, weight=RECENCY, given="unknown")
    years = max((as_of - stopped).days / 365.25, 0.0)
    value = min(max((OLD_YEARS - years) / (OLD_YEARS - RECENT_YEARS), 0.0), 1.0)
    given = f"{years:.1f} years before {as_of.isoformat()}"
    return ScoreTerm(name="recency", value=round(value, 4), weight=RECENCY, given=given)
