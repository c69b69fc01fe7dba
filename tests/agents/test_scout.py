from __future__ import annotations

import asyncio
import math

import pytest

from tests.repurposing.conftest import MakeClient, make_client
from tests.repurposing.invented import trial
from trialyst.agents.known_uses import load_facts, read_uses
from trialyst.agents.relatives import SAME_CLASS, find_relatives
from trialyst.agents.scout import OPENNESS, ScoutReport, run_scout
from trialyst.errors import InvalidInput
from trialyst.repurposing import RepurposingClient
from trialyst.repurposing.models import Grade
from trialyst.vocabulary.classes import drug_class
from trialyst.vocabulary.concept import Kind

__all__ = ["make_client"]

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
    assert any("No narrow class and no target" in note for note in report.provenance.notes)


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


def test_wide_classes_lend_nothing(starter_client: RepurposingClient) -> None:
    names = starter_client.vocabulary
    assert {each.tie for each in find_relatives(names, "semaglutide")} == {SAME_CLASS}
    near = {drug: find_relatives(names, drug) for drug in ("metformin", "minoxidil", "doxazosin")}
    lent = {each.through for found in near.values() for each in found}
    assert lent.isdisjoint({"glucose-lowering drug", "antihypertensive"})
    assert "empagliflozin" not in {each.name for each in near["metformin"]}


def test_known_uses_and_contraindications_are_no_suggestions(report: ScoutReport) -> None:
    suggested = {each.condition for each in report.indications}
    assert "Diabetes Mellitus, Type 2" in report.known_uses
    assert suggested.isdisjoint({*report.known_uses, *report.contraindicated})


def test_the_tie_is_a_factor(report: ScoutReport) -> None:
    for each in report.indications:
        (tie,) = (term for term in each.score_terms if term.name == "tie")
        assert tie.weight is None
        assert each.score <= 100 * tie.value


def test_every_fact_names_a_known_drug_or_class_and_known_conditions(
    starter_client: RepurposingClient,
) -> None:
    names = starter_client.vocabulary
    facts = load_facts()
    unknown = [
        fact.subject
        for fact in facts
        if not drug_class(fact.subject)
        and not names.resolve(fact.subject, kinds=(Kind.DRUG,)).exact
    ]
    conditions = {each for fact in facts for each in (*fact.approved, *fact.contraindicated)}
    unknown += [each for each in conditions if not names.resolve(each).exact]
    assert unknown == []


USES = {
    ("Wegovy", "Obesity"): "approved",
    ("thioridazine", "Asthma"): None,
    ("propranolol", "Asthma"): "contraindicated",
    ("adalimumab", "Tuberculosis, Pulmonary"): "contraindicated",
    ("minoxidil", "Hypertension"): "approved",
    ("metformin", "Diabetes Mellitus, Type 2"): "approved",
    ("bupropion", "Epilepsy, Absence"): "contraindicated",
    ("metformin", "Asthma"): None,
}


def test_facts_hold_of_members_of_classes_and_of_narrower_conditions(
    starter_client: RepurposingClient,
) -> None:
    names = starter_client.vocabulary
    for (drug, condition), use in USES.items():
        concept = names.resolve(condition, kinds=(Kind.CONDITION,)).concept
        assert concept is not None
        assert read_uses(names, drug).of(concept.id) == use, (drug, condition)


def test_a_basket_trial_counts_once_and_related_conditions_collapse(
    make_client: MakeClient,
) -> None:
    basket = trial(
        1,
        drugs=["Liraglutide"],
        conditions=["Asthma", "Psoriasis", "Glaucoma", "Migraine Disorders"],
    )
    nested = [
        trial(2, drugs=["Exenatide"], conditions=["Arthritis, Rheumatoid"]),
        trial(3, drugs=["Exenatide"], conditions=["Arthritis"]),
    ]
    report = _scout(make_client(basket, *nested), "semaglutide")
    by_name = {each.condition: each for each in report.indications}
    (depth,) = (term for term in by_name["Glaucoma"].score_terms if term.name == "depth")
    assert depth.given == "0.25"
    rheumatic = {"Arthritis", "Arthritis, Rheumatoid"}
    (kept,) = rheumatic & set(by_name)
    assert set(by_name[kept].related) == rheumatic - {kept}
