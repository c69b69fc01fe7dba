"""Cities learned from the sites of a registry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.registry.invented import FIRST, opened, site, with_sites
from trialyst.ctgov.cities import City, city_key
from trialyst.ctgov.places import locate_city, resolve_place
from trialyst.registry import Registry
from trialyst.registry.cities import CityPoints

US = {"country": "United States"}


@pytest.fixture(scope="module")
def cities(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CityPoints]:
    sites = [
        [site("Littletown", state="Kansas", point=(38.0, -98.0), **US)],
        [site("Littletown", state="KS", point=(38.2, -98.2), **US), site("Littletown", **US)],
        [site("Littletown", state="Kansas", point=(89.0, 10.0), **US)],
        [site("North Littletown", state="Iowa", point=(41.0, -93.0), **US)],
        [site("St. Elsewhere", state="Ohio", point=(40.0, -82.0), **US)],
        [site("Oberdorf", country="Germany", point=(50.0, 9.0))],
        [site("Oberdorf", country="Atlantis", point=(1.0, 1.0))],
        [site("Nopoint", country="France")],
    ]
    studies = [with_sites(number, *where) for number, where in enumerate(sites, FIRST)]
    with opened(tmp_path_factory.mktemp("cities"), *studies) as registry:
        yield CityPoints(registry)


def test_city_lies_in_the_middle_of_its_sites(cities: CityPoints) -> None:
    assert cities[city_key("Littletown")] == (City("Littletown", "KS", "US", 38.2, -98.0, sites=3),)


def test_other_name_for_the_same_words_is_found(cities: CityPoints) -> None:
    (found,) = cities[city_key("Saint Elsewhere")]
    assert found.name == "St. Elsewhere"


def test_city_in_no_known_country_is_not_learned(cities: CityPoints) -> None:
    assert [city.country for city in cities[city_key("Oberdorf")]] == ["DE"]


@pytest.mark.parametrize("name", ["Nopoint", "Nowhere", ""])
def test_city_without_points_is_not_known(cities: CityPoints, name: str) -> None:
    assert city_key(name) not in cities


def test_place_is_resolved_by_what_was_learned(cities: CityPoints) -> None:
    place = resolve_place("Littletown, Kansas", learned=cities)
    assert (place.point, place.approximate) == ((38.2, -98.0), True)


def test_site_without_a_point_takes_its_citys(cities: CityPoints) -> None:
    place = locate_city("Oberdorf", state=None, country="Germany", learned=cities)
    assert place is not None
    assert place.point == (50.0, 9.0)


def test_real_cities_lie_where_the_shipped_list_has_them(engine: Registry) -> None:
    cities = CityPoints(engine)
    learned = locate_city("Boston", state="MA", country="United States", learned=cities)
    shipped = locate_city("Boston", state="MA", country="United States")
    assert learned is not None
    assert shipped is not None
    assert learned.point == pytest.approx(shipped.point, abs=0.2)
