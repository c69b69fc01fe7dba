"""Patients of a cohort as they come: notes or FHIR bundles, one by one, bad rows told apart.

A file of JSON lines holds a note or a bundle a line; FHIR bulk files and OMOP tables are grouped by
patient (`bulk.py`, `omop.py`). Whatever cannot be read is a `BadRow` with its place; the others go
on. Nothing of a patient is kept on disk here.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint

__all__ = [
    "PART",
    "BadRow",
    "LinePatients",
    "Part",
    "PatientText",
    "Patients",
    "digest_files",
    "iter_parts",
    "open_patients",
]

PART = 50
"""Patients that are matched and written together: half a minute of work at most."""
_IDS = ("id", "patient_id", "_id", "subject_id", "person_id")
_TEXTS = ("text", "note", "note_text")
_LONGEST_ID = 200
_HINT = Hint(
    "Write one JSON object a line, such as {example}, or name a directory of FHIR bulk files or "
    "OMOP tables.",
    example=Argument("line", {"id": "p1", "text": "A 63-year-old woman with melanoma."}),
)


class PatientText(NamedTuple):
    """One patient of the input."""

    id: str
    text: str
    """The note, or a FHIR bundle as JSON."""
    place: str
    """Where the input has it: `line 17`."""


class BadRow(NamedTuple):
    """A row that is no patient, and why; never its text."""

    place: str
    message: str


class Part(NamedTuple):
    """Some patients, in the order of the input."""

    number: int
    rows: tuple[PatientText | BadRow, ...]


class Patients(Protocol):
    """Where patients come from."""

    @property
    def kind(self) -> str:
        """What the input is: `notes`, `fhir` or `omop`."""
        ...

    @property
    def files(self) -> tuple[Path, ...]:
        """The files it is read from."""
        ...

    def __iter__(self) -> Iterator[PatientText | BadRow]:
        """Yield every patient in the order of the input, bad rows at their places."""
        ...


def open_patients(path: Path) -> Patients:
    """Open a file or directory of patients by what it holds.

    Raises:
        InvalidInput: there is nothing, or nothing that tells patients.
    """
    from trialyst.scale.bulk import BulkPatients
    from trialyst.scale.omop import OmopPatients, find_tables

    if not path.exists():
        raise InvalidInput(
            f"There is no file or directory {str(path)!r}", hint=_HINT, invalid_input=str(path)
        )
    if path.is_dir():
        if find_tables(path):
            return OmopPatients(path)
        listed = tuple(sorted(each for each in path.iterdir() if each.suffix == ".ndjson"))
        if listed:
            return BulkPatients(listed)
        raise InvalidInput(
            f"The directory {str(path)!r} has neither *.ndjson nor a table of persons",
            hint=_HINT,
            invalid_input=str(path),
        )
    kind = _resource_type(path)
    return LinePatients(path) if kind in (None, "Bundle") else BulkPatients((path,))


def iter_parts(patients: Patients, *, size: int = PART) -> Iterator[Part]:
    """Yield patients in parts of a size; the same input gives the same parts."""
    rows = iter(patients)
    number = 0
    while taken := tuple(islice(rows, size)):
        yield Part(number, taken)
        number += 1


def digest_files(files: tuple[Path, ...]) -> str:
    """Give a hash of what the files hold, so that a changed input is another run."""
    told = hashlib.blake2b(digest_size=16)
    for file in files:
        told.update(file.name.encode())
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                told.update(block)
    return told.hexdigest()


class LinePatients:
    """A note or a bundle a line."""

    def __init__(self, path: Path) -> None:
        self.files = (path,)
        self.kind = "notes" if _resource_type(path) is None else "fhir"

    def __iter__(self) -> Iterator[PatientText | BadRow]:
        seen: dict[int, int] = {}
        with _open(self.files[0]) as stream:
            for number, line in enumerate(stream, start=1):
                if not line.strip():
                    continue
                row = _read_line(line, f"line {number}")
                if isinstance(row, PatientText):
                    first = seen.setdefault(hash(row.id), number)
                    if first != number:
                        row = BadRow(row.place, f"the id {row.id!r} stands on line {first} already")
                yield row


@contextmanager
def _open(path: Path) -> Iterator[Iterable[bytes]]:
    if path.suffix == ".gz":
        with gzip.open(path) as packed:
            yield packed
    else:
        with path.open("rb") as plain:
            yield plain


def _resource_type(path: Path) -> str | None:
    """Give the FHIR type of the first line that can be read; None where it is none."""
    try:
        with _open(path) as stream:
            for line in islice(stream, 100):
                found = _parse(line)
                if isinstance(found, Mapping):
                    kind = found.get("resourceType")
                    return kind if isinstance(kind, str) else None
    except OSError as problem:
        raise InvalidInput(
            f"The file {str(path)!r} cannot be read: {problem.strerror or problem}",
            hint=_HINT,
            invalid_input=str(path),
        ) from problem
    return None


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _read_line(line: bytes, place: str) -> PatientText | BadRow:
    found = _parse(line)
    if not isinstance(found, Mapping):
        return BadRow(place, "it is no JSON object")
    given = next((found[name] for name in _IDS if found.get(name) not in (None, "")), None)
    if "resourceType" in found:
        return PatientText(_to_id(given, place), line.decode("utf-8", "replace"), place)
    text = next((found[name] for name in _TEXTS if name in found), None)
    if not isinstance(text, str) or not text.strip():
        return BadRow(place, f"it has no note: none of {', '.join(_TEXTS)} is a text")
    return PatientText(_to_id(given, place), text, place)


def _to_id(given: object, place: str) -> str:
    return place if given is None else str(given)[:_LONGEST_ID]
