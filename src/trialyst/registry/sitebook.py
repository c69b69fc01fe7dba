"""Distinct sites, places and states of studies: what makes two the same, and their documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from trialyst.ctgov.countries import country_code
from trialyst.folding import fold_phrase
from trialyst.registry.geo import point_id, point_of, point_term
from trialyst.registry.keys import hash_key
from trialyst.registry.schema import GRAIN, POINT, SITE, UNUSUAL, USUAL, Grain, site_pieces

__all__ = ["SITE_KEYS", "SiteBook", "SiteDocument"]

_TEXT_KEYS = ("facility", "status", "city", "state", "zip", "country")
SITE_KEYS = (*_TEXT_KEYS, "geoPoint")
"""Keys of a location that make its site distinct; contacts belong to a study's use of it."""
_SITE_TEXTS = tuple(f"Location{key.capitalize()}" for key in _TEXT_KEYS)
_PLACE_TEXTS = ("LocationStatus", "LocationCity", "LocationState", "LocationCountry")
_STATE_TEXTS = ("LocationStatus", "LocationState", "LocationCountry")


@dataclass(frozen=True, slots=True)
class SiteDocument:
    """A distinct site, place or state, named by a hash of what makes it distinct."""

    id: int
    document: bytes


class SiteBook:
    """Names sites, and keeps the documents of those not named before until they are taken."""

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._new: list[SiteDocument] = []

    def ids_of(self, location: Mapping[str, Any]) -> list[int]:
        """Give the ids of a location's site, place and state, and of its point if it has one."""
        facility, status, city, state, code, country = map(
            _text_or_none, map(location.get, _TEXT_KEYS)
        )
        written = location.get("geoPoint")
        point = point_of(written)
        where = (type(written) is dict, point)
        ids = [
            self._note(_site(facility, status, city, state, code, country, *where)),
            self._note(_place(status, city, state, country, *where)),
            self._note(_state(status, state, country)),
        ]
        return ids if point is None else [*ids, point_id(point_term(point))]

    def _note(self, document: SiteDocument) -> int:
        if document.id not in self._known:
            self._known.add(document.id)
            self._new.append(document)
        return document.id

    def ids_of_json(self, data: bytes) -> str:
        """Give the ids of a location given as JSON, with commas between them."""
        return ",".join(map(str, self.ids_of(msgspec.json.decode(data))))

    def take_new(self) -> list[SiteDocument]:
        """Give what was named since the last time."""
        new, self._new = self._new, []
        return new


def _text_or_none(value: Any) -> str | None:
    return value if type(value) is str and value else None


# Apart: a place is met again and again, and must not be forgotten over thousands of its sites.
@lru_cache(10_000)
def _site(*key: Any) -> SiteDocument:
    return _document(Grain.SITE, _SITE_TEXTS, key, key[-2:])


@lru_cache(20_000)
def _place(*key: Any) -> SiteDocument:
    return _document(Grain.PLACE, _PLACE_TEXTS, key, key[-2:])


@lru_cache(10_000)
def _state(*key: Any) -> SiteDocument:
    return _document(Grain.STATE, _STATE_TEXTS, key, (False, None))


def _document(
    grain: Grain, texts: Sequence[str], key: tuple[Any, ...], where: tuple[Any, ...]
) -> SiteDocument:
    has_point, point = where
    named = dict(zip(texts, key, strict=False))
    code = country_code(named["LocationCountry"] or "")
    document: dict[str, Any] = {
        name: value if name == "LocationStatus" else fold_phrase(value)
        for name, value in named.items()
        if value is not None
    }
    present = {*document, *(["LocationGeoPoint"] if has_point else [])}
    if code:
        document["LocationCountryCode"] = code.lower()
        present.add("LocationCountryCode")
    if point is not None:
        document[POINT] = point_term(point)
    number = hash_key(repr((grain.value, *key)))
    unusual = (p.name for p in site_pieces() if (p.name in present) != (p.name in USUAL))
    document |= {SITE: number, GRAIN: grain.value, UNUSUAL: " ".join(unusual)}
    return SiteDocument(number, msgspec.json.encode(document))
