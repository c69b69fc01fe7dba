from __future__ import annotations

import asyncio

import pytest

from trialyst.agents import Question, run_trial_agent
from trialyst.agents.findings import Maturity, TrialFinding
from trialyst.agents.trial import MOST_TRIALS
from trialyst.agents.wording import COMPLETED, ONGOING, STOPPED, rank_of
from trialyst.repurposing import RepurposingClient

pytestmark = pytest.mark.slow

QUESTIONS = [
    Question(drug="semaglutide", condition="type 2 diabetes"),
    Question(drug="pembrolizumab", condition="melanoma"),
    Question(drug="metformin", condition="melanoma"),
]


@pytest.fixture(scope="module", params=QUESTIONS, ids=lambda question: question.drug)
def found(starter_client: RepurposingClient, request: pytest.FixtureRequest) -> TrialFinding:
    return asyncio.run(run_trial_agent(starter_client, request.param))


def test_every_trial_is_in_exactly_one_group(found: TrialFinding) -> None:
    evidence = found.trial_evidence
    groups = (evidence.completed, evidence.ongoing, evidence.stopped, evidence.unsettled)
    listed = [nct_id for group in groups for nct_id in group]
    assert sorted(listed) == sorted(trial.nct_id for trial in evidence.trials)


def test_counts_agree_with_the_whitespace(found: TrialFinding) -> None:
    evidence, signal = found.trial_evidence, found.whitespace_signal
    assert evidence.total_count == signal.exact_match_count + signal.narrower_match_count
    assert evidence.total_count <= MOST_TRIALS


def test_maturity_is_that_of_the_furthest_completed_trial(found: TrialFinding) -> None:
    trials = found.trial_evidence.trials
    completed = [rank_of(t.phase) for t in trials if t.overall_status in COMPLETED]
    expected = (
        Maturity.NONE
        if not trials
        else Maturity.REGISTERED
        if not completed
        else Maturity.LATE
        if max(completed) >= rank_of("Phase 3")
        else Maturity.MID
        if max(completed) >= rank_of("Phase 2")
        else Maturity.EARLY
    )
    assert found.trial_evidence.maturity is expected


def test_the_furthest_come_first(found: TrialFinding) -> None:
    ranks = [rank_of(trial.phase) for trial in found.trial_evidence.trials]
    assert ranks == sorted(ranks, reverse=True)


def test_papers_are_those_that_report_on_the_trials(found: TrialFinding) -> None:
    reporting = {p for t in found.trial_evidence.trials for p in t.reporting_references}
    assert set(found.trial_evidence.pmids) == reporting


def test_the_groups_of_statuses_do_not_overlap() -> None:
    assert len(COMPLETED | ONGOING | STOPPED) == len(COMPLETED) + len(ONGOING) + len(STOPPED)
