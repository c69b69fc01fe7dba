"""The command that measures scouting against known uses of drugs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_table
from trialyst.settings import Settings

__all__ = ["add_to", "scout"]


def add_to(group: typer.Typer) -> None:
    """Give the group this command."""
    group.command(
        "scout",
        epilog=examples(
            "trialyst benchmark scout --truth repodb.jsonl.gz --cutoff 2010",
            "trialyst benchmark scout --truth repodb.jsonl.gz --drugs 50 --json",
        ),
    )(scout)


def scout(
    truth: Annotated[
        list[Path],
        typer.Option(
            "--truth",
            metavar="FILE",
            help="True uses of drugs as JSON lines: repoDB or PharmacotherapyDB; plain, gz or xz. "
            "May be given several times.",
        ),
    ],
    cutoff: Annotated[
        str, typer.Option("--cutoff", metavar="DATE", help="The last day that is known.")
    ] = "2010",
    drugs: Annotated[
        int, typer.Option("--drugs", metavar="NUMBER", min=1, help="How many drugs to draw.")
    ] = 50,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Measure how often suggestions of the scout are known uses, by rank.

    The baseline suggests the conditions with most trials to every drug.
    """
    scores = asyncio.run(_score(truth, cutoff, drugs, registry))
    if json:
        show_json(scores)
        return
    precision = scores["precision"]
    rows = [
        (f"First {rank}", _shown(precision["scout"][rank]), _shown(precision["popular"][rank]))
        for rank in precision["scout"]
    ]
    show_table(("Suggestions", "Scout", "Most trials"), rows)
    hits = scores["drugs_with_a_hit"]
    note(
        f"{scores['drugs']:,} drugs as of {scores['cutoff']}; a known use among the first ten: "
        f"{hits['scout']:,}, baseline {hits['popular']:,}."
    )


def _shown(share: float | None) -> str:
    return "" if share is None else f"{share:.3f}"


async def _score(
    truth: list[Path], cutoff: str, drugs: int, registry: Path | None
) -> dict[str, Any]:
    from trialyst.benchmark.scouting import load_indications, score_scouting
    from trialyst.interfaces.runtime import open_repurposing, open_source

    settings = Settings.from_environment()
    directory = registry and registry.expanduser().absolute()
    opened = open_source(settings, source="local", registry=directory)
    try:
        client = open_repurposing(settings, opened)
        known = load_indications([path.expanduser() for path in truth], client.vocabulary)
        return await score_scouting(client, known, cutoff=cutoff, drugs=drugs)
    finally:
        await opened.aclose()
