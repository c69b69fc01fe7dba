"""One transport with a clock and hosts of its own, used and closed within one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from tests.transport.scripted import ScriptedClock
from trialyst.transport import Answer, Cache, CacheUse, Hosts, Limits, Transport

__all__ = ["ask", "with_transport"]

Value = TypeVar("Value")


def with_transport(
    action: Callable[[Transport], Awaitable[Value]],
    *,
    clock: ScriptedClock,
    hosts: Hosts | None = None,
    limits: Limits | None = None,
    cache: Path | None = None,
) -> Value:
    """Do something with a transport that is closed afterwards."""

    async def run() -> Value:
        kept = Cache(cache) if cache else None
        transport = Transport(clock=clock, hosts=hosts or Hosts(), limits=limits, cache=kept)
        try:
            return await action(transport)
        finally:
            await transport.aclose()

    return asyncio.run(run())


def ask(url: str, *, use: CacheUse | None = None, **given: Any) -> Answer[str]:
    """Get one text."""
    return with_transport(lambda transport: transport.get(url, bytes.decode, use=use), **given)
