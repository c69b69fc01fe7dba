"""An adapter over a provider: turns, tries, waits, budgets, and the price of it all.

After several failed calls in a row, or one that shows no call can succeed, the model is not asked
again: a run over thousands of criteria ends at once instead of waiting for each.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trialyst.clock import Clock, SystemClock
from trialyst.errors import ModelError
from trialyst.llm.adapter import ModelRequest, ModelResponse
from trialyst.llm.budget import Meter, Use
from trialyst.llm.failures import Failure, classify_failure
from trialyst.llm.pricing import Price, find_price
from trialyst.llm.wire import estimate_tokens, parse_calls, to_wire

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse as WireResponse
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

    from trialyst.llm.endpoint import Endpoint

__all__ = ["CallLimits", "ProviderAdapter"]

_FIRST_WAIT = 1.0
_LONGEST_WAIT = 16.0
_OWN_TEMPERATURE = ("openai_supports_reasoning", "anthropic_disallows_sampling_settings")
_LONGEST_OBEYED = 60.0
"""Who asks to wait longer is given up on: a run should not stand still."""


@dataclass(frozen=True, slots=True)
class CallLimits:
    """How patiently a model is asked."""

    timeout: float = 120.0
    """Seconds for one try."""
    tries: int = 3
    concurrency: int = 4
    """Calls under way at the same time."""
    failures: int = 5
    """Failed calls in a row after which the model is not asked again."""


class ProviderAdapter:
    """A model of a provider."""

    def __init__(
        self,
        endpoint: Endpoint,
        model: Model,
        *,
        limits: CallLimits | None = None,
        meter: Meter | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.limits = limits or CallLimits()
        self.clock = clock or SystemClock()
        self.meter = meter or Meter(now=self.clock.monotonic)
        self.price: Price | None = find_price(endpoint)
        self._model = model
        self._turns = asyncio.Semaphore(self.limits.concurrency)
        self._stack = AsyncExitStack()
        self._failed = 0
        self._given_up: Failure | None = None
        self._takes_schema = bool(model.profile.get("supports_json_schema_output"))

    @property
    def name(self) -> str:
        """What to call it in reports."""
        return self.endpoint.name

    @property
    def given_up(self) -> bool:
        """Whether the model failed so that it is not asked again."""
        return self._given_up is not None

    async def generate(self, request: ModelRequest) -> ModelResponse:
        """Ask, again where that can help."""
        async with self._turns:
            outcome = await self._try(request)
            for attempt in range(1, self.limits.tries):
                if isinstance(outcome, ModelResponse) or not outcome.retry:
                    break
                if not await self._wait(attempt, outcome):
                    break
                outcome = await self._try(request)
        if isinstance(outcome, Failure):
            raise self._give_up(outcome)
        self._failed = 0
        return outcome

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._stack.aclose()

    def call_when_closed(self, close: Any) -> None:
        """Have an async function called when the adapter is closed."""
        self._stack.push_async_callback(close)

    async def _try(self, request: ModelRequest) -> ModelResponse | Failure:
        if self._given_up is not None:
            raise self._error(self._given_up, again=True)
        schema = self._takes_schema and request.schema is not None
        outcome = await self._send(request, with_schema=schema)
        if isinstance(outcome, Failure) and outcome.refused_request and schema:
            # Some servers of the OpenAI kind do not know `response_format`; the prompt asks for
            # JSON all the same.
            self._takes_schema = False
            outcome = await self._send(request, with_schema=False)
        return outcome

    async def _send(self, request: ModelRequest, *, with_schema: bool) -> ModelResponse | Failure:
        most = self._use(estimate_tokens(request), request.max_tokens)
        self.meter.reserve(most)
        used = most
        began = self.clock.monotonic()
        try:
            original = await self._ask(request, with_schema=with_schema)
            used = self._measured(original, most)
        except Exception as error:  # a hostile body can break the library anywhere
            failure = classify_failure(error)
            used = most if failure.maybe_billed else Use()
            return failure
        finally:
            self.meter.settle(most, used)
        return ModelResponse(
            text=original.text or "",
            tool_calls=parse_calls(original),
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            cost_usd=used.usd,
            latency_seconds=self.clock.monotonic() - began,
            original=original,
        )

    async def _ask(self, request: ModelRequest, *, with_schema: bool) -> WireResponse:
        from pydantic_ai.direct import model_request

        messages, parameters = to_wire(request, with_schema=with_schema)
        left = self.meter.seconds_left
        seconds = self.limits.timeout if left is None else min(self.limits.timeout, left)
        settings: ModelSettings = {
            "max_tokens": request.max_tokens,
            "max_retries": 0,
            "request_timeout": seconds,
        }
        # Models that reason by themselves refuse a temperature.
        if not any(self._model.profile.get(name) for name in _OWN_TEMPERATURE):
            settings["temperature"] = 0.0
        return await model_request(
            self._model,
            messages,
            model_settings=settings,
            model_request_parameters=parameters,
            instrument=False,
        )

    def _use(self, input_tokens: int, output_tokens: int) -> Use:
        price = self.price
        cost = None if price is None else price.cost(input_tokens, output_tokens)
        return Use(input_tokens, output_tokens, cost)

    def _measured(self, original: WireResponse, most: Use) -> Use:
        usage = original.usage
        if not (usage.input_tokens or usage.output_tokens):
            return most
        return self._use(usage.input_tokens, usage.output_tokens)

    async def _wait(self, attempt: int, failure: Failure) -> bool:
        """Wait before another try; tell whether there is time for one."""
        wait = min(_FIRST_WAIT * 2 ** (attempt - 1), _LONGEST_WAIT) * (
            0.5 + self.clock.random() / 2
        )
        if failure.retry_after is not None:
            wait = max(wait, failure.retry_after)
        left = self.meter.seconds_left
        if wait > _LONGEST_OBEYED or (left is not None and wait >= left):
            return False
        await self.clock.sleep(wait)
        return True

    def _give_up(self, failure: Failure) -> ModelError:
        self._failed += 1
        if failure.hopeless or self._failed >= self.limits.failures:
            self._given_up = failure
        return self._error(failure)

    def _error(self, failure: Failure, *, again: bool = False) -> ModelError:
        unasked = "; it was not asked again" if again else ""
        return ModelError(f"{self.name} failed: {failure.reason}{unasked}", hint=failure.hint)
