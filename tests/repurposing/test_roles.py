"""What the role of a drug does to grades, lists and landscapes."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.repurposing.conftest import MakeClient
from tests.repurposing.invented import trial
from trialyst.agents.findings import Question
from trialyst.agents.trial import run_trial_agent


def armed(number: int, arms: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    """Give a trial whose arms, by type, give some drugs."""
    drugs = list(dict.fromkeys(name for names in arms.values() for name in names))
    made = trial(number, drugs=drugs, **more)
    made["protocolSection"]["armsInterventionsModule"]["armGroups"] = [
        {"label": kind, "type": kind, "interventionNames": [f"Drug: {name}" for name in names]}
        for kind, names in arms.items()
    ]
    return made


HEART = "heart failure"
VERSUS = {"EXPERIMENTAL": ["Sacubitril"], "ACTIVE_COMPARATOR": ["Enalapril"]}


def test_a_comparator_is_no_gap_and_no_competitor(make_client: MakeClient) -> None:
    client = make_client(armed(1, VERSUS, phases=["PHASE3"], purpose="TREATMENT"))
    compared = asyncio.run(client.detect_whitespace("enalapril", "heart failure"))
    assert (compared.exact_match_count, compared.comparator_count, compared.tested_count) == (
        1,
        1,
        0,
    )
    assert not compared.is_whitespace
    assert compared.grade.value in ("untested", "unknown_coverage")
    tested = asyncio.run(client.detect_whitespace("sacubitril", "heart failure"))
    assert (tested.tested_count, tested.grade.value, tested.outcome) == (1, "established", "unread")
    landscape = asyncio.run(client.get_landscape("heart failure"))
    assert [each.drug_name.lower() for each in landscape.competitors] == ["sacubitril"]
    weighed = asyncio.run(run_trial_agent(client, Question(drug="enalapril", condition=HEART)))
    assert (weighed.trial_evidence.total_count, len(weighed.trial_evidence.otherwise)) == (0, 1)
    said = " ".join(each.text for each in weighed.sentences)
    assert "No trial tests it. 1 more trial gives enalapril without testing it" in said


def test_a_trial_that_only_names_a_drug_is_listed_on_request(make_client: MakeClient) -> None:
    client = make_client(
        armed(1, VERSUS), trial(2, drugs=["Digoxin"], title="Digoxin after Sacubitril failed")
    )
    given = asyncio.run(client.search_trials("sacubitril"))
    assert [(each.nct_id, each.role) for each in given] == [("NCT00000001", "tested")]
    every = asyncio.run(client.search_trials("sacubitril", include_mentioned=True))
    assert [each.role for each in every] == ["tested", "mentioned"]
    pair = asyncio.run(client.detect_whitespace("sacubitril", "heart failure"))
    assert (pair.exact_match_count, pair.mentioned_count) == (1, 1)
    assert "naming the drug without giving it: 1" in " ".join(pair.provenance.notes)


def test_a_condition_within_the_name_of_another_is_not_meant(make_client: MakeClient) -> None:
    client = make_client(trial(1, drugs=["Latanoprost"], conditions=["Ocular Hypertension"]))
    found = asyncio.run(client.detect_whitespace("latanoprost", "hypertension"))
    assert found.exact_match_count == found.narrower_match_count == 0


def test_swapped_names_are_noticed(make_client: MakeClient) -> None:
    client = make_client(trial(1, drugs=["Budesonide"], conditions=["Asthma"]))
    found = asyncio.run(client.detect_whitespace("asthma", "budesonide"))
    assert found.grade.value == "unknown_name"
    assert not found.is_whitespace
    assert any("swapped" in note for note in found.provenance.notes)


def test_purposes_other_than_treatment_are_apart(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, drugs=["Digoxin"], purpose="TREATMENT"),
        trial(2, drugs=["Aspirin"], purpose="PREVENTION"),
        trial(3, drugs=["Morphine"], purpose="SUPPORTIVE_CARE"),
        trial(4, drugs=["Regadenoson"], purpose="DIAGNOSTIC"),
    )
    found = asyncio.run(client.get_landscape("heart failure", order="trials"))
    assert found.order == "trials"
    lists = (found.competitors, found.prevention, found.supportive_care, found.diagnostics)
    assert [[each.drug_name.lower() for each in listed] for listed in lists] == [
        ["digoxin"],
        ["aspirin"],
        ["morphine"],
        ["regadenoson"],
    ]


def test_vaccines_against_an_infection_do_not_treat_another_condition(
    make_client: MakeClient,
) -> None:
    client = make_client(trial(1, drugs=["COVID-19 vaccine"], purpose="TREATMENT"))
    found = asyncio.run(client.get_landscape("heart failure"))
    assert (len(found.competitors), len(found.prevention)) == (0, 1)
