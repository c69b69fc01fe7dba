"""Distances, the boxes that hold a circle, and how relevance falls with distance."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.ctgov.distance import Point, distance_km
from trialyst.ctgov.query import GeoDecay
from trialyst.registry.geo import Box, boxes_around, parse_point_term, point_of, point_term
from trialyst.registry.points import Points
from trialyst.registry.ranking import decay_factor

POINTS = st.tuples(st.floats(-90, 90), st.floats(-180, 180))
HALF_WAY_ROUND = math.pi * 6371.0088


def holds(box: Box, point: Point) -> bool:
    south, north, west, east = box
    return south <= point[0] <= north and west <= point[1] <= east


@pytest.mark.parametrize(
    ("a", "b", "km"),
    [
        ((42.3584, -71.0598), (40.7143, -74.006), 306),
        ((51.5085, -0.1257), (35.6895, 139.6917), 9559),
        ((0, 179.5), (0, -179.5), 111),
        ((90, 0), (90, 137), 0),
        ((0, 0), (0, 180), 20015),
    ],
)
def test_known_distances(a: Point, b: Point, km: int) -> None:
    assert distance_km(a, b) == pytest.approx(km, rel=0.005, abs=0.5)


@given(POINTS, POINTS)
def test_distance_is_the_same_both_ways_and_bounded(a: Point, b: Point) -> None:
    assert distance_km(a, b) == pytest.approx(distance_km(b, a))
    assert 0 <= distance_km(a, b) <= HALF_WAY_ROUND + 1e-6


@given(POINTS, POINTS, st.floats(0.001, 20_100))
def test_a_point_in_the_circle_is_in_a_box(centre: Point, point: Point, km: float) -> None:
    if distance_km(centre, point) <= km:
        assert any(holds(box, point) for box in boxes_around(centre, km))


@given(POINTS, st.floats(0.1, 9_000), st.floats(0, 359))
def test_a_point_on_the_edge_is_in_a_box(centre: Point, km: float, bearing: float) -> None:
    point = travel(centre, km * 0.999999, bearing)
    assert any(holds(box, point) for box in boxes_around(centre, km))


@given(POINTS, st.floats(0.001, 20_100))
def test_boxes_lie_on_the_earth(centre: Point, km: float) -> None:
    for south, north, west, east in boxes_around(centre, km):
        assert -90.1 <= south <= north <= 90.1
        assert -180 <= west <= east <= 180.000001


def travel(start: Point, km: float, bearing: float) -> Point:
    angle, course = km / 6371.0088, math.radians(bearing)
    lat, lon = map(math.radians, start)
    sine = math.sin(lat) * math.cos(angle) + math.cos(lat) * math.sin(angle) * math.cos(course)
    end = math.asin(max(-1.0, min(1.0, sine)))
    east = math.atan2(
        math.sin(course) * math.sin(angle) * math.cos(lat),
        math.cos(angle) - math.sin(lat) * math.sin(end),
    )
    return math.degrees(end), (math.degrees(lon + east) + 540) % 360 - 180


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "42,71",
        {},
        {"lat": 1},
        {"lat": "1", "lon": 2},
        {"lat": 91, "lon": 0},
        {"lat": 0, "lon": 10**400},
        {"lat": True, "lon": 0},
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_place_on_earth_is_no_point(value: object) -> None:
    assert point_of(value) is None


@pytest.mark.parametrize("function", ["exp", "gauss", "linear"])
def test_at_the_scale_relevance_has_fallen_to_the_decay(function: str) -> None:
    decay = GeoDecay(function, scale_km=200, offset_km=50, decay=0.3)
    assert decay_factor(50, decay) == 1
    assert decay_factor(250, decay) == pytest.approx(0.3)


@given(
    st.sampled_from(["exp", "gauss", "linear"]),
    st.floats(0, 20_000),
    st.floats(0, 20_000),
    st.floats(0.01, 0.99),
)
def test_relevance_never_rises_with_distance(
    function: str, near: float, far: float, decay: float
) -> None:
    falls = GeoDecay(function, scale_km=300, decay=decay)
    near, far = sorted((near, far))
    assert 0 <= decay_factor(far, falls) <= decay_factor(near, falls) <= 1


def test_without_a_known_distance_nothing_is_left() -> None:
    assert decay_factor(math.inf, GeoDecay()) == 0


@given(POINTS)
def test_a_point_reads_back_from_its_term_exactly(point: Point) -> None:
    assert parse_point_term(point_term(point)) == point


@given(st.lists(POINTS, max_size=30), POINTS, st.floats(0.001, 20_100))
def test_points_within_a_distance_are_found_with_it(
    known: list[Point], centre: Point, km: float
) -> None:
    found = Points({point_term(point) for point in known}).within(centre, km)
    distances = {point_term(point): distance_km(point, centre) for point in known}
    assert found == {term: away for term, away in distances.items() if away <= km}
