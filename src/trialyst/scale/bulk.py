"""FHIR bulk files: one resource a line, grouped into a bundle for each patient.

Only the places of lines are remembered, so that a patient's record is read when it is due.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trialyst.scale.patients import BadRow, PatientText

__all__ = ["BulkPatients"]

_OF_PATIENT = ("subject", "patient", "individual", "beneficiary")
_REFERRED = ("medicationReference",)
"""Where a patient's resource names another that belongs to nobody."""
_SHARED = frozenset({"Medication"})


class _Line(NamedTuple):
    file: int
    offset: int
    number: int


class BulkPatients:
    """Patients of one or more files of FHIR resources."""

    kind = "fhir"

    def __init__(self, files: tuple[Path, ...]) -> None:
        self.files = files
        self._lines: dict[str, list[_Line]] = {}
        self._shared: dict[str, _Line] = {}
        self._bad: list[BadRow] = []
        for place, file in enumerate(files):
            self._index(place, file)

    def _index(self, place: int, file: Path) -> None:
        offset = 0
        with file.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    self._note(line, _Line(place, offset, number))
                offset += len(line)

    def _note(self, line: bytes, at: _Line) -> None:
        resource = _parse(line)
        if resource is None:
            told = "it is no FHIR resource as JSON"
            self._bad.append(BadRow(f"{self.files[at.file].name} line {at.number}", told))
            return
        owner = _owner(resource)
        if owner is not None:
            self._lines.setdefault(owner, []).append(at)
        elif resource["resourceType"] in _SHARED:
            self._shared[f"{resource['resourceType']}/{resource.get('id')}"] = at

    def __iter__(self) -> Iterator[PatientText | BadRow]:
        yield from self._bad
        streams = [file.open("rb") for file in self.files]
        try:
            for patient, lines in self._lines.items():
                found = [_read(streams, at) for at in lines]
                named = {name for each in found for name in _referred(each)}
                found += [_read(streams, at) for name, at in self._shared.items() if name in named]
                bundle = {
                    "resourceType": "Bundle",
                    "type": "collection",
                    "entry": [{"resource": each} for each in found],
                }
                place = f"{self.files[lines[0].file].name} line {lines[0].number}"
                yield PatientText(patient, json.dumps(bundle, ensure_ascii=False), place)
        finally:
            for stream in streams:
                stream.close()


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    told = isinstance(found, dict) and isinstance(found.get("resourceType"), str)
    return found if told else None


def _read(streams: list[Any], at: _Line) -> dict[str, Any]:
    streams[at.file].seek(at.offset)
    found: dict[str, Any] = json.loads(streams[at.file].readline())
    return found


def _owner(resource: Mapping[str, Any]) -> str | None:
    """Give the id of the patient a resource belongs to."""
    if resource["resourceType"] == "Patient":
        return str(resource["id"]) if resource.get("id") else None
    for name in _OF_PATIENT:
        target = _target(resource.get(name))
        if target.startswith(("Patient/", "urn:uuid:")):
            return target.rpartition(":" if target.startswith("urn:") else "/")[2]
    return None


def _target(reference: object) -> str:
    if not isinstance(reference, Mapping):
        return ""
    target = str(reference.get("reference") or "")
    # Absolute addresses end in the same two parts.
    return target if target.startswith("urn:") else "/".join(target.split("/")[-2:])


def _referred(resource: Mapping[str, Any]) -> Iterator[str]:
    for name in _REFERRED:
        if target := _target(resource.get(name)):
            yield target
