"""The two ways to reach the server: standard input and output, and streamable HTTP."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Mount, Route

from trialyst.interfaces.mcp.server import create_server

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from trialyst.interfaces.served import Served

__all__ = ["MCP_PATH", "beside", "serve_stdio"]

MCP_PATH = "/mcp"


async def serve_stdio(served: Served) -> None:
    """Serve until standard input ends, then close what is open."""
    try:
        await create_server(served).run_stdio_async()
    except* BrokenPipeError:
        # The host is gone without a farewell: nobody is left to tell.
        _forget_output()
    finally:
        await served.aclose()


def _forget_output() -> None:
    """Point standard output to nowhere, so that the interpreter can flush it at the end."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _is_worth_a_log(record: logging.LogRecord) -> bool:
    """Say whether a log record is more than a client that left in the middle of its request."""
    return not (record.exc_info and record.exc_info[0] is ClientDisconnect)


def beside(app: ASGIApp, served: Served, *, host: str) -> Starlette:
    """Give an app that serves MCP at `/mcp` and leaves every other path to another app.

    On a loopback host only pages of this machine are answered, whatever name they call it by.
    """
    server = create_server(served)
    logging.getLogger("mcp.server.streamable_http").addFilter(_is_worth_a_log)
    # Without sessions a restart goes unnoticed, and no open stream delays the end of the server;
    # for the same reason there is no GET, by which a client would wait for what never comes.
    endpoint = server.streamable_http_app(
        streamable_http_path=MCP_PATH, stateless_http=True, host=host
    )

    def lifespan(_: Starlette) -> Any:
        return server.session_manager.run()

    refusal = Response(status_code=405, headers={"Allow": "POST"})
    routes = [
        Route(MCP_PATH, endpoint, methods=["POST"]),
        Route(MCP_PATH, refusal),
        Mount("", app),
    ]
    return Starlette(routes=routes, lifespan=lifespan)
