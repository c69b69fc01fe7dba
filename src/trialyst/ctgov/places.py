"""Places as people type them to points on the globe.

Owns the shipped list of cities and what a name such as "Boston, MA" means. It never guesses beyond
the list: a place that is not known is an error that names the nearest ones, and a name that several
cities share says so.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from trialyst.ctgov.countries import (
    country_code,
    country_name,
    is_country_code,
    state_code,
    state_name,
)
from trialyst.ctgov.distance import Point, distance_km
from trialyst.errors import InvalidInput
from trialyst.folding import fold_phrase

__all__ = [
    "BY_STATE",
    "City",
    "LearnedCities",
    "Place",
    "cities_within",
    "city_key",
    "locate_city",
    "resolve_place",
    "spellings_of_key",
]


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

    @property
    def point(self) -> Point:
        """Latitude and longitude."""
        return self.latitude, self.longitude

    @property
    def label(self) -> str:
        """The name with state and country, as `resolve_place` takes it."""
        state = state_name(self.region) if self.country in BY_STATE else None
        return ", ".join(filter(None, (self.name, state, country_name(self.country))))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a search is centred, or where a site is taken to be."""

    name: str
    latitude: float
    longitude: float
    approximate: bool
    """Whether the point is that of a city, not one stated by a person or a record."""
    notes: tuple[str, ...] = ()
    """What else the name could mean, and what of it was not understood."""

    @property
    def point(self) -> Point:
        """Latitude and longitude."""
        return self.latitude, self.longitude


LearnedCities = Mapping[str, Sequence[City]]
"""Cities a registry learned from its records, by `city_key` of their names."""

BY_STATE = ("US", "CA")
"""Where a city's name alone says little, so its state must agree."""
_SAME_CITY_KM = 60.0
"""Points of one name closer than this are one city."""
_NUMBERS = re.compile(r"[-+0-9.,;\s°NSEWnsew()]+")
_DEGREES = re.compile(
    r"\(?\s*([-+]?\d{1,3}(?:\.\d*)?)\s*°?\s*([NS]?)\s*[,;\s]\s*"
    r"([-+]?\d{1,3}(?:\.\d*)?)\s*°?\s*([EW]?)\s*\)?",
    re.IGNORECASE,
)
_SHORT_WORDS = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}
_UMLAUT = re.compile(r"(?<=[aou])e")
_HOME_NATIONS = {"england": "ENG", "scotland": "SCT", "wale": "WLS", "northern ireland": "NIR"}
_LONGEST = 120
_LONGEST_QUALIFIER = 3
_MOST_NAMED = 5
_LIKENESS = 0.6


def resolve_place(text: str, *, learned: LearnedCities | None = None) -> Place:
    """Give the point of a place: `42.36,-71.06`, `Boston`, `Boston, MA` or `Paris, France`.

    A name that several cities share means the most populous; the notes name the others. An unknown
    place or a point off the globe raises InvalidInput.

    >>> resolve_place("Boston, MA").name
    'Boston, Massachusetts, United States'
    """
    text = text.strip()
    if any(letter.isdigit() for letter in text) and _NUMBERS.fullmatch(text):
        return _read_point(text)
    parts = [part.strip() for part in text[: _LONGEST + 1].replace(".", "").split(",")]
    parts = [part for part in parts if city_key(part)]
    if not parts or len(text) > _LONGEST:
        raise _unknown(text[:_LONGEST], ())
    known = {} if learned is None else learned
    if len(parts) == 1:
        _refuse_region(text, parts[0])
    for name, qualifiers in _readings(parts):
        cities, ignored = _narrow(_cities_named(name, known), qualifiers)
        if cities:
            return _to_place(cities, ignored=ignored)
    raise _unknown(text, _nearest(parts[0], known))


def locate_city(
    city: str, *, state: str | None, country: str | None, learned: LearnedCities | None = None
) -> Place | None:
    """Give the point of the city a site names; None when it is unknown or could be several.

    Country and, in the United States and Canada, state must agree: no point is better than a wrong
    one.
    """
    code, key = country_code(country or ""), city_key(city)
    if not code or not key:
        return None
    known = {} if learned is None else learned
    for cities in (known.get(key, ()), _shipped().get(key, ())):
        here = [each for each in cities if each.country == code]
        if code in BY_STATE:
            here = [each for each in here if each.region == state_code(state or "")]
        elif state and not _is_one(here):
            here = [each for each in here if _lies_in(each, state)]
        if here and _is_one(here):
            best = max(here, key=_weight)
            return Place(best.label, best.latitude, best.longitude, approximate=True)
    return None


