"""The shipped list of cities: their names, points and countries.

Never guesses: a name that is not in the list has no city here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from trialyst.ctgov.countries import country_name, read_lines, state_name
from trialyst.ctgov.distance import Point, distance_km
from trialyst.folding import fold_phrase

__all__ = [
    "BY_STATE",
    "City",
    "LearnedCities",
    "are_one_city",
    "cities_named",
    "cities_within",
    "city_key",
    "could_lie_within",
    "names_holding",
    "shipped_cities",
    "shipped_names",
    "spellings_of_key",
]

BY_STATE = ("US", "CA")
"""Where a city's name alone says little, so its state must agree."""
_SAME_CITY_KM = 60.0
"""Points of one name closer than this are one city."""
_REMOTE_KM = 300.0
"""No city of a state is farther than this from one of that state that the list has."""
_SHORT_WORDS = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}
_INITIALS = re.compile(r"(?<=\b\w) (?=\w\b)")
_UMLAUT = re.compile(r"(?<=[aou])e")
_WITHOUT_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "oe", "å": "aa"}
)


@dataclass(frozen=True, slots=True)
class City:
    """A city with a point that stands for it."""

    name: str
    region: str
    """Postal code of a US state or Canadian province, GeoNames code or name of another region."""
    country: str
    """ISO code."""
    latitude: float
    longitude: float
    people: int = 0
    """Thousands of inhabitants; 0 when not known."""
    sites: int = 0
    """Trial sites the point was learned from."""
    written: tuple[str, ...] = ()
    """Other names of it that records use."""
    apart: tuple[str, ...] = ()
    """Texts that hold one of its names but mean another city, as `South San Francisco` does."""

    @property
    def point(self) -> Point:
        """Latitude and longitude."""
        return self.latitude, self.longitude

    @property
    def names(self) -> tuple[str, ...]:
        """Its names as records write them, with and without umlauts."""
        known = (self.name, *self.written)
        spelled = (each.translate(_WITHOUT_UMLAUTS) for each in known)
        return tuple({fold_phrase(name): name for name in (*spelled, *known)}.values())

    @property
    def label(self) -> str:
        """The name with state and country, as `resolve_place` takes it."""
        state = state_name(self.region) if self.country in BY_STATE else None
        return ", ".join(filter(None, (self.name, state, country_name(self.country))))


LearnedCities = Mapping[str, Sequence[City]]
"""Cities a registry learned from its records, by `city_key` of their names."""


def cities_named(name: str, learned: LearnedCities | None = None) -> list[City]:
    """Give the cities of a name, the most populous first.

    >>> [city.label for city in cities_named("Muenchen")]
    ['Munich, Germany']
    """
    key = city_key(name)
    known = {} if learned is None else learned
    for spelling in dict.fromkeys((key, _UMLAUT.sub("", key))):
        shipped = list(shipped_cities().get(spelling, ()))
        others = [
            city
            for city in known.get(spelling, ())
            if not any(are_one_city((city, near)) for near in shipped)
        ]
        if shipped or others:
            return sorted((*shipped, *others), key=_weight, reverse=True)
    return []


def _weight(city: City) -> tuple[int, int]:
    return city.people, city.sites


def are_one_city(cities: Sequence[City]) -> bool:
    """Whether all the cities are the same one, by country and point."""
    return all(
        city.country == cities[0].country
        and distance_km(city.point, cities[0].point) <= _SAME_CITY_KM
        for city in cities[1:]
    )


def names_holding(name: str, *, country: str, region: str = "") -> tuple[str, ...]:
    """Give the shipped names in a country, or in a state of it, that hold a name as a part.

    >>> names_holding("Palm Beach", country="US", region="FL")
    ('palm beach garden', 'west palm beach')
    """
    part = f" {city_key(name)} "
    return tuple(
        sorted(
            key
            for key, cities in shipped_cities().items()
            if part in f" {key} "
            and part != f" {key} "
            and any(c.country == country and region in ("", c.region) for c in cities)
        )
    )


def cities_within(centre: Point, km: float) -> list[City]:
    """Give the shipped cities within a distance of a point.

    >>> [city.name for city in cities_within((48.86, 2.35), 3)]
    ['Paris']
    """
    # A degree of latitude is never shorter than this, so nearly all need no further look.
    degrees = km / 110
    near = (city for city in _cities() if abs(city.latitude - centre[0]) <= degrees)
    return [city for city in near if distance_km(city.point, centre) <= km]


@lru_cache(maxsize=4_096)
def could_lie_within(centre: Point, km: float, *, country: str, region: str = "") -> bool:
    """Whether a city of a country, or of a state of it, could lie within a distance of a point.

    >>> boston = (42.36, -71.06)
    >>> could_lie_within(boston, 50, country="US", region="NH")
    True
    >>> could_lie_within(boston, 50, country="FR")
    False
    """
    there = [city.point for city in _by_country().get(country, ()) if region in ("", city.region)]
    return not there or any(distance_km(each, centre) <= km + _REMOTE_KM for each in there)


@cache
def _by_country() -> Mapping[str, list[City]]:
    table: dict[str, list[City]] = {}
    for city in _cities():
        table.setdefault(city.country, []).append(city)
    return table


@lru_cache(maxsize=20_000)
def city_key(name: str) -> str:
    """Give the key under which all spellings of a city's name agree.

    >>> city_key("St.Louis") == city_key("Saint Louis"), city_key("ZÜRICH"), city_key("D.C.")
    (True, 'zurich', 'dc')
    """
    words = _INITIALS.sub("", fold_phrase(name.replace(".", " "))).split()
    return " ".join(_SHORT_WORDS.get(word, word) for word in words)


def spellings_of_key(key: str) -> list[str]:
    """Give the folded names that have a key, for finding them in a folded text.

    >>> spellings_of_key("saint louis")
    ['saint louis', 'st louis']
    """
    short = {long: word for word, long in _SHORT_WORDS.items()}
    shortened = " ".join(short.get(word, word) for word in key.split())
    return list(dict.fromkeys((key, shortened)))


@cache
def shipped_cities() -> Mapping[str, tuple[City, ...]]:
    """Give the shipped cities by the key of each of their names, the most populous first."""
    table: dict[str, list[City]] = {}
    for city, spoken in _read():
        for key in dict.fromkeys(map(city_key, (*city.names, *spoken))):
            table.setdefault(key, []).append(city)
    return {key: tuple(cities) for key, cities in table.items()}


@cache
def shipped_names() -> tuple[tuple[str, City], ...]:
    """Give every shipped name with the most populous city that has it."""
    return tuple((key, cities[0]) for key, cities in shipped_cities().items())


@cache
def _cities() -> tuple[City, ...]:
    """The shipped cities, each once, by name."""
    return tuple(sorted(_all(), key=lambda city: (city.name, city.region, city.country)))


def _all() -> set[City]:
    return {city for named in shipped_cities().values() for city in named}


@cache
def _read() -> tuple[tuple[City, tuple[str, ...]], ...]:
    """The shipped cities with the names that only people use."""
    found = []
    for line in read_lines("cities.txt"):
        fields = [*line.split("\t"), ""]
        name, written, spoken, region, country, latitude, longitude, people, apart = fields[:9]
        city = City(
            name,
            region,
            country,
            float(latitude),
            float(longitude),
            int(people),
            written=_split(written),
            apart=_split(apart),
        )
        found.append((city, _split(spoken)))
    return tuple(found)


def _split(names: str) -> tuple[str, ...]:
    return tuple(names.split(" | ")) if names else ()
