"""A study to what the index takes in: the document, and what a build must know about it.

Values of the wrong type are left out of the index; the stored record keeps them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec

from trialyst.ctgov.countries import country_code
from trialyst.essie.pieces import pieces
from trialyst.registry.schema import (
    ALIAS,
    FILTERED,
    NO_VALUE,
    NUMBER,
    PRINT,
    SEPARATOR,
    UNUSUAL,
    USUAL,
    size_field,
    whole_field,
)
from trialyst.registry.sitebook import SiteBook
from trialyst.registry.walking import Walked, walk_study

__all__ = ["SYNTHETIC_MARK", "Extract", "extract_study", "to_extract"]

SYNTHETIC_MARK = "[SYNTHETIC]"
"""How the titles of invented studies begin, wherever they are found."""

_PRINT = PRINT.encode()
_WHOLE = tuple((name, whole_field(name)) for name in FILTERED)
_encode = msgspec.json.Encoder().encode


class Extract(NamedTuple):
    """What one study gives to the index."""

    document: bytes
    updated: int
    """Day of the last posted update, as YYYYMMDD; 0 when not known."""
    version: int
    """Day of the data the record was taken from, as YYYYMMDD; 0 when not known."""
    print: int
    synthetic: bool
    """Whether its title says that the study is invented."""
    unreadable: tuple[str, ...]
    """Structures that are not what they should be; the stored record keeps them."""


def extract_study(study: Mapping[str, Any], number: int, sites: SiteBook) -> Extract:
    """Prepare a decoded study for the index."""
    return to_extract(walk_study(study, sites), number)


def to_extract(found: Walked, number: int) -> Extract:
    """Complete what a walk found with what follows from it."""
    derived = _derived(found)
    told = [name for name, is_usual in _derived_presence() if (name in derived) != is_usual]
    own = _encode({NUMBER: number, UNUSUAL: " ".join([found.unusual, *told]), **derived})
    head = own[:-1] + b","
    fingerprint = zlib.crc32(found.document, zlib.crc32(head))
    version = found.values.get("VersionHolder") or [0]
    updated = found.values.get("LastUpdatePostDate") or version
    titles: Iterable[str] = found.values.get("BriefTitle", ())
    return Extract(
        document=b'%b%b,"%b":%d}' % (head, found.document, _PRINT, fingerprint),
        updated=updated[0],
        version=version[0],
        print=fingerprint,
        synthetic=any(title.startswith(SYNTHETIC_MARK) for title in titles),
        unreadable=tuple(found.unreadable),
    )


def _derived(found: Walked) -> dict[str, Any]:
    """Give the pieces that are not in the record."""
    values, totals = found.values, found.totals
    derived: dict[str, Any] = {}
    for year, date in _years().items():
        if dates := values.get(date):
            years = [key // 10000 for key in dates]
            derived[year] = years[0] if len(years) == 1 else sorted(set(years))
    countries = values.get("LocationCountry", ())
    if codes := {code.lower() for country in countries if (code := country_code(country))}:
        derived["LocationCountryCode"] = sorted(codes)
    derived["NumUniqueLocationCountries"] = len(countries)
    for name, columns in _counts().items():
        derived[name] = sum([totals.get(column, 0) for column in columns])
    derived["NumCollaboratorsPlusLead"] += "LeadSponsor" in values
    for name, field in _WHOLE:
        derived[field] = SEPARATOR.join(sorted(values.get(name, ()))) or NO_VALUE
    if not values.get("HasResults"):
        derived["HasResults"] = "false"
    if aliases := [int(v[3:]) for v in values.get("NCTIdAlias", ()) if _is_nct_id(v)]:
        derived[ALIAS] = aliases
    return derived


def _is_nct_id(value: str) -> bool:
    return len(value) == 11 and value[:3].upper() == "NCT" and value[3:].isdecimal()


@cache
def _counts() -> Mapping[str, tuple[str, ...]]:
    """Give the columns of sizes that each derived count adds up."""
    counted = {
        "NumCollaboratorsPlusLead": ("Collaborator",),
        "NumOutcomes": ("PrimaryOutcome", "SecondaryOutcome", "OtherOutcome"),
        "NumRetractionsAllRefs": ("Retraction",),
        "NumEvents": ("SeriousEvent", "OtherEvent"),
    }
    return {
        name: tuple(size_field(pieces()[listed]) for listed in lists)
        for name, lists in counted.items()
    }


@cache
def _years() -> Mapping[str, str]:
    return {
        piece.name: piece.name.removesuffix("Year") + "Date"
        for piece in pieces().values()
        if piece.indexed_only and piece.name.endswith("Year")
    }


@cache
def _derived_presence() -> tuple[tuple[str, bool], ...]:
    """Pieces that are not in the record but can be missing, and whether they are usual."""
    return tuple((name, name in USUAL) for name in (*_years(), "LocationCountryCode"))
