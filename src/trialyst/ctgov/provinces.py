"""Provinces, states and cantons outside the United States and Canada: Bavaria, Scotland, Sindh.

Records seldom state them, so the cities of a province stand for it too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from trialyst.ctgov.cities import BY_STATE, City, shipped_cities
from trialyst.ctgov.countries import country_name, find_state, read_lines
from trialyst.folding import fold_phrase

__all__ = [
    "Province",
    "cities_of_province",
    "find_provinces",
    "is_part_of_a_country",
    "lies_in",
    "province_names",
    "siblings",
]

_REST = ("GB", "ENG")
"""England is the rest of its country: its own towns are too many to name, the others' are not."""


@dataclass(frozen=True, slots=True)
class Province:
    """A part of a country that people name."""

    country: str
    code: str
    names: tuple[str, ...]
    written: tuple[str, ...]
    """What else stands for it in the state of a site: codes, districts, misspellings."""
    towns: tuple[str, ...]
    """Towns in it that are not in the list of cities."""

    @property
    def label(self) -> str:
        """The name with the country."""
        return f"{self.names[0]}, {country_name(self.country)}"

    @property
    def is_rest(self) -> bool:
        """Whether it is what the other provinces of its country leave."""
        return (self.country, self.code) == _REST


def find_provinces(name: str) -> tuple[Province, ...]:
    """Give the provinces of a name; more than one country may have it.

    >>> [province.label for province in find_provinces("Bayern")]
    ['Bavaria, Germany']
    """
    return _by_name().get(fold_phrase(name), ())


def cities_of_province(country: str, code: str) -> tuple[City, ...]:
    """Give the shipped cities of a province whose name no larger city of the country has."""
    return _cities().get((country, code), ())


def siblings(province: Province) -> tuple[Province, ...]:
    """Give the other provinces of its country."""
    return tuple(
        each for each in _provinces() if each.country == province.country and each != province
    )


def lies_in(city: City, text: str) -> bool:
    """Whether a city lies in the state or province a text names, by name, code or district."""
    if city.country in BY_STATE:
        return city.region == find_state(text)
    key = fold_phrase(text)
    return (city.country, city.region) in _homes().get(key, ()) or fold_phrase(city.region) == key


def is_part_of_a_country(text: str) -> bool:
    """Whether a text names a province, or a district that stands for one."""
    return fold_phrase(text) in _homes()


def province_names() -> tuple[str, ...]:
    """Give every name of every province."""
    return tuple(name for province in _provinces() for name in province.names)


@cache
def _provinces() -> tuple[Province, ...]:
    found = []
    for line in read_lines("provinces.txt"):
        home, *lists = line.split("\t")
        country, code = home.split(" ")
        names, written, towns = map(_split, (*lists, "", "")[:3])
        found.append(Province(country, code, names, written, towns))
    return tuple(found)


def _split(names: str) -> tuple[str, ...]:
    return tuple(names.split(" | ")) if names else ()


@cache
def _by_name() -> Mapping[str, tuple[Province, ...]]:
    table: dict[str, tuple[Province, ...]] = {}
    for province in _provinces():
        for key in dict.fromkeys(map(fold_phrase, province.names)):
            table[key] = (*table.get(key, ()), province)
    return table


@cache
def _homes() -> Mapping[str, frozenset[tuple[str, str]]]:
    """Country and code of the provinces that a text in an address can mean."""
    table: dict[str, set[tuple[str, str]]] = {}
    for each in _provinces():
        for name in (*each.names, *each.written):
            table.setdefault(fold_phrase(name), set()).add((each.country, each.code))
    return {key: frozenset(homes) for key, homes in table.items()}


@cache
def _cities() -> Mapping[tuple[str, str], tuple[City, ...]]:
    largest: dict[tuple[str, str], City] = {}
    for key, named in shipped_cities().items():
        for city in named:
            largest.setdefault((city.country, key), city)
    table: dict[tuple[str, str], dict[City, None]] = {}
    for (country, _), city in largest.items():
        table.setdefault((country, city.region), {})[city] = None
    return {home: tuple(cities) for home, cities in table.items()}
