"""The feeds of what is watched: `/watch/NAME.atom`."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.discovery.feed import MEDIA_TYPE, render_feed
from trialyst.discovery.watches import WatchBook
from trialyst.discovery.watching import describe_asked, recent_changes
from trialyst.interfaces.web.site import page, site_of

__all__ = ["feed", "routes"]


@page
async def feed(request: Request) -> Response:
    """Give what changed lately in a watch as an Atom feed."""
    site = site_of(request)
    book = WatchBook(site.settings.home)
    (watch,) = await asyncio.to_thread(book.get, [request.path_params["name"]])
    result = await recent_changes(await site.source(), watch, now=site.now())
    written = render_feed(
        result,
        address=str(request.url),
        link=lambda nct_id: str(request.url.replace(path=f"/trial/{nct_id}", query="")),
        asked=describe_asked(watch),
    )
    return Response(written, media_type=MEDIA_TYPE)


routes = [Route("/watch/{name}.atom", feed)]