def cities_within(centre: Point, km: float) -> list[City]:
    """Give the shipped cities within a distance of a point.

    >>> [city.name for city in cities_within((48.86, 2.35), 3)]
    ['Paris']
    """
    # A degree of latitude is never shorter than this, so nearly all need no further look.
    degrees = km / 110
    near = (city for city in _cities() if abs(city.latitude - centre[0]) <= degrees)
    return [city for city in near if distance_km(city.point, centre) <= km]


def city_key(name: str) -> str:
    """Give the key under which all spellings of a city's name agree.

    >>> city_key("St. Louis") == city_key("Saint Louis"), city_key("ZÜRICH")
    (True, 'zurich')
    """
    words = fold_phrase(name.replace(".", "")).split()
    return " ".join(_SHORT_WORDS.get(word, word) for word in words)


def spellings_of_key(key: str) -> list[str]:
    """Give the folded names that have a key, for finding them in a folded text.

    >>> spellings_of_key("saint louis")
    ['saint louis', 'st louis']
    """
    short = {long: word for word, long in _SHORT_WORDS.items()}
    shortened = " ".join(short.get(word, word) for word in key.split())
    return list(dict.fromkeys((key, shortened)))


def _read_point(text: str) -> Place:
    shape = _DEGREES.fullmatch(text)
    if not shape:
        raise InvalidInput(
            f"{text[:_LONGEST]!r} is not a point",
            hint="Write latitude and longitude in degrees, as in 42.36,-71.06.",
            invalid_input=text[:_LONGEST],
        )
    latitude, south, longitude, west = shape.groups()
    lat = -float(latitude) if south.upper() == "S" else float(latitude)
    lon = -float(longitude) if west.upper() == "W" else float(longitude)
    if abs(lat) > 90 or abs(lon) > 180:
        raise InvalidInput(
            f"The point {text!r} is not on the globe",
            hint="Latitude comes first, -90 to 90, then longitude, -180 to 180.",
            invalid_input=text,
        )
    return Place(f"{lat:g},{lon:g}", lat, lon, approximate=False)


def _refuse_region(text: str, name: str) -> None:
    region = "country" if country_code(name) else "state" if _is_state_name(name) else None
    if region and city_key(name) not in _shipped():
        raise InvalidInput(
            f"{text!r} is a {region}, not a city",
            hint=f"Name a city, as in 'Boston, MA', or filter by {region} instead.",
            invalid_input=text,
        )


def _is_state_name(name: str) -> bool:
    code = state_code(name)
    return code is not None and len(name) > len(code)


