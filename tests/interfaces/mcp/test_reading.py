"""Resources, prompts and completions, over both transports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import PromptReference, TextContent, TextResourceContents

from tests.contracts.contracts import check, contracts
from tests.interfaces.mcp.connecting import WireTools
from trialyst.ctgov.vocab import Phase, Status
from trialyst.interfaces.mcp import published

PROMPTS: dict[str, dict[str, str]] = {
    "survey_trials": {"condition": "asthma", "phase": "PHASE3"},
    "assess_repurposing": {"intervention": "metformin", "condition": "breast cancer"},
    "match_patient": {"condition": "melanoma", "age": "63", "near": "Boston, MA"},
}


def read(starter: WireTools, uri: str) -> str:
    (content,) = starter.portal.call(starter.client.read_resource, uri).contents
    assert isinstance(content, TextResourceContents)
    return content.text


@pytest.mark.parametrize("spelling", ["NCT90000001", "nct90000001", "NCT:90000001"])
def test_a_trial_is_what_get_trial_answers(starter: WireTools, spelling: str) -> None:
    trial = json.loads(read(starter, f"trialyst://trial/{spelling}"))
    check("get_trial", trial)
    assert trial == starter.wire("get_trial", nct_id="NCT90000001")


def test_criteria_are_the_section_of_the_trial(starter: WireTools) -> None:
    criteria = json.loads(read(starter, "trialyst://trial/NCT90000001/criteria"))
    check("get_trial", criteria)
    assert criteria == starter.wire("get_trial", nct_id="NCT90000001", sections="eligibility")


@pytest.mark.parametrize("spelling", ["WP554", "wp554", "WP:WP554"])
def test_a_pathway_is_what_get_pathway_answers(starter: WireTools, spelling: str) -> None:
    pathway = json.loads(read(starter, f"trialyst://pathway/{spelling}"))
    check("get_pathway", pathway)
    assert pathway == starter.wire("get_pathway", pathway_id="WP554")


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("trialyst://pathway/glycolysis", "UNRESOLVED_ENTITY"),
        ("trialyst://pathway/WP9999999", "ENTITY_NOT_FOUND"),
        ("trialyst://trial/melanoma", "UNRESOLVED_ENTITY"),
        ("trialyst://trial/NCT1234567", "INVALID_INPUT"),
        ("trialyst://trial/NCT00000001/criteria", "ENTITY_NOT_FOUND"),
    ],
)
def test_errors_of_resources_carry_the_envelope(starter: WireTools, uri: str, code: str) -> None:
    with pytest.raises(MCPError) as raised:
        read(starter, uri)
    envelope: Any = raised.value.error.data
    check("error", envelope)
    assert envelope["error"]["code"] == code


@pytest.mark.parametrize(("name", "vocabulary"), [("status", Status), ("phase", Phase)])
def test_vocabularies_are_whole(starter: WireTools, name: str, vocabulary: Any) -> None:
    values = json.loads(read(starter, f"trialyst://vocabulary/{name}"))
    assert values == [{"value": each.value, "label": each.label} for each in vocabulary]


@pytest.mark.parametrize("name", sorted(contracts()))
def test_contracts_are_those_of_the_documentation(starter: WireTools, name: str) -> None:
    assert json.loads(read(starter, f"trialyst://contracts/{name}")) == contracts()[name]


def test_the_guide_to_essie_can_be_read(starter: WireTools) -> None:
    assert read(starter, "trialyst://guide/essie").startswith("# The query language")


def test_every_listed_resource_can_be_read(starter: WireTools) -> None:
    listed = starter.portal.call(starter.client.list_resources).resources
    assert {each.uri.partition("://")[2].partition("/")[0] for each in listed} == {
        "vocabulary",
        "guide",
        "contracts",
    }
    for each in listed:
        assert each.title
        assert read(starter, each.uri)


def test_the_packaged_guide_equals_its_original(repository: Path) -> None:
    """`python tools/publish_documents.py` makes them equal."""
    packaged = Path(published.__file__).parent / "documents"
    original = repository / "docs" / "guide" / "essie.md"
    assert {path.name: path.read_bytes() for path in packaged.rglob("*")} == {
        "essie.md": original.read_bytes()
    }


def test_there_is_a_prompt_for_each_kind_of_user(starter: WireTools) -> None:
    prompts = starter.portal.call(starter.client.list_prompts).prompts
    assert [prompt.name for prompt in prompts] == list(PROMPTS)
    assert all(prompt.title and prompt.description for prompt in prompts)


@pytest.mark.parametrize("name", PROMPTS)
def test_prompts_name_what_they_are_about_and_the_tools(starter: WireTools, name: str) -> None:
    result = starter.portal.call(starter.client.get_prompt, name, PROMPTS[name])
    (message,) = result.messages
    assert isinstance(message.content, TextContent)
    assert all(text in message.content.text for text in PROMPTS[name].values())
    assert "get_trial" in message.content.text
    assert "provenance" in message.content.text


@pytest.mark.parametrize(
    ("argument", "begun", "expected"),
    [
        ("status", "rec", ["RECRUITING"]),
        ("status", "active, not", ["ACTIVE_NOT_RECRUITING"]),
        ("phase", "phase 4", ["PHASE4"]),
        ("condition", "asth", []),
    ],
)
def test_codes_are_completed(
    starter: WireTools, argument: str, begun: str, expected: list[str]
) -> None:
    reference = PromptReference(name="survey_trials")
    answer = starter.portal.call(
        starter.client.complete, reference, {"name": argument, "value": begun}
    )
    assert answer.completion.values == expected
