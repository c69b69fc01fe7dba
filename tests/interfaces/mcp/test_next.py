"""A program that sees only answers can follow every call they propose, page after page."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.contracts.contracts import check
from tests.interfaces.mcp.connecting import WireTools
from trialyst.interfaces.mcp.tools import TOOLS

LARGEST = 32_000
"""Characters of an answer to default arguments: some 8,000 tokens."""
EXAMPLES = [(tool.name, example) for tool in TOOLS for example in tool.examples]
EMPTY: list[tuple[str, dict[str, Any]]] = [
    ("search_trials", {"condition": "asthma", "intervention": "xyzzyplugh"}),
    ("search_drug_trials", {"drug": "xyzzyplugh"}),
    ("search_drug_trials", {"drug": "semaglutyde"}),
    ("detect_whitespace", {"drug": "semaglutyde", "condition": "asthma"}),
    ("get_landscape", {"condition": "xyzzyplugh"}),
    ("get_terminated", {"query": "xyzzyplugh"}),
    ("get_results", {"nct_id": "NCT90000001"}),
    ("search_pathways", {"query": "xyzzyplugh"}),
    ("get_pathways_for_gene", {"gene_id": "NOSUCHGENE1"}),
    ("scout_indications", {"drug": "semaglutyde"}),
    ("bridge_drug", {"drug": "tofacitinab"}),
    ("explore_fields", {"query": "xyzzyplugh"}),
]
WITHOUT_NEXT = {"evaluate_criterion"}

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("tool", "arguments"), [*EXAMPLES, *EMPTY], ids=str)
def test_every_next_call_is_answered(
    stdio: WireTools, tool: str, arguments: dict[str, Any]
) -> None:
    answer = stdio.wire(tool, **arguments)
    check(tool, answer)
    assert answer["next"] or tool in WITHOUT_NEXT
    for call in answer["next"]:
        check(f"{call['tool']}#arguments", call["arguments"])
        check(call["tool"], stdio.wire(call["tool"], **call["arguments"]))


@pytest.mark.parametrize(("tool", "arguments"), EXAMPLES, ids=str)
def test_an_answer_to_an_example_is_short(
    stdio: WireTools, tool: str, arguments: dict[str, Any]
) -> None:
    whole = {name: value for name, value in arguments.items() if name not in ("page_size", "top")}
    assert len(json.dumps(stdio.wire(tool, **whole), ensure_ascii=False)) < LARGEST


def test_what_is_not_here_is_said_to_prove_nothing_only_of_a_part(stdio: WireTools) -> None:
    answer = stdio.wire("search_drug_trials", drug="xyzzyplugh")
    assert answer["provenance"]["complete"] is False
    assert not any("proves nothing" in note for note in answer["provenance"]["notes"])
