"""`get_trial` and `compare_trials`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.contracts.contracts import TOLD, check, nulls
from tests.discovery.asking import Tools
from tests.registry.invented import FIRST, study
from trialyst.discovery.sections import SECTIONS, SHORT_SECTIONS, WHOLE_SECTIONS

ALIASED = study(FIRST, identification={"nctIdAliases": ["NCT00000017"]})


def notes(answer: dict[str, Any]) -> str:
    return " ".join(answer["provenance"]["notes"])


def with_results(tools: Tools) -> str:
    found = tools.wire("search_trials", advanced="AREA[HasResults]true", page_size=1)
    nct_id: str = found["items"][0]["id"]
    return nct_id


def test_one_id_gives_the_trials_own_keys(starter: Tools) -> None:
    trial = starter.wire("get_trial", nct_id="NCT90000001")
    assert trial["id"] == "NCT:90000001"
    assert "items" not in trial
    assert set(WHOLE_SECTIONS) - {"results"} <= set(trial)
    assert "criteria_text" not in trial


@pytest.mark.parametrize(
    "spelling",
    [
        "NCT:90000001",
        "nct90000001",
        " NCT90000001 ",
        "https://clinicaltrials.gov/study/NCT90000001",
    ],
)
def test_every_spelling_of_an_id_leads_to_the_trial(starter: Tools, spelling: str) -> None:
    assert starter.wire("get_trial", nct_id=spelling)["id"] == "NCT:90000001"


def test_several_ids_give_items_in_the_order_asked_for(starter: Tools) -> None:
    answer = starter.wire("get_trial", nct_id=["NCT90000003", "NCT90000001"])
    assert [item["id"] for item in answer["items"]] == ["NCT:90000003", "NCT:90000001"]
    assert answer["not_found"] == []
    assert answer["pagination"] == {"cursor": None, "total_count": 2, "page_size": 20}


def test_missing_ids_are_named_and_the_others_given(starter: Tools) -> None:
    answer = starter.wire("get_trial", nct_id="NCT90000001,NCT00000001,NCT00000002")
    assert [item["id"] for item in answer["items"]] == ["NCT:90000001"]
    assert answer["not_found"] == ["NCT:00000001", "NCT:00000002"]
    assert "NCT:00000001, NCT:00000002" in notes(answer)


def test_when_every_id_is_missing_nothing_is_found(starter: Tools) -> None:
    error = starter.error("get_trial", nct_id=["NCT00000001", "NCT00000002"])
    assert error["code"] == "ENTITY_NOT_FOUND"
    assert error["invalid_input"] == "NCT:00000001, NCT:00000002"


@pytest.mark.parametrize(
    ("nct_id", "code"),
    [
        ("melanoma", "UNRESOLVED_ENTITY"),
        (["NCT90000001", "melanoma"], "UNRESOLVED_ENTITY"),
        ("NCT1234567", "INVALID_INPUT"),
        ("NCT:ABC", "INVALID_INPUT"),
        ("", "INVALID_INPUT"),
        ("NCT00000001", "ENTITY_NOT_FOUND"),
        ([f"NCT{number}" for number in range(90000001, 90000022)], "INVALID_INPUT"),
    ],
    ids=str,
)
@pytest.mark.parametrize("tool", ["get_trial", "get_trial_locations"])
def test_strict_tools_refuse_what_is_no_id(
    starter: Tools, tool: str, nct_id: Any, code: str
) -> None:
    if tool == "get_trial_locations" and isinstance(nct_id, list):
        code = "INVALID_INPUT"
    assert starter.error(tool, nct_id=nct_id)["code"] == code


def test_an_old_id_leads_to_the_trial_and_says_so(invented: Callable[..., Tools]) -> None:
    tools = invented(ALIASED, study(FIRST + 1))
    one = tools.wire("get_trial", nct_id="NCT00000017")
    assert one["id"] == "NCT:90000001"
    assert "NCT:00000017 is now registered as NCT:90000001." in notes(one)
    both = tools.wire("get_trial", nct_id=["NCT00000017", "NCT90000001", "NCT90000002"])
    assert [item["id"] for item in both["items"]] == ["NCT:90000001", "NCT:90000002"]


@pytest.mark.parametrize("section", [name for name in SECTIONS if name != "title"])
def test_a_chosen_section_comes_alone(starter: Tools, section: str) -> None:
    trial = starter.wire("get_trial", nct_id=with_results(starter), sections=section)
    assert set(trial) == {"id", "title", section, *TOLD}


def test_an_unknown_section_names_the_nearest(starter: Tools) -> None:
    error = starter.error("get_trial", nct_id="NCT90000001", sections=["outcome"])
    assert error["code"] == "INVALID_INPUT"
    assert "Did you mean outcomes?" in error["recovery_hint"]


def test_several_trials_come_short_and_say_what_was_left_out(starter: Tools) -> None:
    answer = starter.wire("get_trial", nct_id=["NCT90000001", "NCT90000002"])
    left_out = set(WHOLE_SECTIONS) - set(SHORT_SECTIONS)
    assert not left_out & {key for item in answer["items"] for key in item}
    (whole,) = [call for call in answer["next"] if "sections" in call["arguments"]]
    rest = starter.wire("get_trial", **whole["arguments"])
    assert {"eligibility", "outcomes"} <= {key for item in rest["items"] for key in item}
    assert all(name in notes(answer) for name in left_out)


def test_long_parts_are_cut_and_the_next_call_gives_them(
    invented: Callable[..., Tools],
) -> None:
    outcomes = [{"measure": f"Measure {number}"} for number in range(33)]
    long = study(
        FIRST,
        outcomes={"secondaryOutcomes": outcomes},
        description={"detailedDescription": "word " * 2_000},
    )
    tools = invented(long)
    trial = tools.wire("get_trial", nct_id="NCT90000001")
    assert len(trial["outcomes"]["secondary"]) == 20
    assert "outcomes is cut (20 of 33 secondary)." in notes(trial)
    assert trial["summaries"]["detailed_description"].endswith("word [...]")
    assert "summaries is cut (texts over 4,000 characters)" in notes(trial)
    (first, *_) = trial["next"]
    assert first["tool"] == "get_trial"
    whole = tools.wire("get_trial", **first["arguments"])
    assert len(whole["outcomes"]["secondary"]) == 33
    assert len(whole["summaries"]["detailed_description"]) > 9_000
    assert "is cut" not in notes(whole)


def test_criteria_are_never_cut(invented: Callable[..., Tools]) -> None:
    criteria = "Inclusion Criteria:\n\n" + "\n".join(f"* Statement {n}" for n in range(3_000))
    tools = invented(study(FIRST, eligibility={"eligibilityCriteria": criteria}))
    stated = tools.wire("get_trial", nct_id="NCT90000001")["eligibility"]
    assert len(stated["inclusion"]) == 3_000
    text = tools.wire("get_trial", nct_id="NCT90000001", sections="criteria_text")
    assert text["criteria_text"] == criteria


def test_criteria_come_once_split_and_as_text_on_request(starter: Tools) -> None:
    whole = starter.wire("get_trial", nct_id="NCT90000001")
    stated = whole["eligibility"]
    assert stated["inclusion"][0]["text"] == "Aged 18 years to 65 years"
    assert "criteria_text" not in whole
    text = starter.wire("get_trial", nct_id="NCT90000001", sections="criteria_text")
    assert all(each["text"] in text["criteria_text"] for each in stated["exclusion"])


def test_pages_of_trials_go_on_by_cursor(starter: Tools) -> None:
    ids = [f"NCT{number}" for number in range(90_000_001, 90_000_006)]
    whole = starter.wire("get_trial", nct_id=ids, sections="dates")
    page = starter.wire("get_trial", nct_id=ids, sections="dates", page_size=2)
    seen = list(page["items"])
    while page["pagination"]["cursor"]:
        assert page["pagination"]["total_count"] == 5
        page = starter.wire("get_trial", cursor=page["pagination"]["cursor"])
        seen += page["items"]
    assert seen == whole["items"]


def test_results_are_told_in_brief(starter: Tools) -> None:
    nct_id = with_results(starter)
    results = starter.wire("get_trial", nct_id=nct_id, sections="results")["results"]
    assert results["participants"]["started"] == sum(
        group["started"] for group in results["participants"]["groups"]
    )
    assert results["primary_outcomes"][0]["values"]
    assert results["serious_events"][0]["at_risk"] >= results["serious_events"][0]["affected"]


def test_results_that_are_not_posted_are_said_to_be_absent(starter: Tools) -> None:
    trial = starter.wire("get_trial", nct_id="NCT90000001", sections="results")
    assert "results" not in trial
    assert "No results are posted for NCT:90000001." in notes(trial)


def test_cross_references_are_prefixed(starter: Tools) -> None:
    crossed = starter.wire("get_trial", nct_id="NCT90000001", sections="cross references")
    references = crossed["cross_references"]
    assert references["url"] == "https://clinicaltrials.gov/study/NCT90000001"
    assert all(term["id"].startswith("MESH:") for term in references["mesh_conditions"])


@pytest.mark.slow
def test_every_trial_of_the_starter_keeps_the_contract(starter: Tools) -> None:
    numbers = range(90_000_001, 90_002_001, 7)
    every = [f"NCT{number}" for number in numbers]
    for start in range(0, len(every), 20):
        batch = every[start : start + 20]
        answer = starter.wire("get_trial", nct_id=batch, sections=list(SECTIONS))
        assert len(answer["items"]) + len(answer["not_found"]) == len(batch)
        check("get_trial", answer)
        assert nulls(answer) == []


def test_compared_trials_stand_side_by_side(starter: Tools) -> None:
    answer = starter.wire("compare_trials", nct_ids="NCT90000001,NCT90000002")
    check("compare_trials", answer)
    rows = {row["aspect"]: row for row in answer["rows"]}
    trial = starter.wire("get_trial", nct_id="NCT90000001", sections="protocol")
    assert rows["status"]["values"]["NCT:90000001"] == trial["protocol"]["status"]
    assert rows["phase"]["differs"] is True
    assert [item["id"] for item in answer["items"]] == ["NCT:90000001", "NCT:90000002"]


def test_equal_values_do_not_differ(invented: Callable[..., Tools]) -> None:
    same: dict[str, Any] = {"design": {"studyType": "INTERVENTIONAL", "phases": ["PHASE2"]}}
    tools = invented(study(FIRST, **same), study(FIRST + 1, **same))
    rows = tools.wire("compare_trials", nct_ids=["NCT90000001", "NCT90000002"])["rows"]
    phase = next(row for row in rows if row["aspect"] == "phase")
    assert phase["differs"] is False


def test_compared_trials_that_are_missing_are_named(starter: Tools) -> None:
    answer = starter.wire("compare_trials", nct_ids=["NCT90000001", "NCT90000002", "NCT00000001"])
    assert answer["not_found"] == ["NCT:00000001"]
    assert len(answer["items"]) == 2


@pytest.mark.parametrize(
    "nct_ids", ["NCT90000001", ["NCT90000001"] * 3, [f"NCT900000{n:02d}" for n in range(1, 12)]]
)
def test_two_to_ten_different_trials_are_compared(starter: Tools, nct_ids: Any) -> None:
    assert starter.error("compare_trials", nct_ids=nct_ids)["code"] == "INVALID_INPUT"
