"""The agent skill: a skill as its format asks, and true of the program."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.contracts.contracts import TOOLS
from tests.discovery.asking import Tools
from tests.house.sources import ROOT
from tests.house.test_docs import COMMANDS, shown_calls
from trialyst import errors
from trialyst.essie import parse
from trialyst.essie.pieces import find_piece
from trialyst.interfaces.cli.program import run
from trialyst.matching.judging.result import Verdict
from trialyst.matching.verdict import TrialVerdict
from trialyst.registry import RegistrySource
from trialyst.repurposing.models import Grade

SKILL = ROOT / "skills" / "trialyst"
PAGE = (SKILL / "SKILL.md").read_text("utf-8")
ESSIE = (SKILL / "references" / "essie.md").read_text("utf-8")
ANSWERS = (SKILL / "references" / "answers.md").read_text("utf-8")
_, HEADER, BODY = PAGE.split("---\n", 2)
FRONTMATTER = yaml.safe_load(HEADER)
CALLS = [call for page, call in shown_calls() if page.startswith("skills/")]
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.S)]


def rows(page: str) -> list[list[str]]:
    """Give the rows of every table of a page, in cells."""
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def code(cells: Iterable[str]) -> set[str]:
    """Give everything that cells show as code."""
    return {text for cell in cells for text in re.findall(r"`([^`]+)`", cell)}


def test_frontmatter_is_what_the_format_asks_for() -> None:
    assert set(FRONTMATTER) == {"name", "description", "license", "compatibility"}
    assert FRONTMATTER["name"] == SKILL.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", FRONTMATTER["name"])
    assert len(FRONTMATTER["description"]) <= 1024
    assert len(FRONTMATTER["compatibility"]) <= 500


def test_skill_is_short() -> None:
    assert len(PAGE.splitlines()) < 200


def test_every_reference_is_linked_from_the_skill() -> None:
    linked = set(re.findall(r"\]\((references/[^)]+)\)", BODY))
    assert linked == {f"references/{path.name}" for path in (SKILL / "references").iterdir()}


def test_tools_and_commands_of_the_skill_exist() -> None:
    table = [cells for cells in rows(BODY) if len(cells) == 3][1:]
    assert code(cells[1] for cells in table) <= set(TOOLS)
    assert code(cells[2] for cells in table) <= {f"trialyst {name}" for name in COMMANDS}


def test_words_of_answers_are_explained() -> None:
    explained = code(cells[0] for cells in rows(ANSWERS))
    assert {*Grade, *Verdict, *TrialVerdict} <= explained


def test_errors_explained_exist() -> None:
    table = ANSWERS.partition("## Errors")[2]
    assert code(cells[0] for cells in rows(table)) <= {
        getattr(errors, name).code for name in errors.__all__
    }


@pytest.mark.parametrize("expression", sorted(code(cells[1] for cells in rows(ESSIE))))
def test_expression_of_the_skill_can_be_read(expression: str) -> None:
    parse(expression)


def test_fields_of_the_skill_exist() -> None:
    listed = ESSIE.partition("Fields that are asked for often")[2].partition("`ALL`")[0]
    assert [name for name in code([listed]) if find_piece(name) is None] == []


@pytest.fixture
def beside_a_note(starter_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a directory with a note, and ask for the starter registry."""
    notes = ROOT / "src" / "trialyst" / "starter" / "patients"
    (tmp_path / "note.txt").write_bytes((notes / "melanoma_braf.txt").read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIALYST_HOME", str(starter_home))
    monkeypatch.setenv("TRIALYST_SOURCE", "starter")


@pytest.mark.slow
@pytest.mark.usefixtures("beside_a_note")
@pytest.mark.parametrize("call", CALLS)
def test_command_of_the_skill_finds_something(
    call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(shlex.split(call)[1:]) == 0
    assert found(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["tool"])
def test_call_of_the_skill_finds_something(
    starter_source: RegistrySource, example: dict[str, Any]
) -> None:
    assert found(Tools(starter_source).wire(example["tool"], **example["arguments"]))


def found(answer: dict[str, Any]) -> bool:
    """Say whether an answer is more than an empty page or a count of nothing."""
    count: int | None = answer.get("pagination", answer).get("total_count")
    return count != 0
