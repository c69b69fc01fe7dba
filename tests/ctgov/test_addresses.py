"""Texts that say where, taken apart without knowing any place."""

from __future__ import annotations

import pytest

from trialyst.ctgov.addresses import parse_address, read_area, split_list


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Boston, MA", ("Boston", "MA")),
        ("Boston (MA)", ("Boston", "MA")),
        ("USA - Boston", ("USA", "Boston")),
        ("Germany: Berlin", ("Germany", "Berlin")),
        ("Winston-Salem", ("Winston-Salem",)),
        ('"Boston"', ("Boston",)),
        ("sites in Boston", ("Boston",)),
        ("in Germany", ("Germany",)),
        ("IN", ("IN",)),
        ("02115 Boston", ("Boston",)),
        ("Cambridge CB2 0QQ, UK", ("Cambridge", "UK")),
        ("75013 Paris Cedex 13", ("Paris",)),
        ("D-80331 München", ("München",)),
        ("02115", ("02115",)),
        ("Europe (52 countries)", ("Europe",)),
        ("", ()),
    ],
)
def test_parts_lead_from_the_particular_to_the_general(text: str, parts: tuple[str, ...]) -> None:
    assert parse_address(text).parts == parts


@pytest.mark.parametrize(
    ("text", "place", "km"),
    [
        ("near Boston", "Boston", None),
        ("trials near Boston, MA", "Boston, MA", None),
        ("around Paris, France", "Paris, France", None),
        ("in and around Leeds", "Leeds", None),
        ("in the vicinity of Lyon", "Lyon", None),
        ("within 50 km of Boston", "Boston", 50.0),
        ("less than 10 miles from Houston, TX", "Houston, TX", 16.09344),
        ("100 kilometres around Berlin", "Berlin", 100.0),
        ("Boston within 50 km", "Boston", 50.0),
        ("Boston (50 km)", "Boston", 50.0),
        ("near Boston, 25 mi", "Boston", 40.2336),
    ],
)
def test_a_distance_is_taken_from_the_place(text: str, place: str, km: float | None) -> None:
    address = parse_address(text)
    assert (address.text, address.km, address.is_near) == (place, km, True)


@pytest.mark.parametrize("text", ["Boston", "Nearfield Clinic", "Aroundtown", "Boston 2"])
def test_other_texts_are_near_nothing(text: str) -> None:
    assert not parse_address(text).is_near


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Boston area", "Boston"),
        ("Greater Boston", "Boston"),
        ("the Houston metropolitan area", "Houston"),
        ("Leeds and surroundings", "Leeds"),
        ("Boston", None),
    ],
)
def test_the_wider_area_of_a_city_is_told(text: str, place: str | None) -> None:
    assert read_area(text) == place


def test_a_kind_in_brackets_is_told_apart() -> None:
    address = parse_address("Georgia (country)")
    assert (address.parts, address.kind) == (("Georgia",), "country")


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Germany and France", ["Germany", "France"]),
        ("US/Canada", ["US", "Canada"]),
        ("Boston, MA; Houston, TX", ["Boston, MA", "Houston, TX"]),
        ("Maryland", ["Maryland"]),
    ],
)
def test_lists_are_split_at_what_is_no_comma(text: str, items: list[str]) -> None:
    assert split_list(text) == items
