"""The commands of the local registry: build, change, look, check."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.errors import RegistryError, RegistryMissing, RegistryOutdated
from trialyst.ids import NctId
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import (
    note,
    show_json,
    show_pairs,
    show_text,
    to_values,
    warn_if_synthetic,
)
from trialyst.interfaces.cli.reading import AnnotationsFlag, RequirementsFlag, read_registry
from trialyst.interfaces.cli.wording import CommandWording
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.ctgov.source import Provenance
    from trialyst.registry import BuildReport, RegistryStatus, SyncReport, UpgradeReport
    from trialyst.registry.annotations import LearnOnly
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "add",
    "add_to",
    "app",
    "build",
    "remove",
    "show_skipped",
    "status",
    "upgrade",
    "verify",
]

MAX_NOTES = 10
"""Damaged records and problems shown as text; --json gives them all."""

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Build, change and check the local registry."
)


def add_to(program: typer.Typer) -> None:
    """Give the program the commands of the registry."""
    program.add_typer(_with_sync(), name="registry")


@cache
def _with_sync() -> typer.Typer:
    from trialyst.interfaces.cli import reading, syncing

    syncing.add_to(app)
    reading.add_to(app)
    return app


Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="PATH...",
        help="Bulk zip, directory of study files, JSON array or JSON lines; plain, gz, xz or zst.",
        show_default=False,
    ),
]


AsOf = Annotated[
    datetime | None,
    typer.Option(
        "--as-of",
        formats=["%Y-%m-%d"],
        metavar="DATE",
        help="The day of which the files are; not before that of the registry in use.",
        show_default=False,
    ),
]


@app.command(
    epilog=examples(
        "trialyst registry build ctg-studies.json.zip",
        "trialyst registry build studies/ more.jsonl.gz --registry my-registry",
        "trialyst registry build --as-of 2026-01-31 ctg-studies-january.json.zip",
    )
)
def build(
    paths: Paths,
    as_of: AsOf = None,
    requirements: RequirementsFlag = True,
    annotations: AnnotationsFlag = True,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Build the local registry from files, replacing the one there when all is done.

    An interrupted build leaves the old registry in use, and the same call goes on where it
    stopped. Records that cannot be read are skipped and told. Then the criteria of all trials are
    read, which may be interrupted too.

    What it replaces is kept as history. Files of several days, built with --as-of from the oldest
    to the newest, make a history that changes and watch tell.
    """
    from trialyst.interfaces.cli.progress import show_progress
    from trialyst.registry import build_dated, build_registry

    settings = Settings.from_environment()
    directory = _directory(registry, settings)
    with show_progress("Building") as progress:
        make = partial(build_dated, as_of=as_of.date()) if as_of else build_registry
        report = make(paths, directory, progress=progress, vocabulary=_names(annotate=annotations))
    if requirements:
        read_registry(directory, settings)
    _show_report(report, directory, as_json=json)


