"""Every tool keeps its contract: exact keys, no nulls, ids as CURIEs, errors as one envelope."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contracts.contracts import check_answer, check_error
from tests.discovery.asking import Tools

IDS = ["NCT90000001", "NCT90000002", "NCT00000001"]
COUNTED = ["field", "trial_count", "without_value", "items", "pagination"]
SCOUTED = [
    *("drug", "classes", "relatives", "indications", "candidates", "known_uses"),
    *("contraindicated", "approvals_consulted"),
]
BRIDGED = [
    *("drug", "asked", "targets", "own_trial_count", "own_condition_count", "own_conditions"),
    *("linked_drug_count", "read_drug_count", "candidates", "unknown", "pathway_provenance"),
]
CALLS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("search_trials", {"condition": "asthma"}, ["items", "pagination"]),
    ("search_trials", {"condition": "asthma", "slim": True}, ["items", "pagination"]),
    ("search_trials", {"query": "xyzzyplugh"}, ["items", "pagination"]),
    ("search_trials", {"near": "Boston, MA", "age": 63, "sex": "F"}, ["items", "pagination"]),
    ("get_trial", {"nct_id": IDS[0], "sections": "dates"}, ["id", "title", "dates"]),
    ("get_trial", {"nct_id": IDS}, ["items", "not_found", "pagination"]),
    ("get_trial_locations", {"nct_id": IDS[0]}, ["id", "items", "pagination"]),
    ("count_trials", {"by": ["phase", "country"]}, ["total_count", "breakdowns"]),
    ("count_trials", {}, ["total_count", "breakdowns"]),
    ("compare_trials", {"nct_ids": IDS}, ["items", "rows", "not_found"]),
    ("get_results", {"nct_id": IDS[0]}, ["id", "title", "has_results", "items", "pagination"]),
    ("explore_fields", {}, ["items", "pagination"]),
    ("explore_fields", {"query": "masking"}, ["items", "pagination"]),
    ("explore_fields", {"field": "ConditionSearch"}, ["field", "items", "pagination"]),
    ("explore_fields", {"field": "Phase", "condition": "asthma"}, COUNTED),
    ("explore_fields", {"field": "LocationCity", "advanced": "AREA[Phase]PHASE3"}, COUNTED),
    ("scout_indications", {"drug": "semaglutide", "max_results": 2}, SCOUTED),
    ("scout_indications", {"drug": "xyzzyplugh"}, SCOUTED),
    ("bridge_drug", {"drug": "tofacitinib"}, BRIDGED),
    ("bridge_drug", {"drug": "xyzzyplugh"}, BRIDGED),
]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("search_trials", {}, "INVALID_INPUT"),
    ("get_trial", {"nct_id": "melanoma"}, "UNRESOLVED_ENTITY"),
    ("get_trial", {"nct_id": "NCT1234567"}, "INVALID_INPUT"),
    ("get_trial", {"nct_id": "NCT00000001"}, "ENTITY_NOT_FOUND"),
    ("get_trial_locations", {"nct_id": "melanoma"}, "UNRESOLVED_ENTITY"),
    ("get_trial_locations", {"nct_id": "NCT00000001"}, "ENTITY_NOT_FOUND"),
    ("count_trials", {"by": "colour"}, "INVALID_INPUT"),
    ("compare_trials", {"nct_ids": ["melanoma", "asthma"]}, "UNRESOLVED_ENTITY"),
    ("compare_trials", {"nct_ids": ["NCT00000001", "NCT00000002"]}, "ENTITY_NOT_FOUND"),
    ("compare_trials", {"nct_ids": "NCT90000001"}, "INVALID_INPUT"),
    ("get_results", {"nct_id": "melanoma"}, "UNRESOLVED_ENTITY"),
    ("get_results", {"nct_id": "NCT00000001"}, "ENTITY_NOT_FOUND"),
    ("get_results", {"nct_id": "NCT90000001", "sections": "harms"}, "INVALID_INPUT"),
    ("explore_fields", {"field": "Fase"}, "INVALID_INPUT"),
    ("explore_fields", {"field": "DesignModule"}, "INVALID_INPUT"),
    ("explore_fields", {"advanced": "AREA["}, "INVALID_INPUT"),
    ("scout_indications", {}, "INVALID_INPUT"),
    ("scout_indications", {"drug": "semaglutide", "max_results": 0}, "INVALID_INPUT"),
    ("bridge_drug", {}, "INVALID_INPUT"),
]


@pytest.mark.parametrize(("tool", "arguments", "keys"), CALLS, ids=str)
def test_answers_have_exactly_their_keys_and_no_nulls(
    starter: Tools, tool: str, arguments: dict[str, Any], keys: list[str]
) -> None:
    check_answer(starter, tool, arguments, keys)


@pytest.mark.parametrize(("tool", "arguments", "code"), WRONG, ids=str)
def test_errors_are_one_envelope(
    starter: Tools, tool: str, arguments: dict[str, Any], code: str
) -> None:
    check_error(starter, tool, arguments, code)


def test_candidates_of_the_search_are_trials_of_the_lookup(starter: Tools) -> None:
    found = starter.wire("search_trials", condition="asthma", page_size=20)
    ids = [item["id"] for item in found["items"]]
    trials = starter.wire("get_trial", nct_id=ids, sections=["protocol"])
    assert [trial["id"] for trial in trials["items"]] == ids
    for item, trial in zip(found["items"], trials["items"], strict=True):
        assert item["title"] == trial["title"]
        assert item.get("phase") == trial["protocol"].get("phase")
        assert item["conditions"] == trial["protocol"]["conditions"]
