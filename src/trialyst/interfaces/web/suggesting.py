"""Suggestions while one types, as JSON for the page's own script."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from trialyst.discovery.suggestions import suggest_endings, suggest_names, suggest_places
from trialyst.interfaces.web.site import page, site_of

__all__ = ["routes", "suggest"]

_LONGEST = 80
"""Letters of a beginning; what is longer is a note or a question, and no name begins so."""


@page
async def suggest(request: Request) -> Response:
    """Give what a beginning may become."""
    text = request.query_params.get("q", "").strip()
    kind = request.query_params.get("kind", "any")
    if len(text) > _LONGEST:
        found = []
    elif kind == "place":
        found = await asyncio.to_thread(suggest_places, text)
    else:
        site = site_of(request)
        counted = await site.count({})
        used = {name: each["counts"] for name, each in counted["breakdowns"].items()}
        source = await site.source()
        found = await asyncio.to_thread(
            lambda: suggest_names(source.names, text, kind=kind, used=used)
        )
        if kind == "any" and not found:
            found = await asyncio.to_thread(suggest_endings, text)
    return JSONResponse([each._asdict() for each in found])


routes = [Route("/suggest", suggest)]
