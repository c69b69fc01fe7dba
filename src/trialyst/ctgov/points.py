"""Where places and sites are: their own point, else their city's, marked approximate."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.cities import BY_STATE, LearnedCities, could_lie_within
from trialyst.ctgov.countries import country_code, state_code
from trialyst.ctgov.places import Place, locate_city, resolve_place
from trialyst.folding import fold_phrase

if TYPE_CHECKING:
    from trialyst.ctgov.query import Circle
    from trialyst.ctgov.sites import Site
    from trialyst.ctgov.source import TrialSource

__all__ = ["SitePoint", "describe_place", "find_place", "find_points"]

_City = tuple[str, str, str]


class SitePoint(NamedTuple):
    """A point in degrees; `approximate` when it is the city's."""

    latitude: float
    longitude: float
    approximate: bool = False


async def find_place(source: TrialSource, text: str) -> Place:
    """Give the place a text names, or raise InvalidInput with the nearest names."""
    return await asyncio.to_thread(resolve_place, text, learned=source.cities)


async def find_points(
    source: TrialSource, sites: Sequence[Site], *, within: Circle | None = None
) -> list[SitePoint | None]:
    """Give the point of each site; None where not even the city is known.

    Args:
        within: leave out cities of countries and states that lie beyond this circle, because
            learning where a city is costs a search.
    """
    return await asyncio.to_thread(_find_points, sites, source.cities, within)


def describe_place(place: Place) -> str:
    """Write a place with its point."""
    return (
        f"{place.name} ({place.latitude:.2f}, {place.longitude:.2f})"
        if place.approximate
        else place.name
    )


def _find_points(
    sites: Sequence[Site], learned: LearnedCities | None, within: Circle | None
) -> list[SitePoint | None]:
    cities: dict[_City, SitePoint | None] = {}
    for site in sites:
        if site.geo_point and site.city:
            point = SitePoint(site.geo_point.latitude, site.geo_point.longitude, approximate=True)
            cities.setdefault(_city(site), point)
    return [
        _point(site, cities, learned) if within is None or _may_lie_in(within, site) else None
        for site in sites
    ]


def _may_lie_in(circle: Circle, site: Site) -> bool:
    country = country_code(site.country or "")
    if site.geo_point or not country:
        return True
    region = (state_code(site.state or "") or "") if country in BY_STATE else ""
    centre = (circle.latitude, circle.longitude)
    return could_lie_within(centre, circle.km, country=country, region=region)


def _point(
    site: Site, cities: dict[_City, SitePoint | None], learned: LearnedCities | None
) -> SitePoint | None:
    if site.geo_point:
        return SitePoint(site.geo_point.latitude, site.geo_point.longitude)
    if not site.city:
        return None
    city = _city(site)
    if city not in cities:
        place = locate_city(site.city, state=site.state, country=site.country, learned=learned)
        cities[city] = SitePoint(*place.point, approximate=True) if place else None
    return cities[city]


def _city(site: Site) -> _City:
    return (fold_phrase(site.city or ""), fold_phrase(site.state or ""), site.country or "")
