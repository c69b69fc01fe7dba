"""Real records taken apart into encoded fragments, ready to be joined into new ones.

A shape keeps the bytes of every module, so that assembling a record never encodes JSON again.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

__all__ = ["GROUPS", "Pool", "Shape", "load_pool"]

RICH_FOLDER = "ctgov_v2_native"
PLAIN_FOLDER = "ctgov_v2_from_xml"
GROUPS = 5
"""The real records are dealt into this many pools; each file of new records uses one."""
POOL_LIMIT = 6_000
"""Shapes held at once; 14 KB each, so memory stays under 200 MB."""
TARGET_BYTES = 14_000
"""The mean size of a record in the real registry."""

_THERAPEUTIC_AREAS = {
    "oncology": r"cancer|carcinom|tumou?r|lymphom|leuk|melanom|myelom|sarcom|neoplas|gliom",
    "cardiology": r"heart|cardi|coronar|hypertens|stroke|atrial|vascul|thrombo",
    "metabolism": r"diabet|obes|insulin|lipid|cholest|metabol|nutrition",
    "infection": r"infect|hiv|hepatitis|covid|influenza|malaria|tubercul|sepsis|virus|vaccin",
    "lungs": r"asthma|copd|pulmon|lung|respir",
    "mind": r"depress|schizo|anxi|alzheim|parkins|epilep|sclero|migrain|autis|pain|psych|sleep",
}
_AREA = re.compile("|".join(f"(?P<{k}>{v})" for k, v in _THERAPEUTIC_AREAS.items()), re.IGNORECASE)
_SENTENCE = re.compile(r"\S.*?(?:[.;]\s+|\n+|$)", re.DOTALL)
_LINE = re.compile(r"[^\n]*\S[^\n]*\n*")
_DATE = re.compile(r"^(\d{4})-(\d\d)")

_Fragments = dict[str, msgspec.Raw]
_read = msgspec.json.Decoder(_Fragments).decode
_PASSED_ON = ("oversightModule", "referencesModule", "ipdSharingStatementModule")
_ATTACHED = ("resultsSection", "annotationSection", "documentSection")


@dataclass(frozen=True, slots=True)
class Shape:
    """One real record as fragments; `b""` where the record has no such part."""

    area: str
    rich: bool
    size: int
    titles: bytes
    official_title: bytes
    organization: bytes
    sponsors: bytes
    status: bytes
    overall_status: bytes
    updated_month: int
    """Months since year 0 of the last update."""
    summary: Sequence[bytes]
    detail: Sequence[bytes]
    conditions: bytes
    design: bytes
    phases: bytes
    enrollment: int | None
    arms: bytes
    outcomes: bytes
    criteria: Sequence[bytes]
    eligibility: bytes
    locations: Sequence[bytes]
    contacts: bytes
    passed_on: bytes
    attached: bytes
    has_results: bytes
    condition_browse: bytes
    intervention_browse: bytes


@dataclass(frozen=True, slots=True)
class Pool:
    """Shapes by therapeutic area and richness, and the share of rich ones to draw."""

    shapes: Sequence[Shape]
    groups: dict[tuple[str, bool], list[Shape]]
    rich: Sequence[Shape]
    plain: Sequence[Shape]
    rich_share: float


def load_pool(data: Path, group: int) -> Pool:
    """Take every `GROUPS`-th real record, from the `group`-th on."""
    shapes = [
        parse_shape(line, rich=rich)
        for rich, folder in ((True, RICH_FOLDER), (False, PLAIN_FOLDER))
        for line in _iter_lines(data / folder, group)
    ][:POOL_LIMIT]
    if not shapes:
        raise FileNotFoundError(f"no records under {data}: set TRIALYST_DATA to their directory")
    groups: dict[tuple[str, bool], list[Shape]] = {}
    for shape in shapes:
        groups.setdefault((shape.area, shape.rich), []).append(shape)
    rich = [shape for shape in shapes if shape.rich]
    plain = [shape for shape in shapes if not shape.rich]
    return Pool(shapes, groups, rich, plain, _rich_share(rich, plain))


def _iter_lines(folder: Path, group: int) -> Iterator[bytes]:
    number = 0
    for path in sorted(folder.glob("*.jsonl.xz")):
        with lzma.open(path, "rb") as lines:
            for line in lines:
                if number % GROUPS == group:
                    yield line
                number += 1


def _rich_share(rich: Sequence[Shape], plain: Sequence[Shape]) -> float:
    if not rich or not plain:
        return 1.0 if rich else 0.0
    mean_rich = sum(shape.size for shape in rich) / len(rich)
    mean_plain = sum(shape.size for shape in plain) / len(plain)
    if mean_rich <= mean_plain:
        return len(rich) / (len(rich) + len(plain))
    return min(max((TARGET_BYTES - mean_plain) / (mean_rich - mean_plain), 0.05), 0.95)


def parse_shape(line: bytes, *, rich: bool) -> Shape:
    """Take one record apart."""
    record = _read(line)
    protocol = _read(record["protocolSection"])
    derived = _read(record["derivedSection"]) if "derivedSection" in record else {}
    identification = _read(protocol["identificationModule"])
    description = _values(protocol, "descriptionModule")
    status = _values(protocol, "statusModule")
    design = _values(protocol, "designModule")
    criteria, eligibility = _split_off(protocol, "eligibilityModule", "eligibilityCriteria")
    locations, contacts = _split_off(protocol, "contactsLocationsModule", "locations")
    return Shape(
        area=_find_area(protocol, identification),
        rich=rich,
        size=len(line),
        titles=_join(identification, ("briefTitle", "acronym", "secondaryIdInfos")),
        official_title=bytes(identification.get("officialTitle", b'""'))[1:-1],
        organization=_join(identification, ("organization",)),
        sponsors=_join(protocol, ("sponsorCollaboratorsModule",)),
        status=bytes(protocol.get("statusModule", b"{}")),
        overall_status=str(status.get("overallStatus", "UNKNOWN")).encode(),
        updated_month=_month(status.get("lastUpdateSubmitDate", "2026-01")),
        summary=_split(_SENTENCE, description.get("briefSummary", "")),
        detail=_split(_SENTENCE, description.get("detailedDescription", "")),
        conditions=_join(protocol, ("conditionsModule",)),
        design=_join(protocol, ("designModule",)),
        phases=_phases(design),
        enrollment=design.get("enrollmentInfo", {}).get("count"),
        arms=_join(protocol, ("armsInterventionsModule",)),
        outcomes=_join(protocol, ("outcomesModule",)),
        criteria=_split(_LINE, msgspec.json.decode(criteria)) if criteria else (),
        eligibility=eligibility,
        locations=_elements(locations),
        contacts=contacts,
        passed_on=_join(protocol, _PASSED_ON),
        attached=_join(record, _ATTACHED),
        has_results=bytes(record.get("hasResults", b"false")),
        condition_browse=_join(derived, ("conditionBrowseModule",)),
        intervention_browse=_join(derived, ("interventionBrowseModule",)),
    )


def _values(parent: _Fragments, key: str) -> dict[str, Any]:
    value: dict[str, Any] = msgspec.json.decode(parent[key]) if key in parent else {}
    return value


def _join(fragments: _Fragments, keys: Sequence[str]) -> bytes:
    """Write the members of an object, each after a comma."""
    return b"".join(b',"%b":%b' % (k.encode(), bytes(fragments[k])) for k in keys if k in fragments)


def _split_off(parent: _Fragments, module: str, key: str) -> tuple[bytes, bytes]:
    """Give one member's value, and the other members each after a comma."""
    members = _read(parent[module]) if module in parent else {}
    taken = bytes(members.pop(key, b""))
    return taken, _join(members, tuple(members))


def _elements(array: bytes) -> Sequence[bytes]:
    return (
        [bytes(raw) for raw in msgspec.json.decode(array, type=list[msgspec.Raw])] if array else ()
    )


def _split(pattern: re.Pattern[str], text: str) -> Sequence[bytes]:
    pieces = (piece if piece[-1].isspace() else piece + " " for piece in pattern.findall(text))
    return [msgspec.json.encode(piece)[1:-1] for piece in pieces]


def _phases(design: dict[str, Any]) -> bytes:
    return msgspec.json.encode(design["phases"]) if design.get("phases") else b""


def _month(date: str) -> int:
    found = _DATE.match(date)
    return int(found[1]) * 12 + int(found[2]) - 1 if found else 2026 * 12


def _find_area(protocol: _Fragments, identification: _Fragments) -> str:
    conditions = bytes(protocol.get("conditionsModule", b""))
    title = bytes(identification.get("briefTitle", b""))
    found = _AREA.search((conditions + title).decode("utf-8", "replace"))
    return found.lastgroup or "other" if found else "other"
