"""Places as people write them: cities, states by name or code, and the names of countries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.each_case import on_each_case
from tests.registry.invented import FIRST, found, opened, site, with_sites
from trialyst.ctgov.countries import country_code, place_spellings
from trialyst.ctgov.query import TrialQuery
from trialyst.registry import Registry

US = {"country": "United States"}


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    massachusetts = {"state": "Massachusetts", **US}
    registry = opened(
        tmp_path_factory.mktemp("places"),
        with_sites(FIRST, site("Boston", **massachusetts)),
        with_sites(FIRST + 1, site("Springfield", **massachusetts), site("Boston", state="Ohio")),
        with_sites(FIRST + 2, site("Boston", country="United Kingdom")),
        with_sites(FIRST + 3, site("Cambridge", **massachusetts), site("Boston", **massachusetts)),
        with_sites(FIRST + 4, site("Atlanta", state="Georgia", **US)),
        with_sites(FIRST + 5, site("Tbilisi", country="Georgia")),
        with_sites(FIRST + 6, site("Seoul", country="South Korea")),
        with_sites(FIRST + 7, site("Busan", country="Korea, Republic of")),
        with_sites(FIRST + 8, site("Ankara", country="Turkey (Türkiye)")),
        with_sites(FIRST + 9, site("Izmir", country="Turkey")),
        with_sites(FIRST + 10, site("Toronto", state="Ontario", country="Canada")),
        with_sites(FIRST + 11, site("New York", state="New York", **US)),
        with_sites(FIRST + 12, site("São Paulo", country="Brazil")),
        with_sites(FIRST + 13, site("London", country="United Kingdom", facility="Boston House")),
        with_sites(FIRST + 14, site("Worcester", state="MA", **US)),
        with_sites(FIRST + 15, site("Lyon", country="France", facility="Clinic in or near Lyon")),
        with_sites(FIRST + 16, site("Durham", state="NC", **US), site("Lima", country="Peru")),
    )
    yield registry
    registry.close()


@on_each_case(
    ("text", "expected"),
    [
        ("Boston", {1, 2, 3, 4, 14}),
        ("Boston, MA", {1, 4}),
        ("Boston, Massachusetts", {1, 4}),
        ("Boston Massachusetts", {1, 4}),
        ("boston ma", {1, 4}),
        ("Boston, MA, USA", {1, 4}),
        ("Boston, UK", {3, 14}),
        ("Massachusetts", {1, 2, 4, 15}),
        ("MA", {1, 2, 4, 15}),
        ("Springfield, MA", {2}),
        ("Cambridge, MA", {4}),
        ("Springfield, Ohio", set()),
        ("USA", {1, 2, 4, 5, 12, 15, 17}),
        ("United States of America", {1, 2, 4, 5, 12, 15, 17}),
        ("UK", {3, 14}),
        ("Great Britain", {3, 14}),
        ("Korea", {7, 8}),
        ("South Korea", {7, 8}),
        ("Republic of Korea", {7, 8}),
        ("Turkey", {9, 10}),
        ("Türkiye", {9, 10}),
        ("Turkiye", {9, 10}),
        ("Georgia", {5, 6}),
        ("Atlanta, Georgia", {5}),
        ("Atlanta, GA", {5}),
        ("Tbilisi, Georgia", {6}),
        ("Toronto, ON", {11}),
        ("Toronto, Ontario, Canada", {11}),
        ("New York", {12}),
        ("New York, NY", {12}),
        ("New York, New York, USA", {12}),
        ("Sao Paulo, Brazil", {13}),
        ("Paris", set()),
        ("Worcester, Massachusetts", {15}),
        ("Worcester Massachusetts USA", {15}),
        ('"Massachusetts"', {1, 2, 4, 15}),
        ("Indiana", set()),
        ("Oregon", set()),
        ("North Carolina", {17}),
        ("Durham North Carolina", {17}),
        ("Lima, North Carolina", set()),
    ],
)
def test_a_place_is_found_as_people_write_it(
    registry: Registry, text: str, expected: set[int]
) -> None:
    assert found(registry, query_locn=text) == expected


def test_a_quoted_place_is_one_name(registry: Registry) -> None:
    assert found(registry, query_locn='"Boston, MA"') == set()
    assert found(registry, query_locn='"USA"') == found(registry, query_locn="USA")


def test_conditions_on_one_site_hold_at_that_site(registry: Registry) -> None:
    apart = "AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts"
    assert found(registry, filter_advanced=apart) == {1, 2, 4}
    assert found(registry, filter_advanced=f"SEARCH[Location]({apart})") == {1, 4}


def test_the_name_of_a_state_finds_its_code_in_stored_text(registry: Registry) -> None:
    query = (
        "SEARCH[Location](COVERAGE[FullMatch]EXPANSION[Concept]AREA[LocationSearch]Massachusetts)"
    )
    assert found(registry, filter_advanced=query) == {1, 2, 4, 15}


def test_the_code_of_a_country_is_a_piece_of_its_own(registry: Registry) -> None:
    assert found(registry, filter_advanced="AREA[LocationCountryCode]KR") == {7, 8}
    assert found(registry, filter_advanced="AREA[LocationCountryCode]TR") == {9, 10}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("USA", "US"),
        ("Korea, Republic of", "KR"),
        ("Georgia", "GE"),
        ("Atlantis", None),
        ("", None),
    ],
)
def test_countries_have_codes(name: str, code: str | None) -> None:
    assert country_code(name) == code


def test_an_unknown_place_is_spelled_as_it_is() -> None:
    assert place_spellings("Springfield") == ("Springfield",)


def test_countries_count_once_under_all_their_names(registry: Registry) -> None:
    counts = registry.count_by(TrialQuery(), "LocationCountryCode")
    assert (counts["KR"], counts["TR"], counts["US"]) == (2, 2, 7)


def test_a_study_with_both_names_of_a_country_counts_once(tmp_path: Path) -> None:
    sites = (site("Seoul", country="South Korea"), site("Busan", country="Korea, Republic of"))
    with opened(tmp_path, with_sites(FIRST, *sites, site("Nowhere", country="Atlantis"))) as both:
        assert both.count_by(TrialQuery(), "LocationCountryCode") == {"KR": 1}
        assert len(both.count_by(TrialQuery(), "LocationCountry")) == 3
