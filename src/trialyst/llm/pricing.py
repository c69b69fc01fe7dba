"""What models cost, from a dated table; a model that is not in it has no price, which is not 0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

from trialyst.llm.endpoint import Endpoint, Provider

__all__ = ["Price", "PriceTable", "find_price", "load_prices"]

_PER_MILLION = 1_000_000
_VARIANT = re.compile(
    r"-(?:latest|preview|exp|\d{3,4}|\d{8}|\d{4}-\d{2}-\d{2}|(?:preview|exp)-\d{2}-\d{2,4})$"
)
_OWN = (
    Provider.VLLM,
    Provider.OLLAMA,
    Provider.LM_STUDIO,
    Provider.LLAMA_CPP,
    Provider.MEDGEMMA,
)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens, and what a long prompt costs."""

    input: float
    output: float
    long_from: int | None = None
    """From how many tokens of input on the other two prices hold."""
    long_input: float = 0.0
    long_output: float = 0.0

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Give the dollars for so many tokens.

        >>> Price(2.0, 10.0).cost(1_000, 100)
        0.003
        """
        long = self.long_from is not None and input_tokens > self.long_from
        rates = (self.long_input, self.long_output) if long else (self.input, self.output)
        return (input_tokens * rates[0] + output_tokens * rates[1]) / _PER_MILLION


FREE = Price(0.0, 0.0)


class PriceTable(NamedTuple):
    """Prices by `provider:model`, and the day they were looked up."""

    as_of: str
    prices: Mapping[str, Price]


@cache
def load_prices() -> PriceTable:
    """Read the shipped table."""
    text = resources.files("trialyst.llm").joinpath("data", "prices.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    dated, *listed = lines
    return PriceTable(dated.removeprefix("as of: "), dict(map(_read_line, listed)))


def _read_line(line: str) -> tuple[str, Price]:
    name, low, high, *long = line.split()
    if not long:
        return name, Price(float(low), float(high))
    start, long_low, long_high = long
    return name, Price(float(low), float(high), int(start), float(long_low), float(long_high))


def find_price(endpoint: Endpoint) -> Price | None:
    """Give the price of a model, or None where it is not known.

    A model served on this machine costs nothing. A dated or `latest` name has the price of the
    model it is a release of.
    """
    if endpoint.is_local and endpoint.provider in _OWN:
        return FREE
    prices = load_prices().prices
    name = endpoint.name
    while name not in prices:
        shorter = _VARIANT.sub("", name)
        if shorter == name:
            return None
        name = shorter
    return prices[name]
