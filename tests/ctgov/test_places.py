"""Places as people type them to points, and what is said when they mean nothing or too much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.ctgov.cities import City, city_key
from trialyst.ctgov.distance import distance_km
from trialyst.ctgov.places import Place, locate_city, resolve_place
from trialyst.errors import InvalidInput

NAMES = [
    ("Boston", "Boston, Massachusetts, United States"),
    ("Boston, MA", "Boston, Massachusetts, United States"),
    ("boston ma", "Boston, Massachusetts, United States"),
    ("BOSTON, Massachusetts", "Boston, Massachusetts, United States"),
    ("Boston, MA, U.S.A.", "Boston, Massachusetts, United States"),
    ("Paris, France", "Paris, France"),
    ("Paris, FR", "Paris, France"),
    ("Cambridge, UK", "Cambridge, United Kingdom"),
    ("Cambridge, England", "Cambridge, United Kingdom"),
    ("Cambridge, MA", "Cambridge, Massachusetts, United States"),
    ("Munich", "Munich, Germany"),
    ("München", "Munich, Germany"),
    ("Muenchen", "Munich, Germany"),
    ("Munich, Bavaria, Germany", "Munich, Germany"),
    ("Seoul", "Seoul, South Korea"),
    ("Seoul, Korea, Republic of", "Seoul, South Korea"),
    ("Seoul, Seoul, Korea, Republic of", "Seoul, South Korea"),
    ("New York City", "New York City, New York, United States"),
    ("NYC", "New York City, New York, United States"),
    ("New York, NY", "New York City, New York, United States"),
    ("Washington, D.C.", "Washington, District of Columbia, United States"),
    ("St Louis", "St. Louis, Missouri, United States"),
    ("Tbilisi, Georgia", "Tbilisi, Georgia"),
    ("Atlanta, Georgia", "Atlanta, Georgia, United States"),
    ("London, Ontario", "London, Ontario, Canada"),
    ("Sydney, NSW", "Sydney, Australia"),
    ("Bombay", "Mumbai, India"),
    ("Singapore", "Singapore, Singapore"),
]


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_name_means_its_city(text: str, name: str) -> None:
    assert resolve_place(text).name == name


def test_city_lies_where_it_should() -> None:
    assert distance_km(resolve_place("Boston").point, (42.3601, -71.0589)) < 5


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("42.36,-71.06", (42.36, -71.06)),
        (" 42.36 , -71.06 ", (42.36, -71.06)),
        ("42.36 -71.06", (42.36, -71.06)),
        ("42.36° N, 71.06° W", (42.36, -71.06)),
        ("-33.87; 151.21", (-33.87, 151.21)),
        ("90,180", (90.0, 180.0)),
    ],
)
def test_numbers_are_a_point(text: str, point: tuple[float, float]) -> None:
    place = resolve_place(text)
    assert place.point == point
    assert not place.approximate


@pytest.mark.parametrize(
    "text", ["90.1,0", "0,180.5", "-91,0", "42.36", "1,2,3", "02115", "4,2,-7,1"]
)
def test_numbers_that_are_no_point_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"point") as caught:
        resolve_place(text)
    assert caught.value.invalid_input == text


def test_shared_name_means_the_largest_and_names_the_others() -> None:
    place = resolve_place("Cambridge")
    assert place.name == "Cambridge, United Kingdom"
    assert "Cambridge, Massachusetts, United States" in place.notes[0]


def test_qualified_name_needs_no_note() -> None:
    assert resolve_place("Cambridge, MA").notes == ()


def test_unknown_place_names_the_nearest() -> None:
    with pytest.raises(InvalidInput, match="Unknown place 'Bostn'") as caught:
        resolve_place("Bostn")
    assert "Boston, Massachusetts, United States" in caught.value.hint


def test_nearest_name_of_a_hint_can_be_used() -> None:
    with pytest.raises(InvalidInput) as caught:
        resolve_place("Philadelpia, PA")
    offered = caught.value.hint.removeprefix("Did you mean ").partition("? ")[0].split(" or ")
    assert "Philadelphia" in offered[0]
    assert [resolve_place(name).name for name in offered] == offered


def test_city_in_the_wrong_country_offers_where_it_is() -> None:
    with pytest.raises(InvalidInput) as caught:
        resolve_place("Boston, France")
    assert caught.value.hint.startswith("Did you mean Boston, Massachusetts, United States? ")


@pytest.mark.parametrize(("text", "what"), [("France", "country"), ("Massachusetts", "state")])
def test_country_or_state_is_no_point(text: str, what: str) -> None:
    with pytest.raises(InvalidInput, match=f"{text}' is a {what}, not a city"):
        resolve_place(text)


def test_region_of_no_known_name_is_told_not_trusted() -> None:
    assert resolve_place("Sydney, Cumberland, Australia").notes == (
        "The region 'Cumberland' was not checked.",
    )


@pytest.mark.parametrize(
    "text", ["", " ", ",", "東京", "x" * 5000, "9" * 5000, "\x00", "N", ", MA"]
)
def test_text_that_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        resolve_place(text)


@given(st.text(max_size=60))
def test_any_text_is_a_place_or_refused(text: str) -> None:
    try:
        place = resolve_place(text)
    except InvalidInput:
        return
    assert abs(place.latitude) <= 90
    assert abs(place.longitude) <= 180


@given(st.floats(-90, 90), st.floats(-180, 180))
def test_written_points_read_back(latitude: float, longitude: float) -> None:
    place = resolve_place(f"{latitude:.4f},{longitude:.4f}")
    assert place.point == pytest.approx((latitude, longitude), abs=1e-4)


LEARNED = {
    city_key("Littletown"): (City("Littletown", "KS", "US", 38.5, -98.0, sites=3),),
    city_key("Boston"): (
        City("Boston", "MA", "US", 42.34, -71.1, sites=9),
        City("Boston", "KY", "US", 37.8, -85.6, sites=1),
    ),
}


def test_learned_city_is_found() -> None:
    assert resolve_place("Littletown, Kansas", learned=LEARNED).point == (38.5, -98.0)


def test_learned_namesake_is_noted_and_can_be_named() -> None:
    place = resolve_place("Boston", learned=LEARNED)
    assert place.name == "Boston, Massachusetts, United States"
    assert "Boston, Kentucky, United States" in place.notes[0]
    assert resolve_place("Boston, KY", learned=LEARNED).latitude == 37.8


def located(city: str, state: str | None, country: str | None) -> Place | None:
    return locate_city(city, state=state, country=country, learned=LEARNED)


def test_site_takes_the_point_of_its_city() -> None:
    place = located("Boston", "Massachusetts", "United States")
    assert place is not None
    assert place.point == (42.34, -71.1)
    assert place.approximate


def test_point_of_a_namesake_far_away_is_not_trusted() -> None:
    learned = {city_key("Munich"): (City("Munich", "", "DE", 51.6, 13.3, sites=2),)}
    place = locate_city("Munich", state=None, country="Germany", learned=learned)
    assert place is not None
    assert distance_km(place.point, (48.14, 11.58)) < 5


def test_site_in_a_city_not_learned_takes_the_shipped_point() -> None:
    place = located("München", None, "Germany")
    assert place is not None
    assert place.name == "Munich, Germany"


@pytest.mark.parametrize(
    ("city", "state", "country"),
    [
        ("Boston", None, "United States"),
        ("Boston", "Texas", "United States"),
        ("Boston", "Massachusetts", None),
        ("Nowhere", None, "France"),
        ("", None, "France"),
    ],
)
def test_site_without_a_certain_city_has_no_point(
    city: str, state: str | None, country: str | None
) -> None:
    assert located(city, state, country) is None
