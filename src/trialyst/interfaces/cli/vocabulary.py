"""The command of the vocabulary: what a name means."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table
from trialyst.settings import Settings

__all__ = ["add_to", "app", "resolve"]

SHOWN_NAMES = 6

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look up names of conditions, drugs and genes.",
)


def add_to(program: typer.Typer) -> None:
    """Give the program the command of the vocabulary."""
    program.add_typer(app, name="vocabulary")


@app.callback()
def _vocabulary() -> None:
    """Look up names of conditions, drugs and genes."""


@app.command(
    epilog=examples(
        'trialyst vocabulary resolve "heart attack"', "trialyst vocabulary resolve MK-3475 --json"
    )
)
def resolve(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A name, in any spelling.")],
    json: JsonFlag = False,
) -> None:
    """Say what a name means: its concepts, the likeliest first, with their other names."""
    from trialyst.vocabulary import open_vocabulary

    resolution = open_vocabulary(Settings.from_environment().home).resolve(text)
    if json:
        matches = [asdict(match) for match in resolution.matches]
        show_json({"text": text, "ambiguous": resolution.ambiguous, "matches": matches})
        return
    if not resolution.matches:
        note(f"{text!r} is not in the vocabulary.")
        return
    rows = []
    for match in resolution.matches:
        others = [name for name in match.concept.names[1:] if name != match.name]
        shown = "; ".join(others[:SHOWN_NAMES]) + ("; ..." if len(others) > SHOWN_NAMES else "")
        rows.append(
            (match.concept.id, match.concept.kind, match.concept.preferred, match.how, shown)
        )
    show_table(("Id", "Kind", "Name", "Matched by", "Other names"), rows)
    if resolution.ambiguous:
        note("The name is ambiguous; the likeliest meaning comes first.")
