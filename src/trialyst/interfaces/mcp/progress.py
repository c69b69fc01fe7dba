"""Long calls: the client hears what happens, and gets an answer before it gives up waiting.

Only calls that ask a remote service are ended: what this machine can answer is worth the wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from mcp.server.mcpserver import Context

from trialyst.errors import RateLimited, UpstreamError
from trialyst.transport import Allowance, TurnTooLate, allowing, watching

__all__ = ["bounded", "reporting"]

BEAT_SECONDS = 5.0
"""Between two signs of life: some hosts wait longer for a call that gives any."""
FRESH_SECONDS = 600.0
"""How long answers are kept for a call that was ended and is made again."""

_LESS = (
    "Ask for less: narrow the filters, give fewer `by`, lower `max_results` or `candidates`, or go "
    "through search_trials page by page with its `cursor`. A local registry, once there is one, "
    "needs no service."
)
_KEPT = (
    "Call again {when} with the same arguments: what was answered is kept for 10 min, and the call "
    "goes on from there. Or ask for less, such as fewer `by` or a lower `max_results`."
)


@asynccontextmanager
async def reporting(context: Context[Any, Any], seconds: float) -> AsyncIterator[None]:
    """Tell the client what happens inside, if it asked for progress, and end it in time.

    How many requests will follow is not known, so no total is given.
    """
    steps = count(1)

    async def report(event: str) -> None:
        await context.report_progress(next(steps), message=event)

    async with bounded(seconds) as allowance:
        with watching(report):
            beat = asyncio.create_task(_give_signs(report, allowance))
            # Who is not there any more cannot be told.
            beat.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            try:
                yield
            finally:
                beat.cancel()


async def _give_signs(report: Callable[[str], Awaitable[None]], allowance: Allowance) -> None:
    for beat in count(1):
        await asyncio.sleep(BEAT_SECONDS)
        await report(f"{beat * BEAT_SECONDS:g} s so far, {allowance.answered} requests answered")


@asynccontextmanager
async def bounded(seconds: float) -> AsyncIterator[Allowance]:
    """End what is inside after so many seconds, if it asks a remote service.

    Raises:
        RateLimited: the service answered, and more requests are needed than there was time for.
        UpstreamError: it gave no answer at all.
    """
    started = time.monotonic()
    until = started + seconds
    allowance = Allowance(until=until, fresh_for=FRESH_SECONDS)
    try:
        async with asyncio.timeout(None) as timer:
            now = asyncio.get_running_loop().time
            allowance.on_first = lambda: timer.reschedule(now() + until - time.monotonic())
            with allowing(allowance):
                yield allowance
    except TimeoutError:
        if not timer.expired():
            raise
        raise _out_of_time(allowance, time.monotonic() - started) from None
    except TurnTooLate as late:
        if not allowance.answered:
            raise
        raise _out_of_time(allowance, time.monotonic() - started, late.seconds) from None


def _out_of_time(
    allowance: Allowance, took: float, next_turn: int | None = None
) -> RateLimited | UpstreamError:
    ended = f"The call was ended unfinished after {took:.0f} s: {allowance.host}"
    if not allowance.answered:
        return UpstreamError(f"{ended} gave no answer in that time")
    if not allowance.lost:
        hint = _KEPT.format(when="now" if next_turn is None else f"in {next_turn} s")
    elif next_turn is None:
        hint = f"The same call would take more than {took:.0f} s again. {_LESS}"
    else:
        hint = f"Call again in {next_turn} s, when fewer requests wait. {_LESS}"
    return RateLimited(f"{ended} answered {allowance.answered} requests in that time", hint=hint)
