"""Reading the ranked lists of a plan from a source, within a budget of trials."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trialyst.matching.prescreen.candidates import ToolCallRecord
from trialyst.matching.prescreen.planning import PlannedQuery, Scope, to_trial_query
from trialyst.matching.prescreen.rows import PIECES, TrialRow, to_row

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["Budget", "Gathered", "gather"]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much to read: no more trials than this, and no further where little is new."""

    most_trials: int = 4000
    window: int = 200
    """Trials read between two looks at how many of them were new."""
    least_new: float = 0.03
    """The share of new trials in a window below which a list is left."""


@dataclass(slots=True)
class Gathered:
    """The trials of all lists, each once, and their places in the lists."""

    rows: dict[str, TrialRow] = field(default_factory=dict)
    ranks: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each trial, its place in the lists that hold it, by their labels."""
    trace: list[ToolCallRecord] = field(default_factory=list)

    def listed(self, label: str, *, most: int) -> list[TrialRow]:
        """Give the first trials of a list, in its order."""
        places = {places[label]: nct_id for nct_id, places in self.ranks.items() if label in places}
        return [self.rows[places[rank]] for rank in sorted(places)[:most]]

    def add(self, values: tuple[Any, ...], label: str, rank: int) -> bool:
        """Note a trial, as a source gave it, at its place in a list; tell whether it is new."""
        nct_id = str(values[0][0])
        is_new = nct_id not in self.rows
        if is_new:
            self.rows[nct_id] = to_row(values)
        self.ranks.setdefault(nct_id, {}).setdefault(label, rank)
        return is_new


async def gather(
    source: TrialSource,
    queries: Sequence[PlannedQuery],
    *,
    scope: Scope,
    budget: Budget,
    gathered: Gathered | None = None,
) -> Gathered:
    """Ask for the lists one after the other, adding to what was gathered before."""
    held = Gathered() if gathered is None else gathered
    for planned in queries:
        if len(held.rows) < budget.most_trials:
            await _read_list(source, planned, held, scope=scope, budget=budget)
    return held


async def _read_list(
    source: TrialSource,
    planned: PlannedQuery,
    gathered: Gathered,
    *,
    scope: Scope,
    budget: Budget,
) -> None:
    started = time.perf_counter()
    before = len(gathered.rows)
    read = fresh = 0
    async for values in source.iter_rows(to_trial_query(planned, scope), PIECES):
        fresh += gathered.add(values, planned.label, read)
        read += 1
        if read >= planned.most or len(gathered.rows) >= budget.most_trials:
            break
        if read % budget.window == 0:
            if fresh < budget.least_new * budget.window and read > budget.window:
                break
            fresh = 0
    gathered.trace.append(
        ToolCallRecord(
            call_index=len(gathered.trace),
            tool_name="search_trials",
            args={"query": planned.text},
            result_summary=f"{read} read, {len(gathered.rows) - before} new",
            result_count=read,
            latency_ms=round(1000 * (time.perf_counter() - started), 1),
        )
    )
