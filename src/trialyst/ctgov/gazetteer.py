"""What a place name can mean: a country, a state, a province, a region, a city.

Pure look-up in the shipped lists and in what a registry has learned. Which meaning is the likely
one where several remain is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from trialyst.ctgov.addresses import Address, strip_article
from trialyst.ctgov.cities import (
    BY_STATE,
    City,
    LearnedCities,
    cities_named,
    city_key,
    names_holding,
)
from trialyst.ctgov.countries import (
    country_code,
    country_name,
    find_country,
    find_country_code,
    find_state,
    state_country,
    state_name,
)
from trialyst.ctgov.provinces import Province, find_provinces, is_part_of_a_country, lies_in
from trialyst.ctgov.regions import Region, find_region

__all__ = [
    "Country",
    "Sense",
    "Senses",
    "State",
    "find_senses",
    "split_qualifiers",
    "unlisted_cities",
]


@dataclass(frozen=True, slots=True)
class Country:
    """A country by its ISO code."""

    code: str

    @property
    def label(self) -> str:
        """The registry's name, told apart from a state of the same name."""
        name = country_name(self.code) or self.code
        return f"{name} (country)" if find_state(name) else name


@dataclass(frozen=True, slots=True)
class State:
    """A state of the United States or a province of Canada by its postal code."""

    code: str

    @property
    def name(self) -> str:
        return state_name(self.code) or self.code

    @property
    def country(self) -> str:
        return state_country(self.code)

    @property
    def label(self) -> str:
        """The name with the country."""
        return f"{self.name}, {country_name(self.country)}"


Sense = Country | State | Province | Region | City
_KINDS: dict[str, tuple[type, ...]] = {
    "country": (Country, Region),
    "state": (State, Province, Region),
    "city": (City,),
}


@dataclass(frozen=True, slots=True)
class Senses:
    """What a text can mean."""

    likely: tuple[Sense, ...] = ()
    """One of these is meant, the first unless something else speaks for another."""
    further: tuple[Sense, ...] = ()
    """What it could mean as well."""
    ignored: tuple[str, ...] = ()
    """Parts of the text that the lists do not know."""

    def __bool__(self) -> bool:
        return bool(self.likely)

    def only(self, kinds: tuple[type, ...]) -> Senses:
        """Give the senses of some kinds, however likely."""
        kept = (each for each in (*self.likely, *self.further) if isinstance(each, kinds))
        return Senses(tuple(kept), ignored=self.ignored)


_MOST_CITIES = 6
_BEFORE_TOWNS = ("North", "South", "East", "West", "New", "Fort", "Port", "Lake", "Mount")
_BEHIND_TOWNS = ("Beach", "Falls", "Heights", "Hills", "Lake", "Park", "Springs", "Valley")
_LONGEST_QUALIFIER = 4
_OUTLYING = frozenset({"PR", "GU", "VI", "AS", "MP"})
"""Territories of the United States that records name as countries."""
_OF_KIND = re.compile(
    r"(?:(?P<before>state|commonwealth|province|prefecture|canton|county|city|town|country|republic"
    r"|kingdom|greater city)\s+of\s+(?:the\s+)?(?P<named>.+)"
    r"|(?P<name>.+?)\s+(?P<behind>state|province|prefecture|city|proper))",
    re.I,
)
_KIND_OF_WORD = {
    **dict.fromkeys(("state", "commonwealth", "province", "prefecture", "canton"), "state"),
    **dict.fromkeys(("country", "republic", "kingdom"), "country"),
    **dict.fromkeys(("city", "town", "proper", "greater city"), "city"),
}


def find_senses(address: Address, learned: LearnedCities | None = None) -> Senses:
    """Give what the parts of an address can mean together; nothing if they are not known.

    >>> from trialyst.ctgov.addresses import parse_address
    >>> [sense.label for sense in find_senses(parse_address("Munich, DE")).likely]
    ['Munich, Germany']
    """
    if not address.parts:
        return Senses()
    # Some names hold a comma or a number: "Korea, Republic of", "EU27".
    whole = _name(address.text, address.kind, None)
    if whole and (len(address.parts) > 1 or address.dropped):
        return whole
    if len(address.parts) == 1:
        found = _name(address.parts[0], address.kind, learned)
        return found or _first(split_qualifiers(address.parts[0]), learned, address.kind)
    readings = (*_readings(address.parts), *_readings(address.parts[::-1]))
    return _first(readings, learned, address.kind)


