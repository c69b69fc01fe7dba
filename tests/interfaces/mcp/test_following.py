"""Every error leads to success: a program that sees only the answer does what its hint says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interfaces.mcp.connecting import WireTools
from tests.interfaces.mcp.following import follow

NCT = "NCT90000001"

FAILING: list[tuple[str, dict[str, Any]]] = [
    ("search_trials", {}),
    ("search_trials", {"conditon": "asthma"}),
    ("search_trials", {"condition": "asthma", "colour": "red"}),
    ("search_trials", {"phase": "Phase 5"}),
    ("search_trials", {"status": "recruting"}),
    ("search_trials", {"study_type": "interventionl"}),
    ("search_trials", {"sex": "femal"}),
    ("search_trials", {"age": "old"}),
    ("search_trials", {"start_from": "last year"}),
    ("search_trials", {"near": "Chicgo"}),
    ("search_trials", {"near": "Germany"}),
    ("search_trials", {"near": "Boston", "within": "far"}),
    ("search_trials", {"near": "Boston", "within": 5000}),
    ("search_trials", {"query": "asthma", "within": 10}),
    ("search_trials", {"query": "asthma", "sort": "StartDat"}),
    ("search_trials", {"query": "asthma", "page_size": 1000}),
    ("search_trials", {"query": "asthma", "page_size": "many"}),
    ("search_trials", {"query": "asthma", "fields": "colour"}),
    ("search_trials", {"query": "asthma", "slim": "perhaps"}),
    ("search_trials", {"query": "asthma", "has_results": "perhaps"}),
    ("search_trials", {"query": "asthma", "cursor": "damaged"}),
    ("search_trials", {"advanced": "asthma AND (wheezing"}),
    ("search_trials", {"drug": "aspirin", "intervention": "ibuprofen"}),
    ("count_trials", {"by": "stage"}),
    ("get_trial", {"nct_id": "breast cancer immunotherapy"}),
    ("get_trial", {"nct_id": "NCT1234567"}),
    ("get_trial", {"nct_id": "NCT00000001"}),
    ("get_trial", {"nct_id": "90000001"}),
    ("get_trial", {"nct_id": ""}),
    ("get_trial", {"nct_id": NCT, "sections": "eligibilty"}),
    ("get_trial", {"nct_id": NCT, "sections": "locations"}),
    ("get_trial", {"nct_id": [f"NCT{number}" for number in range(90_000_001, 90_000_031)]}),
    ("get_trial_locations", {"nct_id": NCT, "status": "recruting"}),
    ("get_trial_locations", {"nct_id": NCT, "country": "Irelnd"}),
    ("compare_trials", {"nct_ids": [NCT]}),
    ("compare_trials", {"nct_ids": [NCT, "asthma albuterol"]}),
    ("get_results", {"nct_id": "asthma"}),
    ("search_drug_trials", {"drug": "metformin", "max_results": 0}),
    ("search_drug_trials", {"drug": "metformin", "phase_filter": "PHASE9"}),
    ("detect_whitespace", {"drug": "metformin"}),
    ("detect_whitespace", {"drug": "metformin", "condition": "asthma", "date_before": "soon"}),
    ("detect_whitespace", {"drug": "metformin", "condition": "asthma", "point_in_time": True}),
    ("get_landscape", {}),
    ("get_terminated", {"query": ""}),
    ("search_pathways", {"query": "a"}),
    ("search_pathways", {"query": "glycolysis", "organism": "human"}),
    ("search_pathways", {"query": "glycolysis", "page_size": 500}),
    ("get_pathway", {"pathway_id": "glycolysis"}),
    ("get_pathway", {"pathway_id": "WP999999"}),
    ("get_pathways_for_gene", {"gene_id": "HGNC:abc"}),
    ("enrich_pathways", {"genes": []}),
    (
        "evaluate_criterion",
        {"note": "A man with gout.", "criterion": "Gout", "criterion_type": "x"},
    ),
    ("match_patient", {"note": "A man with gout.", "top": 0}),
    ("profile_patient", {"note": " "}),
    ("scout_indications", {"drug": ""}),
    ("bridge_drug", {"drug": ""}),
    ("explore_fields", {"piece": "Colour"}),
    ("get_changes", {"since": "someday"}),
    ("get_changes", {"since": "2019-01-01", "colour": "red"}),
    ("get_changes", {"since": "2019-01-01", "page_size": 5000}),
    ("get_changes", {"since": "2019-01-01", "cursor": "damaged"}),
    ("get_pathway_components", {"pathway_id": "glycolysis"}),
    ("get_pathway_components", {"pathway_id": "WP999999"}),
    ("write_dossier", {"drug": "", "condition": "asthma"}),
    ("write_dossier", {"drug": "metformin"}),
    ("search_trials", {"accepts": "colour of the hair"}),
]


@pytest.mark.parametrize(("tool", "arguments"), FAILING, ids=str)
def test_doing_what_the_hint_says_leads_to_success(
    stdio: WireTools, tool: str, arguments: dict[str, Any]
) -> None:
    follow(stdio, tool, arguments)


def test_a_cursor_with_other_filters_continues_alone(stdio: WireTools) -> None:
    page = stdio.wire("search_trials", condition="asthma", page_size=5)
    cursor = page["pagination"]["cursor"]
    follow(stdio, "search_trials", {"condition": "eczema", "cursor": cursor})
