"""Places on real records, against a naive look at every site."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.registry.oracle.corpus import nct_number
from trialyst.ctgov.countries import country_code
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.regions import find_region
from trialyst.folding import fold_phrase
from trialyst.questions.locations import read_location
from trialyst.registry import Registry, RegistrySource

CITIES = 80
UNITED_STATES = "United States"

pytestmark = pytest.mark.slow


class Place(NamedTuple):
    city: str
    state: str
    country: str


class Records(NamedTuple):
    source: RegistrySource
    sites: dict[int, list[Place]]

    def holding(self, holds: Callable[[Place], bool]) -> set[int]:
        """Give the studies with a site for which something holds, one site after the other."""
        return {number for number, sites in self.sites.items() if any(map(holds, sites))}

    def in_countries(self, names: Collection[str]) -> set[int]:
        return self.holding(lambda place: place.country in names)

    def in_country_of(self, name: str) -> set[int]:
        code = country_code(name)
        return self.holding(lambda place: country_code(place.country) == code)

    def in_state(self, state: str) -> set[int]:
        return self.holding(lambda place: place[1:] == (state, UNITED_STATES))

    def in_city(self, asked: Place) -> set[int]:
        """Give the studies with a site of that city, in America also of that state."""
        name, code = fold_phrase(asked.city), country_code(asked.country)
        states = {asked.state} if asked.country == UNITED_STATES else None
        return self.holding(
            lambda place: (
                fold_phrase(place.city) == name
                and country_code(place.country) == code
                and (states is None or place.state in states)
            )
        )

    def found(self, text: str) -> set[int]:
        reading = asyncio.run(read_location(self.source, text))
        return self.source.registry.match_numbers(TrialQuery(filters=(reading.node,)))

    def places(self) -> Counter[Place]:
        return Counter(place for sites in self.sites.values() for place in sites)

    def cities(self, *, american: bool) -> list[Place]:
        """Give cities by chance, those with many sites more often."""
        named = {
            place: times
            for place, times in self.places().items()
            if place.city and place.country and (place.country == UNITED_STATES) is american
        }
        return sorted(set(random.Random(7).choices(list(named), list(named.values()), k=CITIES)))


def _places(study: dict[str, Any]) -> list[Place]:
    module = study["protocolSection"].get("contactsLocationsModule") or {}
    return [
        Place(*(str(site.get(key) or "") for key in Place._fields))
        for site in module.get("locations") or ()
    ]


@pytest.fixture(scope="module")
def records(
    real_registry: Path, real_studies_of_every_kind: list[dict[str, Any]]
) -> Iterator[Records]:
    sites = {nct_number(study): _places(study) for study in real_studies_of_every_kind}
    with Registry.open(real_registry) as registry:
        yield Records(RegistrySource(registry), sites)


def test_every_country_is_found_under_all_its_names(records: Records) -> None:
    names: dict[str, set[str]] = defaultdict(set)
    for place in records.places():
        if code := country_code(place.country):
            names[code].add(place.country)
    assert len(names) > 80
    assert len(names["KR"]) > 1
    for written in names.values():
        for name in written:
            asked = f"{name} (country)" if name == "Georgia" else name
            assert records.found(asked) == records.in_countries(written), name


def test_every_state_is_found_with_no_other(records: Records) -> None:
    states = {place.state for place in records.places() if place.country == UNITED_STATES}
    assert len(states) > 45
    for state in states:
        assert records.found(f"{state}, USA") == records.in_state(state), state


@pytest.mark.parametrize("name", ["Europe", "Scandinavia", "Middle East", "Latin America", "Asia"])
def test_a_region_is_found_by_all_its_countries(records: Records, name: str) -> None:
    region = find_region(name)
    assert region is not None
    truth = records.holding(lambda place: country_code(place.country) in region.countries)
    assert records.found(name) == truth


def test_an_american_city_is_found_at_sites_that_name_it_and_its_state(records: Records) -> None:
    for asked in records.cities(american=True):
        found = records.found(f"{asked.city}, {asked.state}")
        assert records.in_city(asked) <= found <= records.in_state(asked.state), asked


def test_a_city_is_found_at_sites_that_name_it_and_its_country(records: Records) -> None:
    lost = 0
    for asked in records.cities(american=False):
        found = records.found(f"{asked.city}, {asked.country}")
        assert found <= records.in_country_of(asked.country), asked
        lost += len(records.in_city(asked) - found)
    # A Canadian city with the wrong province, a province written as the city.
    assert lost <= CITIES // 20
