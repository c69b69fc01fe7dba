from __future__ import annotations

from datetime import date

import pytest

from tests.llm.asking import ask
from tests.llm.providers import Answer, ModelServer
from trialyst.llm import find_price, load_prices, parse_model_name


def test_the_table_is_dated() -> None:
    assert date.fromisoformat(load_prices().as_of) >= date(2026, 11, 1)


def test_every_price_is_positive_and_output_costs_no_less() -> None:
    for name, price in load_prices().prices.items():
        assert 0 < price.input <= price.output, name


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("openai:gpt-4o-mini-2024-07-18", "openai:gpt-4o-mini"),
        ("anthropic:claude-sonnet-4-5-20250929", "anthropic:claude-sonnet-4-5"),
        ("google:gemini-2.0-flash-001", "google:gemini-2.0-flash"),
        ("google:gemini-2.5-pro-preview-06-05", "google:gemini-2.5-pro"),
    ],
)
def test_a_release_has_the_price_of_its_model(name: str, like: str) -> None:
    assert find_price(parse_model_name(name)) == load_prices().prices[like]


@pytest.mark.parametrize("name", ["openai:gpt-99", "hf:org/model", "vllm:m@http://10.0.0.5/v1"])
def test_an_unlisted_model_has_no_price(name: str) -> None:
    assert find_price(parse_model_name(name)) is None


def test_a_model_on_this_machine_costs_nothing() -> None:
    price = find_price(parse_model_name("ollama:llama3.1"))
    assert price is not None
    assert price.cost(10**6, 10**6) == 0


def test_a_long_prompt_costs_what_the_table_says() -> None:
    price = load_prices().prices["google:gemini-2.5-pro"]
    assert price.cost(200_000, 0) == pytest.approx(0.25)
    assert price.cost(200_001, 0) == pytest.approx(0.5, rel=1e-4)


def test_a_call_costs_its_tokens(server: ModelServer) -> None:
    server.script(Answer("Yes.", tokens=(1_000_000, 100_000)))
    told = ask(server.model("google", "gemini-2.5-flash"))
    assert told.cost_usd == pytest.approx(0.3 + 0.25)


def test_a_call_of_an_unlisted_model_has_an_unknown_cost(server: ModelServer) -> None:
    server.script(Answer("Yes."))
    assert ask(server.model("openai", "gpt-99")).cost_usd is None


def test_tokens_a_server_does_not_count_are_estimated(server: ModelServer) -> None:
    server.script(Answer("Yes.", tokens=None))
    told = ask(server.model("google", "gemini-2.5-flash"))
    assert told.input_tokens > 0
    assert told.cost_usd
