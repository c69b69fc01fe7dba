"""`trialyst registry read`: the criteria of every trial read once and kept beside the records."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_pairs
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.registry import BuildProgress, ReadingProgress, ReadingReport

__all__ = ["AnnotationsFlag", "RequirementsFlag", "add_to", "read", "read_registry"]

STEP = 10
"""Percent between two lines in a pipe."""

RequirementsFlag = Annotated[
    bool,
    typer.Option(
        "--requirements/--no-requirements",
        help="Read the criteria of all trials afterwards; `trialyst registry read` does it later.",
    ),
]

AnnotationsFlag = Annotated[
    bool,
    typer.Option(
        "--annotations/--no-annotations",
        help="Annotate all trials; `trialyst registry upgrade` does it later.",
    ),
]


def add_to(app: typer.Typer) -> None:
    """Add the command to the commands of the registry."""
    app.command(
        epilog=examples("trialyst registry read", "trialyst registry read --registry my-registry")
    )(read)


def read(registry: RegistryOption = None, json: JsonFlag = False) -> None:
    """Read the criteria of all trials once and keep what they demand beside the records.

    Building, syncing and upgrading do it too. It may be interrupted: the registry stays usable,
    and the same call goes on. Criteria that are not kept are read whenever they are needed.
    """
    settings = Settings.from_environment()
    directory = settings.registry if registry is None else registry.absolute()
    report = read_registry(directory, settings)
    if json:
        show_json({"registry": str(directory), **asdict(report)})
        return
    show_pairs(
        {
            "Registry": str(directory),
            "Trials": report.trials,
            "Read": report.read,
            "Read before": report.reused,
            "Criteria": report.criteria or None,
            "Criteria a second": round(report.rate) or None,
        }
    )


def read_registry(directory: Path, settings: Settings) -> ReadingReport:
    """Read the criteria of a registry on all cores, and show how far it is."""
    from trialyst.interfaces.runtime import open_reader
    from trialyst.registry import read_requirements

    try:
        with _show_reading() as progress:
            return read_requirements(
                directory,
                partial(open_reader, settings.home),
                processes=os.cpu_count() or 1,
                progress=progress,
            )
    except KeyboardInterrupt:
        note("Interrupted; the registry is usable. `trialyst registry read` goes on.")
        raise


@contextmanager
def _show_reading() -> Iterator[Callable[[ReadingProgress], None]]:
    """Draw a bar on a terminal; in a pipe write a line at every tenth."""
    from trialyst.interfaces.cli.progress import show_progress

    with show_progress("Reading criteria", unit="criteria") as show:
        yield _Lines() if show is None else _to_bar(show)


def _to_bar(show: Callable[[BuildProgress], None]) -> Callable[[ReadingProgress], None]:
    from trialyst.registry import BuildProgress

    def update(told: ReadingProgress) -> None:
        show(BuildProgress(told.criteria, told.trials, told.total))

    return update


class _Lines:
    """Writes a line at every tenth of the work."""

    def __init__(self) -> None:
        self._told = -1

    def __call__(self, told: ReadingProgress) -> None:
        step = 100 * told.trials // max(told.total, 1) // STEP * STEP
        if step > self._told:
            self._told = step
            sys.stderr.write(
                f"Reading criteria: {step} %, {told.trials:,} trials, "
                f"{told.rate:,.0f} criteria a second\n"
            )
