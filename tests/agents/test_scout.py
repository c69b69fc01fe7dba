from __future__ import annotations

import asyncio
import math

import pytest

from trialyst.agents.relatives import SAME_CLASS, WIDE_CLASS, find_relatives
from trialyst.agents.scout import OPENNESS, ScoutReport, run_scout
from trialyst.errors import InvalidInput
from trialyst.repurposing import RepurposingClient
from trialyst.repurposing.models import Grade

pytestmark = pytest.mark.slow


def _scout(client: RepurposingClient, drug: str, limit: int = 20) -> ScoutReport:
    return asyncio.run(run_scout(client, drug, limit=limit))


@pytest.fixture(scope="module")
def report(starter_client: RepurposingClient) -> ScoutReport:
    return _scout(starter_client, "semaglutide")


def test_every_score_follows_from_its_terms(report: ScoutReport) -> None:
    assert report.indications
    for each in report.indications:
        factor = math.prod(term.value for term in each.score_terms if term.weight is None)
        total = sum(term.value * term.weight for term in each.score_terms if term.weight)
        assert each.score == math.floor(factor * total + 0.5)
        assert sum(term.weight or 0 for term in each.score_terms) == 100


def test_the_best_come_first(report: ScoutReport) -> None:
    scores = [each.score for each in report.indications]
    assert scores == sorted(scores, reverse=True)


def test_the_grade_is_that_of_the_drug_itself(
    starter_client: RepurposingClient, report: ScoutReport
) -> None:
    for each in report.indications[:5]:
        signal = asyncio.run(starter_client.detect_whitespace("semaglutide", each.condition))
        assert each.grade == signal.grade
        assert each.own_trials == signal.exact_match_count + signal.narrower_match_count
        assert each.condition_trials == signal.condition_only_trials


def test_relatives_trials_are_counted_exactly(
    starter_client: RepurposingClient, report: ScoutReport
) -> None:
    for each in report.indications[:4]:
        assert each.relative_trials == len(each.nct_ids) == len(set(each.nct_ids))
        for nct_id in each.nct_ids:
            trial = asyncio.run(starter_client.get_trial(nct_id))
            given = " ".join(i.intervention_name for i in trial.interventions).lower()
            known = {name for one in each.relatives for name in _names(starter_client, one)}
            assert any(name in given for name in known), nct_id


def _names(client: RepurposingClient, drug: str) -> set[str]:
    concept = client.vocabulary.resolve(drug).concept
    return {drug.lower(), *(name.lower() for name in (concept.names if concept else ()))}


def test_failures_are_among_the_trials(report: ScoutReport) -> None:
    for each in report.indications:
        assert set(each.failures) <= set(each.nct_ids)


def test_a_brand_scouts_like_its_drug(
    starter_client: RepurposingClient, report: ScoutReport
) -> None:
    assert _scout(starter_client, "Ozempic").indications == report.indications


def test_a_smaller_limit_gives_the_beginning_of_the_list(
    starter_client: RepurposingClient, report: ScoutReport
) -> None:
    few = _scout(starter_client, "semaglutide", limit=3)
    assert len(few.indications) == 3
    assert set(few.indications) <= set(report.indications)


def test_a_drug_without_known_relatives_says_so(starter_client: RepurposingClient) -> None:
    report = _scout(starter_client, "nosuchdrugatall")
    assert report.indications == ()
    assert any("No class and no target" in note for note in report.provenance.notes)


def test_a_class_in_place_of_a_drug_is_told(starter_client: RepurposingClient) -> None:
    notes = _scout(starter_client, "SGLT2 inhibitors").provenance.notes
    assert any("is a class of drugs" in note for note in notes)


def test_a_limit_below_one_is_refused(starter_client: RepurposingClient) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        _scout(starter_client, "semaglutide", limit=0)


def test_every_grade_has_its_openness() -> None:
    assert set(OPENNESS) == set(Grade)


def test_a_drug_is_not_its_own_relative(starter_client: RepurposingClient) -> None:
    names = [each.name for each in find_relatives(starter_client.vocabulary, "Wegovy")]
    assert "semaglutide" not in names
    assert "liraglutide" in names


def test_wide_classes_count_only_where_near_relatives_are_few(
    starter_client: RepurposingClient,
) -> None:
    near = find_relatives(starter_client.vocabulary, "semaglutide")
    assert {each.tie for each in near} == {SAME_CLASS}
    few = find_relatives(starter_client.vocabulary, "metformin")
    assert WIDE_CLASS in {each.tie for each in few}
