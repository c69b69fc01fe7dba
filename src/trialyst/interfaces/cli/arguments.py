"""The arguments of a tool as the options of a command, read off the tool's own declaration.

An argument is an option under its own name, with its own description; what must be given stands
bare. Here is only what people at a shell expect besides: short forms, and names of values.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, NamedTuple

import typer

from trialyst.errors import InvalidInput
from trialyst.signatures import Parameter, parameters_of

__all__ = ["BARE", "SPELLINGS", "Spelling", "options_of", "to_arguments"]

BARE = "bare_"
"""What comes before the name of an argument that may also stand bare."""


class Spelling(NamedTuple):
    """How an argument is typed, beside its own name."""

    also: tuple[str, ...] = ()
    metavar: str = "TEXT"
    denied: str = ""
    """How a flag is denied, where `--no-` before its name would be odd."""


_DATE = Spelling(metavar="DATE")
SPELLINGS: Mapping[str, Spelling] = {
    "query": Spelling(("-q", "--term", "-t"), "WORDS"),
    "condition": Spelling(("-c", "--disease")),
    "intervention": Spelling(("-i", "--drug")),
    "status": Spelling(("-s",)),
    "phase": Spelling(("-p",)),
    "location": Spelling(("-l", "--country"), "PLACE"),
    "near": Spelling(metavar="PLACE"),
    "within": Spelling(metavar="KM"),
    "age": Spelling(metavar="AGE"),
    "ids": Spelling(("--id",), "ID"),
    "advanced": Spelling(("-a",), "ESSIE"),
    **dict.fromkeys(("start_from", "start_to", "posted_from", "updated_from", "updated_to"), _DATE),
    "posted_to": Spelling(("--date-before",), "DATE"),
    "sort": Spelling(metavar="PIECE"),
    "page_size": Spelling(("--limit", "-n"), "N"),
    "cursor": Spelling(metavar="CURSOR"),
    "sections": Spelling(("--section",), "NAMES"),
    "fields": Spelling(("--field",), "NAMES"),
    "by": Spelling(metavar="NAME"),
    "slim": Spelling(denied="--full"),
    "has_results": Spelling(denied="--no-results"),
    "nct_id": Spelling(metavar="ID"),
    "nct_ids": Spelling(metavar="ID"),
}
_OWN = Spelling()


def options_of(arguments: type, *, bare: Collection[str] = ()) -> dict[str, Any]:
    """Give the parameters of a command, as annotations, for what a TypedDict declares.

    Args:
        bare: optional arguments that may also stand bare, word by word.
    """
    declared = parameters_of(arguments)
    standing = {f"{BARE}{each.name}": _bare(each) for each in declared if each.name in bare}
    required = {each.name: _required(each) for each in declared if each.required}
    options = {each.name: _option(each) for each in declared if not each.required}
    return {**standing, **required, **options}


def to_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Give what was typed as the arguments of the tool; one value of several stands alone.

    Raises:
        InvalidInput: an argument is given twice, bare and by its option.
    """
    arguments: dict[str, Any] = {}
    for name, value in given.items():
        own = name.removeprefix(BARE)
        if own in arguments:
            raise InvalidInput(
                f"{own.capitalize()} is given twice, bare and with --{own}",
                hint="Give one of the two.",
                invalid_input=str(value),
            )
        if name != own:
            arguments[own] = " ".join(value)
        else:
            arguments[own] = value[0] if isinstance(value, list) and len(value) == 1 else value
    return arguments


def _bare(parameter: Parameter) -> Any:
    told = f"{parameter.description} The same as --{parameter.name}."
    metavar = _spelling(parameter).metavar
    return Annotated[
        list[str] | None, typer.Argument(metavar=metavar, help=told, show_default=False)
    ]


def _required(parameter: Parameter) -> Any:
    kind = list[str] if parameter.several else str
    metavar = _spelling(parameter).metavar
    return Annotated[kind, typer.Argument(metavar=metavar, help=parameter.description)]


def _option(parameter: Parameter) -> Any:
    name, spelling = parameter.name.replace("_", "-"), _spelling(parameter)
    told, default = _describe(parameter), parameter.wire.default
    shown = False if default is None else str(default)
    if parameter.wire.type == "boolean":
        denied = spelling.denied or f"--no-{name}"
        flag = typer.Option(f"--{name}/{denied}", help=told, show_default=shown)
        return Annotated[bool | None, flag]
    option = typer.Option(
        f"--{name}", *spelling.also, metavar=spelling.metavar, help=told, show_default=shown
    )
    return Annotated[(list[str] if parameter.several else str) | None, option]


def _describe(parameter: Parameter) -> str:
    wire, told = parameter.wire, parameter.description.removesuffix(".")
    if wire.values:
        return f"{told}: {', '.join(wire.values)}."
    if wire.minimum is not None and wire.maximum is not None:
        return f"{told}, {wire.minimum:g} to {wire.maximum:g}."
    return parameter.description


def _spelling(parameter: Parameter) -> Spelling:
    return SPELLINGS.get(parameter.name, _OWN)
