"""Points of cities, learned from the sites of a registry that state one.

Looked up by name when first asked for, from the records themselves; nothing is stored for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

import msgspec

from trialyst.ctgov.cities import BY_STATE, City, city_key, spellings_of_key
from trialyst.ctgov.countries import country_code, state_code
from trialyst.ctgov.distance import Point
from trialyst.ctgov.query import TrialQuery
from trialyst.essie import build
from trialyst.registry.geo import point_of
from trialyst.registry.registry import Registry
from trialyst.registry.slices import slice_of

__all__ = ["CityPoints"]

_MOST_STUDIES = 60
"""Sites of one city state nearly the same point, so a few studies tell as much as all."""
_MOST_KEPT = 20_000
_PIECES = frozenset(f"Location{name}" for name in ("City", "State", "Country", "GeoPoint"))


class CityPoints(Mapping[str, tuple[City, ...]]):
    """The cities of a name, by `city_key`, each with the middle of its sites' points.

    Iterating gives only the names asked for so far.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: dict[str, tuple[City, ...]] = {}

    def __getitem__(self, key: str) -> tuple[City, ...]:
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[key] = found = self._learn(key)
        if not found:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return (key for key, cities in list(self._known.items()) if cities)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _learn(self, key: str) -> tuple[City, ...]:
        points: dict[tuple[str, str], list[Point]] = defaultdict(list)
        names: dict[tuple[str, str], str] = {}
        for site in self._sites(key):
            name = _text(site, "city")
            if city_key(name) != key:  # Nearly all sites of a large study lie elsewhere.
                continue
            country, point = country_code(_text(site, "country")), point_of(site.get("geoPoint"))
            if country and point:
                state = _text(site, "state")
                home = (country, (state_code(state) or "") if country in BY_STATE else state)
                points[home].append(point)
                names.setdefault(home, name)
        return tuple(
            City(names[home], home[1], home[0], *_middle(found), sites=len(found))
            for home, found in points.items()
        )

    def _sites(self, key: str) -> Iterator[dict[str, Any]]:
        if not key:
            return
        city = build.one_of("LocationCity", *spellings_of_key(key))
        hits = self._registry.find(TrialQuery(filters=(city,)), limit=_MOST_STUDIES)
        cut = slice_of(_PIECES).cut
        for data in self._registry.raw(hits.numbers):
            study = msgspec.json.decode(cut(data))
            sites = study["protocolSection"]["contactsLocationsModule"]["locations"]
            yield from (site for site in sites if isinstance(site, dict))


def _text(site: dict[str, Any], key: str) -> str:
    value = site.get(key)
    return value if isinstance(value, str) else ""


def _middle(points: list[Point]) -> Point:
    # The median: one site with a wrong point must not move the city.
    latitudes, longitudes = zip(*points, strict=True)
    return median(latitudes), median(longitudes)
