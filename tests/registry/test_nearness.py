"""Studies near a place: which they are, how relevance falls with distance, one site's status."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.each_case import on_each_case
from tests.registry.invented import FIRST, find_all, found, opened, site, titled, with_sites
from tests.registry.oracle.corpus import nct_number
from tests.registry.oracle.records import Record
from trialyst.ctgov.distance import Point, distance_km
from trialyst.ctgov.nearby import unplaced_sites_near
from trialyst.ctgov.query import RELEVANCE, Circle, GeoDecay, SortKey, TrialQuery
from trialyst.essie import build, parse
from trialyst.essie.ast import Node, Search
from trialyst.registry import Registry
from trialyst.registry.geo import point_of
from trialyst.registry.ordering import DECAY_LIMIT
from trialyst.registry.ranking import decay_factor

BOSTON, CAMBRIDGE, WORCESTER = (42.3584, -71.0598), (42.3751, -71.1056), (42.2626, -71.8023)
NEW_YORK, TOKYO = (40.7143, -74.006), (35.6895, 139.6917)
BY_RELEVANCE = (SortKey(RELEVANCE, descending=True),)
AROUND_BOSTON = "distance(42.36,-71.06,500km)"
US = {"country": "United States"}


def test_the_nearest_site_decides_and_one_without_a_point_comes_last(tmp_path: Path) -> None:
    registry = opened(
        tmp_path,
        with_sites(FIRST, site("Boston", state="Massachusetts", **US)),
        with_sites(FIRST + 1, site("New York", point=NEW_YORK), site("Tokyo", point=TOKYO)),
        with_sites(
            FIRST + 2,
            site("Tokyo", point=TOKYO),
            site("Boston", point=BOSTON),
            site("New York", point=NEW_YORK),
        ),
        with_sites(FIRST + 3, site("Tokyo", point=TOKYO)),
        with_sites(FIRST + 4, site("Worcester", point=WORCESTER)),
    )
    circle = Circle(42.36, -71.06, 500)
    query = TrialQuery(circle=circle, beside_circle=unplaced_sites_near(circle), sort=BY_RELEVANCE)
    assert [number - FIRST for number in registry.iter_numbers(query)] == [2, 4, 1, 0]
    registry.close()


def test_a_study_found_by_the_name_of_a_city_counts_as_at_the_edge(tmp_path: Path) -> None:
    named = {"contactsLocations": {"locations": [site("Boston", state="Massachusetts", **US)]}}
    near = {"contactsLocations": {"locations": [site("Boston", point=BOSTON)]}}
    registry = opened(
        tmp_path,
        titled(FIRST, "asthma", **named),
        titled(FIRST + 1, "a long title about lungs in which asthma is mentioned late", **near),
        titled(FIRST + 2, "asthma", **near),
    )
    circle = Circle(42.36, -71.06, 50)
    query = TrialQuery(
        queries=(("term", parse("asthma")),),
        circle=circle,
        beside_circle=unplaced_sites_near(circle),
        sort=BY_RELEVANCE,
    )
    assert [number - FIRST for number in registry.iter_numbers(query)] == [2, 0, 1]
    registry.close()


def test_relevance_near_a_place_can_be_turned_round(tmp_path: Path) -> None:
    registry = opened(
        tmp_path,
        with_sites(FIRST, site("New York", point=NEW_YORK)),
        with_sites(FIRST + 1, site("Boston", point=BOSTON)),
    )
    nearest = find_all(registry, filter_geo=AROUND_BOSTON, sort="@relevance:desc")
    assert nearest == [2, 1]
    assert find_all(registry, filter_geo=AROUND_BOSTON, sort="@relevance:asc") == [1, 2]
    registry.close()


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """A thousand studies of a word, at many distances and of many relevances."""
    registry = opened(tmp_path_factory.mktemp("spread"), *map(_spread, range(1000)))
    yield registry
    registry.close()


def _spread(number: int) -> dict[str, Any]:
    # Fixed strides: neither relevance nor distance follows the number.
    filler = " ".join(f"word{n}" for n in range(number * 7 % 31))
    place = (42.36 + number * 13 % 101 / 25, -71.06 - number * 29 % 97 / 25)
    sites = [site("Somewhere", point=place), site("Tokyo", point=TOKYO)]
    title = f"asthma {'asthma ' * (number % 3)}{filler}"
    return titled(FIRST + number, title, contactsLocations={"locations": sites})


DECAYS = (
    GeoDecay(),
    GeoDecay("exp", scale_km=10, decay=0.5),
    GeoDecay("gauss", scale_km=150, offset_km=80, decay=0.3),
    GeoDecay("linear", scale_km=60, decay=0.5),
    GeoDecay("exp", scale_km=100, decay=0.0),
)
CIRCLES = (Circle(42.36, -71.06, 800), Circle(43.5, -72.5, 150), Circle(44, -73, 30))


@on_each_case("decay", DECAYS, ids=str)
@on_each_case("circle", CIRCLES, ids=str)
@on_each_case("words", ["asthma", "asthma word3", ""])
def test_the_order_is_that_of_relevance_times_what_distance_leaves(
    spread: Registry, circle: Circle, decay: GeoDecay, words: str
) -> None:
    query = TrialQuery(
        queries=(("term", parse(words)),) if words else (),
        circle=circle,
        geo_decay=decay,
        sort=BY_RELEVANCE,
    )
    values = {
        number: score * decay_factor(_nearest(_spread(number - FIRST), circle), decay)
        for number, score in _scores(spread, query).items()
    }
    expected = sorted(values, key=lambda number: (-values[number], number))
    window = spread.find(query, limit=50)
    assert window.total == len(expected)
    assert window.numbers == expected[:50]
    assert spread.find(query, offset=120, limit=30).numbers == expected[120:150]
    assert list(spread.iter_numbers(query)) == expected


def _scores(registry: Registry, query: TrialQuery) -> Mapping[int, float]:
    """Give what the words alone score each study that matches."""
    ordering, compiled = registry._ordering, registry._compile(query, ranked=True)
    scored, _ = ordering._scored(compiled, len(registry))
    return {number: score if query.queries else 1.0 for score, number in scored}


def _nearest(study: Mapping[str, Any], circle: Circle) -> float:
    centre = (circle.latitude, circle.longitude)
    return min((distance_km(point, centre) for point in _points(study)), default=math.inf)


def _points(study: Mapping[str, Any]) -> Iterator[Point]:
    for place in _locations(study):
        if (point := point_of(place.get("geoPoint"))) is not None:
            yield point


def _locations(study: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    module = study["protocolSection"].get("contactsLocationsModule", {})
    locations: Sequence[Mapping[str, Any]] = module.get("locations", ())
    return locations


def test_among_too_many_studies_distance_is_ignored(
    spread: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(spread) < DECAY_LIMIT
    monkeypatch.setattr("trialyst.registry.ordering.DECAY_LIMIT", 500)
    near = TrialQuery(circle=CIRCLES[0], sort=BY_RELEVANCE)
    assert list(spread.iter_numbers(near)) == sorted(spread.match_numbers(near))
    words = TrialQuery(queries=(("term", parse("asthma")),), circle=CIRCLES[0], sort=BY_RELEVANCE)
    scores = _scores(spread, words)
    expected = sorted(scores, key=lambda number: (-scores[number], number))
    assert spread.find(words, limit=50).numbers == expected[:50]


STATUSES = ("RECRUITING", "NOT_YET_RECRUITING")


def test_status_and_distance_hold_at_one_site(tmp_path: Path) -> None:
    here, there = {"point": BOSTON}, {"point": TOKYO}
    registry = opened(
        tmp_path,
        with_sites(FIRST, site("Boston", status="RECRUITING", facility="A", **here)),
        with_sites(
            FIRST + 1,
            site("Boston", status="COMPLETED", **here),
            site("Tokyo", status="RECRUITING", **there),
        ),
        with_sites(FIRST + 2, site("Boston", facility="B", zip="02115", **here)),
        with_sites(FIRST + 3, site("Boston", status="NOT_YET_RECRUITING", facility="C", **here)),
        with_sites(FIRST + 4, site("Boston", status="RECRUITING")),
    )
    near = "AREA[LocationGeoPoint]DISTANCE[42.36,-71.06,10mi]"
    either = "AREA[LocationStatus](RECRUITING OR NOT_YET_RECRUITING)"

    def at_one_site(condition: str) -> set[int]:
        return found(registry, filter_advanced=f"SEARCH[Location]({condition})")

    assert at_one_site(f"{either} AND {near}") == {1, 4}
    assert at_one_site(f"AREA[LocationStatus]MISSING AND {near}") == {3}
    assert at_one_site(f"({either} OR AREA[LocationStatus]MISSING) AND {near}") == {1, 3, 4}
    assert at_one_site(f"NOT {either} AND {near}") == {2, 3}
    assert at_one_site(f"{near} AND AREA[LocationFacility]B") == {3}
    assert at_one_site(f"{near} AND AREA[LocationFacility]MISSING") == {2}
    assert at_one_site(f"{near} AND AREA[LocationZip]02115 AND {either}") == set()
    assert at_one_site(f"NOT {near}") == {2, 5}
    registry.close()


@pytest.mark.slow
def test_sites_of_a_status_near_a_place_are_those_of_the_records(
    engine: Registry, sample: list[Record]
) -> None:
    places = sorted({point for record in sample for point in _points(record.study)})
    compared = 0
    for latitude, longitude in places[:: len(places) // 12]:
        circle = Circle(latitude, longitude, 120)
        for wanted in (("RECRUITING",), ("COMPLETED", "WITHDRAWN"), (None,), ("RECRUITING", None)):
            node = build.same_location(build.all_of(_has_status(wanted), _is_near(circle)))
            matched = engine.match_numbers(TrialQuery(filters=(node,)))
            expected = {
                nct_number(dict(record.study))
                for record in sample
                if any(
                    place.get("status") in wanted and _is_in(place, circle)
                    for place in _locations(record.study)
                )
            }
            assert matched == expected, (circle, wanted)
            compared += bool(expected)
    assert compared > 12


def _has_status(wanted: Sequence[str | None]) -> Node:
    stated = [status for status in wanted if status]
    nodes = [build.one_of("LocationStatus", *stated)] if stated else []
    return build.any_of(*nodes, *([build.missing("LocationStatus")] if None in wanted else []))


def _is_near(circle: Circle) -> Node:
    return build.near(circle.latitude, circle.longitude, radius=circle.km, unit="km")


def _is_in(place: Mapping[str, Any], circle: Circle) -> bool:
    point = point_of(place.get("geoPoint"))
    return (
        point is not None and distance_km(point, (circle.latitude, circle.longitude)) <= circle.km
    )


def test_cities_by_name_with_a_status_hold_at_one_site(tmp_path: Path) -> None:
    boston = {"state": "Massachusetts", **US}
    registry = opened(
        tmp_path,
        with_sites(FIRST, site("Boston", status="RECRUITING", facility="A", **boston)),
        with_sites(FIRST + 1, site("Boston", status="COMPLETED", facility="A", **boston)),
        with_sites(FIRST + 2, site("Boston", status="RECRUITING", point=TOKYO, **boston)),
        with_sites(FIRST + 3, site("Boston", facility="B", **boston)),
        with_sites(FIRST + 4, site("Boston", status="RECRUITING", state="Ohio", **US)),
    )
    unplaced = unplaced_sites_near(Circle(42.36, -71.06, 20))
    assert isinstance(unplaced, Search)
    status = build.one_of("LocationStatus", *STATUSES)
    recruiting = build.same_location(build.all_of(status, unplaced.child))
    silent = build.same_location(build.all_of(build.missing("LocationStatus"), unplaced.child))

    def numbers(*filters: Node) -> set[int]:
        return {n - FIRST for n in registry.match_numbers(TrialQuery(filters=filters))}

    assert numbers(recruiting) == {0}
    assert numbers(silent) == {3}
    assert numbers(build.any_of(recruiting, silent)) == {0, 3}
    registry.close()
