"""One question to one model, opened by name and closed again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from tests.transport.scripted import ScriptedClock
from trialyst.llm import (
    Adapter,
    CallLimits,
    Meter,
    ModelRequest,
    ModelResponse,
    UserText,
    open_adapter,
)
from trialyst.settings import Settings

__all__ = ["QUESTION", "ask", "with_adapter"]

QUESTION = ModelRequest("Answer briefly.", (UserText("Is water wet?"),))
Value = TypeVar("Value")


def with_adapter(
    name: str,
    use: Callable[[Adapter], Awaitable[Value]],
    *,
    meter: Meter | None = None,
    limits: CallLimits | None = None,
    clock: ScriptedClock | None = None,
    environ: Mapping[str, str] | None = None,
) -> Value:
    """Open an adapter, use it, close it."""

    async def run() -> Value:
        settings = Settings.from_environment(environ or {})
        adapter = open_adapter(
            name, settings, meter=meter, limits=limits, clock=clock or ScriptedClock()
        )
        try:
            return await use(adapter)
        finally:
            await adapter.aclose()

    return asyncio.run(run())


def ask(
    name: str,
    request: ModelRequest = QUESTION,
    *,
    meter: Meter | None = None,
    limits: CallLimits | None = None,
    clock: ScriptedClock | None = None,
    environ: Mapping[str, str] | None = None,
) -> ModelResponse:
    """Ask once."""
    return with_adapter(
        name,
        lambda adapter: adapter.generate(request),
        meter=meter,
        limits=limits,
        clock=clock,
        environ=environ,
    )
