"""A backtest on a handful of trials, counted by hand; and what is refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from tests.repurposing.conftest import MakeClient
from tests.repurposing.invented import trial
from trialyst.errors import InvalidInput
from trialyst.repurposing import RepurposingClient
from trialyst.repurposing.backtest import BacktestReport, run_backtest
from trialyst.repurposing.backtest.run import Progress

pytestmark = pytest.mark.slow


def asthma(number: int, drug: str, **more: Any) -> dict[str, Any]:
    return trial(number, drugs=(drug,), conditions=("Asthma",), mesh=("Asthma",), **more)


def psoriasis(number: int, drug: str, **more: Any) -> dict[str, Any]:
    return trial(number, drugs=(drug,), conditions=("Psoriasis",), mesh=("Psoriasis",), **more)


CONDITIONS = ("asthma", "psoriasis")
PAST = (
    asthma(
        *(1, "Semaglutide 1 mg"),
        phases=("PHASE3",),
        posted="2012-01-01",
        updated="2014-01-01",
    ),
    asthma(2, "Metformin HCl", status="RECRUITING", posted="2014-03-01", updated="2015-01-01"),
    asthma(3, "Aspirin", phases=("PHASE1",), posted="2013-01-01", updated="2014-01-01"),
    asthma(
        *(4, "Liraglutide"),
        status="TERMINATED",
        why_stopped="Toxicity",
        completion="2014-05",
        posted="2013-02-01",
        updated="2019-01-01",
    ),
    psoriasis(5, "ozempic", status="RECRUITING", posted="2014-09-01", updated="2020-01-01"),
)
FUTURE = (
    psoriasis(6, "Victoza", phases=("PHASE2", "PHASE3"), posted="2016-03-01"),
    asthma(7, "aspirin 100 mg", status="WITHDRAWN", completion="2018-02", posted="2018-01-01"),
    asthma(8, "Dupilumab", posted="2017-01-01"),
)


def run(client: RepurposingClient, cutoff: str = "2015-06-30", **more: Any) -> BacktestReport:
    asked = run_backtest(client.source, vocabulary=client.vocabulary, cutoff=cutoff, **more)
    return asyncio.run(asked)


def followed(report: BacktestReport, scope: str, name: str) -> tuple[int, int, int, int]:
    line = next(each for each in report.lines if (each.scope, each.name) == (scope, name))
    return line.pairs, line.new_trial.pairs, line.phase_3.pairs, line.stop.pairs


def test_grades_and_signals_are_followed_as_counted_by_hand(make_client: MakeClient) -> None:
    report = run(make_client(*PAST, *FUTURE))
    seen = report.candidates
    assert (seen.drugs, seen.conditions, seen.pairs, seen.tested_pairs) == (4, 2, 8, 5)
    assert (seen.later_trials, seen.later_trials_of_pairs) == (3, 2)
    assert {
        name: followed(report, "all", name)
        for name in ("all_pairs", "untested", "early", "active", "established", "stopped")
    } == {
        "all_pairs": (8, 2, 1, 1),
        "untested": (3, 1, 1, 0),
        "early": (2, 1, 0, 1),
        "active": (1, 0, 0, 0),
        "established": (1, 0, 0, 0),
        "stopped": (1, 0, 0, 0),
    }
    assert followed(report, "untested", "class_tested") == (1, 1, 1, 0)
    assert followed(report, "untested", "drug_recent") == (1, 0, 0, 0)
    assert followed(report, "tested", "pair_stopped_gravely") == (1, 0, 0, 0)
    assert followed(report, "tested", "class_stopped") == (1, 0, 0, 0)


def test_grades_are_those_that_whitespace_gives_of_the_same_day(make_client: MakeClient) -> None:
    client = make_client(*PAST, *FUTURE)

    async def grade(drug: str, condition: str) -> str:
        found = await client.detect_whitespace(drug, condition, "2015-06-30", point_in_time=True)
        # A handful of records is a part of the registry, and a backtest grades as if it were all.
        return found.grade.value.replace("unknown_coverage", "untested")

    async def grade_all() -> Counter[str]:
        drugs = ("wegovy", "metformin", "acetylsalicylic acid", "liraglutide")
        return Counter([await grade(drug, each) for drug in drugs for each in CONDITIONS])

    report = run(client)
    graded = {line.name: line.pairs for line in report.lines if line.kind == "grade"}
    assert graded == asyncio.run(grade_all())


def test_lift_and_interval_belong_to_the_share(make_client: MakeClient) -> None:
    report = run(make_client(*PAST, *FUTURE))
    untested = next(line for line in report.lines if line.name == "untested").new_trial
    assert untested.share == pytest.approx(1 / 3, abs=1e-6)
    assert untested.lift == pytest.approx((1 / 3) / (2 / 8), abs=1e-3)
    assert untested.low is not None
    assert untested.high is not None
    assert untested.low < 1 / 3 < untested.high


def test_a_horizon_leaves_out_what_came_after_it(make_client: MakeClient) -> None:
    report = run(make_client(*PAST, *FUTURE), years=1)
    assert followed(report, "all", "all_pairs") == (8, 1, 1, 0)
    assert (report.until, report.follow_up_years) == ("2016-06-30", 1.0)


def test_a_horizon_beyond_the_data_is_told(make_client: MakeClient) -> None:
    report = run(make_client(*PAST, *FUTURE), years=10)
    assert report.until == "2018-01-01"
    assert any("horizon ends 2025-06-30" in note for note in report.provenance.notes)


def test_a_trial_counts_for_broader_conditions_too(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, drugs=("Aspirin",), mesh=("Neoplasms",), posted="2010-01-01"),
        trial(2, drugs=("Metformin",), mesh=("Breast Neoplasms",), posted="2010-01-01"),
        trial(3, drugs=("Metformin",), mesh=("Prostatic Neoplasms",), posted="2016-01-01"),
    )
    report = run(client)
    assert report.candidates.tested_pairs == 3
    # A condition that nobody had named yet counts for the broader one that somebody had.
    assert followed(report, "tested", "tested_pairs") == (3, 1, 0, 0)


def test_trials_without_a_day_of_first_posting_count_by_their_submission_else_are_left_out(
    make_client: MakeClient,
) -> None:
    undated = asthma(9, "Omalizumab")
    status = undated["protocolSection"]["statusModule"]
    del status["studyFirstPostDateStruct"]
    report = run(make_client(*PAST, *FUTURE, undated))
    assert (report.candidates.undated_trials, report.candidates.drugs) == (1, 4)
    assert any("1 of 9 trials state neither" in note for note in report.provenance.notes)
    status["studyFirstSubmitDate"] = "2004-01-01"
    report = run(make_client(*PAST, *FUTURE, undated))
    assert (report.candidates.inferred_trials, report.candidates.drugs) == (1, 5)
    assert any("1 of 9 trials state no day" in note for note in report.provenance.notes)


def test_an_intervention_without_a_type_does_not_hide_the_others(make_client: MakeClient) -> None:
    odd = asthma(9, "Omalizumab", posted="2014-01-01")
    odd["protocolSection"]["armsInterventionsModule"]["interventions"].append({"name": "Rest"})
    assert run(make_client(*PAST, *FUTURE, odd)).candidates.drugs == 5


def test_names_that_nothing_knows_can_be_left_out(make_client: MakeClient) -> None:
    client = make_client(*PAST, *FUTURE, asthma(9, "Zorblaxine", posted="2014-01-01"))
    assert run(client).candidates.drugs == 5
    report = run(client, recognized_only=True)
    assert (report.candidates.drugs, report.candidates.recognized_drugs) == (4, 4)


def test_progress_ends_with_every_trial_and_every_drug(make_client: MakeClient) -> None:
    told: list[Progress] = []
    run(make_client(*PAST, *FUTURE), on_progress=told.append)
    assert told == [Progress("reading trials", 8, 8), Progress("grading drugs", 4, 4)]


@pytest.mark.parametrize(
    ("given", "words", "remedy"),
    [
        ({"cutoff": "soon"}, "'soon', not a date", {"cutoff": "2015-06-30"}),
        ({"cutoff": "2031"}, "the newest trial is of 2018-01-01", {"cutoff": "2017-12-31"}),
        ({"cutoff": "1980-01"}, "the oldest trial is of 2012-01-01", {"cutoff": "2012-01-01"}),
        ({"years": 0}, "`years` is 0", {"years": 1}),
        ({"years": 1_000}, "1000 years", {"years": 100}),
    ],
)
def test_what_is_refused_says_how_to_go_on(
    make_client: MakeClient, given: dict[str, Any], words: str, remedy: dict[str, Any]
) -> None:
    client = make_client(*PAST, *FUTURE)
    with pytest.raises(InvalidInput, match=words) as refused:
        run(client, **given)
    assert refused.value.hint
    assert run(client, **remedy).lines


def test_an_empty_registry_is_refused(make_client: MakeClient) -> None:
    with pytest.raises(InvalidInput, match="None of 0 trials"):
        run(make_client())


def test_a_past_without_drugs_is_refused(make_client: MakeClient) -> None:
    only_exercise = trial(1, drugs=(("BEHAVIORAL", "Walking"),), mesh=("Asthma",))
    with pytest.raises(InvalidInput, match="has a drug"):
        run(make_client(only_exercise, *FUTURE))
