"""The command that runs Phase 0: judges over a sample of expert labels, from a YAML file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table

if TYPE_CHECKING:
    from trialyst.benchmark.annotations import Annotations
    from trialyst.benchmark.config import Phase0Config
    from trialyst.benchmark.estimates import Estimate
    from trialyst.benchmark.phase0 import Phase0Plan, RunOutcome
    from trialyst.settings import Settings

__all__ = ["add_to", "phase0"]

_HEADS = (
    *("Model", "n", "Accuracy", "95 %", "Macro F1", "F1 M/NM", "Kappa", "Disq.", "Evidence F1"),
)


def add_to(group: typer.Typer) -> None:
    """Give the group this command."""
    group.command(
        epilog=examples(
            "trialyst benchmark phase0 --config phase0.yaml --dry-run",
            "trialyst benchmark phase0 --config phase0.yaml --all --json",
        ),
    )(phase0)


def phase0(
    config: Annotated[Path, typer.Option("--config", metavar="FILE", help="What to run, as YAML.")],
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Tell what would be done and cost at most; send nothing.",
            show_default=False,
        ),
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Judge every row, not a sample.", show_default=False)
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="Judge again what an earlier run has kept.", show_default=False
        ),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Run judges over a sample of expert labels, and keep each run in a directory of its own.

    Everything that can be wrong is told before a model is asked. A run that was stopped goes on
    where it was.
    """
    from trialyst.benchmark.config import load_config
    from trialyst.settings import Settings

    settings = Settings.from_environment()
    read = load_config(config.expanduser())

    async def run() -> None:
        plan = await _plan(read, settings, every=every)
        try:
            if dry_run:
                await _show_plan(plan, as_json=json)
                return
            _tell_sending(plan)
            from trialyst.benchmark.phase0 import run_phase0

            outcomes = await run_phase0(
                plan, fresh=fresh, tell=note, ended=lambda each: _show_one(each, as_json=json)
            )
            _show(outcomes, as_json=json)
        finally:
            await plan.aclose()

    asyncio.run(run())


async def _plan(config: Phase0Config, settings: Settings, *, every: bool) -> Phase0Plan:
    from trialyst.benchmark.phase0 import plan_phase0, sample_rows

    annotations = await _load(config, settings)
    sample = sample_rows(config, annotations, every=every)
    if annotations.without_criterion:
        note(f"{annotations.without_criterion:,} rows without the text of a criterion left out.")
    for remark in sample.notes:
        note(remark)
    return await asyncio.to_thread(plan_phase0, config, sample, settings)


async def _load(config: Phase0Config, settings: Settings) -> Annotations:
    from trialyst.benchmark.annotations import load_annotations_from_file

    if config.data.path is not None:
        return await asyncio.to_thread(load_annotations_from_file, config.data.path)
    from trialyst.benchmark.hugging_face import load_annotations
    from trialyst.transport import open_transport

    note(f"Reading {config.data.source} from Hugging Face.")
    transport = open_transport(settings)
    try:
        return await load_annotations(str(config.data.source), transport)
    finally:
        await transport.aclose()


def _tell_sending(plan: Phase0Plan) -> None:
    from trialyst.llm.endpoint import describe_sending

    for run in plan.runs:
        for adapter in run.judge.adapters:
            note(describe_sending(adapter.endpoint, "the sample's patient notes"))


async def _show_plan(plan: Phase0Plan, *, as_json: bool) -> None:
    from trialyst.benchmark.estimates import estimate_run

    estimates = {run.judge.name: await estimate_run(plan, run) for run in plan.runs}
    if as_json:
        budget = plan.config.budget.model_dump(mode="json")
        show_json(
            {
                "dry_run": True,
                "n": len(plan.sample.pairs),
                "labels": plan.sample.labels,
                "budget": budget,
                "runs": [
                    {
                        "model": run.judge.name,
                        "run_id": run.store.run_id,
                        "path": str(run.store.path),
                        "finished_before": run.store.is_complete,
                        **asdict(estimates[run.judge.name]),
                    }
                    for run in plan.runs
                ],
            }
        )
        return
    n = str(len(plan.sample.pairs))
    show_table(
        ("Model", "Pairs", "Calls", "Calls at most", "USD", "USD at most", "Run"),
        [
            (run.judge.name, n, *_told(estimates[run.judge.name]), run.store.run_id)
            for run in plan.runs
        ],
    )
    labels = ", ".join(f"{count} {label}" for label, count in plan.sample.labels.items())
    note(f"Pairs: {labels}. Nothing was sent.")


def _told(estimate: Estimate) -> tuple[str, ...]:
    return (
        f"{estimate.calls:,}",
        f"{estimate.calls_at_most:,}",
        _money(estimate.cost_usd),
        _money(estimate.cost_usd_at_most),
    )


def _money(usd: float | None) -> str:
    return "unknown" if usd is None else f"{usd:.4f}"


def _show_one(outcome: RunOutcome, *, as_json: bool) -> None:
    """Show the table of one judge as it ends, with the baselines on the same rows."""
    if not as_json:
        run = _to_dict(outcome)
        show_table(_HEADS, [_figures(run["model"], run["metrics"]), *_baselines([run])])


def _show(outcomes: Sequence[RunOutcome], *, as_json: bool) -> None:
    told = [_to_dict(outcome) for outcome in outcomes]
    if as_json:
        show_json({"runs": told})
        return
    if len(told) > 1:
        show_table(_HEADS, [_figures(run["model"], run["metrics"]) for run in told])
    for run in told:
        failures = run["metrics"]["failures"]
        failed = f" {failures} answers failed and count as UNKNOWN." if failures else ""
        cost = _money(run["cost_summary"]["cost_usd"])
        note(
            f"{run['model']}: {run['path']} ({cost} USD, "
            f"{run['cost_summary']['seconds']:.1f} s).{failed}"
        )
        for remark in run["metrics"]["notes"]:
            note(remark)


def _to_dict(outcome: RunOutcome) -> dict[str, Any]:
    from trialyst.benchmark.runs import load_run

    return {
        "model": outcome.model,
        "path": str(outcome.path),
        "resumed": outcome.resumed,
        "reused": outcome.reused,
        "metrics": outcome.metrics,
        "cost_summary": load_run(outcome.path).load_costs(),
    }


def _baselines(runs: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """The rows are the same for all runs, and so are the baselines."""
    metrics = runs[0]["metrics"]
    held = metrics["baselines"]
    named = (("GPT-4", held["gpt4"]), ("majority", held["majority"]))
    return [_figures(name, {"n": metrics["n"], **found}) for name, found in named if found]


def _figures(name: str, metrics: Mapping[str, Any]) -> tuple[str, ...]:
    bounds = metrics.get("intervals", {}).get("accuracy")
    found = metrics["disqualifying"]
    evidence = metrics.get("evidence")
    return (
        name,
        str(metrics["n"]),
        f"{metrics['accuracy']:.3f}",
        f"{bounds[0]:.3f}-{bounds[1]:.3f}" if bounds else "",
        f"{metrics['f1_macro']:.3f}",
        f"{metrics['f1_met_not_met']:.3f}",
        f"{metrics['cohens_kappa']:.3f}",
        f"{found['found']} of {found['n']}",
        f"{evidence['f1']:.3f}" if evidence else "",
    )
