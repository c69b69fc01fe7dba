"""Raw records to rows and documents: the part of an ingest that needs no index."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from trialyst.folding import native
from trialyst.registry.extract import Extract, to_extract
from trialyst.registry.inputs import RawRecord
from trialyst.registry.rows import pack_row
from trialyst.registry.sitebook import SiteBook, SiteDocument
from trialyst.registry.walking import NativeWalker, Walked, walk_study

__all__ = ["Batch", "Damage", "Names", "Prepared", "Preparer"]

_NCT_ID = re.compile(r"NCT([0-9]{8})", re.IGNORECASE)
_WRITTEN_ID = re.compile(rb'"nctId"\s*:\s*"(NCT[0-9]{8})"')


_EXPLAINING = ("InterventionName", "BriefTitle", "OfficialTitle", "BriefSummary")


class Names(NamedTuple):
    """The names a study uses, from which the registry learns synonyms."""

    interventions: Sequence[tuple[str, Sequence[str]]]
    """Interventions with their other names, of those that have any."""
    explained: Sequence[str]
    """Texts that may explain a name in parentheses."""
    conditions: Sequence[str]
    mesh_conditions: Sequence[tuple[str, str]]
    first_posted: str


@dataclass(frozen=True, slots=True)
class Damage:
    """A record that was left out, or read in part, and why."""

    place: str
    nct_id: str | None
    reason: str


class Prepared(NamedTuple):
    """A study ready to be stored and indexed."""

    number: int
    data: bytes
    """The record as it is kept."""
    row: bytes
    extract: Extract
    names: Names
    flaw: Damage | None = None
    """What of a record that was kept could not be read."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some records in order, with the sites that were not met before."""

    items: list[Prepared | Damage]
    sites: list[SiteDocument]


class Preparer:
    """Turns raw records into prepared studies, batch by batch."""

    def __init__(self, *, compiled: bool = native is not None) -> None:
        self._sites = SiteBook()
        self._walk = NativeWalker(self._sites) if compiled else None

    def __call__(self, records: Sequence[RawRecord]) -> Batch:
        walked: Sequence[Walked | None] = [None] * len(records)
        if self._walk:
            walked = self._walk([record.data for record in records])
        items = [self._prepare(*pair) for pair in zip(records, walked, strict=True)]
        return Batch(items, self._sites.take_new())

    def _prepare(self, record: RawRecord, found: Walked | None) -> Prepared | Damage:
        if found is None:
            try:
                study = msgspec.json.decode(record.data)
                if type(study) is not dict:
                    return Damage(record.place, None, "not a JSON object")
                found = walk_study(study, self._sites)
            except (msgspec.DecodeError, UnicodeDecodeError) as problem:
                return Damage(record.place, _written_id(record.data), f"not valid JSON: {problem}")
            except RecursionError:
                return Damage(record.place, _written_id(record.data), "nested too deeply")
        nct_id = next(iter(found.values.get("NCTId", ())), None)
        match = _NCT_ID.fullmatch(nct_id) if nct_id else None
        if match is None or not int(match[1]):
            return Damage(record.place, nct_id, "no valid NCT id")
        number = int(match[1])
        extract = to_extract(found, number)
        flaw = None
        if extract.unreadable:
            reason = f"cannot be read: {', '.join(extract.unreadable)}"
            flaw = Damage(record.place, nct_id, reason)
        row = pack_row(found.cells, found.values)
        return Prepared(number, _one_line(record.data), row, extract, _names(found), flaw)


def _written_id(data: bytes) -> str | None:
    """Find the id in a record that cannot be decoded."""
    written = _WRITTEN_ID.search(data)
    return written[1].decode() if written else None


def _one_line(data: bytes) -> bytes:
    """Keep the record as it came, but on one line, as the API serves it."""
    return msgspec.json.format(data, indent=-1) if b"\n" in data or b"\r" in data else data


def _names(found: Walked) -> Names:
    interventions = found.spans.get("Intervention", b"")
    posted = found.values.get("StudyFirstPostDate")
    return Names(
        # Most studies have no other names, and need not be decoded for it.
        [
            (str(item["name"]), [str(other) for other in _listed(item.get("otherNames"))])
            for item in (_objects(interventions) if b'"otherNames"' in interventions else ())
            if item.get("name")
        ],
        [text for piece in _EXPLAINING for text in found.values.get(piece, ())],
        found.values.get("Condition", ()),
        [
            (str(mesh["id"]), str(mesh["term"]))
            for mesh in _objects(found.spans.get("ConditionMesh", b"[]"))
            if "id" in mesh and "term" in mesh
        ],
        _date_of(posted[0]) if posted else "",
    )


def _objects(written: bytes) -> list[dict[str, Any]]:
    items = msgspec.json.decode(written)
    return [item for item in (items if type(items) is list else [items]) if type(item) is dict]


def _date_of(key: int) -> str:
    return f"{key // 10000:04d}-{key // 100 % 100:02d}-{key % 100:02d}"


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else []
