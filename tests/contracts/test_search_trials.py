"""The testing requirements of the contract of `search_trials`, by their names."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contracts.contracts import TOLD, check, nulls
from tests.discovery.asking import Tools

STATUSES = [
    "RECRUITING",
    "COMPLETED",
    "ACTIVE_NOT_RECRUITING",
    "NOT_YET_RECRUITING",
    "SUSPENDED",
    "TERMINATED",
    "WITHDRAWN",
]
PHASES = ["EARLY_PHASE1", "PHASE1", "PHASE2", "PHASE3", "PHASE4", "NA"]
CANDIDATE = {"id", "title", "brief_summary", "phase", "status", "conditions", "interventions"}


class TestParameterValidation:
    """Unit tests: parameter validation (valid and invalid enums)."""

    @pytest.mark.parametrize("status", STATUSES)
    def test_valid_status(self, starter: Tools, status: str) -> None:
        found = starter.wire("search_trials", status=status)
        assert found["items"]
        assert {item["status"] for item in found["items"]} == {status}

    @pytest.mark.parametrize("phase", PHASES)
    def test_valid_phase(self, starter: Tools, phase: str) -> None:
        found = starter.wire("search_trials", phase=phase)
        assert found["items"]
        assert all(phase in item["phase"].split("/") for item in found["items"])

    def test_invalid_phase(self, starter: Tools) -> None:
        error = starter.error("search_trials", phase="Phase 5")
        assert error["code"] == "INVALID_INPUT"
        assert error["invalid_input"] == "Phase 5"
        assert all(phase in error["recovery_hint"] for phase in PHASES)

    def test_invalid_status(self, starter: Tools) -> None:
        error = starter.error("search_trials", status="HIRING")
        assert error["code"] == "INVALID_INPUT"
        assert error["invalid_input"] == "HIRING"
        assert all(status in error["recovery_hint"] for status in STATUSES)


class TestEmptyQueryAndFilters:
    """Unit tests: empty query and filters validation."""

    def test_no_query_and_no_filter(self, starter: Tools) -> None:
        assert starter.error("search_trials")["code"] == "INVALID_INPUT"

    @pytest.mark.parametrize("query", [None, "", "  "])
    def test_empty_query_without_filters(self, starter: Tools, query: str | None) -> None:
        assert starter.error("search_trials", query=query)["code"] == "INVALID_INPUT"

    @pytest.mark.parametrize("query", [None, ""])
    def test_empty_query_with_filters(self, starter: Tools, query: str | None) -> None:
        with_query = starter.wire("search_trials", query=query, condition="asthma")
        assert with_query == starter.wire("search_trials", condition="asthma")

    @pytest.mark.parametrize("query", ["COVID-19", "HER2+", "non-small cell", "AND", "a (b] c"])
    def test_special_characters_are_text(self, starter: Tools, query: str) -> None:
        assert "items" in starter.wire("search_trials", query=query)

    @pytest.mark.parametrize("query", ["a\x00b", "a\x1bb"])
    def test_control_characters_are_refused(self, starter: Tools, query: str) -> None:
        assert starter.error("search_trials", query=query)["code"] == "INVALID_INPUT"


class TestPageSizeBounds:
    """Unit tests: page size bounds checking."""

    def test_default_is_50(self, starter: Tools) -> None:
        found = starter.wire("search_trials", status="COMPLETED")
        assert found["pagination"]["page_size"] == 50
        assert len(found["items"]) == 50

    @pytest.mark.parametrize("page_size", [1, 200, "10", 10.0])
    def test_inside(self, starter: Tools, page_size: Any) -> None:
        found = starter.wire("search_trials", status="COMPLETED", page_size=page_size)
        assert len(found["items"]) == found["pagination"]["page_size"] == int(page_size)

    @pytest.mark.parametrize("page_size", [0, 201, -1, "many", 1.5, True])
    def test_outside(self, starter: Tools, page_size: Any) -> None:
        error = starter.error("search_trials", query="asthma", page_size=page_size)
        assert error["code"] == "INVALID_INPUT"
        assert error["invalid_input"] == str(page_size)


class TestIntegration:
    """Integration tests 1 to 5."""

    def test_1_search_by_query_only(self, starter: Tools) -> None:
        found = starter.wire("search_trials", query="breast cancer immunotherapy")
        assert found["items"]
        assert all("reast" in str(item) for item in found["items"])

    def test_2_search_by_condition_and_intervention(self, starter: Tools) -> None:
        found = starter.wire("search_trials", condition="asthma", intervention="albuterol")
        assert found["items"]
        assert all("lbuterol" in str(item["interventions"]) for item in found["items"])

    def test_3_multi_filter_search(self, starter: Tools) -> None:
        filters = {
            "condition": "breast cancer",
            "phase": "PHASE2",
            "status": "COMPLETED",
            "location": "United States",
        }
        found = starter.wire("search_trials", **filters)
        assert found["items"]
        for item in found["items"]:
            assert item["status"] == "COMPLETED"
            assert "PHASE2" in item["phase"]
            sites = starter.wire("get_trial_locations", nct_id=item["id"], country="United States")
            assert sites["items"]
        for left_out in filters:
            wider = {name: text for name, text in filters.items() if name != left_out}
            total = starter.wire("search_trials", **wider)["pagination"]["total_count"]
            assert total >= found["pagination"]["total_count"]

    def test_4_pagination_of_100_results_across_2_pages(self, starter: Tools) -> None:
        first = starter.wire("search_trials", status="COMPLETED", page_size=50)
        cursor = first["pagination"]["cursor"]
        second = starter.wire("search_trials", status="COMPLETED", page_size=50, cursor=cursor)
        ids = [item["id"] for item in (*first["items"], *second["items"])]
        assert len(ids) == len(set(ids)) == 100
        assert first["pagination"]["total_count"] == second["pagination"]["total_count"]

    def test_4_last_page_has_no_cursor_and_nothing_is_lost(self, starter: Tools) -> None:
        ids: list[str] = []
        cursor, total = None, 0
        while True:
            page = starter.wire("search_trials", condition="asthma", page_size=7, cursor=cursor)
            ids += [item["id"] for item in page["items"]]
            cursor, total = page["pagination"]["cursor"], page["pagination"]["total_count"]
            if cursor is None:
                break
        assert len(ids) == len(set(ids)) == total

    def test_5_empty_results_of_an_obscure_query(self, starter: Tools) -> None:
        found = starter.wire("search_trials", query="xyzzyplugh quuxification")
        assert found["items"] == []
        assert found["pagination"] == {"cursor": None, "total_count": 0, "page_size": 50}


class TestContract:
    """Contract tests: envelope, candidate and error compliance."""

    def test_pagination_envelope_structure(self, starter: Tools) -> None:
        found = starter.wire("search_trials", condition="asthma", page_size=3)
        check("search_trials", found)
        assert set(found) == {"items", "pagination", *TOLD}
        assert set(found["pagination"]) == {"cursor", "total_count", "page_size"}
        assert nulls(found) == []

    def test_trial_search_candidate_schema(self, starter: Tools) -> None:
        found = starter.wire("search_trials", advanced="ALL", page_size=200)
        check("search_trials", found)
        for item in found["items"]:
            check("search_trials#Candidate", item)
            assert set(item) <= CANDIDATE

    def test_phase_is_omitted_where_there_is_none(self, starter: Tools) -> None:
        found = starter.wire("search_trials", advanced="AREA[Phase]MISSING", page_size=5)
        assert found["items"]
        assert not any("phase" in item for item in found["items"])

    def test_two_phases_are_joined(self, starter: Tools) -> None:
        found = starter.wire("search_trials", phase="PHASE1/PHASE2", page_size=5)
        assert {item["phase"] for item in found["items"]} == {"PHASE1/PHASE2"}

    @pytest.mark.parametrize(
        "arguments",
        [
            {},
            {"phase": "Phase 5"},
            {"query": "asthma", "page_size": 0},
            {"query": "asthma", "cursor": "damaged"},
            {"advanced": "asthma AND ("},
            {"query": "asthma", "colour": "red"},
        ],
        ids=str,
    )
    def test_error_envelope(self, starter: Tools, arguments: dict[str, Any]) -> None:
        failed = starter.wire("search_trials", **arguments)
        check("error", failed)
        assert failed["error"]["code"] == "INVALID_INPUT"
