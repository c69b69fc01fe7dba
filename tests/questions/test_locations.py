"""Places as people type them: what they are understood as, and which trials have a site there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.each_case import on_each_case
from tests.registry.invented import FIRST, opened, site, with_sites
from trialyst.ctgov.params import parse_params, to_params
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput
from trialyst.questions.locations import read_location, read_surroundings
from trialyst.questions.place_reading import PlaceReading
from trialyst.registry import RegistrySource

READINGS = Path(__file__).parent.parent / "fixtures" / "places" / "readings.txt"


@dataclass(eq=False)
class Uncounted:
    """A source that learned no cities, as the live one, and holds some trials of whatever."""

    trials: int = 9
    cities: None = None

    async def count(self, query: TrialQuery) -> int:
        return self.trials


def read(source: Any, text: str) -> PlaceReading:
    return asyncio.run(read_location(source, text))


def read_around(source: Any, text: str, km: float | None = None) -> PlaceReading:
    return asyncio.run(read_surroundings(source, text, km))


def _table() -> Iterator[tuple[str, str, str]]:
    for line in READINGS.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            text, _, meaning = line.partition(" = ")
            kind, _, name = meaning.partition(" | ")
            yield text, kind, name


TABLE = tuple(_table())


@on_each_case(("text", "kind", "name"), TABLE)
def test_a_place_is_understood_as_people_mean_it(text: str, kind: str, name: str) -> None:
    # A town that no list has would be asked of the records, which this source has all of.
    source = Uncounted(trials=0 if kind == "words" else 9)
    reading = read(source, text)
    assert (reading.kind, reading.name) == (kind, name)


@on_each_case("text", [text for text, kind, _ in TABLE if kind != "words"])
def test_an_expression_for_the_live_service_can_be_sent_and_read(text: str) -> None:
    query = TrialQuery(filters=(read(Uncounted(), text).node,))
    assert "LocationCountryCode" not in str(to_params(query))
    assert parse_params(to_params(query)) == query


@pytest.mark.parametrize(
    "text",
    ["DE", "Georgia", "New York", "Washington", "Victoria", "Cambridge", "Punjab", "LA", "MA"],
)
def test_each_alternative_is_read_as_what_it_says(text: str) -> None:
    offered = read(Uncounted(), text).alternatives
    assert offered
    assert [read(Uncounted(), each).name for each in offered] == list(offered)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Bostn", "Boston, Massachusetts, United States"),
        ("Germny", "Germany"),
        ("Massachusets", "Massachusetts, United States"),
        ("Philadelpia, PA", "Philadelphia, Pennsylvania, United States"),
        ("Boston, Massachusets", "Boston, Massachusetts, United States"),
        ("Sydny Australia", "Sydney, Australia"),
        ("Untied States", "United States"),
    ],
)
def test_a_misspelt_place_is_recognised_and_said(text: str, name: str) -> None:
    reading = read(Uncounted(trials=0), text)
    assert (reading.name, reading.corrected) == (name, name)
    assert text in reading.notes[0]


def test_what_records_hold_is_not_corrected() -> None:
    reading = read(Uncounted(trials=4), "Bostn")
    assert (reading.kind, reading.corrected) == ("words", None)


def test_a_misspelling_of_two_places_is_offered_both() -> None:
    reading = read(Uncounted(trials=0), "Nigera")
    assert (reading.kind, reading.corrected) == ("words", None)
    assert set(reading.alternatives) == {"Niger", "Nigeria"}


@pytest.mark.parametrize("text", ["near Germany", "near me", "near Nowhereville", "999,999"])
def test_nothing_is_near_what_is_no_city(text: str) -> None:
    with pytest.raises(InvalidInput):
        read(Uncounted(), text)


def test_a_country_is_no_place_to_be_near_and_the_hint_names_location() -> None:
    with pytest.raises(InvalidInput, match="'France' is a country") as caught:
        read_around(Uncounted(), "France")
    assert "`location='France'`" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("text", "km", "within"),
    [
        ("Boston", None, 80.0),
        ("near Boston", 25.0, 25.0),
        ("within 30 km of Boston", None, 30.0),
        ("Boston, MA 02115", None, 80.0),
    ],
)
def test_surroundings_take_the_distance_that_is_told(
    text: str, km: float | None, within: float
) -> None:
    reading = read_around(Uncounted(), text, km)
    assert reading.circle is not None
    assert reading.circle.km == within
    assert reading.name.startswith("Boston, Massachusetts, United States")


US = {"country": "United States"}
SITES = [
    [site("San Francisco", state="California", **US)],
    [site("South San Francisco", state="California", **US)],
    [site("Richmond", state="Virginia", **US)],
    [site("Charleston", state="West Virginia", **US)],
    [
        site("Tijuana", state="Baja California", country="Mexico"),
        site("Boise", state="Idaho", **US),
    ],
    [site("Seoul", country="Korea, Republic of")],
    [site("Busan", country="South Korea")],
    [site("München", country="Germany"), site("Cambridge", state="Massachusetts", **US)],
    [site("Berlin", state="Berlin", country="Germany")],
    [site("Hannover", state="Lower Saxony", country="Germany")],
    [site("Dresden", country="Germany")],
    [site("London", country="United Kingdom"), site("Toronto", country="Canada")],
    [site("Glasgow", country="United Kingdom")],
    [site("Paris", state="Texas", **US)],
    [site("Paris Cedex 13", country="France")],
    [site("New York", state="New York", **US), site("Buffalo", state="New York", **US)],
    [site("Albany", state="New York", **US), site("New York", country="United Kingdom")],
    [site("Dover", state="Delaware", **US)],
    [site("Lyon", country="France", facility="Massachusets House")],
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistrySource]:
    studies = [with_sites(number, *where) for number, where in enumerate(SITES, FIRST)]
    with opened(tmp_path_factory.mktemp("located"), *studies) as registry:
        yield RegistrySource(registry)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("San Francisco", {1}),
        ("South San Francisco, CA", {2}),
        ("California", {1, 2}),
        ("Virginia", {3}),
        ("West Virginia", {4}),
        ("South Korea", {6, 7}),
        ("KR", {6, 7}),
        ("Munich", {8}),
        ("Bavaria", {8}),
        ("Saxony", {11}),
        ("Lower Saxony", {10}),
        ("DE", {8, 9, 10, 11}),
        ("Delaware", {18}),
        ("England", {12, 17}),
        ("Scotland", {13}),
        ("Ontario", {12}),
        ("Paris", {15}),
        ("Paris, TX", {14}),
        ("New York, NY", {16}),
        ("New York", {16, 17}),
        ("DACH", {8, 9, 10, 11}),
        ("New England", {8}),
        ("East Asia", {6, 7}),
        ("Scotland, Delaware", {13, 18}),
        ("Massachusets House", {19}),
        ("Massachusets", {8, 19}),
    ],
)
def test_a_trial_is_found_where_one_of_its_sites_lies(
    source: RegistrySource, text: str, expected: set[int]
) -> None:
    node = read(source, text).node
    numbers = source.registry.match_numbers(TrialQuery(filters=(node,)))
    assert {number - FIRST + 1 for number in numbers} == expected


def test_of_several_meanings_the_one_with_the_most_trials_is_taken(source: RegistrySource) -> None:
    reading = read(source, "DE")
    assert (reading.name, reading.alternatives) == ("Germany", ("Delaware, United States",))
    assert "4 (Delaware, United States: 1)" in reading.notes[0]
    assert read(source, "TX").name == "Texas, United States"


def test_a_town_that_only_records_know_says_so(source: RegistrySource) -> None:
    reading = read(source, "Paris, TX")
    assert (reading.kind, reading.name) == ("city", "Paris, Texas, United States")
    assert reading.notes == ("Known from the records alone.",)


def test_a_province_by_its_cities_is_marked_approximate(source: RegistrySource) -> None:
    assert read(source, "Bavaria").approximate
    assert not read(source, "Virginia").approximate