def unlisted_cities(address: Address) -> list[City]:
    """Give the cities, without a point, that an address may name though no list has them.

    >>> from trialyst.ctgov.addresses import parse_address
    >>> [city.label for city in unlisted_cities(parse_address("Paris, TX"))]
    ['Paris, Texas, United States']
    """
    first, *rest = address.parts or ("",)
    readings = [(first, rest)] if rest else list(split_qualifiers(first))
    found: dict[tuple[str, str, str], City] = {}
    for name, qualifiers in readings:
        if _areas_named(name) or _places_of_code(name):
            continue
        for area in find_senses(Address(", ".join(qualifiers), tuple(qualifiers))).likely:
            home = _home_of(area)
            if home and city_key(name):
                apart = (
                    *names_holding(name, country=home[0], region=home[1]),
                    *(_towns_like(name) if home[0] in BY_STATE else ()),
                )
                city = City(name, home[1], home[0], 0.0, 0.0, apart=apart)
                found.setdefault((name, *home), city)
    return list(found.values())


def _towns_like(name: str) -> Iterator[str]:
    """Yield the names that neighbours of an American town have: East Lansing, Sunset Hills."""
    yield from (f"{word} {name}" for word in _BEFORE_TOWNS)
    yield from (f"{name} {word}" for word in _BEHIND_TOWNS)


def _home_of(area: Sense) -> tuple[str, str] | None:
    """Give country and state of what lies in an area."""
    match area:
        case State():
            return area.country, area.code
        case Country():
            return area.code, ""
        case Province():
            return area.country, ""
        case _:
            return None


def _name(name: str, kind: str | None, learned: LearnedCities | None) -> Senses:
    for text, told in _variants(name):
        found = _of_kind(_one_name(text, learned), kind or told)
        if found:
            return found
    return Senses()


def _variants(name: str) -> Iterator[tuple[str, str | None]]:
    """Yield a name as written, then without words that only say what it is."""
    yield name, None
    bare = strip_article(name)
    if bare != name:
        yield bare, None
    shape = _OF_KIND.fullmatch(bare)
    if shape:
        word = (shape["before"] or shape["behind"]).lower()
        yield shape["named"] or shape["name"], _KIND_OF_WORD.get(word)


def _of_kind(senses: Senses, kind: str | None) -> Senses:
    return senses if kind is None else senses.only(_KINDS[kind])


def _one_name(name: str, learned: LearnedCities | None) -> Senses:
    """Give what one name can mean on its own."""
    areas = _areas_named(name)
    codes = [] if areas else _places_of_code(name)
    labels = {area.label for area in areas}
    cities = tuple(
        city for city in _distinct(cities_named(name, learned)) if city.label not in labels
    )
    if any(isinstance(area, Country | Region) for area in areas):
        return Senses(tuple(areas), cities)
    return Senses((*areas, *cities, *codes))


def _areas_named(name: str) -> list[Sense]:
    found: list[Sense] = []
    code, country = find_state(name), country_code(name) or country_code(name.replace(".", ""))
    if code and len(name.replace(".", "")) > len(code):
        found.append(State(code))
    found.extend([Country(country)] if country else [])
    found.extend(find_provinces(name))
    region = find_region(name)
    found.extend([region] if region else [])
    iso = find_country_code(name)
    if iso and not found and name.isupper() and len(name) > len(iso):
        # Three capital letters are seldom anything but a code.
        found.append(Country(iso))
    return found


def _places_of_code(code: str) -> list[Sense]:
    state, country = find_state(code), find_country_code(code)
    return [*([State(state)] if state else []), *([Country(country)] if country else [])]


