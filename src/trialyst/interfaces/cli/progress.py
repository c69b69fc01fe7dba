"""How far long work is: a bar on a terminal's standard error; for a sync, lines in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from trialyst.registry import BuildProgress, SyncProgress

__all__ = ["Step", "show_progress", "show_stages", "show_steps"]

STEP = 10
"""Percent between two lines in a pipe."""
_STAGES = {
    "download": "Downloading",
    "fetch": "Fetching",
    "list": "Comparing ids",
    "build": "Building",
}


@contextmanager
def show_progress(
    what: str, *, unit: str = "studies"
) -> Iterator[Callable[[BuildProgress], None] | None]:
    """Draw a bar while the block runs; gives None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn(f"{{task.fields[records]:,}} {unit}"),
        TextColumn("{task.fields[rate]:,.0f}/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, records=0, rate=0.0)
        started = bar.get_time()

        def update(progress: BuildProgress) -> None:
            elapsed = bar.get_time() - started
            bar.update(
                task,
                total=progress.bytes_total or None,
                completed=progress.bytes_read,
                records=progress.records,
                rate=progress.records / elapsed if elapsed else 0.0,
            )

        yield update


class Step(Protocol):
    """How far a step of some work is."""

    @property
    def step(self) -> str: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int | None: ...


@contextmanager
def show_steps(*, in_pipes: bool = False) -> Iterator[Callable[[Step], None] | None]:
    """Draw a bar for each step on a terminal; in a pipe write lines, or give None."""
    if not sys.stderr.isatty():
        yield _StepLines() if in_pipes else None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def update(step: Step) -> None:
            if step.step not in tasks:
                tasks[step.step] = bar.add_task(step.step.capitalize(), total=None)
            bar.update(tasks[step.step], total=step.total, completed=step.done)

        yield update


class _StepLines:
    """Writes a line at every tenth of a step whose length is known."""

    def __init__(self) -> None:
        self._told: dict[str, int] = {}

    def __call__(self, step: Step) -> None:
        if not step.total:
            return
        share = min(100 * step.done // step.total, 100) // STEP * STEP
        if share > self._told.get(step.step, -1):
            self._told[step.step] = share
            sys.stderr.write(f"{step.step.capitalize()}: {share} %, {step.done:,} pathways\n")


@contextmanager
def show_stages() -> Iterator[Callable[[SyncProgress], None]]:
    """Show the stages of a sync: a bar for each on a terminal, a line for each step in a pipe."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[amount]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks: dict[str, TaskID] = {}

        def update(progress: SyncProgress) -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = bar.add_task(_STAGES[progress.stage], total=None, amount="")
            task = tasks[progress.stage]
            bar.update(
                task, total=progress.total, completed=progress.done, amount=_amount(progress)
            )

        yield update


class _Lines:
    """Writes a line when a stage begins and at every tenth of it."""

    def __init__(self) -> None:
        self._told: dict[str, int] = {}

    def __call__(self, progress: SyncProgress) -> None:
        share = 100 * progress.done // progress.total if progress.total else 0
        step = min(share, 100) // STEP * STEP
        if step > self._told.get(progress.stage, -1):
            self._told[progress.stage] = step
            sys.stderr.write(f"{_STAGES[progress.stage]}: {step} %, {_amount(progress)}\n")


def _amount(progress: SyncProgress) -> str:
    if progress.stage == "download":
        whole = f" of {progress.total / 1e6:,.0f}" if progress.total else ""
        return f"{progress.done / 1e6:,.0f}{whole} MB"
    return f"{progress.records if progress.stage == 'build' else progress.done:,} studies"
