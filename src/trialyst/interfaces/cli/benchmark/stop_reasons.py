"""The command that measures how well stop reasons are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table

__all__ = ["add_to", "stop_reasons"]

_FIGURES = {"accuracy": "Accuracy", "accuracy_lenient": "Lenient", "f1_macro": "Macro F1"}


def add_to(group: typer.Typer) -> None:
    """Give the group this command."""
    group.command(
        "stop-reasons",
        epilog=examples(
            "trialyst benchmark stop-reasons --data labelled.jsonl.gz",
            "trialyst benchmark stop-reasons --data labelled.jsonl --json",
        ),
    )(stop_reasons)


def stop_reasons(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            metavar="FILE",
            help="JSON lines with why_stopped, stop_category and, if several are right, "
            "also_acceptable; plain, gz or xz.",
        ),
    ],
    json: JsonFlag = False,
) -> None:
    """Measure how well stop reasons are told, beside the bare keyword table.

    Accuracy asks for the label itself, lenient for any label that is marked acceptable.
    """
    from trialyst.benchmark.stop_reasons import load_stop_annotations, score_stop_reasons

    scores = score_stop_reasons(load_stop_annotations(data.expanduser()))
    if json:
        show_json(scores)
        return
    baseline = scores["baselines"]["seed_keywords"]
    show_table(("Figure", "n", "Rules", "95 %", "Keyword table"), list(_rows(scores, baseline)))
    note(f"{scores['n']:,} labelled texts.")


def _rows(scores: Mapping[str, Any], baseline: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, label in _FIGURES.items():
        low_high = scores["intervals"].get(name)
        between = f"{low_high[0]:.3f}-{low_high[1]:.3f}" if low_high else ""
        yield label, str(scores["n"]), f"{scores[name]:.3f}", between, f"{baseline[name]:.3f}"
    for category, figures in scores["per_category"].items():
        theirs = baseline["per_category"].get(category, {"f1": 0.0})
        yield (
            f"F1 {category}",
            str(figures["n"]),
            f"{figures['f1']:.3f}",
            "",
            f"{theirs['f1']:.3f}",
        )
