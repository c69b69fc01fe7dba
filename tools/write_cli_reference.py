"""Write the tables of options in `docs/reference/cli.md`: `python tools/write_cli_reference.py`.

A table under the mark `<!-- options -->` is made from what the command declares, so that nothing is
described twice; the other tables and all else on the page are written by hand.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer.main

from trialyst.interfaces.cli.program import create_app

__all__ = ["main", "with_options"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "cli.md"
MARK = "<!-- options -->"
SHARED = frozenset({"format", "source", "registry", "json", "help"})
"""What many commands take, which the page tells once at its beginning."""
_SECTION = re.compile(r"(?<=\n)### `trialyst ([^`]+)`\n.*?(?=\n### |\Z)", re.S)
_TABLE = re.compile(rf"{re.escape(MARK)}\n(?:\|.*\n)*")


def with_options(page: str) -> str:
    """Give the page with its marked tables made anew."""
    program: Any = typer.main.get_command(create_app())

    def rewrite(section: re.Match[str]) -> str:
        command = program
        for word in section[1].split():
            command = command.commands[word]
        return _TABLE.sub(lambda _: f"{MARK}\n{_table(command)}\n", section[0])

    return _SECTION.sub(rewrite, page)


def _table(command: Any) -> str:
    own = [each for each in command.params if each.name not in SHARED]
    rows = [f"| {_names(each)} | {_meaning(each)} |" for each in own]
    return "\n".join(("| | |", "|---|---|", *rows))


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar}{'...' if parameter.nargs == -1 else ''}`"
    names: list[str] = [*parameter.opts, *parameter.secondary_opts]
    value = "" if parameter.is_flag else f" {parameter.metavar}"
    return ", ".join(f"`{name}`" for name in (f"{names[0]}{value}", *names[1:]))


def _meaning(parameter: Any) -> str:
    default = getattr(parameter, "show_default", None)
    told = parameter.help.replace("|", "\\|")
    return f"{told} Default {default}." if isinstance(default, str) else told


def main() -> None:
    """Write the page."""
    PAGE.write_text(with_options(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
