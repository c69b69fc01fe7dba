"""Whatever came after the cutoff, grades and signals are the same to the byte."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.repurposing.backtest.rows import CUTOFF, Record, past_of, reader_of, to_row, written
from trialyst.repurposing.backtest.reading import Reader
from trialyst.vocabulary import Vocabulary

DRUGS = ("Semaglutide", "Liraglutide", "Metformin HCl", "aspirin 100 mg", "XQ-77", "Placebo")
TERMS = ("Asthma", "Lung Diseases", "Breast Neoplasms", "Neoplasms", "Diabetes Mellitus, Type 2")
ENDED = ("COMPLETED", "TERMINATED", "WITHDRAWN")
STATUSES = (*ENDED, "SUSPENDED", "RECRUITING", "ACTIVE_NOT_RECRUITING", "UNKNOWN")
REASONS = ("Toxicity", "Lack of efficacy", "Slow accrual", "Sponsor decision")
PHASES: tuple[list[str], ...] = ([], ["PHASE1"], ["PHASE1", "PHASE2"], ["PHASE3"], ["PHASE4"])

past_days = st.dates(date(2005, 1, 1), CUTOFF).map(date.isoformat)
later_days = st.dates(CUTOFF + timedelta(days=1), date(2025, 12, 31)).map(date.isoformat)
any_day = st.one_of(past_days, later_days)
kinds = st.sampled_from(("ACTUAL", "ESTIMATED"))


@st.composite
def records(draw: st.DrawFn, posted: st.SearchStrategy[str] = any_day) -> Record:
    drugs = draw(st.lists(st.sampled_from(DRUGS), max_size=3, unique=True))
    return {
        "NCTId": f"NCT{draw(st.integers(1, 99_999_999)):08d}",
        "OverallStatus": draw(st.sampled_from(STATUSES)),
        "WhyStopped": draw(st.none() | st.sampled_from(REASONS)),
        "Phase": draw(st.sampled_from(PHASES)),
        "EnrollmentCount": draw(st.integers(0, 500)),
        "EnrollmentType": draw(kinds),
        "CompletionDate": draw(st.none() | any_day),
        "CompletionDateType": draw(kinds),
        "PrimaryCompletionDate": draw(st.none() | any_day),
        "PrimaryCompletionDateType": draw(kinds),
        "StudyFirstPostDate": draw(posted),
        "LastUpdatePostDate": draw(st.none() | any_day),
        "InterventionType": ["DRUG"] * len(drugs),
        "InterventionName": drugs,
        "ConditionMeshTerm": draw(st.lists(st.sampled_from(TERMS), max_size=2, unique=True)),
    }


def had_ended(record: Record) -> bool:
    which = "CompletionDate" if record["CompletionDate"] else "PrimaryCompletionDate"
    is_over = record[which] and record[which] <= CUTOFF.isoformat()
    return record["OverallStatus"] in ENDED and record[f"{which}Type"] == "ACTUAL" and bool(is_over)


@st.composite
def another_future(draw: st.DrawFn, record: Record) -> Record | None:
    """Change whatever may have been entered after the cutoff; later trials become others, or go."""
    cutoff = CUTOFF.isoformat()
    if record["StudyFirstPostDate"] > cutoff:
        return draw(st.none() | records(later_days))
    updated = record["LastUpdatePostDate"]
    if updated and updated <= cutoff:
        return record
    changed = record | {
        "LastUpdatePostDate": draw(st.none() | later_days),
        "EnrollmentCount": draw(st.integers(0, 500)),
    }
    if had_ended(record):
        return changed
    changed |= {
        "OverallStatus": draw(st.sampled_from(STATUSES)),
        "WhyStopped": draw(st.none() | st.sampled_from(REASONS)),
    }
    for piece in ("CompletionDate", "PrimaryCompletionDate"):
        changed |= draw(
            st.one_of(
                st.just({piece: None, f"{piece}Type": None}),
                st.fixed_dictionaries({piece: later_days, f"{piece}Type": st.just("ACTUAL")}),
                st.fixed_dictionaries({piece: any_day, f"{piece}Type": st.just("ESTIMATED")}),
            )
        )
    return changed


@st.composite
def two_futures(draw: st.DrawFn) -> tuple[list[Record], list[Record]]:
    before = draw(st.lists(records(), min_size=1, max_size=15))
    after = [draw(another_future(record)) for record in before]
    after += draw(st.lists(records(later_days), max_size=5))
    kept = [record for record in after if record is not None]
    return before, draw(st.permutations(kept))


@pytest.fixture(scope="module")
def reader(vocabulary: Vocabulary) -> Reader:
    """One for all examples: what a name means is looked up once."""
    return reader_of(vocabulary)


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(futures=two_futures())
def test_another_future_gives_the_same_past_to_the_byte(
    reader: Reader, futures: tuple[list[Record], list[Record]]
) -> None:
    before, after = futures
    assert written(past_of(before, reader)) == written(past_of(after, reader))


def trial(**more: Any) -> Record:
    return {
        "NCTId": "NCT00000001",
        "OverallStatus": "TERMINATED",
        "Phase": ["PHASE2"],
        "CompletionDate": "2014-02",
        "CompletionDateType": "ACTUAL",
        "StudyFirstPostDate": "2012-01-05",
        "LastUpdatePostDate": "2019-01-01",
        "InterventionType": ["DRUG"],
        "InterventionName": ["Semaglutide"],
        "ConditionMeshTerm": ["Asthma"],
        **more,
    }


@pytest.mark.parametrize(
    "change",
    [
        {"OverallStatus": "COMPLETED"},
        {"LastUpdatePostDate": "2015-06-30", "OverallStatus": "RECRUITING"},
        {"CompletionDate": "2016-02"},
        {"StudyFirstPostDate": "2015-07-01"},
        {"Phase": ["PHASE3"]},
        {"ConditionMeshTerm": ["Neoplasms"]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_was_known_at_the_cutoff_does_change_the_past(reader: Reader, change: Record) -> None:
    other = trial(NCTId="NCT00000002", InterventionName=["Aspirin"])
    before, after = ([record, other] for record in (trial(), trial(**change)))
    assert written(past_of(before, reader)) != written(past_of(after, reader))


@pytest.mark.parametrize(
    ("change", "stops"),
    [
        ({}, False),
        ({"CompletionDate": "2016-02"}, True),
        ({"CompletionDate": "2018-12-31"}, False),
        ({"CompletionDateType": "ESTIMATED"}, False),
        ({"CompletionDateType": "ESTIMATED", "LastUpdatePostDate": "2017-06-30"}, True),
        ({"CompletionDate": "2016-02", "OverallStatus": "COMPLETED"}, False),
        ({"StudyFirstPostDate": "2016-01-01"}, True),
        ({"OverallStatus": "SUSPENDED", "CompletionDate": None}, False),
    ],
    ids=[
        "known before",
        "completed after",
        "completed beyond the horizon",
        "dated by an update beyond the horizon",
        "dated by an update",
        "not stopped",
        "posted after",
        "suspended, updated beyond the horizon",
    ],
)
def test_a_stop_counts_when_it_became_known_within_the_horizon(
    vocabulary: Vocabulary, change: Record, *, stops: bool
) -> None:
    reader = reader_of(vocabulary, until=date(2018, 6, 30))
    row = to_row(trial(**change))
    sequel = reader.sequel(row, reader.sighting(row))
    assert (sequel is not None and sequel.stop) is stops
