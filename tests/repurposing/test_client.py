from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.repurposing.conftest import MakeClient
from tests.repurposing.invented import trial
from trialyst.agents import run_scout
from trialyst.errors import InvalidInput, NotFound
from trialyst.repurposing.listing import list_competitors
from trialyst.repurposing.terminated import read_query
from trialyst.vocabulary import Vocabulary

PAIR = ("semaglutide", "heart failure")


def test_a_brand_finds_what_the_generic_name_finds(make_client: MakeClient) -> None:
    client = make_client(
        trial(1), trial(2, drugs=["Wegovy"]), trial(3, drugs=["NN9535 1 mg"]), trial(4, drugs=["X"])
    )
    for name in ("wegovy", "semaglutide", "NN-9535"):
        found = asyncio.run(client.search_trials(name))
        assert {each.nct_id for each in found} == {"NCT00000001", "NCT00000002", "NCT00000003"}


def test_every_hit_says_how_it_matched(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, conditions=["Cardiac failure"]),
        trial(2, conditions=["Weak pump"], mesh=["Heart Failure"]),
        trial(3, conditions=["HFpEF thing"], ancestors=["Heart Failure"]),
        trial(4, conditions=["heart failures"]),
    )
    found = asyncio.run(client.search_trials("ozempic", "heart failure"))
    how = {
        each.nct_id: [(match.of, match.how.value, match.piece) for match in each.matched_by]
        for each in found
    }
    drug = ("drug", "synonym", "InterventionName")
    assert how == {
        "NCT00000001": [drug, ("condition", "synonym", "Condition")],
        "NCT00000002": [drug, ("condition", "mesh_term", "ConditionMeshTerm")],
        "NCT00000003": [drug, ("condition", "ancestor", "ConditionAncestorTerm")],
        "NCT00000004": [drug, ("condition", "name", "Condition")],
    }


def test_an_ancestor_counts_as_narrower_and_is_no_whitespace(make_client: MakeClient) -> None:
    client = make_client(trial(1, conditions=["HFpEF thing"], ancestors=["Heart Failure"]))
    found = asyncio.run(client.detect_whitespace(*PAIR))
    assert (found.exact_match_count, found.narrower_match_count) == (0, 1)
    assert not found.is_whitespace
    assert found.grade == "early"
    assert found.hits[0].narrower


def test_whitespace_lists_the_drugs_tested_instead(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, conditions=["Asthma"]),
        trial(2, drugs=["Digoxin 0.25 mg"], phases=["PHASE3"]),
        trial(3, drugs=["DIGOXIN"], phases=["PHASE2"]),
        trial(4, drugs=["Ivabradine"], phases=["PHASE1"]),
        trial(5, drugs=["Placebo", ("DEVICE", "Pump")], phases=["PHASE4"]),
    )
    found = asyncio.run(client.detect_whitespace(*PAIR))
    assert found.is_whitespace
    assert found.grade == "unknown_coverage"
    assert (found.drug_only_trials, found.condition_only_trials) == (1, 4)
    assert [(each.drug_name, each.nct_id) for each in found.condition_drugs] == [
        ("Digoxin", "NCT00000002")
    ]
    assert any("Approvals" in note for note in found.provenance.notes)


def test_an_unknown_name_is_no_whitespace_and_gets_the_nearest(make_client: MakeClient) -> None:
    client = make_client(trial(1))
    found = asyncio.run(client.detect_whitespace("semaglutidde", "heart failure"))
    assert found.grade == "unknown_name"
    assert not found.is_whitespace
    assert "semaglutide" in found.drug.nearest


def test_a_name_only_the_records_know_is_known(make_client: MakeClient) -> None:
    client = make_client(trial(1, drugs=["Zorbacitin"], conditions=["Asthma"]))
    found = asyncio.run(client.detect_whitespace("zorbacitin", "heart failure"))
    assert found.grade == "unknown_coverage"


def test_date_before_is_inclusive(make_client: MakeClient) -> None:
    client = make_client(trial(1, posted="2018-06-15"), trial(2, posted="2018-06-16"))
    for day in ("2018-06-15", "2018-06-15 "):
        found = asyncio.run(client.search_trials("semaglutide", date_before=day))
        assert [each.nct_id for each in found] == ["NCT00000001"]
    found = asyncio.run(client.search_trials("semaglutide", date_before="2018-06"))
    assert len(found) == 2


