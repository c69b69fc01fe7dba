"""One judge over a sample: row by row, sequential or concurrent, kept as it goes.

A failed row counts as UNKNOWN. Where the first row fails, several in a row do, or the model is
given up on, the run stops, and the failed rows are judged again when it goes on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

from trialyst.benchmark.judges import BenchmarkJudge, BudgetStop, Judged
from trialyst.benchmark.runs import Interrupted, Kept, RunStore, Spent
from trialyst.benchmark.sampling import Phase0Sample
from trialyst.errors import BudgetExhausted, ModelError
from trialyst.llm.budget import Meter

__all__ = ["Progress", "run_model_benchmark"]

_MOST_FAILURES = 5
"""Rows that fail one after the other before a run stops."""


class Progress:
    """What is judged so far and what it took, an interrupted run's part included."""

    def __init__(self, store: RunStore, meter: Meter, left: Interrupted) -> None:
        self._store = store
        self._meter = meter
        self.judged = {each.index: each.judged for each in left.kept}
        before = left.spent
        self.seconds_before = before.seconds
        self._began = time.perf_counter()
        self._calls = meter.calls
        self._usd = meter.usd
        self._unpriced = meter.unpriced_calls
        # What was spent before counts against the budget too.
        meter.calls += before.calls
        meter.usd += before.usd
        meter.unpriced_calls += before.unpriced_calls
        self._failed: list[tuple[int, Judged]] = []

    def spent(self) -> Spent:
        """Give what this run used, before and now."""
        return Spent(
            calls=self._meter.calls - self._calls,
            usd=self._meter.usd - self._usd,
            unpriced_calls=self._meter.unpriced_calls - self._unpriced,
            seconds=self.seconds_before + time.perf_counter() - self._began,
        )

    def add(self, rows: Sequence[tuple[int, Judged]]) -> None:
        """Take rows; failures wait until a later row shows that the model is alive.

        Raises:
            ModelError: the first of all failed, too many one after the other, or for good.
        """
        failed = [row for row in rows if row[1].problem is not None]
        self._failed += failed
        if len(failed) < len(rows):
            self._keep([*self._failed, *(row for row in rows if row[1].problem is None)])
            self._failed.clear()
        elif not self.judged or len(self._failed) >= _MOST_FAILURES or rows[-1][1].is_last:
            raise ModelError(str(self._failed[-1][1].problem).rstrip("."))

    def stop(self) -> None:
        """Remember what was used where a run cannot go on."""
        self._store.keep_spent(self.spent())

    def close(self) -> None:
        """Keep failures that nothing came after."""
        self._keep(self._failed)
        self._failed = []

    def _keep(self, rows: Sequence[tuple[int, Judged]]) -> None:
        spent = self.spent()
        self._store.keep([Kept(index, judged, spent) for index, judged in rows])
        self.judged.update(rows)


async def run_model_benchmark(
    judge: BenchmarkJudge, sample: Phase0Sample, progress: Progress, *, max_concurrent: int = 1
) -> list[Judged]:
    """Judge what is not judged yet; gives one result a pair, in their order.

    Raises:
        BudgetExhausted: the budget is spent; what was judged is kept.
        ModelError: the model does not answer; what was judged is kept.
    """
    batches = _batches(judge, sample, progress)
    # Alone, so that a wrong key or address is told before many calls are made.
    first = next(batches, None)
    if first is not None:
        await _judge_batch(judge, sample, first, progress)
        workers = [_work(judge, sample, batches, progress) for _ in range(max_concurrent)]
        stopped = [each for each in await asyncio.gather(*workers) if each is not None]
        if stopped:
            raise stopped[0]
        progress.close()
    return [progress.judged[index] for index in range(len(sample.pairs))]


def _batches(
    judge: BenchmarkJudge, sample: Phase0Sample, progress: Progress
) -> Iterator[list[int]]:
    """Give the places of what is open: those of a note together, or one by one."""
    todo = [index for index in range(len(sample.pairs)) if index not in progress.judged]
    if not judge.whole_notes:
        return iter([[index] for index in todo])
    by_note: dict[str, list[int]] = {}
    for index in todo:
        by_note.setdefault(sample.pairs[index].note, []).append(index)
    return iter(list(by_note.values()))


async def _work(
    judge: BenchmarkJudge,
    sample: Phase0Sample,
    batches: Iterator[list[int]],
    progress: Progress,
) -> BudgetExhausted | ModelError | None:
    """Take batches until there are none; who must stop empties the rest for all."""
    for batch in batches:
        try:
            await _judge_batch(judge, sample, batch, progress)
        except (BudgetExhausted, ModelError) as stopped:
            for _ in batches:
                pass
            return stopped
    return None


async def _judge_batch(
    judge: BenchmarkJudge, sample: Phase0Sample, batch: Sequence[int], progress: Progress
) -> None:
    rows = [sample.pairs[index] for index in batch]
    statements = [row.statement for row in rows]
    try:
        judged = await judge.judge_rows(rows[0].note, statements)
    except BudgetStop as spent:
        raise BudgetExhausted(str(spent)) from None
    progress.add(list(zip(batch, judged, strict=True)))
