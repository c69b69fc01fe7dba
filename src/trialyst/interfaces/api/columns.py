"""The 30 columns of the CSV form, in the service's order, and how each cell is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from trialyst.errors import InvalidInput
from trialyst.essie.pieces import pieces
from trialyst.interfaces.spreadsheets import guard_cell
from trialyst.registry.slices import slice_of

__all__ = ["choose_columns", "render_table"]

Cell = Callable[[Any], str]

_LOOKED_AT = frozenset({"ProtocolSection", "DocumentSection", "HasResults"})
"""No cell is made of results, which are most of a large record."""

_STUDY_URL = "https://clinicaltrials.gov/study/"
_DOCUMENT_URL = "https://cdn.clinicaltrials.gov/large-docs"


def choose_columns(names: Sequence[str] | None) -> list[str]:
    """Give the columns asked for (all if None), always in the service's own order."""
    by_folded_name = {name.casefold(): name for name in _columns()}
    chosen = set(_columns() if names is None else ())
    for name in names or ():
        if name.casefold() not in by_folded_name:
            raise InvalidInput(f"Parameter 'fields' contains invalid CSV column name: '{name}'")
        chosen.add(by_folded_name[name.casefold()])
    return [name for name in _columns() if name in chosen]


def render_table(studies: Iterable[bytes], columns: Sequence[str], *, header: bool) -> bytes:
    """Write the studies as CSV rows with CRLF line ends."""
    cells = [_columns()[name] for name in columns]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    if header:
        writer.writerow(columns)
    needed = slice_of(_LOOKED_AT)
    for raw in studies:
        study = msgspec.json.decode(needed.cut(raw))
        writer.writerow([guard_cell(cell(study)) for cell in cells])
    return text.getvalue().encode()


@cache
def _columns() -> Mapping[str, Cell]:
    nct_id = _one("NCTId")
    return {
        "NCT Number": nct_id,
        "Study Title": _one("BriefTitle"),
        "Study URL": lambda study: _STUDY_URL + nct_id(study),
        "Acronym": _one("Acronym"),
        "Study Status": _one("OverallStatus"),
        "Brief Summary": _one("BriefSummary"),
        "Study Results": _results(),
        "Conditions": _joined("|", "Condition"),
        "Interventions": _rows("Intervention", "InterventionType", "InterventionName", sep=": "),
        **{f"{kind} Outcome Measures": _outcomes(kind) for kind in _OUTCOMES},
        "Sponsor": _one("LeadSponsorName"),
        "Collaborators": _joined("|", "CollaboratorName"),
        "Sex": _one("Sex"),
        "Age": _joined(", ", "StdAge"),
        "Phases": _joined("|", "Phase"),
        "Enrollment": _one("EnrollmentCount"),
        "Funder Type": _one("LeadSponsorClass"),
        "Study Type": _one("StudyType"),
        "Study Design": _design(),
        "Other IDs": _joined("|", "OrgStudyId", "SecondaryId"),
        "Start Date": _one("StartDate"),
        "Primary Completion Date": _one("PrimaryCompletionDate"),
        "Completion Date": _one("CompletionDate"),
        "First Posted": _one("StudyFirstPostDate"),
        "Results First Posted": _one("ResultsFirstPostDate"),
        "Last Update Posted": _one("LastUpdatePostDate"),
        "Locations": _rows("Location", *(f"Location{part}" for part in _PLACE), sep=", "),
        "Study Documents": _documents(nct_id),
    }


_OUTCOMES = ("Primary", "Secondary", "Other")
_PLACE = ("Facility", "City", "State", "Zip", "Country")


def _one(name: str) -> Cell:
    return _joined("|", name)


def _joined(separator: str, *names: str) -> Cell:
    paths = [pieces()[name].path for name in names]
    return lambda study: separator.join(
        str(value) for path in paths for value in _values(study, path)
    )


def _rows(parent: str, *names: str, sep: str) -> Cell:
    """Give one entry per item of a list, made of those of its pieces that have a value."""
    path = pieces()[parent].path
    keys = [pieces()[name].path[-1] for name in names]
    return lambda study: "|".join(
        sep.join(str(item[key]) for key in keys if item.get(key) not in (None, ""))
        for item in _values(study, path)
        if isinstance(item, dict)
    )


def _outcomes(kind: str) -> Cell:
    parts = ("Measure", "Description", "TimeFrame")
    return _rows(f"{kind}Outcome", *(f"{kind}Outcome{part}" for part in parts), sep=", ")


def _results() -> Cell:
    path = pieces()["HasResults"].path
    return lambda study: "YES" if True in _values(study, path) else "NO"


def _design() -> Cell:
    masking, who = _one("DesignMasking"), _joined(", ", "DesignWhoMasked")

    def masked(study: Any) -> str:
        return f"{masking(study)} ({who(study)})" if who(study) else masking(study)

    parts: tuple[tuple[str, Cell], ...] = (
        ("Allocation", _one("DesignAllocation")),
        ("Intervention Model", _one("DesignInterventionModel")),
        ("Masking", masked),
        ("Primary Purpose", _one("DesignPrimaryPurpose")),
        ("Observational Model", _one("DesignObservationalModel")),
        ("Time Perspective", _one("DesignTimePerspective")),
    )
    return lambda study: " | ".join(
        f"{label}: {value}" for label, cell in parts if (value := cell(study))
    )


def _documents(nct_id: Cell) -> Cell:
    path = pieces()["LargeDoc"].path
    label, file = (pieces()[name].path[-1] for name in ("LargeDocLabel", "LargeDocFilename"))

    def cell(study: Any) -> str:
        number = nct_id(study)
        folder = f"{_DOCUMENT_URL}/{number[-2:]}/{number}"
        return "|".join(
            f"{item[label]}, {folder}/{item[file]}"
            for item in _values(study, path)
            if isinstance(item, dict) and label in item and file in item
        )

    return cell


def _values(study: Any, path: Sequence[str]) -> list[Any]:
    found = [study]
    for key in path:
        below = [item.get(key) for item in found if isinstance(item, dict)]
        found = []
        for value in below:
            if isinstance(value, list):
                found.extend(value)
            elif value is not None:
                found.append(value)
    return found