def _readings(parts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The ways to tell a city from its state and country, with commas or without."""
    yield parts[0], list(parts[1:])
    # "Korea, Republic of" is one country.
    for first in range(1, len(parts) - 1):
        yield parts[0], [*parts[1:first], ", ".join(parts[first:])]
    words = parts[0].split()
    for size in range(1, min(_LONGEST_QUALIFIER, len(words) - 1) + 1):
        yield " ".join(words[:-size]), [" ".join(words[-size:]), *parts[1:]]


def _cities_named(name: str, learned: LearnedCities) -> list[City]:
    key = city_key(name)
    for spelling in dict.fromkeys((key, _UMLAUT.sub("", key))):
        shipped = list(_shipped().get(spelling, ()))
        others = [
            city
            for city in learned.get(spelling, ())
            if not any(_is_one((city, near)) for near in shipped)
        ]
        if shipped or others:
            return sorted((*shipped, *others), key=_weight, reverse=True)
    return []


def _weight(city: City) -> tuple[int, int]:
    return city.people, city.sites


def _is_one(cities: Sequence[City]) -> bool:
    """Whether all the cities are the same one, by country and point."""
    return all(
        city.country == cities[0].country
        and distance_km(city.point, cities[0].point) <= _SAME_CITY_KM
        for city in cities[1:]
    )


def _narrow(cities: list[City], qualifiers: Sequence[str]) -> tuple[list[City], list[str]]:
    """Keep the cities that lie where the qualifiers say; give also those not understood."""
    ignored: list[str] = []
    for index, text in enumerate(reversed(qualifiers)):
        inside = [city for city in cities if _lies_in(city, text)]
        inside = inside or [city for city in cities if _lies_in_country(city, text)]
        if inside:
            cities = inside
        elif index and not _is_known_region(text) and cities[0].country not in BY_STATE:
            # "Sydney, Cumberland, Australia": the country holds, and the list knows no such region.
            ignored.append(text)
        else:
            return [], []
        if not cities:
            return [], []
    return cities, ignored


def _lies_in(city: City, text: str) -> bool:
    """Whether a city lies in a state or region."""
    if city.country in BY_STATE:
        return city.region == state_code(text)
    key = fold_phrase(text)
    if city.country == "GB" and key in _HOME_NATIONS:
        return city.region == _HOME_NATIONS[key]
    return (city.country, city.region) in _regions().get(key, ()) or fold_phrase(city.region) == key


def _lies_in_country(city: City, text: str) -> bool:
    return city.country == (country_code(text) or text.upper())


def _is_known_region(text: str) -> bool:
    return bool(
        country_code(text)
        or state_code(text)
        or is_country_code(text.upper())
        or fold_phrase(text) in _regions()
        or fold_phrase(text) in _HOME_NATIONS
    )


def _to_place(cities: Sequence[City], *, ignored: Sequence[str]) -> Place:
    best = cities[0]
    others = [city.label for city in cities[1:] if not _is_one((best, city))]
    notes = [f"The region {text!r} was not checked." for text in ignored]
    if others:
        named = "; ".join(dict.fromkeys(others[:_MOST_NAMED]))
        notes.append(f"{best.name} is taken as {best.label}. It could also be: {named}.")
    return Place(best.label, best.latitude, best.longitude, approximate=True, notes=tuple(notes))


def _nearest(name: str, learned: LearnedCities) -> list[str]:
    """Labels of the cities of that name, else of those written most like it."""
    if namesakes := _cities_named(name, learned):
        return [city.label for city in namesakes[:_MOST_NAMED]]
    keys = {**learned, **_shipped()}
    close = difflib.get_close_matches(city_key(name), keys, n=_MOST_NAMED, cutoff=_LIKENESS)
    labels = [city.label for key in close for city in _cities_named(key, learned)]
    return list(dict.fromkeys(labels))[:_MOST_NAMED]


def _unknown(text: str, near: Sequence[str]) -> InvalidInput:
    guess = f"Did you mean {' or '.join(near)}? " if near else ""
    return InvalidInput(
        f"Unknown place {text!r}",
        hint=f"{guess}Name a larger city nearby, or give latitude and longitude: 42.36,-71.06.",
        invalid_input=text,
    )


def _read_lines() -> Iterator[list[str]]:
    data = resources.files("trialyst.ctgov").joinpath("data", "cities.txt").read_text("utf-8")
    for line in data.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


@cache
def _shipped() -> Mapping[str, tuple[City, ...]]:
    """The shipped cities by key, the most populous first."""
    table: dict[str, list[City]] = {}
    for fields in _read_lines():
        if len(fields) == 2:
            continue
        name, others, region, country, latitude, longitude, people = fields
        city = City(name, region, country, float(latitude), float(longitude), int(people))
        spellings = (name, *others.split(" | ")) if others else (name,)
        for key in dict.fromkeys(map(city_key, spellings)):
            table.setdefault(key, []).append(city)
    return {key: tuple(cities) for key, cities in table.items()}


@cache
def _cities() -> tuple[City, ...]:
    """The shipped cities, each once, by name."""
    cities = {city for named in _shipped().values() for city in named}
    return tuple(sorted(cities, key=lambda city: (city.name, city.region, city.country)))


@cache
def _regions() -> Mapping[str, frozenset[tuple[str, str]]]:
    """Regions outside the US and Canada by folded name: country and GeoNames code."""
    table: dict[str, set[tuple[str, str]]] = {}
    for fields in _read_lines():
        if len(fields) == 2:
            country, _, region = fields[0].partition(" ")
            for name in fields[1].split(" | "):
                table.setdefault(fold_phrase(name), set()).add((country, region))
    return {key: frozenset(regions) for key, regions in table.items()}
