"""The index of distinct sites: what must hold at one of them, and which points lie near."""

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
from trialyst.registry.geo import point_id
from trialyst.registry.index import Searcher, all_addresses, count_matches, open_index
from trialyst.registry.leafquery import LeafQueries
from trialyst.registry.phrases import Queries
from trialyst.registry.points import Points
from trialyst.registry.schema import GRAIN, POINT, SITE, Grain, grains
from trialyst.registry.textquery import needs_stored_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    import tantivy

__all__ = ["SiteIndex"]


class SiteIndex:
    """Finds sites by their own properties; where coarser grains tell as much, finds those."""

    def __init__(self, path: Path, expander: Expander) -> None:
        index = open_index(path)
        self._searcher = Searcher(index)
        self._make = Queries(index.schema)
        self._leaves = LeafQueries(self._searcher, self._make, expander)
        self._near = _PointsNear(self._searcher)
        # The same few circles are asked about again and again.
        self._distances = lru_cache(64)(self._near.distances)

    def __len__(self) -> int:
        """Count the sites; places and states are not among them."""
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
                return all(piece.name in grains()[Grain.SITE] for piece in searched_pieces(node))

    def find(self, node: Resolved) -> list[int]:
        """Give the ids of what the node holds for: sites, or places or states if they tell it."""
        named = {piece.name for piece in searched_pieces(node)}
        grain = next(grain for grain, told in grains().items() if named <= told)
        wanted = self._make.all_of([self._compile(node), _of_grain(self._make, grain)])
        addresses = all_addresses(self._searcher, self._make.constant(wanted))
        return _ids(self._searcher, addresses)

    def distances(self, circle: Circle) -> Mapping[int, float]:
        """Give the kilometres from the centre of a circle to each point within it, by id."""
        return self._distances(circle)

    def ids(self) -> set[int]:
        """Give the ids of all sites, places and states."""
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


class _PointsNear:
    """Tells which points are near, and how far."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher

    @cached_property
    def _all_points(self) -> Points:
        return Points(self._searcher.terms(POINT))

    def points(self, circle: Circle) -> Mapping[str, float]:
        return self._all_points.within((circle.latitude, circle.longitude), circle.km)

    def distances(self, circle: Circle) -> Mapping[int, float]:
        return {point_id(term): km for term, km in self.points(circle).items()}


def _of_grain(make: Queries, grain: Grain) -> tantivy.Query:
    return make.term(GRAIN, grain.value)


def _ids(searcher: Searcher, addresses: list[tantivy.DocAddress]) -> list[int]:
    return [int(site or 0) for site in searcher.column(SITE, addresses)]