def test_point_in_time_needs_a_date(make_client: MakeClient) -> None:
    with pytest.raises(InvalidInput, match="needs a date"):
        asyncio.run(make_client(trial(1)).search_trials("semaglutide", point_in_time=True))


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(make_client: MakeClient, limit: int) -> None:
    client = make_client(trial(1))
    with pytest.raises(InvalidInput):
        asyncio.run(client.search_trials("semaglutide", max_results=limit))
    with pytest.raises(InvalidInput):
        asyncio.run(client.get_terminated("semaglutide", max_results=limit))
    with pytest.raises(InvalidInput):
        asyncio.run(client.get_landscape("asthma", top_n=limit))


def test_names_learned_after_the_cutoff_are_not_used(make_client: MakeClient) -> None:
    taught = trial(2, drugs=["Semaglutide"], posted="2020-01-01")
    other = taught["protocolSection"]["armsInterventionsModule"]["interventions"][0]
    other["otherNames"] = ["Quvaxitide"]
    client = make_client(trial(1, drugs=["Quvaxitide"]), taught, learn=True)
    today = asyncio.run(client.search_trials("semaglutide"))
    assert {each.nct_id for each in today} == {"NCT00000001", "NCT00000002"}
    then = asyncio.run(
        client.search_trials("semaglutide", date_before="2019-01-01", point_in_time=True)
    )
    assert len(then) == 0


def test_a_trial_that_was_not_known_to_have_stopped_is_not_listed(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, status="TERMINATED", completion="2016-01-01", why_stopped="Toxicity"),
        trial(2, status="TERMINATED", completion="2019-01-01", why_stopped="Toxicity"),
        trial(3, status="SUSPENDED", why_stopped="Funding"),
    )
    today = asyncio.run(client.get_terminated("semaglutide"))
    assert today.total_count == 3
    then = asyncio.run(
        client.get_terminated("semaglutide", date_before="2017-01-01", point_in_time=True)
    )
    assert [each.nct_id for each in then] == ["NCT00000001"]
    assert then[0].point_in_time is not None
    assert "why_stopped" in then[0].point_in_time.inferred


@pytest.mark.parametrize(
    ("query", "kind", "ids"),
    [
        ("wegovy", "drug", {"NCT00000001"}),
        ("GLP-1 receptor agonist", "class", {"NCT00000001", "NCT00000002"}),
        ("cardiac failure", "condition", {"NCT00000001", "NCT00000002", "NCT00000003"}),
        ("moonbeam protocol", "term", {"NCT00000003"}),
    ],
)
def test_a_query_is_resolved_and_says_as_what(
    make_client: MakeClient, query: str, kind: str, ids: set[str]
) -> None:
    client = make_client(
        trial(1, status="TERMINATED"),
        trial(2, drugs=["Liraglutide"], status="WITHDRAWN"),
        trial(3, drugs=["X"], status="SUSPENDED", title="The moonbeam protocol"),
        trial(4, drugs=["Liraglutide"], title="The moonbeam protocol"),
    )
    found = asyncio.run(client.get_terminated(query))
    assert found.searched_as == kind
    assert {each.nct_id for each in found} == ids


def test_stop_categories_are_all_listed_and_summed_up(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, status="TERMINATED", why_stopped="Toxicity and slow accrual"),
        trial(2, status="TERMINATED", why_stopped="Endpoint met early at interim analysis"),
        trial(3, status="WITHDRAWN"),
    )
    found = asyncio.run(client.get_terminated("semaglutide"))
    by_id = {each.nct_id: each for each in found}
    assert by_id["NCT00000001"].stop_categories == ("safety", "enrollment")
    assert by_id["NCT00000001"].stop_category == "safety"
    assert by_id["NCT00000002"].success
    assert by_id["NCT00000003"].stop_category == "unknown"
    assert found.summary is not None
    assert found.summary.without_usable_reason == 1
    assert found.summary.share_without_usable_reason == pytest.approx(1 / 3, abs=1e-4)


def test_get_trial_takes_any_spelling_and_knows_the_past(make_client: MakeClient) -> None:
    client = make_client(trial(1, posted="2018-06-15"))
    assert asyncio.run(client.get_trial("nct:00000001")).nct_id == "NCT00000001"
    with pytest.raises(NotFound, match="not posted"):
        asyncio.run(client.get_trial("NCT00000001", date_before="2018-06-14"))
    with pytest.raises(NotFound):
        asyncio.run(client.get_trial("NCT00000009"))


