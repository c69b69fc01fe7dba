"""The nearest site of a trial, and the expressions that find sites near a place."""

from __future__ import annotations

import asyncio

from trialyst.ctgov.nearby import find_nearest_site, sites_near, unplaced_sites_near
from trialyst.ctgov.places import resolve_place
from trialyst.ctgov.points import SitePoint, find_points
from trialyst.ctgov.query import Circle
from trialyst.ctgov.sites import Site
from trialyst.ctgov.vocab import RecruitmentStatus
from trialyst.essie.render import render
from trialyst.registry import RegistrySource

BOSTON = (42.36, -71.06)
SITES = (
    Site(city="Boston", status=RecruitmentStatus.COMPLETED),
    Site(city="Worcester", status=RecruitmentStatus.RECRUITING),
    Site(city="Chicago"),
    Site(city="Nowhere", status=RecruitmentStatus.RECRUITING),
)
POINTS = (
    SitePoint(42.35, -71.05),
    SitePoint(42.26, -71.80, approximate=True),
    SitePoint(41.9, -87.6),
    None,
)


def test_the_nearest_site_has_its_distance() -> None:
    nearest = find_nearest_site(SITES, POINTS, BOSTON)
    assert nearest is not None
    assert (nearest.site.city, round(nearest.distance_km, 1)) == ("Boston", 1.4)
    assert not nearest.approximate


def test_the_nearest_site_of_a_status_may_be_farther() -> None:
    nearest = find_nearest_site(SITES, POINTS, BOSTON, statuses=("RECRUITING",))
    assert nearest is not None
    assert (nearest.site.city, nearest.approximate) == ("Worcester", True)


def test_a_site_that_states_no_status_may_have_any() -> None:
    nearest = find_nearest_site(SITES, POINTS, BOSTON, statuses=("SUSPENDED",))
    assert nearest is not None
    assert nearest.site.city == "Chicago"


def test_without_points_there_is_no_nearest_site() -> None:
    assert find_nearest_site(SITES[3:], POINTS[3:], BOSTON) is None


def test_a_city_is_found_by_the_name_that_records_use() -> None:
    """GeoNames says New York City, records say New York (issue 16)."""
    place = resolve_place("NYC")
    unplaced = unplaced_sites_near(Circle(*place.point, 5))
    assert unplaced is not None
    assert '"new york"' in render(unplaced)


def test_the_live_service_is_asked_for_points_only() -> None:
    assert render(sites_near(Circle(*BOSTON, 10), by_code=False)) == (
        "AREA[LocationGeoPoint]DISTANCE[42.36, -71.06, 10 km]"
    )


def test_cities_beyond_the_circle_are_not_looked_up(starter_source: RegistrySource) -> None:
    sites = (
        Site(city="Boston", state="Massachusetts", country="United States"),
        Site(city="Chicago", state="Illinois", country="United States"),
        Site(city="Paris", country="France"),
        Site(city="Bordeaux"),
    )
    near, all_known = (
        asyncio.run(find_points(starter_source, sites, within=circle))
        for circle in (Circle(*BOSTON, 50), None)
    )
    assert [point is not None for point in near] == [True, False, False, False]
    assert [point is not None for point in all_known] == [True, True, True, False]
