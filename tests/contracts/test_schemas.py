"""The contracts are schemas, and agree with the code that is typed by hand."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]

from tests.contracts.contracts import TOOLS, check, contracts
from trialyst import errors
from trialyst.agents import Question
from trialyst.ctgov.source import Provenance
from trialyst.discovery import arguments
from trialyst.discovery.counts import BREAKDOWNS
from trialyst.discovery.pathways.arguments import EnrichArguments, PageArguments
from trialyst.discovery.sections import SECTIONS
from trialyst.matching.facade import Matching, MatchOptions
from trialyst.matching.report_view import to_match_view
from trialyst.repurposing import RepurposingClient


def _taken(method: Callable[..., Any]) -> set[str]:
    return set(inspect.signature(method).parameters) - {"self"}


ARGUMENTS = {
    "search_trials": set(arguments.SearchArguments.__annotations__),
    "get_trial": {"nct_id", *arguments.GetArguments.__annotations__},
    "get_trial_locations": {"nct_id", *arguments.LocationArguments.__annotations__},
    "count_trials": set(arguments.CountArguments.__annotations__),
    "compare_trials": set(arguments.CompareArguments.__annotations__),
    "search_pathways": {"query", *PageArguments.__annotations__},
    "get_pathway": {"pathway_id"},
    "get_pathways_for_gene": {"gene_id", *PageArguments.__annotations__},
    "get_pathway_components": {"pathway_id"},
    "enrich_pathways": {"genes", *EnrichArguments.__annotations__},
    "search_drug_trials": _taken(RepurposingClient.search_trials),
    "detect_whitespace": _taken(RepurposingClient.detect_whitespace),
    "get_landscape": _taken(RepurposingClient.get_landscape),
    "get_terminated": _taken(RepurposingClient.get_terminated),
    "write_dossier": set(Question.model_fields),
    "profile_patient": {"slim", *_taken(Matching.profile)},
    "match_patient": {
        *_taken(Matching.profile),
        *(set(MatchOptions.__annotations__) - {"judge", "agent", "runs", "progress"}),
        *(_taken(to_match_view) - {"report"}),
    },
    "evaluate_criterion": _taken(Matching.evaluate_criterion),
}


@pytest.mark.parametrize("name", sorted(contracts()))
def test_contract_is_a_schema_of_the_named_draft(name: str) -> None:
    contract = contracts()[name]
    assert contract["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(contract)


def test_every_tool_and_both_envelopes_have_a_contract() -> None:
    assert set(contracts()) == {*TOOLS, "provenance", "error"}


@pytest.mark.parametrize("tool", TOOLS)
def test_arguments_of_the_contract_are_those_of_the_tool(tool: str) -> None:
    assert set(contracts()[tool]["$defs"]["arguments"]["properties"]) == ARGUMENTS[tool]


def test_provenance_of_the_contract_is_that_of_the_source() -> None:
    assert set(contracts()["provenance"]["properties"]) == set(Provenance.model_fields)


def test_codes_of_the_contract_are_those_of_the_errors() -> None:
    codes = {getattr(errors, name).code for name in errors.__all__}
    listed = contracts()["error"]["properties"]["error"]["properties"]["code"]["enum"]
    assert set(listed) == codes


def test_sections_of_the_contract_are_those_of_the_tool() -> None:
    properties = set(contracts()["get_trial"]["$defs"]["trial"]["properties"])
    assert set(SECTIONS) <= properties
    assert properties - set(SECTIONS) == {"id", "brief_title", "acronym"}


def test_breakdowns_of_the_contract_are_those_of_the_tool() -> None:
    breakdowns = contracts()["count_trials"]["properties"]["breakdowns"]
    assert breakdowns["propertyNames"]["enum"] == list(BREAKDOWNS)


@pytest.mark.parametrize(
    "wrong",
    [
        {"items": [], "pagination": {"cursor": None, "total_count": 0, "page_size": 50}},
        {"items": [{"id": "NCT00461032"}], "pagination": {}, "provenance": {}},
    ],
    ids=["no provenance", "bare id"],
)
def test_a_wrong_answer_breaks_the_contract(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        check("search_trials", wrong)
