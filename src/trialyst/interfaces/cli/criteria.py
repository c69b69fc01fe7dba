"""`trialyst criteria`: how the criteria of trials, or of a text, are understood."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from trialyst.errors import InvalidInput
from trialyst.ids import NctId
from trialyst.interfaces.cli.layout import clean
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import show_json, show_text, to_values, warn_if_synthetic
from trialyst.settings import Settings

__all__ = ["add_to", "criteria"]

_KINDS = {"inclusion": "Inclusion", "exclusion": "Exclusion", "other": "Remarks"}


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst criteria NCT90000001",
            'trialyst criteria --text "Platelets over 100, unless the patient has ITP"',
            "trialyst criteria NCT90000001 NCT90000002 --json",
        )
    )(criteria)


def criteria(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID...", help="NCT ids of trials.", show_default=False),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--text",
            metavar="TEXT",
            help="A criterion, or a whole eligibility text, instead of a trial's.",
            show_default=False,
        ),
    ] = None,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Show how each eligibility criterion is understood, so that you can disagree.

    Below each criterion stands what it was read to demand. Words that were not understood are
    shown as such; nothing is decided about them.
    """
    if bool(ids) == (text is not None):
        raise InvalidInput(
            "Give either the ids of trials or a text",
            hint='Try `trialyst criteria NCT90000001`, or --text "Age 18 to 65 years".',
        )
    if text is not None:
        view = _read_text(text)
        if json:
            show_json({"criteria": view})
        else:
            show_text("\n".join(_lines(view)))
        return
    answer = asyncio.run(_read_trials([NctId.parse(each) for each in ids or ()], source, registry))
    if json:
        show_json(answer)
        return
    for trial in answer["trials"]:
        show_text(
            "\n".join([f"{trial['id']}  {clean(trial['title'])}", *_lines(trial["criteria"])])
        )
        show_text("")


def _read_text(text: str) -> list[dict[str, Any]]:
    from trialyst.eligibility.criteria import read_eligibility
    from trialyst.eligibility.views import to_criteria_view
    from trialyst.interfaces.runtime import open_parser

    if not text.strip():
        raise InvalidInput("The text is blank", hint="Give the words of a criterion.")
    parser = open_parser(Settings.from_environment().home)
    return to_criteria_view(read_eligibility(text, parser))


async def _read_trials(
    ids: Sequence[NctId], source: str | None, registry: Path | None
) -> dict[str, Any]:
    from trialyst.eligibility.views import read_trials, to_criteria_view
    from trialyst.interfaces.runtime import open_parser, open_source

    settings = Settings.from_environment()
    directory = registry and registry.expanduser().absolute()
    opened = open_source(settings, source=source, registry=directory)
    try:
        trials = [await opened.get(nct_id) for nct_id in ids]
        read = await read_trials(opened, trials, lambda: open_parser(settings.home))
        provenance = await opened.provenance()
    finally:
        await opened.aclose()
    warn_if_synthetic(provenance)
    shown = [
        {"id": trial.nct_id, "title": trial.brief_title or "", "criteria": to_criteria_view(each)}
        for trial, each in zip(trials, read, strict=True)
    ]
    return {"trials": shown, "provenance": to_values(provenance)}


def _lines(view: Sequence[dict[str, Any]]) -> Iterator[str]:
    for kind, heading in _KINDS.items():
        chosen = [each for each in view if each["kind"] == kind]
        if chosen:
            yield ""
            yield f"{heading}:"
        for each in chosen:
            yield f"{each['position']:>3}. {clean(each['criterion'])}"
            yield f"     = {clean(each['reading'])}"
            if told := each.get("opens_list"):
                yield f"       list below: {told}"
            if each.get("alternatives"):
                yield f"       one of {each['alternatives']} alternatives"
