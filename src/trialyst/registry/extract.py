"""A study to what the index takes in: one document, the sites it uses, the names it teaches.

Walks the record once along the piece table. Values of the wrong type are left out of the index;
the stored record keeps them.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import msgspec

from trialyst.essie.pieces import Kind, Piece, pieces
from trialyst.essie.values import age_days, date_key
from trialyst.folding import fold_line, fold_lines
from trialyst.registry.countries import country_code
from trialyst.registry.geo import point_of
from trialyst.registry.schema import (
    AGE_UNITS_PER_DAY,
    ALIAS,
    GROUPS,
    NUMBER,
    PRESENT,
    PRINT,
    SITE,
    site_pieces,
    size_field,
)

__all__ = ["SYNTHETIC_MARK", "Extract", "SiteDocument", "age_key", "extract_study", "values_at"]

SYNTHETIC_MARK = "[SYNTHETIC]"
"""How the titles of invented studies begin, wherever they are found."""

# Largest value of a column: a signed integer of 64 bits everywhere it passes through.
_LARGEST = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class SiteDocument:
    """A distinct site, named by a hash of what makes it distinct."""

    id: int
    document: bytes


@dataclass(frozen=True, slots=True)
class Extract:
    """What one study gives to the index."""

    document: bytes
    sites: tuple[SiteDocument, ...]
    updated: int
    """Day of the last posted update, as YYYYMMDD; 0 when not known."""
    version: int
    """Day of the data the record was taken from, as YYYYMMDD; 0 when not known."""
    print: int
    synthetic: bool
    """Whether its title says that the study is invented."""
    unreadable: tuple[str, ...]
    """Structures that are not what they should be; the stored record keeps them."""


@dataclass(slots=True)
class _Branch:
    """A struct of the study with its known keys."""

    children: dict[str, tuple[str, _Branch | None]] = field(default_factory=dict)
    """Piece of each key, with its own branch if it is a struct."""
    lists: list[tuple[str, str]] = field(default_factory=list)
    """Keys of list children with the column of their size."""


@cache
def _tree() -> _Branch:
    root = _Branch()
    nodes: dict[str | None, _Branch] = {None: root}
    for piece in pieces().values():
        if piece.indexed_only:
            continue
        parent = nodes[piece.parent]
        key = piece.path[-1]
        branch = nodes[piece.name] = _Branch()
        parent.children[key] = (piece.name, branch if piece.kind is Kind.STRUCT else None)
        if piece.is_list:
            parent.lists.append((key, size_field(piece)))
    return root


@cache
def _zero_sizes() -> Mapping[str, list[int]]:
    """Sizes of the lists that exist once in a study, all empty."""
    return {
        size_field(piece): [0]
        for piece in pieces().values()
        if piece.is_list and piece.list_depth == 1
    }


class _Found:
    """What a walk through one study found."""

    def __init__(self) -> None:
        self.values: defaultdict[str, list[Any]] = defaultdict(list)
        self.sizes: defaultdict[str, list[int]] = defaultdict(list)
        """How long each list was, once for each place it could stand."""
        self.structs: set[str] = set()
        self.unreadable: set[str] = set()


def extract_study(study: Mapping[str, Any], number: int) -> Extract:
    """Prepare a decoded study for the index."""
    found = _Found()
    _walk(study, _tree(), found)
    document: dict[str, Any] = {NUMBER: number, "HasResults": ["false"], **_zero_sizes()}
    for column, sizes in found.sizes.items():
        document[column] = sorted(set(sizes))
    stated = _add_values(document, found)
    _add_groups(document)
    _add_derived(document, found)
    sites = _sites(values_at(study, pieces()["Location"]))
    document[SITE] = [site.id for site in sites]
    derived = [name for name in _derived_presence() if name in document]
    document[PRESENT] = " ".join([*stated, *sorted(found.structs), *derived])
    encoded = msgspec.json.encode(document)
    fingerprint = zlib.crc32(encoded)
    version = document.get("VersionHolder") or [0]
    updated = document.get("LastUpdatePostDate") or version
    printed = b'%b,"%b":%d}' % (encoded[:-1], PRINT.encode(), fingerprint)
    return Extract(
        document=printed,
        sites=sites,
        updated=updated[0],
        version=version[0],
        print=fingerprint,
        synthetic=_is_synthetic(found.values.get("BriefTitle", ())),
        unreadable=tuple(sorted(found.unreadable)),
    )


def _is_synthetic(titles: Sequence[Any]) -> bool:
    return any(type(title) is str and title.startswith(SYNTHETIC_MARK) for title in titles)


def _walk(node: Mapping[str, Any], branch: _Branch, found: _Found) -> None:
    for key, column in branch.lists:
        items = node.get(key)
        found.sizes[column].append(len(items) if type(items) is list else 0)
    children, values = branch.children, found.values
    for key, value in node.items():
        known = children.get(key)
        if known is None:
            continue
        name, inner = known
        if inner is None:
            if type(value) is list:
                values[name].extend(value)
            else:
                values[name].append(value)
            continue
        for item in value if type(value) is list else (value,):
            if type(item) is dict:
                found.structs.add(name)
                _walk(item, inner, found)
            elif item is not None:
                found.unreadable.add(name)


def _add_values(document: dict[str, Any], found: _Found) -> list[str]:
    """Put the values of every piece into the document, and say which pieces have any."""
    emitters = _emitters()
    stated = []
    texts: list[str] = []
    owners: list[tuple[str, int]] = []
    for name, values in found.values.items():
        if None in values or "" in values:
            values = [value for value in values if value is not None and value != ""]
        if not values:
            continue
        stated.append(name)
        emit = emitters[name]
        if emit is not None:
            if kept := emit(values):
                document[name] = kept
            continue
        distinct = list(dict.fromkeys(map(str, values))) if len(values) > 1 else [str(values[0])]
        texts += distinct
        owners.append((name, len(distinct)))
    lines = fold_lines(texts)
    at = 0
    for name, size in owners:
        if kept := [stripped for line in lines[at : at + size] if (stripped := line.strip())]:
            document[name] = kept
        at += size
    return stated


def _raws(found: list[Any]) -> list[str]:
    return list(dict.fromkeys([v for v in found if type(v) is str]))


def _flags(found: list[Any]) -> list[str]:
    return list(dict.fromkeys(["true" if v else "false" for v in found if type(v) is bool]))


def _integers(found: list[Any]) -> list[int]:
    whole = {
        int(value)
        for value in found
        if type(value) is int or (type(value) is float and value.is_integer())
    }
    return sorted(value for value in whole if abs(value) <= _LARGEST)


@lru_cache(100_000)
def _date(text: str) -> int | None:
    return date_key(text)


@lru_cache(10_000)
def age_key(text: str) -> int | None:
    """Give an age in the unit of its column, None when it states none."""
    days = age_days(text)
    return None if days is None else round(days * AGE_UNITS_PER_DAY)


def _keys(to_key: Callable[[str], int | None]) -> Callable[[list[Any]], list[int]]:
    def keep(found: list[Any]) -> list[int]:
        keys = {to_key(value) for value in found if type(value) is str}
        return sorted(key for key in keys if key is not None)

    return keep


@cache
def _emitters() -> Mapping[str, Callable[[list[Any]], list[Any]] | None]:
    """Give what makes index values of a piece's values; None for text, which is folded at once."""
    by_kind: dict[Kind, Callable[[list[Any]], list[Any]] | None] = {
        Kind.TEXT: None,
        Kind.ENUM: _raws,
        Kind.BOOLEAN: _flags,
        Kind.NUMBER: _integers,
        Kind.DATE: _keys(_date),
        Kind.AGE: _keys(age_key),
        Kind.GEO: lambda found: [],
    }
    return {piece.name: by_kind[piece.kind] for piece in pieces().values() if piece.kind in by_kind}


