"""Phase 0: judges in turn over a sample of expert labels, within one budget.

`plan_phase0` finds everything that can be wrong before anything is sent; `run_phase0` judges,
keeps every row as it comes, and goes on where an earlier run was stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trialyst import __version__
from trialyst.benchmark.annotations import Annotations
from trialyst.benchmark.config import ModelConfig, Phase0Config
from trialyst.benchmark.judges import BenchmarkJudge, Judged, open_rows_judge
from trialyst.benchmark.judging import Progress, run_model_benchmark
from trialyst.benchmark.outcome import render_audit_table, to_latency, to_metrics, to_results
from trialyst.benchmark.runs import (
    LoadedRun,
    RunFiles,
    RunStore,
    Spent,
    load_run,
    to_run_id,
)
from trialyst.benchmark.sampling import (
    Phase0Sample,
    filter_by_keywords,
    stratified_sample,
    take_all,
)
from trialyst.errors import BudgetExhausted, InvalidInput, ModelError, TrialystError
from trialyst.llm.budget import Meter, ModelBudget
from trialyst.paging import digest

if TYPE_CHECKING:
    from trialyst.settings import Settings

__all__ = ["Phase0Plan", "PlannedRun", "RunOutcome", "plan_phase0", "run_phase0", "sample_rows"]


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One judge of the plan, opened, and the directory its run has."""

    choice: ModelConfig
    judge: BenchmarkJudge
    store: RunStore
    config: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Phase0Plan:
    """All that a run needs; nothing of it was sent anywhere."""

    config: Phase0Config
    sample: Phase0Sample
    runs: tuple[PlannedRun, ...]
    meter: Meter

    async def aclose(self) -> None:
        """Let go of the judges' connections."""
        for run in self.runs:
            await run.judge.aclose()


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """A finished run, and where it is kept."""

    model: str
    path: Path
    metrics: dict[str, Any]
    resumed: int
    """How many of its rows an earlier, interrupted run had judged."""
    reused: bool
    """Whether it had been finished before and was read from disk."""


def sample_rows(config: Phase0Config, annotations: Annotations, *, every: bool) -> Phase0Sample:
    """Choose the rows of a run; `every` takes all that the keywords leave."""
    rows = filter_by_keywords(annotations.rows, config.data.keyword_filter)
    if every:
        return take_all(rows)
    data = config.data
    return stratified_sample(rows, n_pairs=data.n_pairs, seed=data.seed, balance=data.balance)


def plan_phase0(config: Phase0Config, sample: Phase0Sample, settings: Settings) -> Phase0Plan:
    """Open every judge and check that the budget can be kept; nothing is sent.

    Raises:
        InvalidInput: a judge does not exist, its key is not set, or its price is not known where
            the budget is in money.
        ModelError: the libraries that speak to models are not installed.
    """
    budget = config.budget
    meter = Meter(ModelBudget(calls=budget.max_calls, usd=budget.max_cost_usd))
    runs = []
    for choice in config.models:
        judge = open_rows_judge(choice, settings, meter=meter)
        unpriced = [adapter.name for adapter in judge.adapters if adapter.price is None]
        if unpriced and budget.max_cost_usd is not None:
            raise InvalidInput(
                f"budget.max_cost_usd cannot be kept: the price of {unpriced[0]} is not known",
                hint="Set budget.max_calls instead, or name a model with a known price.",
                invalid_input=choice.name,
            )
        runs.append(_planned(config, choice, judge, sample))
    return Phase0Plan(config, sample, tuple(runs), meter)


def _planned(
    config: Phase0Config, choice: ModelConfig, judge: BenchmarkJudge, sample: Phase0Sample
) -> PlannedRun:
    rows = digest(
        [
            (row.patient_id, row.trial_id, row.note, row.criterion, row.kind, row.label)
            for row in sample.pairs
        ]
    )
    decides = {
        "format": 1,
        "trialyst": __version__,
        "model": judge.name,
        "max_tokens": choice.max_tokens,
        "prompts": judge.prompts,
        "rows": rows,
    }
    run_id = to_run_id(judge.name, decides)
    data = config.data.model_dump(mode="json", exclude_none=True)
    if config.data.path is not None:
        data["path"] = config.data.path.name
    told = {
        "run_id": run_id,
        **decides,
        "max_concurrent": choice.max_concurrent,
        "data": data,
        "budget": config.budget.model_dump(mode="json"),
        "n": len(sample.pairs),
        "labels": sample.labels,
    }
    store = RunStore(config.output.expanduser().absolute(), run_id)
    return PlannedRun(choice, judge, store, told)


