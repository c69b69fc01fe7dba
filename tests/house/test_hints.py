"""Advice is a value that each interface words: no plain text speaks for one of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.contracts.contracts import TOOLS
from tests.house.sources import PACKAGE, modules, named, tree
from trialyst.interfaces.cli.wording import COMMANDS
from trialyst.questions.arguments import ALIASES, TermArguments

TOOL = re.compile(rf"\b(?:{'|'.join({*TOOLS, *COMMANDS})})\b")
OPTION = re.compile(r"(?<![\w-])--[a-z]")
COMMAND = re.compile(r"\btrialyst [a-z]")
ARGUMENT = re.compile(rf"`(?:{'|'.join({*TermArguments.__annotations__, *ALIASES.values()})})[`=]")
SHELL = {"Command", "Option"}
"""Slots whose text is meant for the shell."""
OWN_WORDS = ("interfaces/cli/", "interfaces/mcp/")
"""What speaks to one kind of reader only."""
SERVICE = ("ctgov/sorting.py",)
"""What refuses in the words of the ClinicalTrials.gov API, whose parameters these are."""


SPEAKING = [
    path for path in modules() if not path.relative_to(PACKAGE).as_posix().startswith(OWN_WORDS)
]


def _said(path: Path) -> Iterator[str]:
    """Every sentence of a module that somebody may read while the program runs."""
    left_out: set[int] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Expr):
            left_out.add(id(node.value))
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in SHELL:
            left_out.update(id(part) for given in node.args for part in ast.walk(given))
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and id(node) not in left_out:
            text = node.value
            if isinstance(text, str) and " " in text.strip():
                yield text


def test_plain_text_names_no_tool_and_no_option() -> None:
    told = [
        (named(path), text)
        for path in SPEAKING
        for text in _said(path)
        if TOOL.search(text) or OPTION.search(text)
    ]
    assert told == [], "write a Hint, with Call, Argument, Command or Option in its slots"


def test_plain_text_names_no_argument() -> None:
    told = [
        (named(path), text)
        for path in SPEAKING
        if path.relative_to(PACKAGE).as_posix() not in SERVICE
        for text in _said(path)
        if ARGUMENT.search(text)
    ]
    assert told == []


def test_a_hint_names_commands_in_slots_only() -> None:
    told = [
        (named(path), ast.unparse(value))
        for path in SPEAKING
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        for value in _advice(node)
        if any(COMMAND.search(text) for text in _texts(value))
    ]
    assert told == []


def _advice(call: ast.Call) -> Iterator[ast.expr]:
    yield from (each.value for each in call.keywords if each.arg == "hint")
    if getattr(call.func, "id", None) == "Hint":
        yield from call.args


def _texts(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Call):
        return
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