def test_prevention_is_kept_apart_from_treatment(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, purpose="TREATMENT"),
        trial(2, drugs=["Aspirin"], purpose="PREVENTION"),
        trial(3, drugs=[("BIOLOGICAL", "Influenza vaccine")]),
        trial(4, drugs=[("BIOLOGICAL", "Dendritic cell vaccine")], purpose="TREATMENT"),
    )
    found = asyncio.run(client.get_landscape("heart failure"))
    assert {each.drug_name for each in found.competitors} == {
        "Semaglutide",
        "Dendritic cells vaccine",
    }
    assert {each.drug_name for each in found.prevention} == {"Aspirin", "Influenza Vaccines"}
    assert found.total_trial_count == 4


def test_a_sponsor_is_one_in_all_its_spellings(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, sponsor="Acme Pharma, Inc."),
        trial(2, sponsor="ACME PHARMA", drugs=["semaglutide 1 mg"]),
    )
    found = asyncio.run(client.get_landscape("heart failure"))
    assert [each.trial_count for each in found.competitors] == [2]


def test_a_drug_named_by_its_salt_has_the_classes_of_the_drug(make_client: MakeClient) -> None:
    client = make_client(trial(1, drugs=["Tiotropium Bromide"]))
    found = asyncio.run(client.get_landscape("heart failure"))
    assert [each.drugs for each in found.mechanism_classes] == [("Tiotropium",)]


def test_recent_starts_begin_two_years_before(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, start="2023-12-31"),
        trial(2, start="2024-01-01"),
        trial(3, start="2024"),
        trial(4, start=("2027-01-01", "ESTIMATED")),
    )
    found = asyncio.run(client.get_landscape("heart failure"))
    assert {each.nct_id for each in found.recent_starts} == {"NCT00000002", "NCT00000003"}
    then = asyncio.run(client.get_landscape("heart failure", date_before="2023-06-01"))
    assert {each.nct_id for each in then.recent_starts} == set()


def test_answers_keep_their_contracts(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, status="TERMINATED", why_stopped="Toxicity", start="2025-01-01"),
        trial(2, drugs=["Digoxin"], phases=["PHASE3"], enrollment=(10, "ACTUAL")),
    )

    async def ask() -> dict[str, object]:
        return {
            "search_drug_trials": await client.search_trials(*PAIR),
            "detect_whitespace": await client.detect_whitespace("digoxin", "asthma"),
            "get_landscape": await list_competitors(client, condition="heart failure"),
            "get_terminated": await client.get_terminated("heart failure"),
        }

    for name, answer in asyncio.run(ask()).items():
        wire = answer.to_wire()  # type: ignore[attr-defined]
        check(name, wire)
        assert nulls(wire) == []


def test_a_drug_beside_an_intervention_without_a_type_is_listed(make_client: MakeClient) -> None:
    odd = trial(1, drugs=["Digoxin"], phases=["PHASE3"])
    odd["protocolSection"]["armsInterventionsModule"]["interventions"].append({"name": "Walking"})
    client = make_client(odd, trial(2, conditions=["Asthma"]))
    found = asyncio.run(client.detect_whitespace(*PAIR))
    assert [each.drug_name for each in found.condition_drugs] == ["Digoxin"]


def test_a_drug_in_several_arms_is_named_once(make_client: MakeClient) -> None:
    arms = ["Digoxin", "Digoxin", "Placebo", "Ivabradine"]
    client = make_client(trial(1, drugs=arms, status="TERMINATED"))
    (found,) = asyncio.run(client.get_terminated("digoxin"))
    assert found.drugs == ("Digoxin", "Ivabradine")


def test_every_question_with_an_unknown_name_gets_the_nearest(make_client: MakeClient) -> None:
    client = make_client(trial(1))
    trials = asyncio.run(client.search_trials("semaglutidde", "heart failuree"))
    assert "semaglutide" in trials.names[0].nearest
    assert "heart failure" in map(str.lower, trials.names[1].nearest)
    field = asyncio.run(client.get_landscape("heart failuree"))
    assert field.condition.nearest == trials.names[1].nearest
    stopped = asyncio.run(client.get_terminated("semaglutidde"))
    assert "semaglutide" in stopped.names[0].nearest


def test_a_slip_that_a_record_shares_gets_the_nearest_too(make_client: MakeClient) -> None:
    client = make_client(trial(1, drugs=["semaglutidde"], conditions=["Asthma"]))
    found = asyncio.run(client.detect_whitespace("semaglutidde", "heart failure"))
    assert found.drug_only_trials == 1
    assert "semaglutide" in found.drug.nearest
    assert found.grade != "unknown_name"


