"""Which texts that hold the name of a city mean another one: `South San Francisco`, `Bad Homburg`.

A search looks for a city's name anywhere in the city of a site, because records add postal
districts to it (`Paris Cedex 13`, `Praha 5`); these texts are what it must leave out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from trialyst.ctgov.cities import BY_STATE
from trialyst.ctgov.countries import country_code, state_code
from trialyst.ctgov.distance import Point, distance_km
from trialyst.folding import fold_phrase

__all__ = ["names_of_others"]

SUBURB_KM = 10.0
"""Outside the US and Canada a place nearer than this with the city's name in its own is a part of
it: `South Brisbane`, `East Melbourne`."""
LARGE, SUBURB_OF_LARGE_KM = 3_000_000, 20.0
"""The people from which on a city reaches farther: `Berlin-Spandau`, the wards of Tokyo."""
LEAST_PEOPLE = 10_000
"""A smaller place that no record names is as likely a part of the city."""
MOST_APART = 30
_SHORT = {"n": "north", "s": "south", "e": "east", "w": "west", "no": "north", "ft": "fort"}


class City(Protocol):
    """What is looked at of a city of GeoNames."""

    name: str
    region: str
    country: str
    point: Point
    people: int
    names: frozenset[str]


class Names(Protocol):
    """Names of a province."""

    written: list[str]
    spoken: list[str]


def names_of_others(
    written: Mapping[Any, Sequence[str]],
    cities: Sequence[City],
    sites: Mapping[tuple[str, str, str], Any],
    provinces: Mapping[tuple[str, str], Names],
) -> dict[Any, list[str]]:
    """Give for each city the texts of its home that hold one of its names but mean another city."""
    known: dict[tuple[str, str], list[City]] = defaultdict(list)
    for city in cities:
        for name in city.names:
            known[city.country, name].append(city)
    texts = _texts_by_home(cities, sites)
    regions = _province_keys(provinces)
    found = {}
    for city, names in written.items():
        keys = [fold_phrase(name) for name in names]
        apart = {
            text: size
            for text, size in texts[_home(city)].items()
            if text not in keys
            and any(_holds(text, key) for key in keys)
            and _means_another(text, city, keys, known, regions)
        }
        ranked = sorted(apart, key=lambda text: (-apart[text], text))
        shortest = [text for text in ranked if not _holds_any(text, ranked)]
        if shortest:
            found[city] = sorted(shortest[:MOST_APART])
    return found


def _home(city: City) -> tuple[str, str]:
    return city.country, city.region if city.country in BY_STATE else ""


def _texts_by_home(
    cities: Sequence[City], sites: Mapping[tuple[str, str, str], Any]
) -> dict[tuple[str, str], dict[str, int]]:
    texts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for (name, state, country), seen in sites.items():
        code = country_code(country) or ""
        home = (code, (state_code(state) or "") if code in BY_STATE else "")
        texts[home][fold_phrase(name)] += seen.sites
    for city in cities:
        if city.country in BY_STATE and city.people >= LEAST_PEOPLE:
            texts[_home(city)].setdefault(fold_phrase(city.name), 0)
    return texts


def _province_keys(provinces: Mapping[tuple[str, str], Names]) -> set[tuple[str, str]]:
    return {
        (country, fold_phrase(name))
        for (country, _), names in provinces.items()
        for name in (*names.written, *names.spoken)
    }


def _holds(text: str, key: str) -> bool:
    return f" {key} " in f" {text} "


def _holds_any(text: str, others: Sequence[str]) -> bool:
    return any(other != text and _holds(text, other) for other in others)


def _means_another(
    text: str,
    city: City,
    keys: Sequence[str],
    known: Mapping[tuple[str, str], list[City]],
    regions: set[tuple[str, str]],
) -> bool:
    by_state = city.country in BY_STATE
    named = [
        other
        for spelled in (text, _spelled_out(text))
        for other in known.get((city.country, spelled), ())
        if not by_state or other.region == city.region
    ]
    if named:
        return city not in named and (by_state or not any(_is_near(o, city) for o in named))
    if _spelled_out(text).startswith("fort ") and not any(key.startswith("fort ") for key in keys):
        return True
    if by_state or not any((city.country, key) in regions for key in keys):
        return False
    # The name is a province's too, as in "Matsumoto, Nagano": the rest says which city.
    rest = (part for key in keys if _holds(text, key) for part in _parts_beside(text, key))
    others = [
        other
        for part in rest
        for other in known.get((city.country, part), ())
        if other.region == city.region
    ]
    return bool(others) and not any(_is_near(other, city) for other in others)


def _spelled_out(text: str) -> str:
    return " ".join(_SHORT.get(word, word) for word in text.split())


def _parts_beside(text: str, key: str) -> Iterator[str]:
    """Yield the runs of words before and after a key."""
    for side in f" {text} ".split(f" {key} "):
        words = side.split()
        for start in range(len(words)):
            for end in range(len(words), start, -1):
                yield " ".join(words[start:end])


def _is_near(other: City, city: City) -> bool:
    reach = SUBURB_KM if city.people < LARGE else SUBURB_OF_LARGE_KM
    return distance_km(other.point, city.point) <= reach
