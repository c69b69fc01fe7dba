from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest

from tests.repurposing.conftest import MakeClient
from tests.repurposing.invented import trial
from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.values import row_values
from trialyst.essie.pieces import pieces
from trialyst.repurposing.holdout import Held, hold_row, hold_trial, was_posted
from trialyst.repurposing.rows import PIECES, TrialRow
from trialyst.repurposing.views import to_trial

CUTOFF = date(2018, 6, 15)


def held(**more: Any) -> Held:
    return hold_trial(parse_trial(trial(1, **more)), CUTOFF)


def held_row(**more: Any) -> TrialRow:
    made = trial(1, **more)
    return hold_row(TrialRow(tuple(row_values(made, pieces()[name]) for name in PIECES)), CUTOFF)


def test_a_record_last_updated_by_the_cutoff_is_shown_whole() -> None:
    told = {"updated": "2018-06-15", "status": "RECRUITING", "completion": ("2030-01", "ESTIMATED")}
    shown = held(**told)
    assert shown.whole
    assert shown.hidden == ()
    assert str(shown.trial.status) == "RECRUITING"
    assert held_row(**told).status == "RECRUITING"


@pytest.mark.parametrize("status", ["RECRUITING", "UNKNOWN", "SUSPENDED", "ACTIVE_NOT_RECRUITING"])
def test_a_status_that_may_have_changed_is_hidden(status: str) -> None:
    told = {"status": status, "completion": "2017-01-01", "why_stopped": "?"}
    assert held(**told).trial.status is None
    assert held(**told).trial.why_stopped is None
    assert "overall_status" in held(**told).hidden
    assert held_row(**told).status is None
    assert held_row(**told).first("WhyStopped") is None


@pytest.mark.parametrize("status", ["COMPLETED", "TERMINATED", "WITHDRAWN"])
def test_an_end_that_had_come_is_kept_with_its_reason_and_marked(status: str) -> None:
    told = {"status": status, "completion": "2018-06-15", "why_stopped": "Slow accrual"}
    shown = held(**told)
    assert str(shown.trial.status) == status
    assert shown.trial.why_stopped == "Slow accrual"
    assert "overall_status" in shown.inferred
    assert held_row(**told).status == status


@pytest.mark.parametrize(
    "completion", [("2018-06-16", "ACTUAL"), ("2018-06", "ACTUAL"), ("2018-01-01", "ESTIMATED")]
)
def test_an_end_that_had_not_certainly_come_is_hidden(completion: tuple[str, str]) -> None:
    told = {"status": "COMPLETED", "completion": completion}
    assert held(**told).trial.status is None
    assert held(**told).trial.completion is None
    assert held_row(**told).status is None


def test_primary_completion_ends_no_trial_that_went_on() -> None:
    told = {"status": "COMPLETED", "completion": "2019-01-01", "primary_completion": "2018-01-01"}
    assert held(**told).trial.status is None
    assert held_row(**told).status is None


@pytest.mark.parametrize(
    ("start", "shown"),
    [
        (("2018-06-15", "ACTUAL"), "2018-06-15"),
        (("2018-06-16", "ACTUAL"), None),
        (("2017-01-01", "ESTIMATED"), None),
        (("2018", "ACTUAL"), None),
    ],
)
def test_only_dates_that_had_come_are_shown(start: tuple[str, str], shown: str | None) -> None:
    event = held(start=start).trial.start
    assert (str(event.date) if event else None) == shown
    assert held_row(start=start).start == shown


def test_the_enrollment_of_a_later_version_is_hidden() -> None:
    for kind in ("ACTUAL", "ESTIMATED"):
        assert held(enrollment=(40, kind)).trial.enrollment.count is None
        assert held_row(enrollment=(40, kind)).enrollment is None
    then = CUTOFF.isoformat()
    assert held(enrollment=(40, "ESTIMATED"), updated=then).trial.enrollment.count == 40


def test_the_day_of_submission_stands_in_for_a_missing_day_of_posting(
    make_client: MakeClient,
) -> None:
    studies = [trial(number) for number in (1, 2, 3)]
    for made, submitted in zip(studies[:2], ("2011-03-04", "2031-01-01"), strict=True):
        status = made["protocolSection"]["statusModule"]
        del status["studyFirstPostDateStruct"]
        status["studyFirstSubmitDate"] = submitted
    found = asyncio.run(make_client(*studies).search_trials("semaglutide", date_before="2016"))
    by_id = {each.nct_id: each for each in found}
    assert sorted(by_id) == ["NCT00000001", "NCT00000003"]
    inferred = by_id["NCT00000001"]
    assert (inferred.first_posted, inferred.first_posted_inferred) == ("2011-03-04", True)
    assert not by_id["NCT00000003"].first_posted_inferred
    held_then = hold_trial(parse_trial(studies[0]), CUTOFF)
    assert "first_posted" in held_then.inferred


def test_a_grade_that_rests_on_later_versions_is_not_certain(make_client: MakeClient) -> None:
    client = make_client(trial(1, updated="2019-01-01"), trial(2, drugs=["Ramipril"]))
    ask = client.detect_whitespace
    then = asyncio.run(ask("semaglutide", "heart failure", "2016", point_in_time=True))
    assert not then.grade_certain
    assert any("not certain" in note for note in then.provenance.notes)
    for sure in (
        asyncio.run(ask("semaglutide", "heart failure")),
        asyncio.run(ask("semaglutide", "heart failure", "2019-06", point_in_time=True)),
    ):
        assert sure.grade_certain


def test_references_are_hidden() -> None:
    cited = {"references": [{"pmid": "1", "type": "RESULT"}]}
    shown = held(references=cited)
    assert shown.trial.references == ()
    assert "references" in shown.hidden


@pytest.mark.parametrize(("posted", "shown"), [("2018-06-15", True), ("2018-06-16", False)])
def test_results_posted_later_are_hidden(posted: str, *, shown: bool) -> None:
    made = trial(1)
    made["hasResults"] = True
    status = made["protocolSection"]["statusModule"]
    status["resultsFirstPostDateStruct"] = {"date": posted, "type": "ACTUAL"}
    assert hold_trial(parse_trial(made), CUTOFF).trial.has_results is shown


def test_titles_and_conditions_stay_marked_as_of_today() -> None:
    shown = to_trial(parse_trial(trial(1, title="A title")), known_at=CUTOFF)
    assert shown.title == "A title"
    assert shown.conditions == ["Heart Failure"]
    assert shown.point_in_time is not None
    assert {"title", "conditions"} <= set(shown.point_in_time.as_of_today)


def test_a_trial_without_a_day_of_posting_was_not_posted() -> None:
    made = trial(1)
    del made["protocolSection"]["statusModule"]["studyFirstPostDateStruct"]
    assert not was_posted(parse_trial(made), CUTOFF)
    assert was_posted(parse_trial(trial(1, posted="2018-06-15")), CUTOFF)
    assert not was_posted(parse_trial(trial(1, posted="2018-06-16")), CUTOFF)