def test_a_slip_of_one_record_is_no_whitespace(make_client: MakeClient) -> None:
    many = [trial(n, drugs=["semaglutide"], conditions=["breast cancer"]) for n in range(2, 24)]
    client = make_client(trial(1, conditions=["brest cancer"]), *many)
    found = asyncio.run(client.detect_whitespace("metformin", "brest cancer"))
    assert (found.grade, found.is_whitespace) == ("unknown_name", False)
    assert found.condition.nearest == ("breast cancer",)
    assert found.next[0]["arguments"]["condition"] == "breast cancer"


@pytest.mark.parametrize("given", [None, 5, ["semaglutide"], {"drug": "x"}, b"semaglutide", 1.5])
def test_what_is_no_text_is_no_name(make_client: MakeClient, given: Any) -> None:
    client = make_client(trial(1))
    calls = (
        lambda: client.search_trials(given),
        lambda: client.detect_whitespace(given, "heart failure"),
        lambda: client.detect_whitespace("semaglutide", given),
        lambda: client.get_landscape(given),
        lambda: client.get_terminated(given),
        lambda: client.get_trial(given),
        lambda: run_scout(client, given),
    )
    for call in calls:
        with pytest.raises(InvalidInput) as caught:
            asyncio.run(call())
        assert caught.value.code == "INVALID_INPUT"


def test_lists_are_lists_of_plain_models(make_client: MakeClient) -> None:
    client = make_client(trial(1), trial(2, status="TERMINATED", sponsor="Other"))
    for found in (
        asyncio.run(client.search_trials("semaglutide")),
        asyncio.run(client.get_terminated("semaglutide")),
    ):
        assert isinstance(found, list)
        assert isinstance(found[0].references, list)
    landscape = asyncio.run(client.get_landscape("heart failure"))
    assert isinstance(landscape.competitors, list)
    assert landscape.competitors[0].statuses == {"COMPLETED"}
    signal = asyncio.run(client.detect_whitespace("ramipril", "heart failure"))
    assert isinstance(signal.condition_drugs, list)


TARGETS = {
    "PD-1": "pembrolizumab", "PD1": "nivolumab", "PD-L1": "atezolizumab", "VEGF": "bevacizumab",
    "JAK": "tofacitinib", "JAK2": "ruxolitinib", "TNF": "adalimumab", "TNF-alpha": "etanercept",
    "SGLT2": "empagliflozin", "EGFR": "erlotinib", "CD20": "rituximab", "PCSK9": "evolocumab",
    "BTK": "ibrutinib", "CGRP": "erenumab", "GLP-1": "liraglutide",
}  # fmt: skip


def test_a_target_finds_the_stopped_trials_of_drugs_that_act_on_it(make_client: MakeClient) -> None:
    drugs = [*TARGETS.values(), "aspirin"]
    client = make_client(
        *(trial(at, drugs=[drug], status="TERMINATED") for at, drug in enumerate(drugs, 1))
    )
    for target, drug in TARGETS.items():
        found = asyncio.run(client.get_terminated(target))
        assert found.searched_as == "class", target
        assert drug in {each.drug_name for each in found}, target
        assert "aspirin" not in {each.drug_name for each in found}, target


@pytest.mark.parametrize("text", ["calcium", "dopamine", "erythropoietin", "heparin"])
def test_a_substance_is_no_target(vocabulary: Vocabulary, text: str) -> None:
    assert read_query(vocabulary, text).kind == "drug"


def test_a_termination_to_come_is_planned_and_trials_without_a_drug_are_apart(
    make_client: MakeClient,
) -> None:
    client = make_client(
        trial(1, drugs=[("DEVICE", "A pump")], status="TERMINATED", why_stopped="Slow accrual"),
        trial(2, status="TERMINATED", primary_completion="2031-05", why_stopped="Toxicity"),
        trial(3, status="TERMINATED", primary_completion=("2019-01-01", "ACTUAL")),
        trial(4, status="SUSPENDED", primary_completion=("2019-01-01", "ESTIMATED")),
    )
    found = asyncio.run(client.get_terminated("heart failure"))
    by_id = {each.nct_id: each for each in found}
    assert {key[-1] for key, each in by_id.items() if each.termination_planned} == {"2", "4"}
    assert found[-1].nct_id == "NCT00000001"
    assert not found[-1].gives_drug
    assert found.summary is not None
    assert (found.summary.trials, found.summary.other_trials) == (3, 1)
    assert found.summary.categories == {"unknown": 2, "safety": 1}
    assert found.summary.other_categories == {"enrollment": 1}
