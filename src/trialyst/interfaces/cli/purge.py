"""`trialyst purge`: what is kept of patients on this machine, shown and removed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table
from trialyst.matching.kept_runs import KeptRun, list_kept_runs, remove_kept_run
from trialyst.settings import Settings

__all__ = ["add_to", "purge"]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst purge", "trialyst purge --yes", "trialyst purge --older-than 30 --yes"
        )
    )(purge)


def purge(
    older_than: Annotated[
        int,
        typer.Option(
            "--older-than", min=0, metavar="DAYS", help="Only runs last written that long ago."
        ),
    ] = 0,
    yes: Annotated[
        bool, typer.Option("--yes", help="Remove them; without it they are only listed.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """List the runs of matches that are kept on this machine, and remove them with --yes.

    A run holds the verdicts, the sentences of the note that they cite, and the whole note where
    it was matched with --keep-note. Reports that you had written elsewhere (--out) are yours to
    remove. A run that is under way is left.
    """
    runs = Settings.from_environment().runs
    before = datetime.now(UTC) - timedelta(days=older_than)
    found = [run for run in list_kept_runs(runs) if run.written <= before]
    states = {run.run_id: _remove(run) if yes else "kept" for run in found}
    if json:
        show_json({"directory": str(runs), "runs": [_told(run, states) for run in found]})
        return
    if not found:
        note(f"Nothing of patients is kept in {runs}.")
        return
    show_table(
        ("Run", "Last written", "KB", "Whole note", "Now"),
        [
            (
                run.run_id,
                f"{run.written:%Y-%m-%d %H:%M} UTC",
                f"{-(-run.size // 1000):,}",
                "yes" if run.has_note else "no",
                states[run.run_id],
            )
            for run in found
        ],
    )
    if not yes:
        note("Nothing was removed: add --yes to remove these runs.")


def _remove(run: KeptRun) -> str:
    try:
        return "removed" if remove_kept_run(run) else "under way, left"
    except FileNotFoundError:
        return "removed"


def _told(run: KeptRun, states: dict[str, str]) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "written": run.written.isoformat(timespec="seconds"),
        "bytes": run.size,
        "has_note": run.has_note,
        "state": states[run.run_id],
    }
