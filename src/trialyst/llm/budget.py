"""Limits on calls, tokens, money and seconds, checked before each call.

What a call may use at most is set aside before it is sent, so calls that run at the same time
cannot overspend together; afterwards the true figures take its place.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from trialyst.errors import BudgetExhausted, InvalidInput

__all__ = ["Meter", "ModelBudget", "Use"]


@dataclass(frozen=True, slots=True)
class ModelBudget:
    """How much may be used in all; None is no limit."""

    calls: int | None = None
    """Every request sent counts, repeats after a failure too."""
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None
    """From the first call on."""

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "usd", "seconds"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise InvalidInput(
                    f"The budget of {name} is {value}",
                    hint="Give a number from 0 up, or none for no limit.",
                    invalid_input=str(value),
                )


@dataclass(frozen=True, slots=True)
class Use:
    """What one call takes, or may take at most."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    """None where the price is not known."""

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


class Meter:
    """Keeps the account of one budget; adapters that share it share the budget."""

    def __init__(
        self, budget: ModelBudget | None = None, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.budget = budget or ModelBudget()
        self.calls = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.usd = 0.0
        """What the calls with a known price cost."""
        self.unpriced_calls = 0
        self.refused = 0
        """Calls that the budget did not allow."""
        self._set_aside: list[Use] = []
        self._now = now
        self._began: float | None = None

    @property
    def tokens(self) -> int:
        """Tokens used so far."""
        return self.input_tokens + self.output_tokens

    @property
    def usd_known(self) -> float | None:
        """The whole cost, or None where a call had no known price."""
        return None if self.unpriced_calls else self.usd

    @property
    def seconds_left(self) -> float | None:
        """Seconds until time is up, or None without such a limit."""
        if self.budget.seconds is None:
            return None
        began = self._now() if self._began is None else self._began
        return self.budget.seconds - (self._now() - began)

    def reserve(self, most: Use) -> None:
        """Set aside what a call may use.

        Raises:
            BudgetExhausted: that is more than is left; nothing was set aside.
        """
        if self._began is None:
            self._began = self._now()
        try:
            self._check(most)
        except BudgetExhausted:
            self.refused += 1
            raise
        self.calls += 1
        self._set_aside.append(most)

    def _check(self, most: Use) -> None:
        budget = self.budget
        if budget.calls is not None and self.calls >= budget.calls:
            raise _spent(f"{budget.calls:,} calls", "were made")
        left = self.seconds_left
        if left is not None and left <= 0:
            raise _spent(f"{budget.seconds:,g} seconds", "have passed")
        tokens = self.tokens + sum(use.tokens for use in self._set_aside)
        if budget.tokens is not None and tokens + most.tokens > budget.tokens:
            raise _spent(f"{budget.tokens:,} tokens", f"would not last: {tokens:,} are in use")
        self._check_money(most)

    def settle(self, most: Use, used: Use) -> None:
        """Put the true figures of a call in the place of what was set aside for it."""
        self._set_aside.remove(most)
        self.input_tokens += used.input_tokens
        self.output_tokens += used.output_tokens
        if used.usd is None:
            self.unpriced_calls += 1
        else:
            self.usd += used.usd

    def _check_money(self, most: Use) -> None:
        limit = self.budget.usd
        if limit is None:
            return
        if most.usd is None:
            raise BudgetExhausted(
                "A budget in money cannot be kept: the price of the model is not known",
                hint="Limit calls, tokens or seconds instead, or name a model with a known price.",
            )
        used = self.usd + sum(use.usd or 0.0 for use in self._set_aside)
        if used + most.usd > limit:
            raise _spent(f"{limit:.4g} US dollars", f"would not last: {used:.4f} are in use")


def _spent(what: str, how: str) -> BudgetExhausted:
    return BudgetExhausted(f"The model's budget is spent: {what} {how}")
