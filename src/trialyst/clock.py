"""Time and chance, behind a protocol: tests pass their own and never wait."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Protocol

__all__ = ["Clock", "SystemClock"]


class Clock(Protocol):
    """What may be known of time and chance."""

    def time(self) -> float:
        """Give the seconds since 1970, for what is kept on disk and for HTTP dates."""
        ...

    def monotonic(self) -> float:
        """Give seconds that never run back, for pace and time-outs."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    def random(self) -> float:
        """Give a number from 0 to 1, for jitter."""
        ...


class SystemClock:
    """This machine's clock."""

    def time(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def random(self) -> float:
        return random.random()
