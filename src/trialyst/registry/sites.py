"""The index of distinct sites: answers what must hold at one place, and what lies near a point."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trialyst.ctgov.distance import distance_km
from trialyst.essie.ast import ExpansionLevel
from trialyst.essie.resolved import (
    AllOf,
    AnyOf,
    Between,
    MatchText,
    Near,
    NoneOf,
    Resolved,
    SizeBetween,
    searched_pieces,
)
from trialyst.registry.expansion import Expander
from trialyst.registry.geo import boxes_around
from trialyst.registry.index import Searcher, all_addresses, open_index
from trialyst.registry.leafquery import LeafQueries
from trialyst.registry.phrases import Queries
from trialyst.registry.schema import SITE, site_pieces
from trialyst.registry.textquery import needs_stored_text

if TYPE_CHECKING:
    import tantivy

__all__ = ["SiteIndex"]


class SiteIndex:
    """Finds sites by their own properties."""

    def __init__(self, path: Path, expander: Expander) -> None:
        index = open_index(path)
        self._searcher = Searcher(index)
        self._make = Queries(index.schema)
        self._leaves = LeafQueries(self._searcher, self._make, expander)
        self._own = {piece.name for piece in site_pieces()}

    def __len__(self) -> int:
        return len(self._searcher)

    def can_decide(self, node: Resolved) -> bool:
        """Whether the node speaks only of what makes a site distinct, and not of exact spelling."""
        match node:
            case AllOf() | AnyOf():
                return all(self.can_decide(child) for child in node.children)
            case NoneOf():
                return self.can_decide(node.child)
            case MatchText() if needs_stored_text(node):
                return False
            case Between() | SizeBetween():
                return False
            case _:
                return all(piece.name in self._own for piece in searched_pieces(node))

    def find(self, node: Resolved) -> list[int]:
        """Give the ids of the sites for which the node holds."""
        return [site for site, _ in self._hits(self._compile(node))]

    def near(self, latitude: float, longitude: float, km: float) -> list[int]:
        """Give the ids of the sites within a distance."""
        return list(self.distances(latitude, longitude, km))

    def distances(self, latitude: float, longitude: float, km: float) -> dict[int, float]:
        """Give the distance of each site within a distance, by id."""
        centre = (latitude, longitude)
        found: dict[int, float] = {}
        for south, north, west, east in boxes_around(centre, km):
            box = [self._make.floats("lat", south, north), self._make.floats("lon", west, east)]
            hits = self._hits(self._make.all_of(box))
            addresses = [address for _, address in hits]
            lats = self._searcher.column("lat", addresses)
            lons = self._searcher.column("lon", addresses)
            for (site, _), lat, lon in zip(hits, lats, lons, strict=True):
                away = distance_km((float(lat or 0), float(lon or 0)), centre)
                if away <= km:
                    found[site] = away
        return found

    def ids(self) -> set[int]:
        """Give the ids of all sites."""
        return {site for site, _ in self._hits(self._make.everything())}

    def _hits(self, query: tantivy.Query) -> list[tuple[int, tantivy.DocAddress]]:
        addresses = all_addresses(self._searcher, self._make.constant(query))
        ids = self._searcher.column(SITE, addresses)
        return [(int(site or 0), address) for site, address in zip(ids, addresses, strict=True)]

    def _compile(self, node: Resolved) -> tantivy.Query:
        match node:
            case AllOf():
                return self._make.all_of([self._compile(child) for child in node.children])
            case AnyOf():
                return self._make.any_of([self._compile(child) for child in node.children])
            case NoneOf():
                return self._make.none_of(self._compile(node.child))
            case Near():
                near = self.near(node.latitude, node.longitude, node.km)
                return self._make.terms(SITE, near)
            case MatchText(level=ExpansionLevel.RELAXATION | ExpansionLevel.LOSSY):
                return self._leaves.text.match_places(node)[0]
            case _:
                return self._leaves.compile(node)
