"""What to look for, as options: written once for every command that takes a search."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from trialyst.ctgov.plain import PlainQuery
from trialyst.errors import InvalidInput

__all__ = ["takes_terms"]


def _option(help_text: str, names: tuple[str, ...]) -> Any:
    return typer.Option(*names, metavar="TEXT", help=help_text, show_default=False)


def _one(help_text: str, *names: str) -> Any:
    return Annotated[str | None, _option(help_text, names)]


def _many(help_text: str, *names: str) -> Any:
    return Annotated[list[str] | None, _option(help_text, names)]


_TEXT = Annotated[
    str | None,
    typer.Argument(metavar="TEXT", help="Words to find in a study, as --term.", show_default=False),
]
_OPTIONS: Mapping[str, Any] = {
    "condition": _one("Condition or disease.", "--condition", "-c"),
    "intervention": _one("Drug or other treatment.", "--intervention", "-i"),
    "term": _one("Words to find anywhere in the searched text of a study.", "--term", "-t"),
    "title": _one("Words of a title or acronym.", "--title"),
    "location": _one("City, state or country, such as 'Boston, MA'.", "--location", "-l"),
    "sponsor": _one("Sponsor or collaborator.", "--sponsor"),
    "outcome": _one("Outcome measure.", "--outcome"),
    "ids": _many("Study id; may be repeated.", "--id"),
    "status": _many("Status, such as RECRUITING; repeat for any of them.", "--status", "-s"),
    "phase": _many(
        "Phase, such as PHASE2; repeat for any of them, PHASE1/PHASE2 for both.", "--phase", "-p"
    ),
    "study_type": _many("INTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS.", "--study-type"),
    "sex": _one("Trials that admit FEMALE or MALE.", "--sex"),
    "advanced": _one("An expression in Essie, the registry's query language.", "--advanced", "-a"),
}


def takes_terms(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the search options; it receives them as its first argument, a PlainQuery."""

    def with_terms(text: str | None = None, **given: Any) -> None:
        asked = {name: given.pop(name) for name in _OPTIONS}
        present = {name: value for name, value in asked.items() if value is not None}
        if text is not None and "term" in present:
            raise InvalidInput(
                "The words to find are given twice, bare and with --term",
                hint="Give one of the two.",
                invalid_input=text,
            )
        if text is not None:
            present["term"] = text
        command(PlainQuery(**present), **given)

    optional = inspect.Parameter.KEYWORD_ONLY
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    parameters = [
        inspect.Parameter("text", optional, default=None, annotation=_TEXT),
        *(
            inspect.Parameter(name, optional, default=None, annotation=annotation)
            for name, annotation in _OPTIONS.items()
        ),
        *(parameter.replace(kind=optional) for parameter in own),
    ]
    with_terms.__name__ = command.__name__
    with_terms.__doc__ = command.__doc__
    with_terms.__annotations__ = {each.name: each.annotation for each in parameters}
    with_terms.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return with_terms
