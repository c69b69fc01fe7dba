"""The command that measures verdicts on criteria against those of experts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table

if TYPE_CHECKING:
    from trialyst.benchmark.annotations import Annotations
    from trialyst.llm.budget import ModelBudget

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
            "trialyst benchmark criteria --data readings.jsonl.gz --split check",
            "trialyst benchmark criteria --data annotations.jsonl --judge ollama:medgemma --json",
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
        str,
        typer.Option(
            "--judge",
            metavar="NAME",
            help="Who judges: rules, provider:model, or two models joined by +.",
        ),
    ] = "rules",
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="NAME", help="Only rows whose column split says so."),
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", metavar="N", help="Calls to a model, at most.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="USD", help="What a model may cost.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure verdicts on criteria, beside GPT-4 and the majority verdict of each type.

    Verdicts speak of the statement: MET on an exclusion criterion means that it excludes.
    """
    from trialyst.benchmark.annotations import load_annotations_from_file
    from trialyst.llm.budget import ModelBudget

    annotations = load_annotations_from_file(data.expanduser(), split=split)
    budget = ModelBudget(calls=max_calls, usd=max_cost)
    scores = asyncio.run(_measure(annotations, judge, budget))
    for remark in scores["notes"]:
        note(remark)
    if json:
        show_json(scores)
        return
    _show(scores)


async def _measure(annotations: Annotations, name: str, budget: ModelBudget) -> dict[str, Any]:
    from trialyst.benchmark.config import ModelConfig
    from trialyst.benchmark.criteria import run_criteria, score_criteria
    from trialyst.benchmark.judges import StrictJudge, open_rows_judge
    from trialyst.llm.budget import Meter
    from trialyst.llm.endpoint import describe_sending
    from trialyst.settings import Settings

    settings = Settings.from_environment()
    choice = ModelConfig(name=name, max_concurrent=settings.llm_concurrency)
    rows = open_rows_judge(choice, settings, meter=Meter(budget))
    for adapter in rows.adapters:
        note(describe_sending(adapter.endpoint, "the patient notes"))
    judge = StrictJudge(rows)
    try:
        scores = score_criteria(await run_criteria(annotations, judge))
    finally:
        await rows.aclose()
    if judge.failures:
        scores["notes"].append(f"{judge.failures} answers failed and count as UNKNOWN.")
    return scores


def _show(scores: Mapping[str, Any]) -> None:
    show_table(("Figure", "n", "Judge", "95 %", "GPT-4", "Majority"), list(_overall(scores)))
    show_table(("Verdict", "n", "Precision", "Recall", "F1"), list(_per_class(scores)))
    show_table(
        ("Experts", *scores["confusion_matrix"]),
        [(gold, *map(str, said.values())) for gold, said in scores["confusion_matrix"].items()],
    )
    if scores["groups"]:
        headings = ("Group", "n", "Accuracy", "Macro F1", "Disqualifying found", "Evidence F1")
        show_table(headings, list(_per_group(scores)))
    evidence = scores["evidence"]
    note(
        f"Evidence: precision {evidence['precision']:.3f}, recall {evidence['recall']:.3f}, "
        f"F1 {evidence['f1']:.3f}, Jaccard {evidence['jaccard']:.3f}. "
        f"Disqualifying verdicts: precision {scores['disqualifying']['precision']:.3f}. "
        f"{scores['n']:,} criteria of {scores['patients']:,} patients, "
        f"{scores['seconds']:.2f} s, {_money(scores['cost_usd'])}."
    )


def _money(usd: float | None) -> str:
    return "cost unknown" if usd is None else f"{usd:.2f} USD"


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


def _per_group(scores: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    names = ("accuracy", "f1_macro", "disqualifying_recall", "evidence_f1")
    for group, figures in scores["groups"].items():
        yield group, str(figures["n"]), *(f"{figures[name]:.3f}" for name in names)
