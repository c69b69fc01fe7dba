"""The site as an ASGI app: which page answers which address, and what every answer carries."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trialyst.interfaces.web import (
    comparing,
    counted,
    dossier,
    field,
    home,
    matching,
    pathways,
    registry,
    repurposing,
    searching,
    suggesting,
    trial,
    watches,
)
from trialyst.interfaces.web.failures import failure_page
from trialyst.interfaces.web.site import Site, site_of

if TYPE_CHECKING:
    from trialyst.interfaces.served import Served
    from trialyst.settings import Settings

__all__ = ["OWNED", "create_site"]

_STATIC = Path(__file__).parent / "static"
_COMPRESS_FROM = 1024
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


class _Headers:
    """Puts on every answer what keeps its page to itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in _HEADERS.items()
                        if name.encode() not in given
                    ),
                ]
            await send(message)

        await self._app(scope, receive, send_with)


OWNED = ("/go", "/match", "/registry")
"""Addresses below which something is left here: among several processes one answers them all."""


def create_site(
    served: Served,
    settings: Settings,
    *,
    below: ASGIApp | None = None,
    secret: bytes | None = None,
) -> Starlette:
    """Give the site on what is served.

    Args:
        below: Answers every address under `/api` and `/mcp`; its lifespan is that of the site.
        secret: What forms are sealed with, the same in all processes of a server.
    """
    site = Site(served, settings, secret=secret)
    pages: list[BaseRoute] = [
        *home.routes,
        *searching.routes,
        *suggesting.routes,
        *trial.routes,
        *comparing.routes,
        *matching.routes,
        *dossier.routes,
        *repurposing.routes,
        *field.routes,
        *counted.routes,
        *pathways.routes,
        *registry.routes,
        *watches.routes,
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]
    own = Starlette(
        routes=pages,
        middleware=[
            Middleware(_Headers),
            Middleware(GZipMiddleware, minimum_size=_COMPRESS_FROM, compresslevel=5),
        ],
        exception_handlers={404: _missing, 405: _missing},
    )
    own.state.site = site
    routes: list[BaseRoute] = []
    if below is not None:
        routes += [Route("/mcp", below), Mount("/api", _Whole(below, "/api"))]
    app = Starlette(routes=[*routes, Mount("", own)], lifespan=_lifespan(site, below))
    app.state.site = site
    return app


class _Whole:
    """Gives an app the address as it was asked, not what is left of it below a mount."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        root = scope["root_path"].removesuffix(self._prefix)
        await self._app({**scope, "root_path": root}, receive, send)


def _lifespan(site: Site, below: ASGIApp | None) -> Lifespan:
    inner = getattr(getattr(below, "router", None), "lifespan_context", None)

    @asynccontextmanager
    async def live(app: Starlette) -> AsyncIterator[None]:
        async with site:
            if inner is None:
                yield
            else:
                async with inner(below):
                    yield

    return live


async def _missing(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return failure_page(
        request,
        status=status,
        title="There is no such page",
        loaded=await site_of(request).loaded(),
        message=f"Nothing answers {request.method} {request.url.path}.",
        hint="Start from the home page, or search.",
    )
