"""The reference of the tools is true: its examples run and it names every argument."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import TOOLS, check, contracts
from tests.discovery.asking import Tools
from trialyst.discovery.counts import BREAKDOWNS
from trialyst.discovery.sections import SECTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "tools.md").read_text("utf-8")
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.S)]
CALLS = [example for example in EXAMPLES if "tool" in example]


def entry(tool: str) -> str:
    return PAGE.partition(f"\n## `{tool}`\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: json.dumps(call["arguments"]))
def test_examples_are_answered(starter: Tools, call: dict[str, Any]) -> None:
    check(f"{call['tool']}#arguments", call["arguments"])
    check(call["tool"], starter.wire(call["tool"], **call["arguments"]))


def test_every_tool_has_an_example() -> None:
    assert {call["tool"] for call in CALLS} == set(TOOLS)


@pytest.mark.parametrize("tool", TOOLS)
def test_every_argument_is_described(tool: str) -> None:
    arguments = contracts()[tool]["$defs"]["arguments"]["properties"]
    assert {name for name in arguments if f"| `{name}` |" not in entry(tool)} == set()


def test_every_section_and_breakdown_is_described() -> None:
    assert [name for name in SECTIONS if f"`{name}`" not in entry("get_trial")] == []
    assert [name for name in BREAKDOWNS if name not in entry("count_trials")] == []
