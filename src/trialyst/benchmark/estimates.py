"""What a plan would take at most, counted from the very requests it would send. Sends nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from trialyst.benchmark.judges import ModelRows
from trialyst.llm.adapter import Adapter, ModelRequest, ModelResponse
from trialyst.llm.budget import Use
from trialyst.llm.calling import CallLimits
from trialyst.llm.wire import estimate_tokens

if TYPE_CHECKING:
    from trialyst.benchmark.phase0 import Phase0Plan, PlannedRun
    from trialyst.llm.endpoint import Endpoint
    from trialyst.llm.pricing import Price

__all__ = ["Estimate", "estimate_run"]

Number = TypeVar("Number", int, float)
_LONGEST_TOKEN = 4
"""Letters a token of prose has; what a first model writes is read by the second."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The most a run can take, and what it takes if every call succeeds at once."""

    calls: int
    calls_at_most: int
    input_tokens: int
    output_tokens: int
    """As many as the answers may have."""
    cost_usd: float | None
    """With answers as long as allowed; None where a price is not known."""
    cost_usd_at_most: float | None
    """Also with every call repeated as often as calls are, and billed each time."""


async def estimate_run(plan: Phase0Plan, run: PlannedRun) -> Estimate:
    """Count what the rows of a plan that are not judged yet would take."""
    quoting = tuple(_Quoting(adapter) for adapter in run.judge.adapters)
    kept = run.store.count_kept()
    todo = [row for index, row in enumerate(plan.sample.pairs) if index not in kept]
    if not quoting or not todo or run.store.is_complete:
        return Estimate(0, 0, 0, 0, 0.0, 0.0)
    judge = ModelRows(quoting, max_tokens=run.choice.max_tokens)
    for row in todo:
        await judge.judge_rows(row.note, [row.statement])
    uses = [use for adapter in quoting for use in adapter.uses]
    costs = [use.usd for use in uses]
    cost = None if None in costs else sum(each or 0.0 for each in costs)
    tries = CallLimits().tries
    # A server that does not know schemas is asked once more without one.
    calls = len(uses) * tries + len(quoting)
    return Estimate(
        calls=len(uses),
        calls_at_most=_least(calls, plan.config.budget.max_calls),
        input_tokens=sum(use.input_tokens for use in uses),
        output_tokens=sum(use.output_tokens for use in uses),
        cost_usd=cost,
        cost_usd_at_most=None
        if cost is None
        else _least(cost * calls / len(uses), plan.config.budget.max_cost_usd),
    )


def _least(value: Number, limit: Number | None) -> Number:
    return value if limit is None else min(value, limit)


@dataclass(slots=True)
class _Quoting:
    """Stands in for a model, and only counts what it would be sent."""

    adapter: Adapter
    uses: list[Use] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.adapter.name

    @property
    def endpoint(self) -> Endpoint:
        return self.adapter.endpoint

    @property
    def price(self) -> Price | None:
        return self.adapter.price

    async def generate(self, request: ModelRequest) -> ModelResponse:
        tokens = estimate_tokens(request), request.max_tokens
        cost = None if self.price is None else self.price.cost(*tokens)
        self.uses.append(Use(*tokens, cost))
        return ModelResponse("x" * _LONGEST_TOKEN * request.max_tokens)

    async def aclose(self) -> None:
        """Nothing was opened."""
