"""`trialyst pathways draw`: a pathway as an SVG file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.asking import tell_origin
from trialyst.interfaces.cli.options import JsonFlag, PathwaySourceOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_pairs, show_text
from trialyst.interfaces.cli.saving import check_place
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["add_to", "draw"]


def add_to(app: typer.Typer) -> None:
    """Add the command to the commands of pathways."""
    app.command(
        epilog=examples(
            "trialyst pathways draw WP534 --out glycolysis.svg",
            "trialyst pathways draw WP534 --out glycolysis.svg --highlight HK1,PFKM,PKM",
        )
    )(draw)


def draw(
    pathway_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="WikiPathways id, in any spelling, or a pathway's URL."),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The SVG file to write; - or nothing is standard output.",
            show_default=False,
        ),
    ] = None,
    highlight: Annotated[
        list[str] | None,
        typer.Option(
            "--highlight",
            metavar="GENES",
            help="Genes to highlight, symbols or ids; repeat or separate by commas.",
            show_default=False,
        ),
    ] = None,
    source: PathwaySourceOption = None,
    json: JsonFlag = False,
) -> None:
    """Draw a pathway as SVG from its own coordinates, with some genes highlighted.

    A pathway without coordinates, as in the starter set, is laid out here, and the drawing says so.
    With --json the answer has the drawing under svg, or with --out the path of the file.
    """
    file = None if out in {None, "-"} else _svg_file(str(out))
    answer = asyncio.run(_draw(pathway_id, highlight or [], source))
    tell_origin(answer)
    body = answer.to_dict()
    if file:
        file.write_text(body.pop("svg"), "utf-8")
        body["out"] = str(file)
    if answer["not_found"]:
        note(f"Not on this pathway: {', '.join(answer['not_found'])}.")
    if json:
        show_json(body)
    elif file is None:
        show_text(body["svg"])
    else:
        labels = [label for each in answer["highlighted"] for label in each["labels"]]
        show_pairs(
            {"Pathway": answer["title"], "File": str(file), "Highlighted": ", ".join(labels)}
        )


def _svg_file(name: str) -> Path:
    path = check_place(name)
    if path.suffix.lower() != ".svg":
        raise InvalidInput(
            f"A pathway cannot be drawn as {path.name!r}",
            hint="Give a file that ends in .svg; other programs turn it into PNG or PDF.",
            invalid_input=name,
        )
    return path


async def _draw(pathway_id: str, highlight: list[str], source: str | None) -> Answer:
    from trialyst.interfaces.runtime import open_pathways

    pathways = open_pathways(Settings.from_environment(), source=source)
    try:
        return await pathways.draw_pathway(pathway_id, highlight=highlight)
    finally:
        await pathways.aclose()
