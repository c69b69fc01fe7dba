"""One query for trials, whatever the source: Essie trees per parameter, filters, sort, size."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from trialyst.essie.ast import Node
from trialyst.essie.render import render
from trialyst.ids import NctId
from trialyst.paging import digest

__all__ = [
    "DEFAULT_PAGE_SIZE",
    "RELEVANCE",
    "Circle",
    "GeoDecay",
    "SortKey",
    "TrialQuery",
    "query_digest",
]

DEFAULT_PAGE_SIZE = 10
"""What the v2 API gives when no page size is asked for."""

RELEVANCE = "@relevance"
KM_PER_MILE = 1.609344


@dataclass(frozen=True, slots=True)
class Circle:
    """Sites within `km` kilometres of a point."""

    latitude: float
    longitude: float
    km: float


@dataclass(frozen=True, slots=True)
class GeoDecay:
    """How relevance falls with the distance of the nearest site from a circle's centre."""

    function: str = "exp"
    scale_km: float = 300 * KM_PER_MILE
    offset_km: float = 0.0
    decay: float = 0.5


@dataclass(frozen=True, slots=True)
class SortKey:
    """A date or number piece, or `@relevance`; studies without a value come last either way."""

    piece: str
    descending: bool


@dataclass(frozen=True, slots=True)
class TrialQuery:
    """What to find. `queries` rank; everything else only filters. All parts are ANDed."""

    queries: tuple[tuple[str, Node], ...] = ()
    """Pairs of a `query.*` suffix (`cond`, `term`, `lead`, ...) and its expression."""
    filters: tuple[Node, ...] = ()
    statuses: tuple[str, ...] = ()
    ids: tuple[NctId, ...] = ()
    circle: Circle | None = None
    beside_circle: Node | None = None
    """What counts as in the circle although it states no point; a registry of ours only."""
    accepts: tuple[str, ...] = ()
    """Facts of a patient whom the trials found must not rule out."""
    geo_decay: GeoDecay = GeoDecay()
    sort: tuple[SortKey, ...] = ()
    page_size: int = DEFAULT_PAGE_SIZE


def query_digest(query: TrialQuery) -> str:
    """Name a query by a short hash, for its cursors; page size may change between pages.

    >>> query_digest(TrialQuery(page_size=5)) == query_digest(TrialQuery(page_size=50))
    True
    """
    return digest(
        {
            **asdict(replace(query, queries=(), filters=(), beside_circle=None, page_size=0)),
            "beside_circle": query.beside_circle and _render_once(query.beside_circle),
            "queries": [(param, render(node)) for param, node in query.queries],
            "filters": [render(node) for node in query.filters],
        }
    )


# Some hundred parts, the same on every page of a search.
_render_once = lru_cache(64)(render)
