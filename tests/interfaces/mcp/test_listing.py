"""What a host reads before it calls anything: short, true, and complete."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp_types import ListToolsResult

from tests.contracts.contracts import TOOLS, contracts
from tests.interfaces.mcp.connecting import WireTools
from trialyst.interfaces.mcp import tools

BUDGET = 24_000
"""Bytes of JSON for the whole tool list."""
TYPES = {"string", "integer", "number", "boolean", "array"}


def listed(starter: WireTools) -> ListToolsResult:
    return starter.portal.call(starter.client.list_tools)


def to_json(value: Any) -> str:
    sent = value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return json.dumps(sent, separators=(",", ":"), ensure_ascii=False)


def test_every_tool_is_listed(starter: WireTools) -> None:
    assert [tool.name for tool in listed(starter).tools] == list(TOOLS)


def test_the_whole_list_keeps_to_the_budget(starter: WireTools) -> None:
    assert len(to_json(listed(starter)).encode()) < BUDGET


def test_tools_have_titles_and_the_first_words_of_their_docstrings(starter: WireTools) -> None:
    declared = {each.name: each for each in tools.TOOLS}
    for tool in listed(starter).tools:
        assert tool.title
        assert tool.description
        docstring = " ".join((declared[tool.name].call.__doc__ or "").split())
        assert docstring.startswith(tool.description)


def test_tools_only_read(starter: WireTools) -> None:
    for tool in listed(starter).tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint


def test_arguments_are_those_of_the_contract(starter: WireTools) -> None:
    for tool in listed(starter).tools:
        arguments = contracts()[tool.name]["$defs"]["arguments"]
        assert set(tool.input_schema["properties"]) == set(arguments["properties"])
        assert tool.input_schema.get("required", []) == arguments["required"]
        Draft202012Validator.check_schema(tool.input_schema)


def test_every_argument_is_described_and_has_one_type(starter: WireTools) -> None:
    """Some models refuse unions, nulls and enumerations of anything but text."""
    for tool in listed(starter).tools:
        for name, argument in tool.input_schema["properties"].items():
            assert argument["description"], (tool.name, name)
            assert argument["type"] in TYPES
            assert not {"anyOf", "oneOf", "allOf", "$ref", "const"} & set(argument)
            assert argument["type"] != "array" or argument["items"] == {"type": "string"}
            assert "enum" not in argument or argument["type"] == "string"


def test_one_expression_of_essie_is_shown(starter: WireTools) -> None:
    search = next(tool for tool in listed(starter).tools if tool.name == "search_trials")
    shown = search.input_schema["properties"]["advanced"]["description"].split("`")[1]
    assert starter.wire("search_trials", advanced=shown)["pagination"]["total_count"] > 0


def test_output_schemas_describe_the_envelope_only(starter: WireTools) -> None:
    for tool in listed(starter).tools:
        assert tool.output_schema is not None
        keys = set(tool.output_schema["properties"])
        assert keys - {"items", "pagination"} == {"provenance"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_trials", {"condition": "asthma"}),
        ("search_trials", {"phase": "Phase 5"}),
        ("get_trial", {"nct_id": "NCT90000001"}),
        ("get_trial", {"nct_id": "melanoma"}),
        ("count_trials", {"by": "colour"}),
        ("search_drug_trials", {"drug": "semaglutide", "max_results": 2}),
        ("detect_whitespace", {"drug": "semaglutide"}),
        ("get_landscape", {"condition": "asthma"}),
        ("get_terminated", {"query": "asthma"}),
        ("search_pathways", {"query": "glycolysis"}),
        ("get_pathway", {"pathway_id": "glycolysis"}),
        ("enrich_pathways", {"genes": ["TNF"]}),
        ("write_dossier", {"drug": "metformin", "condition": "asthma"}),
        ("write_dossier", {"drug": "metformin"}),
        ("profile_patient", {"note": "A 40-year-old man with gout."}),
        ("profile_patient", {"note": " "}),
        ("match_patient", {"note": "A 40-year-old man with gout.", "candidates": 20}),
        ("match_patient", {"note": "A 40-year-old man with gout.", "top": 0}),
        (
            "evaluate_criterion",
            {"note": "A man with gout.", "criterion": "Gout", "criterion_type": "exclusion"},
        ),
        (
            "evaluate_criterion",
            {"note": "A man with gout.", "criterion": " ", "criterion_type": "exclusion"},
        ),
    ],
    ids=str,
)
def test_answers_and_failures_fit_the_output_schema(
    starter: WireTools, tool: str, arguments: dict[str, Any]
) -> None:
    """Some hosts hold failures to the schema too."""
    schema = {each.name: each.output_schema for each in listed(starter).tools}[tool]
    Draft202012Validator(schema).validate(starter.wire(tool, **arguments))


def test_the_server_says_how_the_tools_belong_together(starter: WireTools) -> None:
    assert "search_trials" in (starter.client.instructions or "")
    about = starter.client.server_info
    assert about is not None
    assert about.name == "trialyst"
