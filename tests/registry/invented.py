"""Small invented studies in the API's own shape, and queries as the API's parameters write them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from trialyst.ctgov.params import parse_params
from trialyst.ctgov.query import TrialQuery
from trialyst.ids import NctId
from trialyst.registry import Registry, build_from_studies
from trialyst.registry import generation as layout
from trialyst.registry.checksums import checksums_of

FIRST = 90_000_001

WORDS = [
    "asthma",
    "velorimab",
    "inhaler",
    "steroid",
    "placebo",
    "randomized",
    "adult",
    "wheezing",
    "airway",
    "biologic",
    "antibody",
    "monthly",
    "injection",
    "outcome",
    "safety",
    "spirometry",
    "rescue",
    "symptom",
    "trial",
    "cohort",
]
CITIES = (("Boston", "Massachusetts"), ("Austin", "Texas"), ("Salem", "Oregon"))


def study(number: int, *, updated: str | None = None, **modules: Any) -> dict[str, Any]:
    """Give a study with an id, a title, and whatever modules a test needs (`status={...}`)."""
    identification = {"nctId": str(NctId(number)), "briefTitle": f"Study {number}"}
    identification |= modules.pop("identification", {})
    status = dict(modules.pop("status", {}))
    if updated:
        status["lastUpdatePostDateStruct"] = {"date": updated}
    protocol: dict[str, Any] = {"identificationModule": identification}
    if status:
        protocol["statusModule"] = status
    protocol |= {f"{name}Module": module for name, module in modules.items()}
    return {"protocolSection": protocol}


def site(city: str, **more: Any) -> dict[str, Any]:
    """Give a site; `point=(lat, lon)` sets its geo point."""
    point = more.pop("point", None)
    placed = {"geoPoint": {"lat": point[0], "lon": point[1]}} if point else {}
    return {"city": city, **more, **placed}


def with_sites(number: int, *sites: Mapping[str, Any]) -> dict[str, Any]:
    return study(number, contactsLocations={"locations": list(sites)})


def titled(number: int, title: str, **modules: Any) -> dict[str, Any]:
    return study(number, identification={"briefTitle": title}, **modules)


def many(count: int, *, first: int = FIRST) -> list[dict[str, Any]]:
    """Give studies that differ in words, dates, phases, sizes and places, always the same ones."""
    return [_varied(number) for number in range(first, first + count)]


def _varied(number: int) -> dict[str, Any]:
    # A fixed stride through small tables: no two neighbours alike, nothing random.
    word = [WORDS[number * step % len(WORDS)] for step in (1, 3, 7, 11)]
    city, state = CITIES[number % len(CITIES)]
    sites = [site(city, state=state, country="United States", facility=f"Clinic {number % 50}")]
    enrolled = {"enrollmentInfo": {"count": number % 97}} if number % 5 else {}
    return study(
        number,
        updated=f"20{20 + number % 5}-{1 + number % 12:02d}-{1 + number % 28:02d}",
        identification={"briefTitle": " ".join(word)},
        status={"overallStatus": ("RECRUITING", "COMPLETED", "TERMINATED")[number % 3]},
        description={
            "briefSummary": " ".join(WORDS[(number + k * k) % len(WORDS)] for k in range(30))
        },
        conditions={"conditions": [word[0], word[2]]},
        design={"phases": [f"PHASE{1 + number % 4}"], **enrolled},
        contactsLocations={"locations": sites * (number % 4)},
    )


def as_line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> Path:
    path.write_bytes(b"".join(as_line(record) + b"\n" for record in records))
    return path


def opened(directory: Path, *studies: Mapping[str, Any]) -> Registry:
    """Build a registry of some studies and open it."""
    build_from_studies(studies, directory)
    return Registry.open(directory)


def asked(**params: str) -> TrialQuery:
    """Give a query from request parameters, dots written as underscores."""
    return parse_params({name.replace("_", "."): text for name, text in params.items()})


def find_all(registry: Registry, **params: str) -> list[int]:
    """Give the numbers of all matches in order, counted from the first invented number."""
    query = asked(**params)
    return [number - FIRST + 1 for number in registry.iter_numbers(query)]


def found(registry: Registry, **params: str) -> set[int]:
    """Give the matches, counted from the first invented number."""
    return {number - FIRST + 1 for number in registry.match_numbers(asked(**params))}


def sign(registry: Path) -> None:
    """Write the checksums of a generation that somebody else filled or changed."""
    generation = layout.current_generation(registry)
    manifest = layout.open_manifest(generation)
    signed = msgspec.structs.replace(manifest, checksums=checksums_of(generation))
    (generation / layout.MANIFEST).write_bytes(msgspec.json.encode(signed))
