"""The command that measures verdicts on criteria against those of experts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table

__all__ = ["add_to", "criteria"]

_FIGURES = {
    "accuracy": "Accuracy",
    "f1_macro": "Macro F1",
    "f1_met_not_met": "F1 of MET and NOT_MET",
    "cohens_kappa": "Cohen's kappa",
    "disqualifying_recall": "Disqualifying found",
}


def add_to(group: typer.Typer) -> None:
    """Give the group this command."""
    group.command(
        epilog=examples(
            "trialyst benchmark criteria --data annotations.jsonl.gz",
            "trialyst benchmark criteria --data annotations.jsonl --judge rules --json",
        ),
    )(criteria)


def criteria(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            metavar="FILE",
            help="JSON lines in the form of the TrialGPT criterion annotations; plain, gz or xz.",
        ),
    ],
    judge: Annotated[
        str, typer.Option("--judge", metavar="NAME", help="Who judges: rules.")
    ] = "rules",
    json: JsonFlag = False,
) -> None:
    """Measure verdicts on criteria, beside GPT-4 and the majority verdict of each type.

    Verdicts speak of the statement: MET on an exclusion criterion means that it excludes.
    """
    from trialyst.benchmark.annotations import load_annotations_from_file
    from trialyst.benchmark.criteria import run_criteria, score_criteria
    from trialyst.interfaces.runtime import open_judge

    chosen = open_judge(judge)
    annotations = load_annotations_from_file(data.expanduser())
    scores = score_criteria(asyncio.run(run_criteria(annotations, chosen)))
    for remark in scores["notes"]:
        note(remark)
    if json:
        show_json(scores)
        return
    _show(scores)


def _show(scores: Mapping[str, Any]) -> None:
    show_table(("Figure", "n", "Judge", "95 %", "GPT-4", "Majority"), list(_overall(scores)))
    show_table(("Verdict", "n", "Precision", "Recall", "F1"), list(_per_class(scores)))
    show_table(
        ("Experts", *scores["confusion_matrix"]),
        [(gold, *map(str, said.values())) for gold, said in scores["confusion_matrix"].items()],
    )
    evidence = scores["evidence"]
    note(
        f"Evidence: precision {evidence['precision']:.3f}, recall {evidence['recall']:.3f}, "
        f"F1 {evidence['f1']:.3f}, Jaccard {evidence['jaccard']:.3f}. "
        f"{scores['n']:,} criteria of {scores['patients']:,} patients, "
        f"{scores['seconds']:.2f} s, "
        f"{scores['cost_usd']:.2f} USD."
    )


def _overall(scores: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    gpt4 = scores["baselines"]["gpt4"] or {}
    majority = scores["baselines"]["majority"]
    for name, label in _FIGURES.items():
        bounds = scores["intervals"].get(name)
        n = scores["disqualifying"]["n"] if name == "disqualifying_recall" else scores["n"]
        yield (
            label,
            str(n),
            f"{scores[name]:.3f}",
            f"{bounds[0]:.3f}-{bounds[1]:.3f}" if bounds else "",
            f"{gpt4[name]:.3f}" if gpt4 else "",
            f"{majority[name]:.3f}",
        )


def _per_class(scores: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for verdict, figures in scores["per_class"].items():
        rates = (f"{figures[name]:.3f}" for name in ("precision", "recall", "f1"))
        yield verdict, str(figures["n"]), *rates
