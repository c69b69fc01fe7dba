"""Distinct sites: what makes two places of studies the same, and the document of each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from trialyst.ctgov.countries import country_code
from trialyst.folding import fold_phrase
from trialyst.registry.geo import point_of
from trialyst.registry.keys import LARGEST
from trialyst.registry.schema import SITE, UNUSUAL, USUAL, site_pieces

__all__ = ["SITE_KEYS", "SiteBook", "SiteDocument"]

_TEXT_KEYS = ("facility", "status", "city", "state", "zip", "country")
SITE_KEYS = (*_TEXT_KEYS, "geoPoint")
"""Keys of a location that make its site distinct; contacts belong to a study's use of it."""


@dataclass(frozen=True, slots=True)
class SiteDocument:
    """A distinct site, named by a hash of what makes it distinct."""

    id: int
    document: bytes


class SiteBook:
    """Names sites, and keeps the documents of those not named before until they are taken."""

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._new: list[SiteDocument] = []

    def id_of(self, location: Mapping[str, Any]) -> str:
        """Give the id of a location's site as text."""
        texts = (_text_or_none(location.get(key)) for key in _TEXT_KEYS)
        point = location.get("geoPoint")
        site = _site(*texts, type(point) is dict, point_of(point))
        if site.id not in self._known:
            self._known.add(site.id)
            self._new.append(site)
        return str(site.id)

    def id_of_json(self, data: bytes) -> str:
        """Give the id of the site of a location given as JSON."""
        return self.id_of(msgspec.json.decode(data))

    def take_new(self) -> list[SiteDocument]:
        """Give the sites named since the last time."""
        new, self._new = self._new, []
        return new


def _text_or_none(value: Any) -> str | None:
    return value if type(value) is str and value else None


@lru_cache(10_000)
def _site(*key: Any) -> SiteDocument:
    *texts, has_point, point = key
    named = dict(zip((piece.name for piece in site_pieces()), texts, strict=False))
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
        document |= {"lat": point[0], "lon": point[1]}
    site = _hash(repr(key).encode())
    unusual = (p.name for p in site_pieces() if (p.name in present) != (p.name in USUAL))
    document |= {SITE: site, UNUSUAL: " ".join(unusual)}
    return SiteDocument(site, msgspec.json.encode(document))


def _hash(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big") & LARGEST
