"""Distinct sites and places of studies: what makes two of them the same, and their documents."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from trialyst.ctgov.countries import country_code
from trialyst.folding import fold_phrase
from trialyst.registry.geo import point_of, point_term
from trialyst.registry.keys import LARGEST
from trialyst.registry.schema import GRAIN, POINT, SITE, UNUSUAL, USUAL, Grain, site_pieces

__all__ = ["SITE_KEYS", "SiteBook", "SiteDocument"]

_TEXT_KEYS = ("facility", "status", "city", "state", "zip", "country")
SITE_KEYS = (*_TEXT_KEYS, "geoPoint")
"""Keys of a location that make its site distinct; contacts belong to a study's use of it."""
_SITE_TEXTS = tuple(f"Location{key.capitalize()}" for key in _TEXT_KEYS)
_PLACE_TEXTS = ("LocationStatus", "LocationCity", "LocationState", "LocationCountry")


@dataclass(frozen=True, slots=True)
class SiteDocument:
    """A distinct site or place, named by a hash of what makes it distinct."""

    id: int
    document: bytes


class SiteBook:
    """Names sites, and keeps the documents of those not named before until they are taken."""

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._new: list[SiteDocument] = []

    def ids_of(self, location: Mapping[str, Any]) -> tuple[int, int]:
        """Give the ids of a location's site and of its place."""
        facility, status, city, state, code, country = map(
            _text_or_none, map(location.get, _TEXT_KEYS)
        )
        point = location.get("geoPoint")
        where = (type(point) is dict, point_of(point))
        return (
            self._note(_site(facility, status, city, state, code, country, *where)),
            self._note(_place(status, city, state, country, *where)),
        )

    def _note(self, document: SiteDocument) -> int:
        if document.id not in self._known:
            self._known.add(document.id)
            self._new.append(document)
        return document.id

    def ids_of_json(self, data: bytes) -> str:
        """Give the ids of a location given as JSON, with a comma between them."""
        site, place = self.ids_of(msgspec.json.decode(data))
        return f"{site},{place}"

    def take_new(self) -> list[SiteDocument]:
        """Give the sites and places named since the last time."""
        new, self._new = self._new, []
        return new


def _text_or_none(value: Any) -> str | None:
    return value if type(value) is str and value else None


# Apart: a place is met again and again, and must not be forgotten over thousands of its sites.
@lru_cache(10_000)
def _site(*key: Any) -> SiteDocument:
    return _document(Grain.SITE, dict(zip(_SITE_TEXTS, key, strict=False)), key)


@lru_cache(20_000)
def _place(*key: Any) -> SiteDocument:
    return _document(Grain.PLACE, dict(zip(_PLACE_TEXTS, key, strict=False)), key)


def _document(grain: Grain, named: dict[str, Any], key: tuple[Any, ...]) -> SiteDocument:
    has_point, point = key[-2:]
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
    number = _hash(repr((grain.value, *key)).encode())
    unusual = (p.name for p in site_pieces() if (p.name in present) != (p.name in USUAL))
    document |= {SITE: number, GRAIN: grain.value, UNUSUAL: " ".join(unusual)}
    return SiteDocument(number, msgspec.json.encode(document))


def _hash(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big") & LARGEST
