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

__all__ = ["BARE", "SPELLINGS", "Spelling", "descriptions_of", "options_of", "to_arguments"]

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
    **dict.fromkeys(("date_before", "since", "until"), _DATE),
    "phase_filter": Spelling(("--phase", "-p")),
    "max_results": Spelling(("--limit", "-n"), "N"),
    "top_n": Spelling(("--top", "--limit", "-n"), "N"),
    "organism": Spelling(metavar="NAME"),
    "field": Spelling(metavar="NAME"),
    "pathway_id": Spelling(metavar="ID"),
    "gene_id": Spelling(metavar="GENE"),
    "slim": Spelling(denied="--full"),
    "has_results": Spelling(denied="--no-results"),
    "nct_id": Spelling(metavar="ID"),
    "nct_ids": Spelling(metavar="ID"),
}
_OWN = Spelling()


def options_of(
    arguments: type, *, bare: Collection[str] = (), without: Collection[str] = ()
) -> dict[str, Any]:
    """Give the parameters of a command, as annotations, for what a TypedDict declares.

    Args:
        bare: arguments that may stand bare as several words; those that need not be given are
            options too.
        without: arguments that the command does not take.
    """
    declared = [each for each in parameters_of(arguments) if each.name not in without]
    required = {
        each.name: _required(each) for each in declared if each.required and each.name not in bare
    }
    standing = {f"{BARE}{each.name}": _bare(each) for each in declared if each.name in bare}
    options = {each.name: _option(each) for each in declared if not each.required}
    return {**required, **standing, **options}


def descriptions_of(arguments: type) -> dict[str, str]:
    """Give what a TypedDict says of each argument."""
    return {each.name: each.description for each in parameters_of(arguments)}


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
    if parameter.required:
        return Annotated[list[str], _standing(parameter)]
    told = f"{parameter.description} The same as --{parameter.name}."
    return Annotated[list[str] | None, _standing(parameter, told)]


def _required(parameter: Parameter) -> Any:
    return Annotated[list[str] if parameter.several else str, _standing(parameter)]


def _standing(parameter: Parameter, told: str | None = None) -> Any:
    metavar = _spelling(parameter).metavar
    if metavar == _OWN.metavar:
        metavar = parameter.name.upper()
    return typer.Argument(metavar=metavar, help=told or parameter.description, show_default=False)


def _option(parameter: Parameter) -> Any:
    name, spelling = parameter.name.replace("_", "-"), _spelling(parameter)
    told, default = _describe(parameter), parameter.wire.default
    shown = False if default is None else str(default)
    if parameter.wire.type == "boolean":
        denied = spelling.denied or f"--no-{name}"
        given = False if default is None else f"--{name}" if default else denied
        flag = typer.Option(f"--{name}/{denied}", help=told, show_default=given)
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
