"""Trials side by side, up to four."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.errors import InvalidInput
from trialyst.interfaces.web.site import page, render, site_of

__all__ = ["routes", "show"]

MOST_COMPARED = 4
"""More columns than that cannot be read side by side."""


@page
async def show(request: Request) -> Response:
    """Show the page."""
    given = request.query_params.getlist("ids")
    ids = [each for text in given for each in text.replace(",", " ").split()]
    if len(ids) > MOST_COMPARED:
        raise InvalidInput(
            f"{len(ids)} trials are too many to read side by side",
            hint=f"Choose up to {MOST_COMPARED}; a shell can compare ten.",
        )
    if len(ids) < 2:
        return await render(request, "compare.html", {"answer": None, "ids": ids})
    discovery = await asyncio.to_thread(site_of(request).served.discovery)
    answer = await discovery.compare_trials(ids)
    return await render(request, "compare.html", {"answer": answer, "ids": ids})


routes = [Route("/compare", show)]
