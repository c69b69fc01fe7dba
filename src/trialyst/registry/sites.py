"""The index of distinct sites and places: what must hold at one of them, and what lies near."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from trialyst.ctgov.query import Circle
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
from trialyst.registry.index import Searcher, all_addresses, count_matches, open_index
from trialyst.registry.leafquery import LeafQueries
from trialyst.registry.phrases import Queries
from trialyst.registry.points import Points
from trialyst.registry.schema import GRAIN, POINT, SITE, Grain, place_pieces, site_pieces
from trialyst.registry.textquery import needs_stored_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    import tantivy

__all__ = ["SiteIndex"]


class SiteIndex:
    """Finds sites by their own properties; where a place tells as much, finds places instead."""

    def __init__(self, path: Path, expander: Expander) -> None:
        index = open_index(path)
        self._searcher = Searcher(index)
        self._make = Queries(index.schema)
        self._leaves = LeafQueries(self._searcher, self._make, expander)
        self._of_sites = {piece.name for piece in site_pieces()}
        self._of_places = {piece.name for piece in place_pieces()}
        self._near = _PlacesNear(self._searcher, self._make)
        # The same few circles are asked about again and again.
        self._distances = lru_cache(64)(self._near.distances)

    def __len__(self) -> int:
        """Count the sites; places are not among them."""
        return count_matches(self._searcher, _of_grain(self._make, Grain.SITE))

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
                return all(piece.name in self._of_sites for piece in searched_pieces(node))

    def find(self, node: Resolved) -> list[int]:
        """Give the ids of the sites, or of the places, for which the node holds."""
        named = {piece.name for piece in searched_pieces(node)}
        grain = Grain.PLACE if named <= self._of_places else Grain.SITE
        wanted = self._make.all_of([self._compile(node), _of_grain(self._make, grain)])
        addresses = all_addresses(self._searcher, self._make.constant(wanted))
        return _ids(self._searcher, addresses)

    def distances(self, circle: Circle) -> Mapping[int, float]:
        """Give the kilometres from the centre of a circle to each place within it, by id."""
        return self._distances(circle)

    def ids(self) -> set[int]:
        """Give the ids of all sites and places."""
        return set(_ids(self._searcher, all_addresses(self._searcher, self._make.everything())))

    def _compile(self, node: Resolved) -> tantivy.Query:
        match node:
            case AllOf():
                return self._make.all_of([self._compile(child) for child in node.children])
            case AnyOf():
                return self._make.any_of([self._compile(child) for child in node.children])
            case NoneOf():
                return self._make.none_of(self._compile(node.child))
            case Near():
                circle = Circle(node.latitude, node.longitude, node.km)
                return self._make.terms(POINT, self._near.points(circle))
            case MatchText(level=ExpansionLevel.RELAXATION | ExpansionLevel.LOSSY):
                return self._leaves.text.match_places(node)[0]
            case _:
                return self._leaves.compile(node)


class _PlacesNear:
    """Tells how far places are."""

    def __init__(self, searcher: Searcher, make: Queries) -> None:
        self._searcher = searcher
        self._make = make

    @cached_property
    def _all_points(self) -> Points:
        return Points(self._searcher.terms(POINT))

    def points(self, circle: Circle) -> Mapping[str, float]:
        return self._all_points.within((circle.latitude, circle.longitude), circle.km)

    def distances(self, circle: Circle) -> Mapping[int, float]:
        near = sorted(self.points(circle).items(), key=lambda item: item[1])
        # Scored by the rank of its point, so that the score tells how far a place is.
        ranked = self._make.highest_of(
            [
                self._make.constant(self._make.term(POINT, term), rank)
                for rank, (term, _) in enumerate(near)
            ]
        )
        places = self._make.all_of(
            [ranked, self._make.constant(_of_grain(self._make, Grain.PLACE))]
        )
        total = count_matches(self._searcher, places)
        hits = self._searcher.search(places, limit=max(total, 1), count=False).hits
        ids = _ids(self._searcher, [address for _, address in hits])
        return {place: near[int(rank)][1] for (rank, _), place in zip(hits, ids, strict=True)}


def _of_grain(make: Queries, grain: Grain) -> tantivy.Query:
    return make.term(GRAIN, grain.value)


def _ids(searcher: Searcher, addresses: list[tantivy.DocAddress]) -> list[int]:
    return [int(site or 0) for site in searcher.column(SITE, addresses)]
