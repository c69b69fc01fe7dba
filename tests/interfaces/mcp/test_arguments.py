"""Arguments as models send them: understood, or refused with the nearest valid value."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interfaces.mcp.connecting import WireTools

CANONICAL = {"condition": "asthma", "status": ["RECRUITING", "COMPLETED"], "page_size": 5}


def ids(answer: dict[str, Any]) -> list[str]:
    return [item["id"] for item in answer["items"]]


@pytest.mark.parametrize(
    "sent",
    [
        {"status": '["RECRUITING", "COMPLETED"]'},
        {"status": "['Recruiting', 'Completed']"},
        {"status": "recruiting, completed"},
        {"page_size": "5"},
        {"slim": "false"},
        {"phase": None, "near": None},
    ],
    ids=str,
)
def test_other_spellings_mean_the_same(starter: WireTools, sent: dict[str, Any]) -> None:
    expected = ids(starter.wire("search_trials", **CANONICAL))
    assert expected
    assert ids(starter.wire("search_trials", **{**CANONICAL, **sent})) == expected


@pytest.mark.parametrize("phase", ["PHASE2", "Phase 2", "phase ii", 2, "2", ["2"], '["Phase 2"]'])
def test_phases_are_understood(starter: WireTools, phase: Any) -> None:
    expected = ids(starter.wire("search_trials", phase="PHASE2", page_size=3))
    assert ids(starter.wire("search_trials", phase=phase, page_size=3)) == expected


@pytest.mark.parametrize(
    "sent",
    ["NCT90000001,NCT90000002", '["nct:90000001", "NCT90000002"]', [" NCT90000001", "nct90000002"]],
    ids=str,
)
def test_ids_are_understood(starter: WireTools, sent: Any) -> None:
    answer = starter.wire("get_trial", nct_id=sent, sections="title")
    assert ids(answer) == ["NCT:90000001", "NCT:90000002"]


def test_text_that_looks_like_json_is_text(starter: WireTools) -> None:
    assert (
        starter.wire("search_trials", query='["asthma"]')["pagination"]["total_count"] is not None
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "meant"),
    [
        ("search_trials", {"conditon": "asthma"}, "condition"),
        ("get_trial", {"nctid": "NCT90000001"}, "nct_id"),
        ("get_trial_locations", {"nct_id": "NCT90000001", "contry": "US"}, "country"),
        ("search_pathways", {"query": "apoptosis", "orgnism": "Homo sapiens"}, "organism"),
        ("evaluate_criterion", {"note": "x", "criterions": "y"}, "criterion"),
    ],
    ids=str,
)
def test_a_misspelt_argument_is_refused_with_the_nearest(
    starter: WireTools, tool: str, arguments: dict[str, Any], meant: str
) -> None:
    error = starter.error(tool, **arguments)
    assert error["code"] == "INVALID_INPUT"
    assert error["invalid_input"] in arguments
    assert f"`{meant}`" in error["recovery_hint"]
    assert meant in error["message"].partition("Must be one of: ")[2].split(", ")


@pytest.mark.parametrize(
    ("tool", "sent", "declared"),
    [
        ("search_trials", {"disease": "asthma"}, {"condition": "asthma"}),
        ("count_trials", {"drug": "albuterol"}, {"intervention": "albuterol"}),
        ("get_trial", {"id": "NCT90000001"}, {"nct_id": "NCT90000001"}),
        (
            "compare_trials",
            {"nct_id": ["NCT90000001", "NCT90000002"]},
            {"nct_ids": ["NCT90000001", "NCT90000002"]},
        ),
        ("search_drug_trials", {"treatment": "wegovy"}, {"drug": "wegovy"}),
        ("get_landscape", {"disease": "asthma"}, {"condition": "asthma"}),
        ("get_pathways_for_gene", {"gene": "TNF"}, {"gene_id": "TNF"}),
        ("enrich_pathways", {"symbol": "TNF"}, {"genes": ["TNF"]}),
        ("get_pathway", {"pathway": "WP554"}, {"pathway_id": "WP554"}),
    ],
    ids=str,
)
def test_other_names_of_an_argument_are_understood(
    starter: WireTools, tool: str, sent: dict[str, Any], declared: dict[str, Any]
) -> None:
    said, meant = starter.wire(tool, **sent), starter.wire(tool, **declared)
    for answer in (said, meant):
        assert answer.get("success", True), answer
        for told in ("understood", "next"):
            answer.pop(told)
        answer.get("pagination", {}).pop("cursor", None)
    assert said == meant


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("search_drug_trials", {"drug": "wegovy"}, ["condition", "date_before", "cursor"]),
        ("get_landscape", {"condition": "asthma"}, ["date_before", "top_n", "point_in_time"]),
        ("get_trial", {"nct_id": "NCT90000001"}, ["sections", "cursor"]),
        ("get_trial_locations", {"nct_id": "NCT90000003"}, ["country", "near", "status"]),
        ("search_pathways", {"query": "glycolysis"}, ["organism", "slim", "page_size"]),
        ("profile_patient", {"note": "A man with gout."}, ["as_of", "slim"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("nothing", [None, "", " ", "null", "None"], ids=repr)
def test_what_says_nothing_is_not_given(
    starter: WireTools, tool: str, arguments: dict[str, Any], names: list[str], nothing: Any
) -> None:
    expected = starter.wire(tool, **arguments)
    assert expected.get("success", True), expected
    assert starter.wire(tool, **arguments, **dict.fromkeys(names, nothing)) == expected


@pytest.mark.parametrize("tool", ["get_trial", "get_trial_locations", "compare_trials"])
def test_a_missing_id_is_refused_with_the_way_to_one(starter: WireTools, tool: str) -> None:
    error = starter.error(tool)
    assert error["code"] == "INVALID_INPUT"
    assert "search_trials" in error["recovery_hint"]


@pytest.mark.parametrize("tool", ["get_pathway", "get_pathway_components"])
def test_a_missing_pathway_id_is_refused_with_the_way_to_one(starter: WireTools, tool: str) -> None:
    error = starter.error(tool)
    assert error["code"] == "INVALID_INPUT"
    assert "search_pathways" in error["recovery_hint"]


@pytest.mark.parametrize("name", ["context", "given", "self", "discovery"])
def test_names_of_our_own_are_no_arguments(starter: WireTools, name: str) -> None:
    result = starter.call("search_trials", {name: "x", "condition": "asthma"})
    assert result.structured_content is not None
    error = result.structured_content["error"]
    assert (error["code"], error["invalid_input"]) == ("INVALID_INPUT", name)
