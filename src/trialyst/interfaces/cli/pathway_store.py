"""Pathways on this machine: load a download, fetch it from the site, say what there is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.interfaces.cli.options import JsonFlag, PathwaySourceOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_pairs
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.pathways import LoadReport, SyncPathwaysReport
    from trialyst.pathways.downloads import Skipped

__all__ = ["add_to", "load", "status", "sync"]

MAX_NOTES = 10
"""Files shown as text; --json gives them all."""
SHOWN_ORGANISMS = 6
REQUESTS_A_MINUTE = 60
FILES = 2
"""Of each pathway: its drawing and the list of its nodes."""


def add_to(app: typer.Typer) -> None:
    """Add the commands to the commands of pathways."""
    app.command(
        epilog=examples(
            "trialyst pathways load wikipathways-20260810-gpml-Homo_sapiens.zip",
            "trialyst pathways load downloads/ --keep",
        )
    )(load)
    app.command(
        epilog=examples(
            "trialyst pathways sync", "trialyst pathways sync --organism 'Homo sapiens'"
        )
    )(sync)
    app.command(epilog=examples("trialyst pathways status", "trialyst pathways status --json"))(
        status
    )


def load(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="A WikiPathways download: directory, ZIP or TAR archive, or GPML file.",
            show_default=False,
        ),
    ],
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep loaded pathways that are not in the files.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Load a WikiPathways download, replacing what is loaded when all is done.

    Damaged files are skipped and told. A load that finds no pathway changes nothing.
    """
    from trialyst.interfaces.cli.progress import show_steps
    from trialyst.pathways import load_pathways

    given = [path.expanduser().absolute() for path in paths]
    with show_steps() as progress:
        report = load_pathways(
            given, Settings.from_environment().home, keep=keep, progress=progress
        )
    if json:
        show_json(asdict(report))
        return
    _tell_skipped(report.skipped)
    show_pairs(_loaded(report))


def sync(
    organisms: Annotated[
        list[str] | None,
        typer.Option(
            "--organism",
            metavar="NAME",
            help="Only this organism, by its scientific name; may be repeated. Others that are "
            "here stay.",
            show_default=False,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Fetch pathways from WikiPathways and load them; later, only what changed.

    One request a second: all pathways take more than an hour the first time. Interrupt it whenever
    you like: what is loaded stays, and the same call goes on.
    """
    try:
        report = asyncio.run(_sync(Settings.from_environment(), organisms or ()))
    except KeyboardInterrupt:
        note("Interrupted; the pathways in use are whole. Run the same command again to go on.")
        raise
    if json:
        show_json(asdict(report))
        return
    _tell_skipped((*report.failed, *report.load.skipped))
    happened = {"Listed": report.listed, "Fetched": report.fetched, "Current": report.current}
    failed = {"Failed": len(report.failed) or None}
    show_pairs({**happened, **failed, **_loaded(report.load)})


async def _sync(settings: Settings, organisms: Sequence[str]) -> SyncPathwaysReport:
    from trialyst.interfaces.cli.progress import show_steps
    from trialyst.pathways import sync_pathways
    from trialyst.pathways.sync import SyncPathwaysProgress
    from trialyst.transport import open_transport

    transport = open_transport(settings)
    try:
        with show_steps(in_pipes=True) as show:

            def tell(progress: SyncPathwaysProgress) -> None:
                if progress.step == "fetching" and not progress.done:
                    _announce(progress.total or 0)
                if show:
                    show(progress)

            return await sync_pathways(
                transport,
                settings.wikipathways_url,
                settings.home,
                organisms=organisms,
                progress=tell,
            )
    finally:
        await transport.aclose()


def _announce(pathways: int) -> None:
    minutes = max(1, round(pathways * FILES / REQUESTS_A_MINUTE))
    note(
        f"{pathways:,} pathways to fetch, {FILES} files each at one request a second: up to "
        f"{minutes:,} min. Ctrl-C is safe; the same command goes on."
    )


def status(source: PathwaySourceOption = None, json: JsonFlag = False) -> None:
    """Say which pathways are in use, how many of which organism, and how old they are."""
    values = asyncio.run(_status(Settings.from_environment(), source))
    if json:
        show_json(values)
        return
    provenance = values.pop("provenance")
    for line in provenance["notes"]:
        note(line)
    if provenance["synthetic"]:
        note("Get all of WikiPathways with `trialyst pathways sync` or `trialyst pathways load`.")
    values["organisms"] = _several(values["organisms"])
    show_pairs({name.replace("_", " ").capitalize(): value for name, value in values.items()})


async def _status(settings: Settings, source: str | None) -> dict[str, Any]:
    from trialyst.discovery.pathways.origin import tell_origin
    from trialyst.discovery.views import present
    from trialyst.interfaces.runtime import open_pathways
    from trialyst.pathways import pathways_status

    pathways = open_pathways(settings, source=source)
    try:
        provenance = await tell_origin(pathways.source)
        organisms = dict(await pathways.source.count_organisms())
    finally:
        await pathways.aclose()
    told: dict[str, Any] = {
        "source": provenance["source"],
        "pathways": provenance.get("records"),
        "organisms": organisms,
        "data_timestamp": provenance.get("data_timestamp"),
    }
    if provenance["source"] == "local":
        told |= {**asdict(pathways_status(settings.home)), "organisms": organisms}
        told["path"] = str(told["path"])
    return {**present(told), "provenance": provenance}


def _several(organisms: Mapping[str, int]) -> str:
    shown = [f"{name} {number:,}" for name, number in list(organisms.items())[:SHOWN_ORGANISMS]]
    rest = len(organisms) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def _loaded(report: LoadReport) -> dict[str, Any]:
    return {
        "Store": str(report.path),
        "Pathways": report.pathways,
        "Kept from before": report.kept or None,
        "Organisms": _several(report.organisms),
        "Without interactions": report.without_interactions or None,
        "Without datanodes": report.without_datanodes or None,
        "Skipped": len(report.skipped) or None,
    }


def _tell_skipped(skipped: Sequence[Skipped]) -> None:
    for each in skipped[:MAX_NOTES]:
        note(f"Skipped {each.name}: {each.reason}")
    if len(skipped) > MAX_NOTES:
        note(f"... and {len(skipped) - MAX_NOTES:,} more; --json lists them all.")
