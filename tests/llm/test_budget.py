from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.llm.asking import QUESTION, ask, with_adapter
from tests.llm.providers import Answer, Fails, ModelServer, Silent
from tests.transport.scripted import ScriptedClock
from trialyst.errors import BudgetExhausted, InvalidInput, ModelError
from trialyst.llm import Adapter, CallLimits, Meter, ModelBudget
from trialyst.llm.budget import Use

PRICED = ("google", "gemini-2.5-flash")


@pytest.mark.parametrize(
    "budget",
    [
        ModelBudget(calls=0),
        ModelBudget(tokens=100),
        ModelBudget(usd=0.000001),
        ModelBudget(seconds=0),
    ],
    ids=["calls", "tokens", "usd", "seconds"],
)
def test_nothing_is_sent_when_the_budget_would_not_last(
    server: ModelServer, budget: ModelBudget
) -> None:
    server.script(Answer("Yes."))
    with pytest.raises(BudgetExhausted, match="budget is spent"):
        ask(server.model(*PRICED), meter=Meter(budget))
    assert server.asked == []


def test_repeats_count_as_calls(server: ModelServer) -> None:
    server.script(Fails(503))
    with pytest.raises(BudgetExhausted):
        ask(server.model(), meter=Meter(ModelBudget(calls=2)))
    assert len(server.asked) == 2


def test_a_budget_in_money_needs_a_price(server: ModelServer) -> None:
    server.script(Answer("Yes."))
    with pytest.raises(BudgetExhausted, match="price of the model is not known"):
        ask(server.model("openai", "gpt-99"), meter=Meter(ModelBudget(usd=5)))
    assert server.asked == []


def test_adapters_that_share_a_meter_share_the_budget(server: ModelServer) -> None:
    server.script(Answer("Yes."))
    meter = Meter(ModelBudget(calls=1))
    ask(server.model("google"), meter=meter)
    with pytest.raises(BudgetExhausted):
        ask(server.model("vllm"), meter=meter)


def test_the_meter_adds_up_what_was_used(server: ModelServer) -> None:
    server.script(Answer("Yes.", tokens=(1000, 10)))
    meter = Meter()
    ask(server.model(*PRICED), meter=meter)
    ask(server.model(*PRICED), meter=meter)
    assert (meter.calls, meter.input_tokens, meter.output_tokens) == (2, 2000, 20)
    assert meter.usd_known == pytest.approx(2 * (0.0003 + 0.000025))


def test_the_whole_cost_is_unknown_when_one_price_is(server: ModelServer) -> None:
    server.script(Answer("Yes."))
    meter = Meter()
    ask(server.model(*PRICED), meter=meter)
    ask(server.model("openai", "gpt-99"), meter=meter)
    assert meter.usd_known is None
    assert meter.usd > 0


def test_a_call_that_may_have_been_billed_counts_in_full(server: ModelServer) -> None:
    server.script(Silent())
    meter = Meter()
    with pytest.raises(ModelError):
        ask(server.model(*PRICED), meter=meter, limits=CallLimits(timeout=0.05, tries=1))
    assert meter.output_tokens == QUESTION.max_tokens


def test_a_refused_call_counts_no_tokens(server: ModelServer) -> None:
    server.script(Fails(400))
    meter = Meter()
    with pytest.raises(ModelError):
        ask(server.model(*PRICED), meter=meter)
    assert (meter.calls, meter.tokens) == (1, 0)


def test_no_wait_goes_past_the_end_of_the_time(server: ModelServer, clock: ScriptedClock) -> None:
    server.script(Fails(429, {"retry-after": "30"}))
    meter = Meter(ModelBudget(seconds=10), now=clock.monotonic)
    with pytest.raises(ModelError, match="slow down"):
        ask(server.model(), meter=meter, clock=clock)
    assert clock.waits == []


def test_calls_at_the_same_time_cannot_overspend_together(server: ModelServer) -> None:
    server.script(Answer("Yes.", tokens=(100, 100)))
    meter = Meter(ModelBudget(tokens=5_000))

    async def crowd(adapter: Adapter) -> list[object]:
        asked = (adapter.generate(QUESTION) for _ in range(4))
        return await asyncio.gather(*asked, return_exceptions=True)

    told = with_adapter(server.model(), crowd, meter=meter)
    assert sum(isinstance(each, BudgetExhausted) for each in told) == 2
    assert meter.tokens == 400


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf")])
def test_a_budget_that_cannot_be_is_refused(value: float) -> None:
    with pytest.raises(InvalidInput):
        ModelBudget(usd=value)


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300))), st.integers(0, 2000))
def test_no_order_of_calls_overdraws(calls: list[tuple[int, int]], limit: int) -> None:
    meter = Meter(ModelBudget(tokens=limit))
    for most, used in calls:
        asked = Use(most, 0, 0.0)
        try:
            meter.reserve(asked)
        except BudgetExhausted:
            continue
        meter.settle(asked, Use(min(most, used), 0, 0.0))
    assert meter.tokens <= limit
