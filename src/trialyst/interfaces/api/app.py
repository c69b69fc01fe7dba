"""The v2 API as an ASGI app: routes, middleware, nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from trialyst.interfaces.api import about, download, statistics, studies, study
from trialyst.interfaces.api.field_counts import FieldCounts
from trialyst.interfaces.api.holdings import Newest, ServedRegistry, Shelf
from trialyst.interfaces.api.responses import Endpoint, answer, error_handlers

__all__ = ["API_PREFIX", "create_app"]

API_PREFIX = "/api/v2"

# On loopback bytes are cheap and compression is not: the fastest level, and nothing tiny.
_GZIP_LEVEL, _GZIP_FROM = 1, 1024
_REFUSING_GZIP = re.compile(r"\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)", re.IGNORECASE)

_ENDPOINTS: dict[str, Endpoint] = {
    "/version": about.get_version,
    "/studies": studies.list_studies,
    "/studies/metadata": about.get_metadata,
    "/studies/search-areas": about.get_search_areas,
    "/studies/enums": about.get_enums,
    "/studies/download": download.download_studies,
    "/studies/{nct_id}": study.get_study,
    "/stats/size": statistics.get_sizes,
    "/stats/field/values": statistics.get_field_values,
    "/stats/field/sizes": statistics.get_field_sizes,
    "/stats/fieldValues": statistics.get_field_values,
    "/stats/fieldValues/{field}": statistics.get_one_field_values,
}


class _Compression(GZipMiddleware):
    """Compresses for who takes it; starlette's own sees `gzip;q=0` as a wish for gzip."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        taken = Headers(scope=scope).get("accept-encoding", "") if scope["type"] == "http" else ""
        refusing = _REFUSING_GZIP.search(taken) is not None
        await (self.app if refusing else super().__call__)(scope, receive, send)


def create_app(
    registry: ServedRegistry | Newest, *, prefix: str = API_PREFIX, counts: Path | None = None
) -> Starlette:
    """Give an app that answers the v2 API from a registry, under a path prefix.

    Args:
        registry: One whose newer generations are followed, or what gives the newest.
        counts: Where the values of all fields are kept, counted aside; None counts at once.
    """
    routes = [
        Route(path, answer(endpoint), methods=["GET"]) for path, endpoint in _ENDPOINTS.items()
    ]
    app = Starlette(
        routes=[Mount(prefix, routes=routes)],
        middleware=[
            Middleware(CORSMiddleware, allow_origins=["*"], allow_headers=["*"]),
            Middleware(_Compression, minimum_size=_GZIP_FROM, compresslevel=_GZIP_LEVEL),
        ],
        exception_handlers=error_handlers,
    )
    app.state.shelf = Shelf(registry)
    app.state.field_counts = counts and FieldCounts(counts, statistics.count_all)
    return app
