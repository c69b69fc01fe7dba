"""`trialyst registry sync`: real data by one command, and later what changed since."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_pairs
from trialyst.interfaces.cli.reading import RequirementsFlag, read_registry
from trialyst.interfaces.cli.registry import show_skipped
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.registry import Subset, SyncPlan, SyncProgress, SyncReport

__all__ = ["add_to", "sync"]

MINUTE = 60


def add_to(app: typer.Typer) -> None:
    """Add the command to the commands of the registry."""
    app.command(
        epilog=examples(
            "trialyst registry sync",
            "trialyst registry sync --condition melanoma --registry melanoma",
            "trialyst registry sync --full",
        )
    )(sync)


def sync(
    query: Annotated[
        str | None,
        typer.Option(
            "--query", "-q", metavar="TEXT", help="Only studies with these words anywhere."
        ),
    ] = None,
    condition: Annotated[
        str | None,
        typer.Option("--condition", "-c", metavar="TEXT", help="Only studies of this condition."),
    ] = None,
    advanced: Annotated[
        str | None,
        typer.Option(
            "--advanced", "-a", metavar="ESSIE", help="Only what this Essie expression finds."
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All studies; the default for a new registry.")
    ] = False,
    full: Annotated[
        bool,
        typer.Option("--full", help="Fetch everything again and replace what is there."),
    ] = False,
    requirements: RequirementsFlag = True,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Fetch real studies from ClinicalTrials.gov, or what changed since the last sync.

    The first call fetches all of ClinicalTrials.gov (about 3 GB), or the part that the options
    name; later calls update the same part. Size, time and pace are said first. Interrupt it
    whenever you like: the registry in use stays, and the same call goes on.
    """
    from trialyst.registry import Subset

    subset = Subset(query=query, condition=condition, advanced=advanced)
    if everything and not subset.is_whole:
        raise InvalidInput(f"--all and {subset} contradict each other", hint="Give one of the two.")
    settings = Settings.from_environment()
    directory = settings.registry if registry is None else registry.absolute()
    wanted = None if subset.is_whole and not everything else subset
    try:
        report = asyncio.run(_sync(directory, settings, wanted, full=full))
    except KeyboardInterrupt:
        note("Interrupted; the registry in use is whole. Run the same command again to go on.")
        raise
    if requirements:
        read_registry(directory, settings)
    _show(report, directory, as_json=json)


async def _sync(
    directory: Path, settings: Settings, subset: Subset | None, *, full: bool
) -> SyncReport:
    from trialyst.interfaces.cli.progress import show_stages
    from trialyst.registry import LiveService, SyncPlan, sync_registry
    from trialyst.transport import open_transport
    from trialyst.vocabulary import open_vocabulary

    transport = open_transport(settings)
    try:
        with show_stages() as show:

            def tell(said: SyncPlan | SyncProgress) -> None:
                if isinstance(said, SyncPlan):
                    _announce(said, directory)
                else:
                    show(said)

            return await sync_registry(
                directory,
                LiveService(transport, settings.ctgov_url),
                subset=subset,
                full=full,
                tell=tell,
                vocabulary=open_vocabulary(settings.home),
            )
    finally:
        await transport.aclose()


def _announce(plan: SyncPlan, directory: Path) -> None:
    how = {
        "archive": "the bulk file",
        "pages": f"{plan.requests:,} pages",
        "changes": f"what changed, {plan.requests:,} requests",
    }[plan.how]
    pace = f", one request in {plan.interval:g} s" if plan.interval and plan.requests > 1 else ""
    note(
        f"{plan.what[0].upper()}{plan.what[1:]}: {plan.studies:,} studies by {how}, "
        f"about {_size(plan.download_bytes)} to fetch{pace}."
    )
    note(
        f"Needs about {_size(plan.disk_bytes)} in {directory} ({_size(plan.free_bytes)} free) and "
        f"{_spoken(plan.seconds)}. Ctrl-C is safe; the same command goes on."
    )


def _show(report: SyncReport, directory: Path, *, as_json: bool) -> None:
    if as_json:
        show_json({"registry": str(directory), **asdict(report)})
        return
    show_skipped(report)
    if report.missing:
        note(
            f"The service counts {report.missing:,} studies more than there are here. Sync again; "
            "if that does not help, `trialyst registry sync --full` does."
        )
    if report.surplus:
        note(
            f"{report.surplus:,} studies here are not counted by the service any more, withdrawn "
            "or added by hand; only `trialyst registry sync --full` removes them."
        )
    show_pairs(
        {
            "Registry": str(directory),
            "Holds": report.subset,
            "Records": report.records,
            "Changes since": report.since,
            "New": report.new,
            "Changed": report.changed,
            "Removed": report.removed or None,
            "Data of": report.data_timestamp,
        }
    )


def _size(number: int) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e8 else f"{max(number / 1e6, 0.1):,.1f} MB"


def _spoken(seconds: float) -> str:
    if seconds < MINUTE:
        return "less than a minute"
    return f"about {round(seconds / MINUTE)} min"
