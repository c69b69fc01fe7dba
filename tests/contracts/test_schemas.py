"""The contracts are schemas, and agree with the code that is typed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]

from tests.contracts.contracts import FOLDER, TOLD, TOOLS, check, contracts
from trialyst import errors
from trialyst.ctgov.source import Provenance
from trialyst.discovery.candidates import FIELDS
from trialyst.discovery.counts import BREAKDOWNS
from trialyst.discovery.sections import SECTIONS
from trialyst.interfaces.mcp.contracts import contract_names, contract_text
from trialyst.interfaces.mcp.reference import render_reference


@pytest.mark.parametrize("name", sorted(contracts()))
def test_contract_is_a_schema_of_the_named_draft(name: str) -> None:
    contract = contracts()[name]
    assert contract["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(contract)


def test_every_tool_both_envelopes_and_requirements_have_a_contract() -> None:
    assert set(contracts()) == {*TOOLS, "provenance", "error", "requirement"}


def test_what_is_committed_is_what_is_made(repository: Path) -> None:
    """`python tools/publish_documents.py` makes them equal."""
    made = {**{f"{name}.json": contract_text(name) for name in contract_names()}}
    kept = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")}
    assert kept == made
    page = repository / "docs" / "reference" / "tools.md"
    assert page.read_text("utf-8") == render_reference()


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Give every schema of an object with keys of its own, however deep."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for each in schema.values():
            yield from _objects(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _objects(each)


@pytest.mark.parametrize("name", sorted(contracts()))
def test_no_object_takes_keys_that_are_not_declared(name: str) -> None:
    found = list(_objects(contracts()[name]))
    assert found
    assert all(each["additionalProperties"] is False for each in found)


@pytest.mark.parametrize("tool", TOOLS)
def test_every_answer_tells_how_it_was_understood_and_what_is_next(tool: str) -> None:
    contract = contracts()[tool]
    shapes = [
        contract["$defs"][each["$ref"].rpartition("/")[2]] for each in contract.get("anyOf", ())
    ]
    for shape in shapes or [contract]:
        assert set(shape["required"]) >= TOLD
        assert list(shape["properties"])[-3:] == ["understood", "provenance", "next"]


def test_provenance_of_the_contract_is_that_of_the_source() -> None:
    assert set(contracts()["provenance"]["properties"]) == set(Provenance.model_fields)


def test_codes_of_the_contract_are_those_of_the_errors() -> None:
    codes = {getattr(errors, name).code for name in errors.__all__}
    listed = contracts()["error"]["$defs"]["ErrorView"]["properties"]["code"]["enum"]
    assert set(listed) == codes


def test_sections_of_the_contract_are_those_of_the_tool() -> None:
    properties = set(contracts()["get_trial"]["$defs"]["TrialSections"]["properties"])
    assert set(SECTIONS) <= properties
    assert properties - set(SECTIONS) == {"id", "brief_title", "acronym"}


def test_breakdowns_of_the_contract_are_those_of_the_tool() -> None:
    breakdowns = contracts()["count_trials"]["properties"]["breakdowns"]
    assert breakdowns["propertyNames"]["enum"] == list(BREAKDOWNS)


def test_fields_of_the_contract_are_those_of_the_search() -> None:
    candidate = contracts()["search_trials"]["$defs"]["Candidate"]["properties"]
    always = {"id", "phase", "status", "brief_summary", "sorted_by", "nearest_site"}
    assert set(candidate) - always == set(FIELDS)


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
