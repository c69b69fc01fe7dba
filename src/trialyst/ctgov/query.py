"""One query for trials, whatever the source: Essie trees per parameter, filters, sort, size."""

from __future__ import annotations

from dataclasses import dataclass

from trialyst.essie.ast import Node
from trialyst.ids import NctId

__all__ = ["DEFAULT_PAGE_SIZE", "RELEVANCE", "Circle", "GeoDecay", "SortKey", "TrialQuery"]

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
    geo_decay: GeoDecay = GeoDecay()
    sort: tuple[SortKey, ...] = ()
    page_size: int = DEFAULT_PAGE_SIZE
