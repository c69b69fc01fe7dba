"""One process that serves: uvicorn with limits, and an end that lets requests finish."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from trialyst.interfaces.access import Access
from trialyst.interfaces.serving.requests import Requests

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from trialyst.interfaces.serving.connections import LimitedProtocol

__all__ = ["GRACE_SECONDS", "configure", "create_guarded", "run_server"]

GRACE_SECONDS = 20
"""How long the end waits for requests under way: a client may have stopped in the middle of one."""


def create_guarded(app: ASGIApp, *, host: str, token: str | None, seconds: float) -> ASGIApp:
    """Give an app that only answers who may ask, in time, and not too many at once."""
    return Access(Requests(app, seconds=seconds), host=host, token=token)


def configure(
    app: ASGIApp, *, lifespan: bool, protocol: type[LimitedProtocol] | None = None
) -> uvicorn.Config:
    """Give how a process serves: with limits to connections, heads and their silence."""
    import uvicorn

    from trialyst.interfaces.serving.connections import (
        BACKLOG,
        HEAD_BYTES,
        KEEP_ALIVE_SECONDS,
        LimitedProtocol,
        choose_most_connections,
        raise_file_limit,
    )

    class Fitting(LimitedProtocol):
        most_connections = choose_most_connections(raise_file_limit())

    return uvicorn.Config(
        app,
        http=protocol or Fitting,
        backlog=BACKLOG,
        h11_max_incomplete_event_size=HEAD_BYTES,
        log_level="warning",
        access_log=False,
        lifespan="on" if lifespan else "off",
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def run_server(
    app: ASGIApp,
    bound: socket.socket,
    *,
    lifespan: bool = True,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until a signal ends it; requests under way get some seconds to finish."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    logging.getLogger("uvicorn.error").addFilter(_is_worth_a_log)
    # The server ends in order on the first Ctrl-C and then raises it again.
    with contextlib.suppress(KeyboardInterrupt):
        Server(configure(app, lifespan=lifespan)).run(sockets=[bound])


def _is_worth_a_log(record: logging.LogRecord) -> bool:
    """Say whether a log record is more than a request that the end did not wait for."""
    return not (record.exc_info and record.exc_info[0] is asyncio.CancelledError)
