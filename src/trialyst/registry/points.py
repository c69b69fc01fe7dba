"""All points of a registry's sites, found by their distance from a place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from trialyst.ctgov.distance import Point, distance_km
from trialyst.registry.geo import boxes_around, parse_point_term

__all__ = ["Points"]


class Points:
    """Distinct points in the order of their latitude; sites share the point of their city."""

    def __init__(self, terms: Iterable[str]) -> None:
        known = sorted((*parse_point_term(term), term) for term in terms)
        self._latitudes = [latitude for latitude, _, _ in known]
        self._longitudes = [longitude for _, longitude, _ in known]
        self._terms = [term for _, _, term in known]

    def within(self, centre: Point, km: float) -> dict[str, float]:
        """Give the kilometres to each point within a distance, by the point's term."""
        found: dict[str, float] = {}
        for south, north, west, east in boxes_around(centre, km):
            first = bisect_left(self._latitudes, south)
            for at in range(first, bisect_right(self._latitudes, north)):
                longitude = self._longitudes[at]
                if west <= longitude <= east:
                    away = distance_km((self._latitudes[at], longitude), centre)
                    if away <= km:
                        found[self._terms[at]] = away
        return found