@app.command(epilog=examples("trialyst registry add new-studies.jsonl"))
def add(
    paths: Paths,
    requirements: RequirementsFlag = True,
    annotations: AnnotationsFlag = True,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Add studies to the local registry; newer versions replace older ones."""
    from trialyst.interfaces.cli.progress import show_progress
    from trialyst.registry import add_records

    settings = Settings.from_environment()
    directory = _directory(registry, settings)
    with show_progress("Adding") as progress:
        report = add_records(
            paths, directory, progress=progress, vocabulary=_names(annotate=annotations)
        )
    if requirements:
        read_registry(directory, settings)
    _show_report(report, directory, as_json=json)


@app.command(epilog=examples("trialyst registry remove NCT00461032 NCT02970942"))
def remove(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="NCT ids of the studies.")],
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Remove studies from the local registry."""
    wanted = [NctId.parse(text) for text in ids]
    from trialyst.registry import remove_records

    directory = _directory(registry, Settings.from_environment())
    report = remove_records(wanted, directory)
    _show_report(report, directory, as_json=json)


@app.command(epilog=examples("trialyst registry upgrade", "trialyst registry upgrade --json"))
def upgrade(
    requirements: RequirementsFlag = True,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Make a registry that an older Trialyst wrote usable again, from its own records.

    Nothing is fetched. The old registry stays in use until the new one is whole; interrupted,
    the same call goes on where it stopped. A registry of this version is left as it is.
    """
    from trialyst.interfaces.cli.progress import show_progress
    from trialyst.registry import upgrade_registry

    settings = Settings.from_environment()
    directory = _directory(registry, settings)
    try:
        with show_progress("Upgrading") as progress:
            report = upgrade_registry(directory, progress=progress, vocabulary=_vocabulary())
    except KeyboardInterrupt:
        note("Interrupted; the registry in use is whole. Run the same command again to go on.")
        raise
    if requirements:
        read_registry(directory, settings)
    if json:
        show_json({"registry": str(directory), **asdict(report)})
        return
    show_skipped(report)
    if not report.upgraded:
        show_text("The registry is of this version already; nothing was done.")
    show_pairs(
        {
            "Registry": str(directory),
            "Records": report.records,
            "Schema version": report.schema_version,
            "Upgraded from": report.previous_schema_version if report.upgraded else None,
            "Resumed at": report.resumed_at or None,
        }
    )


@app.command(epilog=examples("trialyst registry status", "trialyst registry status --json"))
def status(
    source: SourceOption = None, registry: RegistryOption = None, json: JsonFlag = False
) -> None:
    """Say what the registry in use holds and how old it is."""
    described, provenance = asyncio.run(_status(source, registry))
    warn_if_synthetic(provenance)
    values = to_values(described)
    if json:
        show_json({**values, "provenance": to_values(provenance)})
    else:
        show_pairs({name.replace("_", " ").capitalize(): value for name, value in values.items()})


@app.command(epilog=examples("trialyst registry verify"))
def verify(
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Check every record and index of the local registry against each other.

    Exit code 0 means all is well, 1 that something is not.
    """
    from trialyst.interfaces.cli.progress import show_progress
    from trialyst.registry import BuildProgress, VerifyReport, verify_registry

    directory = _directory(registry, Settings.from_environment())
    with show_progress("Checking") as show:

        def tell(checked: int, total: int) -> None:
            if show:
                show(BuildProgress(checked, checked, total))

        try:
            report = verify_registry(directory, progress=tell)
        except RegistryMissing:
            raise
        except RegistryOutdated as older:
            told = ". ".join(older.worded(CommandWording("registry", "verify")))
            report = VerifyReport(records=0, sites=0, problems=(told,))
        except RegistryError as trouble:
            # What cannot even be opened is the plainest way of not being well.
            report = VerifyReport(records=0, sites=0, problems=(trouble.message,))
    if json:
        show_json({**to_values(report), "ok": report.ok})
    else:
        for problem in report.problems[:MAX_NOTES]:
            show_text(problem)
        verdict = "all is well" if report.ok else f"{len(report.problems):,} problems"
        show_text(f"{report.records:,} records checked: {verdict}.")
    raise typer.Exit(0 if report.ok else 1)


def _names(*, annotate: bool) -> Vocabulary | LearnOnly:
    from trialyst.registry.annotations import LearnOnly

    return _vocabulary() if annotate else LearnOnly(_vocabulary())


def _vocabulary() -> Vocabulary:
    """Open the shipped names, beside which a registry learns more."""
    from trialyst.vocabulary import open_vocabulary

    return open_vocabulary(Settings.from_environment().home)


def _directory(registry: Path | None, settings: Settings) -> Path:
    return settings.registry if registry is None else registry.absolute()


async def _status(source: str | None, registry: Path | None) -> tuple[RegistryStatus, Provenance]:
    from trialyst.interfaces.library import aconnect

    async with await aconnect(source, registry=registry) as session:
        return await session.registry.status(), await session.registry.provenance()


def _show_report(report: BuildReport, directory: Path, *, as_json: bool) -> None:
    if as_json:
        show_json({"registry": str(directory), **asdict(report)})
        return
    show_skipped(report)
    show_pairs({"Registry": str(directory), **_counts(report)})


def show_skipped(report: BuildReport | SyncReport | UpgradeReport) -> None:
    """Tell which records were left out, or kept although a part cannot be searched."""
    for damage in report.damaged[:MAX_NOTES]:
        note(f"Skipped {damage.nct_id or 'a record'} in {damage.place}: {damage.reason}")
    if len(report.damaged) > MAX_NOTES:
        note(f"... and {len(report.damaged) - MAX_NOTES:,} more; --json lists them all.")
    for flaw in report.flawed[:MAX_NOTES]:
        note(f"Kept {flaw.nct_id} in {flaw.place}, of which a part {flaw.reason}")
    if len(report.flawed) > MAX_NOTES:
        note(f"... and {len(report.flawed) - MAX_NOTES:,} more; --json lists them all.")


def _counts(report: BuildReport) -> dict[str, Any]:
    """Give what happened, leaving out what did not."""
    happened = {
        "Read": report.read,
        "Added": report.added,
        "Replaced": report.replaced,
        "Older versions": report.superseded,
        "Removed": report.removed,
        "Skipped": len(report.damaged),
        "Resumed at": report.resumed_at,
    }
    return {"Records": report.records, **{name: n for name, n in happened.items() if n}}
