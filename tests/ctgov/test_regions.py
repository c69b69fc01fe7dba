"""The shipped lists of countries, provinces and regions hold together."""

from __future__ import annotations

from itertools import combinations

from tests.each_case import on_each_case
from trialyst.ctgov.addresses import parse_address
from trialyst.ctgov.countries import country_name, country_names, find_country, state_name
from trialyst.ctgov.gazetteer import find_senses
from trialyst.ctgov.provinces import cities_of_province, find_provinces, province_names
from trialyst.ctgov.regions import find_region, region_names

CONTINENTS = ("Europe", "Asia", "Africa", "Americas", "Oceania")


@on_each_case("name", region_names())
def test_a_region_has_known_members_or_a_circle(name: str) -> None:
    region = find_region(name)
    assert region is not None
    assert region.circle or region.countries or region.states
    assert all(map(country_name, region.countries))
    assert all(map(state_name, region.states))


def test_every_inhabited_country_is_on_one_continent() -> None:
    members = [set(find_region(name).countries) for name in CONTINENTS]  # type: ignore[union-attr]
    assert not any(one & other for one, other in combinations(members, 2))
    listed = {find_country(name) for name in country_names()}
    assert listed - set().union(*members) == {"AQ", "UM"}


@on_each_case("name", province_names())
def test_a_province_is_read_by_its_name_with_its_country(name: str) -> None:
    provinces = find_provinces(name)
    for province in provinces:
        text = f"{name}, {country_name(province.country)}"
        assert province in find_senses(parse_address(text)).likely


@on_each_case("name", country_names())
def test_a_country_is_read_by_its_name_and_codes(name: str) -> None:
    code = find_country(name)
    assert code is not None
    assert find_country(code) == find_country(code.lower()) == code


def test_a_city_belongs_to_the_province_of_its_larger_namesake_only() -> None:
    england = {city.name for city in cities_of_province("GB", "ENG")}
    assert "Newcastle upon Tyne" in england
    assert "Newcastle" not in {city.name for city in cities_of_province("GB", "NIR")}
