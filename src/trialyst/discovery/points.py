"""Where the sites of a trial are: their own point, else their city's, marked approximate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trialyst.ctgov.places import locate_city
from trialyst.ctgov.sites import Site
from trialyst.folding import fold_phrase

__all__ = ["SitePoint", "find_points"]

_City = tuple[str, str, str]


class SitePoint(NamedTuple):
    """A point in degrees; `approximate` when it is the city's."""

    latitude: float
    longitude: float
    approximate: bool = False


def find_points(sites: Sequence[Site]) -> list[SitePoint | None]:
    """Give the point of each site; None where not even the city is known."""
    cities: dict[_City, SitePoint | None] = {}
    for site in sites:
        if site.geo_point and site.city:
            point = SitePoint(site.geo_point.latitude, site.geo_point.longitude, approximate=True)
            cities.setdefault(_city(site), point)
    return [_point(site, cities) for site in sites]


def _point(site: Site, cities: dict[_City, SitePoint | None]) -> SitePoint | None:
    if site.geo_point:
        return SitePoint(site.geo_point.latitude, site.geo_point.longitude)
    if not site.city:
        return None
    city = _city(site)
    if city not in cities:
        cities[city] = _look_up(site)
    return cities[city]


def _look_up(site: Site) -> SitePoint | None:
    place = locate_city(site.city or "", state=site.state, country=site.country)
    return SitePoint(*place.point, approximate=True) if place else None


def _city(site: Site) -> _City:
    return (fold_phrase(site.city or ""), fold_phrase(site.state or ""), site.country or "")
