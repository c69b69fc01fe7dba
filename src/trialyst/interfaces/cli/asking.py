"""Commands that ask a discovery tool: one way to take options, to ask, and to show the answer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, cast, get_args

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.layout import clean
from trialyst.interfaces.cli.options import (
    Format,
    FormatOption,
    JsonFlag,
    RegistryOption,
    SourceOption,
)
from trialyst.interfaces.cli.output import note, screen, show_exactly, show_json, show_text
from trialyst.interfaces.cli.telling import next_lines, understood_lines
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.ctgov.source import OpenSource
    from trialyst.discovery import Answer
    from trialyst.interfaces.cli.views import View

__all__ = ["Asker", "Command", "Question", "ask_trials", "asks", "tell_origin"]

_SHARED: Mapping[str, Any] = {
    "format": FormatOption,
    "source": SourceOption,
    "registry": RegistryOption,
    "json": JsonFlag,
}


@dataclass(frozen=True, slots=True)
class Question:
    """A call of a tool, and how its answer reads."""

    tool: str
    arguments: Mapping[str, Any]
    view: View
    save: Callable[[Answer], None] | None = None
    """Writes the files that the user asked for beside the answer."""
    form: Format | None = None
    """How to print the answer, where options of the command say so."""


Command = Callable[[Mapping[str, Any], Format], Question]
"""Gives the question behind the options a user gave."""
Asker = Callable[[Question, str | None, Path | None], Awaitable["Answer"]]
"""Puts a question to the tools on the source, and the registry, that the user named."""


async def ask_trials(question: Question, source: str | None, registry: Path | None) -> Answer:
    """Put a question to the tools of trials."""
    from trialyst.discovery.facade import Discovery
    from trialyst.interfaces.runtime import WhenAsked, open_source

    directory = registry and registry.expanduser().absolute()
    asked = cast(
        "OpenSource",
        WhenAsked(
            lambda: open_source(Settings.from_environment(), source=source, registry=directory)
        ),
    )
    try:
        answer: Answer = await getattr(Discovery(asked), question.tool)(**question.arguments)
    finally:
        await asked.aclose()
    return answer


def asks(
    options: Mapping[str, Any], *, ask: Asker = ask_trials, shared: Mapping[str, Any] = _SHARED
) -> Callable[[Command], Callable[..., None]]:
    """Make a command of a function from the options given to a question.

    The command takes these options and those that every question of its kind has: for trials
    format, source, registry and json.
    """

    def make(command: Command) -> Callable[..., None]:
        def run(**given: Any) -> None:
            form = _read_format(given.pop("format"), as_json=given.pop("json"))
            source, registry = given.pop("source"), given.pop("registry", None)
            asked = {name: value for name, value in given.items() if value not in (None, [], ())}
            question = command(asked, form)
            answer = _run(ask(question, source, registry))
            if question.save is not None:
                question.save(answer)
            _show(answer, question.view, question.form or form)

        parameters = [_parameter(name, kind) for name, kind in {**options, **shared}.items()]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return make


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    kind, *_ = get_args(annotation)
    optional = NoneType in get_args(kind)
    default = None if optional else False if kind is bool else inspect.Parameter.empty
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _read_format(form: Format | None, *, as_json: bool) -> Format:
    if as_json and form not in (None, Format.JSON):
        raise InvalidInput(
            f"--json and --format {form} contradict each other",
            hint="Give one of the two.",
            invalid_input=str(form),
        )
    return Format.JSON if as_json else form or Format.TABLE


def _run(asked: Awaitable[Answer]) -> Answer:
    async def wait() -> Answer:
        return await asked

    return asyncio.run(wait())


def _show(answer: Answer, view: View, form: Format) -> None:
    """Print the answer, and beside it whatever a reader must know of it."""
    tell_origin(answer)
    if form is Format.JSON:
        show_json(answer.to_dict())
        return
    _tell(map(clean, understood_lines(answer)))
    if form is Format.CSV:
        show_exactly(view.csv(answer))
    elif form is Format.MARKDOWN:
        show_text(view.markdown(answer))
    elif text := view.text(answer, screen()):
        show_text(text)
    _tell(view.closing(answer))
    _tell(map(clean, next_lines(answer)))


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        note(line)


def tell_origin(answer: Answer) -> None:
    """Tell where an answer comes from and how old it is, then what the tool notes."""
    provenance: Mapping[str, Any] = answer["provenance"]
    records, timestamp = provenance.get("records"), provenance.get("data_timestamp")
    held = "" if records is None else f" {records:,} records,"
    age = f"as of {timestamp[:10]}" if timestamp else "of unknown age"
    note(f"Source: {provenance['source']},{held} {age}.")
    _tell(answer.notes)
