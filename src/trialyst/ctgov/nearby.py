"""Sites near a place: those with a point there, and those that only name a city there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from trialyst.ctgov.cities import cities_within
from trialyst.ctgov.distance import Point, distance_km
from trialyst.ctgov.query import Circle
from trialyst.ctgov.site_filters import in_circle, in_city
from trialyst.ctgov.vocab import RecruitmentStatus
from trialyst.essie import build
from trialyst.essie.ast import Node

if TYPE_CHECKING:
    from trialyst.ctgov.points import SitePoint
    from trialyst.ctgov.sites import Site

__all__ = [
    "NearestSite",
    "find_nearest_site",
    "sites_near",
    "sites_of_status_near",
    "unplaced_sites_near",
]

_SITE_STATUSES = frozenset(status.value for status in RecruitmentStatus)


@dataclass(frozen=True, slots=True)
class NearestSite:
    """The site of a trial that is nearest to a point."""

    site: Site
    distance_km: float
    approximate: bool
    """Whether the distance is measured from the middle of the site's city."""


# A person asks about few places, and pages through the answers.
@lru_cache(256)
def unplaced_sites_near(circle: Circle) -> Node | None:
    """Match studies with a site that has no point but names a city of the shipped list in a circle.

    None when no such city lies there. A registry of ours only.
    """
    named = _names_city_in(circle)
    return named and build.same_location(named)


def sites_near(circle: Circle, *, by_code: bool) -> Node:
    """Match studies with a site in a circle; on a registry by its city where it has no point."""
    unplaced = unplaced_sites_near(circle) if by_code else None
    return build.any_of(in_circle(circle), *([unplaced] if unplaced else []))


def sites_of_status_near(circle: Circle, statuses: Sequence[str], *, by_code: bool) -> Node:
    """Match studies with a site in a circle that is of one of some statuses, or states none.

    A status that only whole trials have, such as UNKNOWN, is asked of the trial.
    """
    of_site = [status for status in statuses if status in _SITE_STATUSES]
    of_trial = [status for status in statuses if status not in of_site]
    parts: list[Node] = []
    if of_site:
        stated = build.any_of(
            build.one_of("LocationStatus", *of_site), build.missing("LocationStatus")
        )
        named = _names_city_in(circle) if by_code else None
        inside = (in_circle(circle), *([named] if named else []))
        parts.extend(build.same_location(build.all_of(each, stated)) for each in inside)
    if of_trial:
        near = sites_near(circle, by_code=by_code)
        parts.append(build.all_of(build.one_of("OverallStatus", *of_trial), near))
    return build.any_of(*parts)


def find_nearest_site(
    sites: Sequence[Site],
    points: Sequence[SitePoint | None],
    centre: Point,
    *,
    statuses: Sequence[str] = (),
) -> NearestSite | None:
    """Give the site nearest to a point, with `find_points` of the sites; None if none has a point.

    Args:
        statuses: only sites of one of these, or that state none.
    """
    located = [
        NearestSite(site, distance_km(centre, point[:2]), point.approximate)
        for site, point in zip(sites, points, strict=True)
        if point is not None and (not statuses or site.status is None or site.status in statuses)
    ]
    return min(located, key=lambda each: each.distance_km, default=None)


@lru_cache(256)
def _names_city_in(circle: Circle) -> Node | None:
    """Say of one site that it has no point but names a city of the shipped list in a circle."""
    cities = cities_within((circle.latitude, circle.longitude), circle.km)
    if not cities:
        return None
    either = build.any_of(*(in_city(city, by_code=True) for city in cities))
    return build.all_of(build.missing("LocationGeoPoint"), either)
