"""The two ways to reach the server: standard input and output, and streamable HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route

from trialyst.interfaces.mcp.server import create_server

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from trialyst.ctgov.source import OpenSource, TrialSource

__all__ = ["MCP_PATH", "beside", "serve_stdio"]

MCP_PATH = "/mcp"


async def serve_stdio(source: OpenSource) -> None:
    """Serve a source until standard input ends, then close it."""
    try:
        await create_server(source).run_stdio_async()
    finally:
        await source.aclose()


def beside(app: ASGIApp, source: TrialSource, *, host: str) -> Starlette:
    """Give an app that serves MCP at `/mcp` and leaves every other path to another app.

    On a loopback host only pages of this machine are answered, whatever name they call it by.
    """
    server = create_server(source)
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
