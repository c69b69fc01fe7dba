"""Time and chance for calls to models: tests pass their own and never wait."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Protocol

__all__ = ["ModelClock", "SystemModelClock"]


class ModelClock(Protocol):
    """What calls to models know of time and chance."""

    def monotonic(self) -> float:
        """Give seconds that never run back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    def random(self) -> float:
        """Give a number from 0 to 1, for jitter."""
        ...


class SystemModelClock:
    """This machine's clock."""

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def random(self) -> float:
        return random.random()