def _distinct(cities: Iterable[City]) -> tuple[City, ...]:
    """Give the cities that records tell apart: elsewhere they seldom state more than a country."""
    first: dict[tuple[str, str], City] = {}
    for city in cities:
        first.setdefault((city.country, city.region if city.country in BY_STATE else ""), city)
    return tuple(first.values())[:_MOST_CITIES]


def _first(
    readings: Iterable[tuple[str, list[str]]], learned: LearnedCities | None, kind: str | None
) -> Senses:
    found = (_of_kind(_qualified(name, rest, learned), kind) for name, rest in readings)
    return next((senses for senses in found if senses), Senses())


def _qualified(name: str, qualifiers: Sequence[str], learned: LearnedCities | None) -> Senses:
    """Give what a name means where states or countries say where it is."""
    areas = _areas_within(name, qualifiers)
    found, ignored = _narrow(cities_named(name, learned), qualifiers)
    cities = _distinct(found)
    # "Ontario, CA" is a city of California, not Ontario in Canada.
    coded = qualifiers and find_state(qualifiers[-1]) and find_country_code(qualifiers[-1])
    if areas and not (coded and cities):
        return Senses(tuple(areas), cities)
    return Senses(cities, tuple(areas), tuple(ignored))


def _areas_within(name: str, qualifiers: Sequence[str]) -> list[Sense]:
    """Give the states and provinces of a name whose country all the qualifiers name."""
    found: list[Sense] = []
    if (code := find_state(name)) and _all_name(qualifiers, state_country(code)):
        found.append(State(code))
    found.extend(each for each in find_provinces(name) if _all_name(qualifiers, each.country))
    country = find_country(name)
    if country and all(_lies_in_region(country, text) for text in qualifiers):
        found.append(Country(country))
    return found


def _all_name(texts: Sequence[str], country: str) -> bool:
    return all(find_country(text) == country or _lies_in_region(country, text) for text in texts)


def _lies_in_region(country: str, text: str) -> bool:
    region = find_region(text)
    return region is not None and country in region.countries


def _readings(parts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The ways to tell a name from its state and country."""
    yield parts[0], list(parts[1:])
    # "Korea, Republic of" is one country.
    for first in range(1, len(parts) - 1):
        yield parts[0], [*parts[1:first], ", ".join(parts[first:])]
    for name, qualifiers in split_qualifiers(parts[0]):
        yield name, [*qualifiers, *parts[1:]]


def split_qualifiers(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the ways to tell a name from states and countries behind it, or a country before it.

    >>> list(split_qualifiers("Boston MA USA"))
    [('Boston MA', ['USA']), ('Boston', ['MA', 'USA'])]
    """
    words = text.split()
    for size in range(min(_LONGEST_QUALIFIER, len(words) - 1), 0, -1):
        name, qualifier = " ".join(words[:-size]), " ".join(words[-size:])
        if _is_known(qualifier):
            yield name, [qualifier]
            yield from ((inner, [*more, qualifier]) for inner, more in split_qualifiers(name))
    for size in range(min(_LONGEST_QUALIFIER, len(words) - 1), 0, -1):
        if country_code(" ".join(words[:size])):
            yield " ".join(words[size:]), [" ".join(words[:size])]


def _narrow(cities: list[City], qualifiers: Sequence[str]) -> tuple[list[City], list[str]]:
    """Keep the cities that lie where the qualifiers say; give also those not understood."""
    ignored: list[str] = []
    for index, text in enumerate(reversed(qualifiers)):
        inside = [city for city in cities if lies_in(city, text)]
        inside = inside or [city for city in cities if _lies_in_country(city, text)]
        if inside:
            cities = inside
        elif index and not _is_known(text) and cities[0].country not in BY_STATE:
            # "Sydney, Cumberland, Australia": the country holds, and the list knows no such region.
            ignored.append(text)
        else:
            return [], []
        if not cities:
            return [], []
    return cities, ignored


def _lies_in_country(city: City, text: str) -> bool:
    code = find_country(text)
    if code == "US" and city.country in _OUTLYING:
        return True
    return city.country == code or _lies_in_region(city.country, text)


def _is_known(text: str) -> bool:
    return bool(
        find_country(text) or find_state(text) or is_part_of_a_country(text) or find_region(text)
    )
