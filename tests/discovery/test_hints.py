"""Doing what a recovery hint says leads to success: each test does exactly that."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.contracts.contracts import check
from tests.discovery.asking import Tools

NCT_ID = "NCT90000001"
MEANT = re.compile(r"Did you mean ([^?]+)\?")


def succeeds(tools: Tools, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = tools.wire(tool, **arguments)
    assert answer.get("success", True), answer
    check(tool, answer)
    return answer


@pytest.mark.parametrize(
    ("tool", "arguments", "name"),
    [
        ("search_trials", {"phase": "Phase 5"}, "phase"),
        ("search_trials", {"status": "recruting"}, "status"),
        ("search_trials", {"sex": "femal"}, "sex"),
        ("search_trials", {"query": "asthma", "sort": "StartDat"}, "sort"),
        ("search_trials", {"near": "Chicgo"}, "near"),
        ("count_trials", {"by": "stage"}, "by"),
        ("get_trial", {"nct_id": NCT_ID, "sections": "eligibilty"}, "sections"),
        ("get_trial_locations", {"nct_id": NCT_ID, "status": "recruting"}, "status"),
        ("get_trial_locations", {"nct_id": NCT_ID, "country": "Irelnd"}, "country"),
    ],
    ids=str,
)
def test_the_nearest_value_works(
    starter: Tools, tool: str, arguments: dict[str, Any], name: str
) -> None:
    error = starter.error(tool, **arguments)
    assert error["code"] == "INVALID_INPUT"
    meant = MEANT.search(error["recovery_hint"])
    if meant is None:
        suggested = error["message"].partition("Must be one of: ")[2].split(", ")[0]
    else:
        suggested = meant[1].split(" or ")[0]
    succeeds(starter, tool, **{**arguments, name: suggested})


def test_a_misspelt_argument_has_a_name_that_works(starter: Tools) -> None:
    error = starter.error("search_trials", conditon="asthma")
    meant = MEANT.search(error["recovery_hint"])
    assert meant
    succeeds(starter, "search_trials", **{meant[1].strip("`"): "asthma"})


@pytest.mark.parametrize("tool", ["get_trial", "get_trial_locations"])
def test_free_text_leads_over_the_search_to_the_trial(starter: Tools, tool: str) -> None:
    error = starter.error(tool, nct_id="breast cancer immunotherapy")
    assert error["code"] == "UNRESOLVED_ENTITY"
    query = re.search(r"Call search_trials with query='(.+)' and pass", error["recovery_hint"])
    assert query
    found = succeeds(starter, "search_trials", query=query[1])
    succeeds(starter, tool, nct_id=found["items"][0]["id"])


def test_free_text_among_ids_to_compare_leads_over_the_search(starter: Tools) -> None:
    error = starter.error("compare_trials", nct_ids=[NCT_ID, "asthma albuterol"])
    assert error["code"] == "UNRESOLVED_ENTITY"
    query = re.search(r"query='(.+)' and", error["recovery_hint"])
    assert query
    found = succeeds(starter, "search_trials", query=query[1])
    succeeds(starter, "compare_trials", nct_ids=[NCT_ID, found["items"][0]["id"]])


@pytest.mark.parametrize("nct_id", ["NCT1234567", "NCT:ABC", "NCT00000001", None])
def test_an_id_that_leads_nowhere_points_to_the_search(starter: Tools, nct_id: Any) -> None:
    error = starter.error("get_trial", nct_id=nct_id)
    assert "search_trials" in error["recovery_hint"]
    found = succeeds(starter, "search_trials", condition="asthma")
    succeeds(starter, "get_trial", nct_id=found["items"][0]["id"])


def test_nothing_to_search_for_is_cured_by_something(starter: Tools) -> None:
    hint = starter.error("search_trials")["recovery_hint"]
    assert hint.startswith("Give words to find, a condition, an intervention or a filter")
    for given in (
        {"query": "asthma"},
        {"condition": "asthma"},
        {"intervention": "albuterol"},
        {"status": "RECRUITING"},
    ):
        succeeds(starter, "search_trials", **given)


def test_a_page_size_inside_the_range_works(starter: Tools) -> None:
    hint = starter.error("search_trials", query="asthma", page_size=1000)["recovery_hint"]
    limit = re.search(r"1 to (\d+)", hint)
    assert limit
    succeeds(starter, "search_trials", query="asthma", page_size=limit[1])


def test_a_cursor_is_cured_by_leaving_it_out_or_by_its_own_query(starter: Tools) -> None:
    cursor = succeeds(starter, "search_trials", query="asthma", page_size=1)["pagination"]["cursor"]
    error = starter.error("search_trials", query="eczema", page_size=1, cursor=cursor)
    assert "`cursor` alone" in error["recovery_hint"]
    assert "leave it out" in error["recovery_hint"]
    succeeds(starter, "search_trials", cursor=cursor)
    succeeds(starter, "search_trials", query="asthma", page_size=1, cursor=cursor)
    succeeds(starter, "search_trials", query="eczema", page_size=1)
    damaged = starter.error("search_trials", query="asthma", cursor="damaged")
    assert "omit it" in damaged["recovery_hint"]


def test_an_expression_corrected_at_the_column_works(starter: Tools) -> None:
    broken = "asthma AND (wheezing"
    error = starter.error("search_trials", advanced=broken)
    column = int(error["recovery_hint"].split(":")[0].removeprefix("Column "))
    assert column == len(broken) + 1
    succeeds(starter, "search_trials", advanced=f"{broken[: column - 1]})")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ({"age": "old"}, {"age": 63}),
        ({"age": "old"}, {"age": "6 months"}),
        ({"date_before": "last year"}, {"date_before": "2024-06"}),
        ({"near": "Atlantis Deep"}, {"near": "42.36,-71.06"}),
        ({"near": "Boston", "within": "far"}, {"near": "Boston", "within": "50 mi"}),
        ({"query": "x", "within": 10}, {"query": "x", "near": "Boston", "within": 10}),
        ({"near": "Boston", "within": 5000}, {"near": "Boston", "within": 805}),
        ({"condition": " "}, {"condition": "asthma"}),
        ({"query": "x", "slim": "perhaps"}, {"query": "x", "slim": "true"}),
    ],
    ids=str,
)
def test_the_example_in_the_hint_works(
    starter: Tools, wrong: dict[str, Any], right: dict[str, Any]
) -> None:
    error = starter.error("search_trials", **wrong)
    assert error["code"] == "INVALID_INPUT"
    assert error["recovery_hint"]
    succeeds(starter, "search_trials", **right)


def test_too_many_ids_are_cured_by_fewer(starter: Tools) -> None:
    many = [f"NCT{number}" for number in range(90_000_001, 90_000_031)]
    error = starter.error("get_trial", nct_id=many)
    limit = re.search(r"up to (\d+)", error["recovery_hint"])
    assert limit
    succeeds(starter, "get_trial", nct_id=many[: int(limit[1])])
    compared = starter.error("compare_trials", nct_ids=many)
    bounds = re.search(r"(\d+) to (\d+)", compared["recovery_hint"])
    assert bounds
    for number in map(int, bounds.groups()):
        succeeds(starter, "compare_trials", nct_ids=many[:number])


@pytest.mark.parametrize("unsaid", ["", "null", "None", None, []])
@pytest.mark.parametrize("name", ["status", "phase", "near", "age", "date_before", "page_size"])
def test_an_argument_without_a_value_is_not_given(starter: Tools, name: str, unsaid: Any) -> None:
    asked = succeeds(starter, "search_trials", condition="asthma", **{name: unsaid})
    assert asked == succeeds(starter, "search_trials", condition="asthma")


def test_eight_digits_lead_to_the_id(starter: Tools) -> None:
    error = starter.error("get_trial", nct_id="90000001")
    assert error["code"] == "UNRESOLVED_ENTITY"
    meant = re.search(r"NCT\d{8}", error["recovery_hint"])
    assert meant
    succeeds(starter, "get_trial", nct_id=meant[0])


def test_sites_asked_for_as_a_section_lead_to_their_own_tool(starter: Tools) -> None:
    error = starter.error("get_trial", nct_id=NCT_ID, sections="locations")
    assert "get_trial_locations" in error["recovery_hint"]
    succeeds(starter, "get_trial_locations", nct_id=NCT_ID)


def test_an_error_does_not_repeat_a_long_input(starter: Tools) -> None:
    for arguments in ({"nct_id": "x" * 100_000}, {"nct_id": NCT_ID, "sections": "x" * 100_000}):
        assert len(str(starter.wire("get_trial", **arguments))) < 4_000