def _add_groups(document: dict[str, Any]) -> None:
    for group, members in GROUPS.items():
        lines = dict.fromkeys(line for name in members for line in document.get(name, ()))
        if lines:
            document[group] = list(lines)


def _add_derived(document: dict[str, Any], found: _Found) -> None:
    def total(*names: str) -> int:
        return sum(sum(found.sizes.get(size_field(pieces()[name]), ())) for name in names)

    for year, date in _years().items():
        if date in document:
            document[year] = sorted({key // 10000 for key in document[date]})
    countries = {value for value in found.values.get("LocationCountry", ()) if type(value) is str}
    if codes := {code.lower() for country in countries if (code := country_code(country))}:
        document["LocationCountryCode"] = sorted(codes)
    document["NumUniqueLocationCountries"] = [len(countries)]
    document["NumCollaboratorsPlusLead"] = [
        total("Collaborator") + ("LeadSponsor" in found.structs)
    ]
    document["NumOutcomes"] = [total("PrimaryOutcome", "SecondaryOutcome", "OtherOutcome")]
    document["NumRetractionsAllRefs"] = [total("Retraction")]
    document["NumEvents"] = [total("SeriousEvent", "OtherEvent")]
    aliases = [int(v[3:]) for v in found.values.get("NCTIdAlias", ()) if _is_nct_id(v)]
    if aliases:
        document[ALIAS] = aliases


def _hash(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big") & _LARGEST


def _is_nct_id(value: Any) -> bool:
    return (
        type(value) is str
        and len(value) == 11
        and value[:3].upper() == "NCT"
        and value[3:].isdecimal()
    )


@cache
def _years() -> Mapping[str, str]:
    return {
        piece.name: piece.name.removesuffix("Year") + "Date"
        for piece in pieces().values()
        if piece.indexed_only and piece.name.endswith("Year")
    }


@cache
def _derived_presence() -> tuple[str, ...]:
    """Pieces that are not in the record but can be missing."""
    return (*_years(), "LocationCountryCode")


def _sites(locations: Iterable[Any]) -> tuple[SiteDocument, ...]:
    sites = {}
    for location in locations:
        if type(location) is not dict:
            continue
        get = location.get
        point = get("geoPoint")
        site = _site(
            _text_or_none(get("facility")),
            _text_or_none(get("status")),
            _text_or_none(get("city")),
            _text_or_none(get("state")),
            _text_or_none(get("zip")),
            _text_or_none(get("country")),
            type(point) is dict,
            point_of(point),
        )
        sites[site.id] = site
    return tuple(sites.values())


def _text_or_none(value: Any) -> str | None:
    return value if type(value) is str and value else None


@lru_cache(200_000)
def _site(*key: Any) -> SiteDocument:
    *texts, has_point, point = key
    named = dict(zip((piece.name for piece in site_pieces()), texts, strict=False))
    code = country_code(named["LocationCountry"] or "")
    document: dict[str, Any] = {
        name: value if name == "LocationStatus" else fold_line(value)
        for name, value in named.items()
        if value is not None
    }
    present = [*document, *(["LocationGeoPoint"] if has_point else [])]
    if code:
        document["LocationCountryCode"] = code.lower()
        present.append("LocationCountryCode")
    if point is not None:
        document |= {"lat": point[0], "lon": point[1]}
    site = _hash(repr(key).encode())
    document |= {SITE: site, PRESENT: " ".join(present)}
    return SiteDocument(site, msgspec.json.encode(document))


def values_at(study: Any, piece: Piece) -> list[Any]:
    """Collect every value of a piece in a decoded study, lists flattened, blanks left out."""
    found = [study]
    for key in piece.path:
        children = (node.get(key) for node in found if type(node) is dict)
        found = []
        for child in children:
            if type(child) is list:
                found.extend(child)
            elif child is not None:
                found.append(child)
    return [value for value in found if value not in ("", None)]
