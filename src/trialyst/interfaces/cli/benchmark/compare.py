"""The commands that compare finished runs and write a report on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table, show_text

if TYPE_CHECKING:
    from trialyst.benchmark.runs import LoadedRun

__all__ = ["add_to", "compare", "report"]

_LABELS = {
    "accuracy": "Accuracy",
    "f1_macro": "Macro F1",
    "disqualifying_recall": "Disqualifying found",
    "evidence_f1": "Evidence F1",
}


def add_to(group: typer.Typer) -> None:
    """Give the group these commands."""
    group.command(
        epilog=examples("trialyst benchmark compare runs/FIRST runs/SECOND --json"),
    )(compare)
    group.command(
        epilog=examples("trialyst benchmark report runs/FIRST runs/SECOND --out report"),
    )(report)


def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN", help="The directory of a run.")],
    second: Annotated[Path, typer.Argument(metavar="RUN", help="The directory of another.")],
    json: JsonFlag = False,
) -> None:
    """Compare two runs on the same rows: paired bootstrap over patients, and McNemar's test.

    A difference above 0 speaks for the second run.
    """
    from trialyst.benchmark.comparing import compare_runs

    found = compare_runs(_load(first), _load(second))
    if json:
        show_json(found)
        return
    one, other = found["runs"]
    rows = []
    for name, apart in found["differences"].items():
        low, high = apart["interval"]
        rows.append(
            (
                _LABELS[name],
                f"{one[name]:.3f}",
                f"{other[name]:.3f}",
                f"{apart['difference']:+.3f}",
                f"{low:+.3f} to {high:+.3f}",
            )
        )
    show_table(("Figure", one["model"], other["model"], "Difference", "95 %"), rows)
    held = found["mcnemar"]
    note(
        f"{found['n']:,} criteria of {found['patients']:,} patients. Right only in the first run "
        f"{held['only_first_right']:,}, only in the second {held['only_second_right']:,}: "
        f"McNemar p = {held['p_value']:.3g}."
    )


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Directories of runs.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where to write the report.")
    ] = Path("benchmark-report"),
    json: JsonFlag = False,
) -> None:
    """Write a page on finished runs, with confusion matrices, calibration and figures per verdict.

    The page holds everything it shows; the charts are written beside it as PNG too.
    """
    from trialyst.benchmark.reporting import write_report

    written = write_report([_load(run) for run in runs], out.expanduser())
    if json:
        show_json({"files": [str(path) for path in written]})
        return
    show_text("\n".join(map(str, written)))


def _load(path: Path) -> LoadedRun:
    from trialyst.benchmark.runs import load_run

    return load_run(path.expanduser())
