"""Trials near a place, with sites that state no point."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.registry.invented import FIRST, site, with_sites
from trialyst.discovery import Discovery
from trialyst.registry import Registry, RegistrySource, build_from_studies

BOSTON = (42.36, -71.06)
LOS_ANGELES = (34.05, -118.24)


def in_us(city: str, state: str, **more: Any) -> dict[str, Any]:
    return site(city, state=state, country="United States", **more)


STUDIES = [
    with_sites(FIRST, in_us("Boston", "Massachusetts", point=BOSTON)),
    with_sites(FIRST + 1, in_us("Boston", "Massachusetts")),
    with_sites(FIRST + 2, in_us("Cambridge", "MA")),
    with_sites(FIRST + 3, in_us("Boston", "Georgia")),
    with_sites(FIRST + 4, site("Boston", country="United Kingdom")),
    with_sites(FIRST + 5, in_us("Chicago", "Illinois"), in_us("Nowhere", "Massachusetts")),
    with_sites(FIRST + 6, in_us("Boston", "Massachusetts", point=LOS_ANGELES)),
]


@pytest.fixture(scope="module")
def discovery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Discovery]:
    directory = tmp_path_factory.mktemp("near")
    build_from_studies(STUDIES, directory)
    with Registry.open(directory) as opened:
        yield Discovery(RegistrySource(opened))


def near(discovery: Discovery, place: str, **arguments: Any) -> list[int]:
    found = asyncio.run(discovery.search_trials(near=place, **arguments))
    return sorted(int(item["id"].removeprefix("NCT:")) - FIRST for item in found["items"])


def test_a_site_without_a_point_is_found_by_its_city(discovery: Discovery) -> None:
    assert near(discovery, "Boston, MA") == [0, 1, 2]


def test_a_point_decides_where_there_is_one(discovery: Discovery) -> None:
    assert near(discovery, "Los Angeles") == [6]


def test_a_smaller_circle_leaves_the_next_city_out(discovery: Discovery) -> None:
    assert near(discovery, "42.36,-71.06", within=1) == [0, 1]


def test_the_nearest_known_point_comes_first(discovery: Discovery) -> None:
    found = asyncio.run(discovery.search_trials(near="Boston, MA"))
    assert found["items"][0]["id"] == f"NCT:{FIRST:08d}"
    assert "by their city" in found["understood"]["near"]["note"]


def test_counts_agree_with_the_search(discovery: Discovery) -> None:
    counted = asyncio.run(discovery.count_trials(near="Boston, MA"))
    assert counted["total_count"] == 3


def test_every_item_carries_its_nearest_site(discovery: Discovery) -> None:
    found = asyncio.run(discovery.search_trials(near="Boston, MA"))
    first = found["items"][0]["nearest_site"]
    assert (first["city"], first["distance_km"]) == ("Boston", 0.0)
    assert all(item["nearest_site"]["distance_km"] <= 80 for item in found["items"])