async def run_phase0(
    plan: Phase0Plan,
    *,
    fresh: bool = False,
    tell: Callable[[str], None] = lambda said: None,
    ended: Callable[[RunOutcome], None] = lambda outcome: None,
) -> list[RunOutcome]:
    """Let the judges of a plan judge, one after the other.

    A finished run of a model is read from disk, because it cost something; one of the rules, which
    may have changed, is made again.

    Args:
        fresh: Judge everything again, whatever is kept.
        tell: Hears what is done.
        ended: Hears of each judge's run as it ends, before the next begins.

    Raises:
        BudgetExhausted, ModelError: what was judged is kept; the same call goes on with the rest.
    """
    outcomes = []
    for run in plan.runs:
        if run.store.is_complete and run.judge.adapters and not fresh:
            kept = load_run(run.store.path)
            _charge(plan.meter, kept)
            tell(f"{run.judge.name}: finished before, read from {run.store.path}.")
            outcomes.append(RunOutcome(run.judge.name, kept.path, kept.metrics, 0, reused=True))
        else:
            outcomes.append(await _run_one(plan, run, fresh=fresh, tell=tell))
        ended(outcomes[-1])
    return outcomes


def _charge(meter: Meter, run: LoadedRun) -> None:
    """Count what a run that was finished before cost against the budget."""
    costs = run.load_costs()
    meter.calls += int(costs["calls"])
    meter.usd += float(costs["cost_usd"] or 0.0)


async def _run_one(
    plan: Phase0Plan, run: PlannedRun, *, fresh: bool, tell: Callable[[str], None]
) -> RunOutcome:
    store, sample = run.store, plan.sample
    left = store.begin(run.config, fresh=fresh)
    progress = Progress(store, plan.meter, left)
    kept = left.kept
    if kept:
        tell(f"{run.judge.name}: {len(kept):,} of {len(sample.pairs):,} pairs were judged before.")
    began = datetime.now(UTC)
    started = time.perf_counter()
    try:
        judged = await run_model_benchmark(
            run.judge, sample, progress, max_concurrent=run.choice.max_concurrent
        )
        costs = _costs(run, judged, progress.spent())
        costs["seconds"] = progress.seconds_before + time.perf_counter() - started
        costs |= {"started": began.isoformat(), "ended": datetime.now(UTC).isoformat()}
        files = _files(run, sample, judged, costs)
        store.finish(files)
    except (BudgetExhausted, ModelError) as stopped:
        progress.stop()
        raise _resumable(stopped, progress, len(sample.pairs)) from None
    finally:
        store.close()
    return RunOutcome(run.judge.name, store.path, dict(files.metrics), len(kept), reused=False)


def _resumable(stopped: TrialystError, progress: Progress, n: int) -> TrialystError:
    done = len(progress.judged)
    advice = "Raise the budget" if isinstance(stopped, BudgetExhausted) else str(stopped.hint)
    return type(stopped)(
        f"{stopped.message} ({done:,} of {n:,} pairs are judged and kept)",
        hint=f"{advice.rstrip('.')}; the same command then goes on with the rest.",
    )


def _files(
    run: PlannedRun, sample: Phase0Sample, judged: Sequence[Judged], costs: dict[str, Any]
) -> RunFiles:
    what = (run.store.run_id, run.judge.name, sample, judged)
    return RunFiles(to_results(*what), to_metrics(*what), costs, render_audit_table(*what))


def _costs(run: PlannedRun, judged: Sequence[Judged], spent: Spent) -> dict[str, Any]:
    known = not spent.unpriced_calls
    return {
        "run_id": run.store.run_id,
        "model": run.judge.name,
        "calls": spent.calls,
        "cost_usd": spent.usd if known else None,
        "unpriced_calls": spent.unpriced_calls,
        "input_tokens": sum(each.input_tokens for each in judged),
        "output_tokens": sum(each.output_tokens for each in judged),
        "latency_seconds": to_latency(judged),
        "failures": sum(each.failed for each in judged),
    }
