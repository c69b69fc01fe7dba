"""Places as people type them to points on the globe.

It never guesses beyond the lists: a place that is not known is an error that names the nearest
ones, and a name that several cities share says so.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from trialyst.ctgov.addresses import Address, parse_address, read_area
from trialyst.ctgov.cities import (
    BY_STATE,
    City,
    LearnedCities,
    are_one_city,
    cities_named,
    city_key,
    shipped_cities,
)
from trialyst.ctgov.countries import country_code, state_code
from trialyst.ctgov.distance import Point
from trialyst.ctgov.gazetteer import Country, Sense, Senses, State, find_senses
from trialyst.ctgov.provinces import lies_in
from trialyst.ctgov.regions import Region
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint

__all__ = ["Place", "find_city", "is_mainly_city", "locate_city", "read_point", "resolve_place"]


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


_NUMBERS = re.compile(r"[-+0-9.,;\s°NSEWnsew()]+")
_DEGREES = re.compile(
    r"\(?\s*([-+]?\d{1,3}(?:\.\d*)?)\s*°?\s*([NS]?)\s*[,;\s]\s*"
    r"([-+]?\d{1,3}(?:\.\d*)?)\s*°?\s*([EW]?)\s*\)?",
    re.IGNORECASE,
)
_HERE = frozenset({"me", "us", "here", "home", "my home", "my location", "my area", "my city"})
_LONGEST = 120
_MOST_NAMED = 5
_LIKENESS = 0.6
_WELL_KNOWN = 500
"""Thousands of people from which on a city is meant before a state of its name."""


def resolve_place(text: str, *, learned: LearnedCities | None = None) -> Place:
    """Give the point of a place: `42.36,-71.06`, `Boston`, `near Boston, MA` or `Paris, France`.

    A name that several cities share means the most populous; the notes name the others. An unknown
    place, a country or a point off the globe raises InvalidInput.

    >>> resolve_place("Boston, MA").name
    'Boston, Massachusetts, United States'
    """
    if point := read_point(text):
        return point
    if len(text.strip()) > _LONGEST:
        raise _unknown(text.strip()[:_LONGEST], ())
    return find_city(parse_address(text), asked=text.strip(), learned=learned)


def find_city(address: Address, *, asked: str, learned: LearnedCities | None = None) -> Place:
    """Give the point of the city, or of the region known by its point, that an address names."""
    if address.text.lower() in _HERE:
        raise _unknown(asked, ())
    senses = find_senses(address, learned)
    wider = read_area(address.text)
    if not senses and wider:
        senses = find_senses(parse_address(wider), learned)
    meant = (*senses.likely, *senses.further)
    if area := next((each for each in meant if isinstance(each, Region) and each.circle), None):
        return _centre_of(area)
    cities = [each for each in meant if isinstance(each, City)]
    if cities and is_mainly_city(senses.likely[0], cities[0]):
        return _to_place(cities, senses)
    if meant:
        raise _too_large(asked, senses.likely[0], cities)
    raise _unknown(asked, _nearest(address.parts[0], learned) if address.parts else ())


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
    shipped = _cities_of(shipped_cities().get(key, ()), code, state)
    # Some records give a city the point of a namesake: where a list knows better it is trusted.
    trusted = [
        each
        for each in _cities_of(known.get(key, ()), code, state)
        if not shipped or any(are_one_city((each, near)) for near in shipped)
    ]
    for here in (trusted, shipped):
        if here and are_one_city(here):
            best = max(here, key=lambda each: (each.people, each.sites))
            return Place(best.label, best.latitude, best.longitude, approximate=True)
    return None


def _cities_of(cities: Sequence[City], country: str, state: str | None) -> list[City]:
    """Give those of some cities of one name that lie where a site says."""
    here = [each for each in cities if each.country == country]
    if country in BY_STATE:
        return [each for each in here if each.region == state_code(state or "")]
    if state and not are_one_city(here):
        return [each for each in here if lies_in(each, state)]
    return here


def read_point(text: str) -> Place | None:
    """Give the point that a text of numbers states; None for a text with words.

    >>> read_point("42.36° N, 71.06° W").point
    (42.36, -71.06)
    """
    text = text.strip()
    if not (any(letter.isdigit() for letter in text) and _NUMBERS.fullmatch(text)):
        return None
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


def is_mainly_city(first: Sense, city: City) -> bool:
    """Whether a city is meant although the name is a country's or state's too.

    So it is where the city is most of it, as in Singapore and New York, or known by it, as
    Washington is; but Lebanon is not Lebanon in New Hampshire.
    """
    match first:
        case Country():
            return first.code == city.country and city_key(city.name) == city_key(first.label)
        case State():
            return first.code == city.region or city.people >= _WELL_KNOWN
        case _:
            return True


def _centre_of(area: Region) -> Place:
    assert area.circle
    return Place(
        area.name,
        area.circle.latitude,
        area.circle.longitude,
        approximate=True,
        notes=(f"{area.name} is taken as the surroundings of its middle.",),
    )


def _to_place(cities: Sequence[City], senses: Senses) -> Place:
    best = cities[0]
    others = [city.label for city in cities[1:] if not are_one_city((best, city))]
    notes = [f"The region {text!r} was not checked." for text in senses.ignored]
    if others:
        named = "; ".join(dict.fromkeys(others[:_MOST_NAMED]))
        notes.append(f"{best.name} is taken as {best.label}. It could also be: {named}.")
    return Place(best.label, best.latitude, best.longitude, approximate=True, notes=tuple(notes))


def _nearest(name: str, learned: LearnedCities | None) -> list[str]:
    """Labels of the cities of that name, else of those written most like it."""
    if namesakes := cities_named(name, learned):
        return [city.label for city in namesakes[:_MOST_NAMED]]
    keys = {**(learned or {}), **shipped_cities()}
    close = difflib.get_close_matches(city_key(name), keys, n=_MOST_NAMED, cutoff=_LIKENESS)
    labels = [city.label for key in close for city in cities_named(key, learned)]
    return list(dict.fromkeys(labels))[:_MOST_NAMED]


def _too_large(text: str, sense: Sense, cities: Sequence[City]) -> InvalidInput:
    kind = type(sense).__name__.lower()
    city = cities[0].label if cities else "Boston, MA"
    return InvalidInput(
        f"{text!r} is a {kind}, not a city",
        hint=Hint(
            "Give {place} to find trials there, or name a city, such as {city}.",
            place=Argument("location", text),
            city=Argument("near", city),
        ),
        invalid_input=text,
    )


def _unknown(text: str, near: Sequence[str]) -> InvalidInput:
    guess = f"Did you mean {' or '.join(near)}? " if near else ""
    return InvalidInput(
        f"Unknown place {text!r}",
        hint=f"{guess}Name a larger city nearby, or give latitude and longitude: 42.36,-71.06.",
        invalid_input=text,
    )
