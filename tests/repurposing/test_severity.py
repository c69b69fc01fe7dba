from __future__ import annotations

import datetime
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.repurposing.severity import (
    CLOSENESS,
    REASON,
    STATUS,
    Closeness,
    Severity,
    Stop,
    assess_severity,
)
from trialyst.repurposing.stop_reasons import StopCategory

DAYS = st.dates(datetime.date(1990, 1, 1), datetime.date(2030, 1, 1))
STOPS = st.builds(
    Stop,
    category=st.sampled_from(StopCategory),
    status=st.sampled_from(sorted(STATUS)),
    closeness=st.sampled_from(Closeness),
    as_of=DAYS,
    success=st.booleans(),
    phase_rank=st.integers(0, 8),
    enrollment=st.none() | st.integers(0, 50_000),
    stopped=st.none() | DAYS,
    has_paper=st.booleans(),
)
WORST = Stop(
    category=StopCategory.SAFETY,
    status="TERMINATED",
    closeness=Closeness.DRUG_AND_CONDITION,
    as_of=datetime.date(2026, 1, 1),
    phase_rank=6,
    enrollment=3_000,
    stopped=datetime.date(2025, 6, 1),
    has_paper=True,
)


def _score(stop: Stop) -> int:
    return assess_severity(stop).score


def _recompute(severity: Severity) -> int:
    factor = math.prod(term.value for term in severity.terms if term.weight is None)
    total = sum(term.value * term.weight for term in severity.terms if term.weight is not None)
    return math.floor(factor * total + 0.5)


def test_the_worst_stop_is_100() -> None:
    assert _score(WORST) == 100


@given(STOPS)
def test_severity_is_0_to_100_and_follows_from_its_terms(stop: Stop) -> None:
    severity = assess_severity(stop)
    assert 0 <= severity.score <= 100
    assert severity.score == _recompute(severity)
    assert all(0 <= term.value <= 1 for term in severity.terms)


@given(STOPS)
def test_weights_add_up_to_100_and_every_term_is_there(stop: Stop) -> None:
    terms = assess_severity(stop).terms
    assert sum(term.weight or 0 for term in terms) == 100
    factors = [term.name for term in terms if term.weight is None]
    assert factors == ["reason", "status", "closeness"]
    added = [term.name for term in terms if term.weight is not None]
    assert added == ["fixed", "phase", "people", "recency", "paper"]


@given(STOPS)
def test_a_stop_for_success_is_no_concern(stop: Stop) -> None:
    assert _score(replace(stop, success=True)) == 0


@given(STOPS, st.integers(0, 8))
def test_a_later_phase_is_never_less_grave(stop: Stop, rank: int) -> None:
    lower, higher = sorted((stop.phase_rank, rank))
    assert _score(replace(stop, phase_rank=lower)) <= _score(replace(stop, phase_rank=higher))


@given(STOPS, st.integers(0, 50_000), st.integers(0, 50_000))
def test_more_people_are_never_less_grave(stop: Stop, one: int, other: int) -> None:
    fewer, more = sorted((one, other))
    assert _score(replace(stop, enrollment=fewer)) <= _score(replace(stop, enrollment=more))


@given(STOPS, DAYS, DAYS)
def test_a_later_stop_is_never_less_grave(
    stop: Stop, one: datetime.date, other: datetime.date
) -> None:
    earlier, later = sorted((one, other))
    assert _score(replace(stop, stopped=earlier)) <= _score(replace(stop, stopped=later))


@given(STOPS)
def test_a_paper_never_makes_it_less_grave(stop: Stop) -> None:
    assert _score(replace(stop, has_paper=False)) <= _score(replace(stop, has_paper=True))


@given(STOPS)
def test_a_closer_trial_is_never_less_grave(stop: Stop) -> None:
    scores = [_score(replace(stop, closeness=each)) for each in Closeness]
    assert scores == sorted(scores, reverse=True)


@given(STOPS)
def test_suspended_and_withdrawn_are_never_graver_than_terminated(stop: Stop) -> None:
    order = [
        _score(replace(stop, status=each)) for each in ("WITHDRAWN", "SUSPENDED", "TERMINATED")
    ]
    assert order == sorted(order)


@given(STOPS)
def test_safety_is_gravest_and_failure_next(stop: Stop) -> None:
    plain = replace(stop, success=False)
    scores = {each: _score(replace(plain, category=each)) for each in StopCategory}
    others = set(StopCategory) - {StopCategory.SAFETY, StopCategory.EFFICACY}
    assert scores[StopCategory.SAFETY] >= scores[StopCategory.EFFICACY]
    assert scores[StopCategory.EFFICACY] >= max(scores[each] for each in others)


@given(STOPS)
def test_what_nobody_knows_never_raises_it(stop: Stop) -> None:
    unknown = replace(stop, enrollment=None, stopped=None)
    assert _score(unknown) <= _score(stop)
    told = {term.name: term.given for term in assess_severity(unknown).terms}
    assert (told["people"], told["recency"]) == ("unknown", "unknown")


@pytest.mark.parametrize("status", ["COMPLETED", "RECRUITING", "UNKNOWN"])
def test_a_trial_that_did_not_stop_is_no_concern(status: str) -> None:
    assert _score(replace(WORST, status=status)) == 0


def test_every_category_and_closeness_has_a_weight() -> None:
    assert set(REASON) == set(StopCategory)
    assert set(CLOSENESS) == set(Closeness)
