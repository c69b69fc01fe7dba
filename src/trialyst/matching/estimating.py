"""What models would be asked for some trials, counted from the very requests. Sends nothing."""

from __future__ import annotations

from collections.abc import AsyncIterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from trialyst.llm.wire import estimate_tokens

if TYPE_CHECKING:
    from trialyst.eligibility.chart import Chart
    from trialyst.llm.adapter import Adapter, ModelRequest
    from trialyst.matching.judging.result import Statement

__all__ = ["Estimate", "TellsRequests", "estimate_requests"]


@runtime_checkable
class TellsRequests(Protocol):
    """A judge that can say beforehand what its models would be asked."""

    async def requests(
        self, patient: str | Chart, statements: Sequence[Statement], /
    ) -> list[tuple[Adapter, ModelRequest]]:
        """Give what the statements of one trial would have models asked."""
        ...


@dataclass(frozen=True, slots=True)
class Estimate:
    """What models take if every call succeeds at once, with answers as long as allowed."""

    trials: int = 0
    """Trials of which something is asked."""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    """None where a price is not known."""

    def __str__(self) -> str:
        money = "at a price that is not known" if self.usd is None else f"{self.usd:.2f} USD"
        return (
            f"{self.calls:,} calls for {self.trials:,} trials, at most {self.input_tokens:,} "
            f"tokens sent and {self.output_tokens:,} received, {money}"
        )


async def estimate_requests(
    judge: TellsRequests, chart: Chart, trials: AsyncIterable[Sequence[Statement]]
) -> Estimate:
    """Count what a judge's models would take for the open criteria of some trials."""
    asked_of, calls, sent, received = 0, 0, 0, 0
    usd: float | None = 0.0
    async for statements in trials:
        requests = await judge.requests(chart, statements) if statements else []
        asked_of += bool(requests)
        for adapter, request in requests:
            tokens = estimate_tokens(request)
            price = adapter.price
            cost = None if price is None else price.cost(tokens, request.max_tokens)
            usd = None if usd is None or cost is None else usd + cost
            calls, sent = calls + 1, sent + tokens
            received += request.max_tokens
    return Estimate(asked_of, calls, sent, received, usd)
