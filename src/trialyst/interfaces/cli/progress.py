"""How far a build is: a bar with rate and time left, on a terminal's standard error only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trialyst.registry import BuildProgress

__all__ = ["show_progress"]


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[BuildProgress], None] | None]:
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
        TextColumn("{task.fields[records]:,} studies"),
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
