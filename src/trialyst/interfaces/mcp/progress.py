"""Progress of a long call: one notification for every answer of a remote service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from mcp.server.mcpserver import Context

from trialyst.transport import watching

__all__ = ["reporting"]


@asynccontextmanager
async def reporting(context: Context[Any, Any]) -> AsyncIterator[None]:
    """Tell the client what happens inside, if it asked for progress.

    How many requests will follow is not known, so no total is given.
    """
    steps = count(1)

    async def report(event: str) -> None:
        await context.report_progress(next(steps), message=event)

    with watching(report):
        yield
