"""The tools about a drug and a condition keep their contracts, in process and on the wire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.discovery.asking import Tools

LISTED = ["items", "pagination", "names"]
PAIR = {"drug": "semaglutide", "condition": "asthma"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_drug_trials", {"drug": "semaglutide"}),
    ("search_drug_trials", {"drug": "wegovy", "condition": "type 2 diabetes", "max_results": "3"}),
    ("search_drug_trials", {"drug": "metformin", "phase_filter": ["PHASE2", "PHASE3"]}),
    ("search_drug_trials", {"drug": "xyzzyplugh"}),
    (
        "search_drug_trials",
        {"drug": "semaglutide", "date_before": "2023", "point_in_time": "true"},
    ),
    ("detect_whitespace", PAIR),
    ("detect_whitespace", {"drug": "semaglutide", "condition": "type 2 diabetes"}),
    ("detect_whitespace", {"drug": "semaglutyde", "condition": "xyzzyplugh"}),
    ("detect_whitespace", {**PAIR, "date_before": "2023-06", "point_in_time": True}),
    ("get_landscape", {"condition": "asthma", "top_n": 2}),
    ("get_landscape", {"condition": "xyzzyplugh"}),
    ("get_landscape", {"condition": "asthma", "date_before": "2020", "point_in_time": True}),
    ("get_terminated", {"query": "GLP-1 receptor agonist"}),
    ("get_terminated", {"query": "asthma", "max_results": 1}),
    ("get_terminated", {"query": "xyzzyplugh"}),
    ("get_terminated", {"query": "semaglutide", "date_before": "2025", "point_in_time": True}),
]
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("search_drug_trials", {"drug": None}),
    ("search_drug_trials", {"drug": " "}),
    ("search_drug_trials", {"drug": ["semaglutide"]}),
    ("search_drug_trials", {"drug": "semaglutide", "max_results": 0}),
    ("search_drug_trials", {"drug": "semaglutide", "max_results": "many"}),
    ("search_drug_trials", {"drug": "semaglutide", "max_results": 1.5}),
    ("search_drug_trials", {"drug": "semaglutide", "phase_filter": "PHASE7"}),
    ("search_drug_trials", {"drug": "semaglutide", "phase_filter": "PHASE2 OR"}),
    ("search_drug_trials", {"drug": "semaglutide", "date_before": "soon"}),
    ("detect_whitespace", {"drug": "semaglutide", "condition": None}),
    ("detect_whitespace", {**PAIR, "point_in_time": True}),
    ("detect_whitespace", {**PAIR, "date_before": "2020", "point_in_time": "perhaps"}),
    ("get_landscape", {"condition": None}),
    ("get_landscape", {"condition": "asthma", "top_n": -1}),
    ("get_terminated", {"query": None}),
    ("get_terminated", {"query": "\x00"}),
]

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=str)
def test_drug_answers_keep_their_contract_without_nulls(
    starter: Tools, tool: str, arguments: dict[str, Any]
) -> None:
    answer = starter.wire(tool, **arguments)
    check(tool, answer)
    assert nulls(answer) == []
    assert answer["provenance"]["synthetic"] is True


@pytest.mark.parametrize(("tool", "arguments"), WRONG, ids=str)
def test_a_wrong_question_about_drugs_is_one_envelope(
    starter: Tools, tool: str, arguments: dict[str, Any]
) -> None:
    failed = starter.wire(tool, **arguments)
    check("error", failed)
    assert failed["error"]["code"] == "INVALID_INPUT"
    assert failed["error"]["recovery_hint"]


def test_brand_and_generic_name_find_the_same_trials(starter: Tools) -> None:
    answers = [starter.wire("search_drug_trials", drug=name) for name in ("wegovy", "semaglutide")]
    first, second = ({item["nct_id"] for item in answer["items"]} for answer in answers)
    assert first
    assert first == second


def test_what_is_listed_is_cut_and_the_total_is_not(starter: Tools) -> None:
    cut = starter.wire("search_drug_trials", drug="semaglutide", max_results=2)
    whole = starter.wire("search_drug_trials", drug="semaglutide", page_size=200)
    assert cut["items"] == whole["items"][:2]
    assert cut["pagination"]["total_count"] == len(whole["items"]) > 2
    assert cut["pagination"]["cursor"] is None


LISTS: list[tuple[str, dict[str, Any], str]] = [
    ("search_drug_trials", {"drug": "metformin"}, "items"),
    ("get_terminated", {"query": "cancer"}, "items"),
    ("get_landscape", {"condition": "asthma"}, "competitors"),
]


@pytest.mark.parametrize(("tool", "arguments", "listed"), LISTS, ids=str)
def test_pages_hold_the_whole_list_once(
    starter: Tools, tool: str, arguments: dict[str, Any], listed: str
) -> None:
    whole = starter.wire(tool, **arguments, page_size=200)[listed]
    assert len(whole) > 6
    page = starter.wire(tool, **arguments, page_size=3)
    seen, pages = list(page[listed]), 1
    while page["pagination"]["cursor"]:
        check(tool, page)
        page = starter.wire(tool, cursor=page["pagination"]["cursor"])
        seen += page[listed]
        pages += 1
    assert seen == whole
    assert pages == -(-len(whole) // 3)


@pytest.mark.parametrize(("tool", "arguments", "listed"), LISTS, ids=str)
def test_a_page_has_twenty_and_the_limit_is_of_all_pages(
    starter: Tools, tool: str, arguments: dict[str, Any], listed: str
) -> None:
    assert starter.wire(tool, **arguments)["pagination"]["page_size"] == 20
    limit = {"top_n": 5} if tool == "get_landscape" else {"max_results": 5}
    first = starter.wire(tool, **arguments, **limit, page_size=3)
    second = starter.wire(tool, cursor=first["pagination"]["cursor"])
    assert (len(first[listed]), len(second[listed])) == (3, 2)
    assert second["pagination"]["cursor"] is None


@pytest.mark.parametrize(("tool", "arguments", "listed"), LISTS, ids=str)
def test_a_cursor_with_other_arguments_is_refused(
    starter: Tools, tool: str, arguments: dict[str, Any], listed: str
) -> None:
    cursor = starter.wire(tool, **arguments, page_size=3)["pagination"]["cursor"]
    (name,) = arguments
    for changed in ({name: "melanoma"}, {"page_size": 5}, {"date_before": "2020"}):
        assert starter.error(tool, **changed, cursor=cursor)["code"] == "INVALID_INPUT"
    again = starter.wire(tool, **arguments, page_size=3, cursor=cursor)
    assert again == starter.wire(tool, cursor=cursor)


def test_long_texts_come_whole_on_request(starter: Tools) -> None:
    slim = starter.wire("search_drug_trials", drug="metformin")
    whole = starter.wire("search_drug_trials", drug="metformin", slim=False)
    pairs = list(zip(slim["items"], whole["items"], strict=True))
    assert all(len(short["brief_summary"]) <= 260 for short, _ in pairs)
    assert not any("description" in each for item, _ in pairs for each in item["interventions"])
    assert any("description" in each for _, item in pairs for each in item["interventions"])
    assert any("are cut" in note for note in slim["provenance"]["notes"])
    assert not any("are cut" in note for note in whole["provenance"]["notes"])


def test_no_more_trials_name_both_than_name_either(starter: Tools) -> None:
    found = starter.wire("detect_whitespace", drug="semaglutide", condition="type 2 diabetes")
    either = min(found["drug_only_trials"], found["condition_only_trials"])
    assert 0 < found["exact_match_count"] <= either
    assert found["is_whitespace"] is False


def test_an_untested_pair_has_other_drugs_and_a_tested_one_trials(starter: Tools) -> None:
    untested = starter.wire("detect_whitespace", **PAIR)
    assert (untested["grade"], untested["hits"]) == ("untested", [])
    assert untested["condition_drugs"]
    tested = starter.wire("detect_whitespace", drug="semaglutide", condition="type 2 diabetes")
    assert tested["hits"]
    assert tested["condition_drugs"] == []


def test_a_list_of_phases_means_any_of_them(starter: Tools) -> None:
    listed = starter.wire("search_drug_trials", drug="metformin", phase_filter=["PHASE2", "PHASE3"])
    written = starter.wire("search_drug_trials", drug="metformin", phase_filter="PHASE2 OR PHASE3")
    assert listed["items"] == written["items"]


def test_reasons_are_counted_over_all_that_stopped(starter: Tools) -> None:
    answer = starter.wire("get_terminated", query="GLP-1 receptor agonists", max_results=1)
    assert len(answer["items"]) == 1
    assert answer["names"][0]["kind"] == "class"
    total = answer["pagination"]["total_count"]
    assert sum(answer["summary"]["categories"].values()) == answer["summary"]["trials"] == total
