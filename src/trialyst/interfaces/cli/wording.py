"""Hints and next steps as a person types them, read off the commands' own declarations."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from trialyst.hints import Argument, Call, Command, Option, ToolWording
from trialyst.interfaces.cli.arguments import BARE

__all__ = ["COMMANDS", "CommandWording", "find_command"]

COMMANDS: Mapping[str, str] = {
    "search_trials": "search",
    "get_trial": "trial",
    "get_trial_locations": "locations",
    "count_trials": "count",
    "compare_trials": "compare",
    "get_results": "results",
    "get_changes": "changes",
    "explore_fields": "fields",
    "search_drug_trials": "drug-trials",
    "detect_whitespace": "whitespace",
    "get_landscape": "landscape",
    "get_terminated": "terminated",
    "write_dossier": "dossier",
    "scout_indications": "scout",
    "search_pathways": "pathways search",
    "get_pathway": "pathways get",
    "get_pathways_for_gene": "pathways gene",
    "get_pathway_components": "pathways components",
    "enrich_pathways": "pathways enrich",
    "bridge_drug": "pathways bridge",
    "profile_patient": "ingest",
    "match_patient": "match",
}
"""The command that asks a tool."""
_PREFIX = re.compile(r"\b(?:(NCT):(?=\d{8}\b)|WP:(?=WP\d))")
"""What tools write before an id, and people do not."""


class CommandWording:
    """For people at a shell: arguments as the options of the command they ran, calls as lines."""

    def __init__(self, *called: str) -> None:
        """Take the words after `trialyst`."""
        self._path, self._parameters = find_command(called)

    @property
    def asks_a_tool(self) -> bool:
        """Whether the command that was run asks one tool and answers as it does."""
        return " ".join(self._path) in COMMANDS.values()

    def takes(self, name: str) -> bool:
        """Say whether the command that was run has a parameter of this name."""
        return name in self._parameters

    def argument(self, argument: Argument) -> str:
        """Name an option, with its value if it has one; of what stands bare, the value alone."""
        named = (argument.name, f"{BARE}{argument.name}")
        parameter = next(filter(None, map(self._parameters.get, named)), None)
        if parameter is not None and parameter.param_type_name == "argument":
            bare = str(parameter.metavar or argument.name.upper()).rstrip(".")
            return bare if argument.value is None else _quoted(argument.value)
        name = _option(argument.name, parameter)
        return name if argument.value is None else " ".join(_spell(argument, parameter))

    def call(self, call: Call) -> str:
        """Give the command that asks a tool, ready to be pasted."""
        line = self.line(call)
        return ToolWording().call(call) if line is None else f"`{line}`"

    def line(self, call: Call) -> str | None:
        """Give a call as a line of the shell; None where no command takes what it gives."""
        path, parameters = find_command(COMMANDS.get(call.tool, "").split())
        taken: dict[str, Any] = {
            name: parameters.get(f"{BARE}{name}") or parameters.get(name) for name in call.arguments
        }
        if not path or None in taken.values():
            return None
        order = list(parameters.values())
        bare: list[str] = []
        options: list[str] = []
        for name, parameter in sorted(taken.items(), key=lambda each: order.index(each[1])):
            value = call.arguments[name]
            if parameter.param_type_name == "argument":
                bare.extend(_values(value))
            else:
                options.extend(_spell(Argument(name, value), parameter))
        words = [shlex.quote(word) for word in bare]
        if any(word.startswith("-") for word in bare):
            return " ".join(("trialyst", *path, *options, "--", *words))
        return " ".join(("trialyst", *path, *words, *options))

    def command(self, command: Command) -> str:
        """Say to run a command."""
        return f"run `{command.line}`"

    def option(self, option: Option) -> str:
        """Say to use an option."""
        return f"use {option.text}"


def _option(name: str, parameter: Any) -> str:
    """Give an option as it is declared first; as its argument is called where there is none."""
    return parameter.opts[0] if parameter is not None else f"--{name.replace('_', '-')}"


def _spell(argument: Argument, parameter: Any) -> Iterator[str]:
    name, value = _option(argument.name, parameter), argument.value
    if isinstance(value, bool):
        denied = getattr(parameter, "secondary_opts", ()) or [f"--no{name[1:]}"]
        yield name if value else denied[0]
        return
    repeated = getattr(parameter, "multiple", False)
    for each in _values(value) if repeated else [_joined(value)]:
        yield f"{name} {_quoted(each)}"


def _values(value: object) -> list[str]:
    given = value if isinstance(value, list | tuple) else [value]
    return [_PREFIX.sub(r"\1", str(each)) for each in given]


def _joined(value: object) -> str:
    return ",".join(_values(value))


def _quoted(value: object) -> str:
    return shlex.quote(_joined(value))


def find_command(called: Sequence[str]) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Give which command some words call, and what it declares by the names of arguments."""
    command: Any = _program(called[0]) if called else None
    path: list[str] = []
    for word in called:
        if word not in getattr(command, "commands", ()):
            break
        command = command.commands[word]
        path.append(word)
    declared = getattr(command, "params", ())
    return path, {each.name: each for each in declared}


@cache
def _program(command: str) -> Any:
    from typer.main import get_command

    from trialyst.interfaces.cli.program import create_app

    return get_command(create_app(command))
