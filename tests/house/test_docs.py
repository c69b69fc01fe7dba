"""The documentation is true of the program."""

from __future__ import annotations

import re
import runpy
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from tests.each_case import on_each_case
from tests.house.sources import ROOT, named, tracked_files
from trialyst import errors, settings
from trialyst.interfaces.cli.program import create_app

DOCS = ROOT / "docs"
MARKDOWN = [path for path in tracked_files() if path.suffix == ".md"]


def _commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    command = command or typer.main.get_command(create_app())
    if hasattr(command, "commands"):
        for name, child in command.commands.items():
            yield from _commands(child, (*path, name))
    else:
        yield " ".join(path), command


COMMANDS = dict(_commands())


def _option_names(command: Any) -> set[str]:
    return {
        name
        for parameter in command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


@on_each_case("name", COMMANDS)
def test_command_has_help_and_an_example(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    assert f"trialyst {name}" in (command.epilog or "")


@on_each_case("name", COMMANDS)
def test_command_takes_json(name: str) -> None:
    assert "--json" in _option_names(COMMANDS[name])


@on_each_case("name", COMMANDS)
def test_every_option_has_help(name: str) -> None:
    assert [p.name for p in COMMANDS[name].params if not getattr(p, "help", None)] == []


@on_each_case("name", COMMANDS)
def test_command_and_its_options_stand_in_the_reference(name: str) -> None:
    page = (DOCS / "reference" / "cli.md").read_text("utf-8")
    _, heading, rest = page.partition(f"\n### `trialyst {name}`\n")
    assert heading
    entry = rest.partition("\n### ")[0]
    shared = page.partition("\n### ")[0]
    options = {name for name in _option_names(COMMANDS[name]) if name.startswith("--")}
    assert {name for name in options if f"`{name}" not in entry + shared} == set()


def test_tables_of_options_are_what_the_commands_declare() -> None:
    """`python tools/write_cli_reference.py` makes them so."""
    written = runpy.run_path(str(ROOT / "tools" / "write_cli_reference.py"))
    page = (DOCS / "reference" / "cli.md").read_text("utf-8")
    assert written["with_options"](page) == page


def shown_calls() -> Iterator[tuple[str, str]]:
    for path in MARKDOWN:
        for block in re.findall(r"```(?:sh|console|bash)\n(.*?)```", path.read_text("utf-8"), re.S):
            for line in block.replace("\\\n", " ").splitlines():
                if match := re.match(r"\s*\$?\s*(trialyst .*?)(?:\s+#.*)?$", line):
                    yield named(path), match.group(1)


@on_each_case(("page", "call"), list(shown_calls()))
def test_calls_shown_in_the_docs_exist(page: str, call: str) -> None:
    words = shlex.split(call.split("|")[0].split(">")[0])[1:]
    bare = [word for word in words if not word.startswith("-")]
    name = next((n for n in (" ".join(bare[:2]), " ".join(bare[:1])) if n in COMMANDS), None)
    options = {word.partition("=")[0] for word in words if word.startswith("--")}
    known = _option_names(COMMANDS[name]) if name else {"--version"}
    assert options <= known | {"--help"}, page
    assert name or options, page


@on_each_case("path", MARKDOWN, ids=named)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`]*`", "", path.read_text("utf-8"), flags=re.S)
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", prose)
    assert [target for target in targets if not (path.parent / target).exists()] == []


def _error_classes() -> list[type[errors.TrialystError]]:
    return [getattr(errors, name) for name in errors.__all__]


@on_each_case("error", _error_classes(), ids=lambda error: error.__name__)
def test_error_stands_in_the_reference_with_code_and_exit_code(
    error: type[errors.TrialystError],
) -> None:
    page = (DOCS / "reference" / "errors.md").read_text("utf-8")
    row = next((line for line in page.splitlines() if f"| `{error.__name__}` |" in line), "")
    assert f"| `{error.code}` | {error.exit_code} |" in row


def test_reference_names_no_error_that_does_not_exist() -> None:
    page = (DOCS / "reference" / "errors.md").read_text("utf-8")
    listed = set(re.findall(r"^\| `(\w+)` \|", page, re.M))
    assert listed == {error.__name__ for error in _error_classes()}


def test_every_setting_is_documented() -> None:
    source = Path(settings.__file__).read_text("utf-8")
    page = (DOCS / "reference" / "settings.md").read_text("utf-8")
    assert set(re.findall(r"TRIALYST_[A-Z]+", source)) <= set(re.findall(r"TRIALYST_[A-Z]+", page))


def test_make_targets_of_the_readme_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named_in_docs = {
        target
        for path in MARKDOWN
        for target in re.findall(r"`make ([a-z]+)`|^make ([a-z]+)", path.read_text("utf-8"), re.M)
    }
    assert {a or b for a, b in named_in_docs} <= targets


def test_changelog_has_a_place_for_the_next_change() -> None:
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
