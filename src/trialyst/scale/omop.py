"""OMOP tables, as Parquet or CSV, as patients: rows of a person become a FHIR bundle.

Codes and names come from columns beside the concept ids, or from a table of concepts. What one
reader of bundles understands is thereby understood of OMOP too.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trialyst.errors import InvalidInput
from trialyst.scale.columns import read_table
from trialyst.scale.patients import BadRow, PatientText

__all__ = ["OmopPatients", "find_tables"]

_SYSTEMS = {
    "SNOMED": "http://snomed.info/sct",
    "LOINC": "http://loinc.org",
    "RXNORM": "http://www.nlm.nih.gov/research/umls/rxnorm",
    "RXNORM EXTENSION": "http://www.nlm.nih.gov/research/umls/rxnorm",
    "ICD10CM": "http://hl7.org/fhir/sid/icd-10-cm",
    "ICD10": "http://hl7.org/fhir/sid/icd-10",
    "ICD9CM": "http://hl7.org/fhir/sid/icd-9-cm",
    "CPT4": "http://www.ama-assn.org/go/cpt",
    "CVX": "http://hl7.org/fhir/sid/cvx",
    "NDC": "http://hl7.org/fhir/sid/ndc",
}
_GENDERS = {"8507": "male", "8532": "female", "m": "male", "f": "female"}


class _Domain(NamedTuple):
    table: str
    concept: str
    """What its columns of concepts begin with."""
    resource: str
    start: str
    end: str = ""


_DOMAINS = (
    _Domain("condition_occurrence", "condition", "Condition", "condition_start_date",
            "condition_end_date"),
    _Domain("drug_exposure", "drug", "MedicationStatement", "drug_exposure_start_date",
            "drug_exposure_end_date"),
    _Domain("measurement", "measurement", "Observation", "measurement_date"),
    _Domain("observation", "observation", "Observation", "observation_date"),
    _Domain("procedure_occurrence", "procedure", "Procedure", "procedure_date"),
)  # fmt: skip
_PERSON = "person"
_TABLES = (_PERSON, "concept", "note", *(each.table for each in _DOMAINS))

Row = Mapping[str, Any]


def find_tables(directory: Path) -> dict[str, Path]:
    """Give the tables of a directory by name; empty where there is none of persons."""
    found: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        if path.suffix.lower() in (".csv", ".parquet") and path.stem.lower() in _TABLES:
            found[path.stem.lower()] = path
    return found if _PERSON in found else {}


class OmopPatients:
    """Persons with what was diagnosed, given, measured and done."""

    kind = "omop"

    def __init__(self, directory: Path) -> None:
        self._tables = find_tables(directory)
        self.files = tuple(self._tables.values())

    def __iter__(self) -> Iterator[PatientText | BadRow]:
        concepts = {_text(row.get("concept_id")): row for row in self._rows("concept")}
        resources: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for domain in _DOMAINS:
            for row in self._rows(domain.table):
                resources[_key(row)].append(_to_resource(domain, row, concepts))
        for row in self._rows("note"):
            resources[_key(row)].append(_to_document(row))
        for number, row in enumerate(self._rows(_PERSON), start=2):
            place = f"{self._tables[_PERSON].name} row {number}"
            key = _key(row)
            if not key:
                yield BadRow(place, "it has no person_id")
                continue
            listed = [_to_patient(row, concepts), *resources.pop(key, ())]
            bundle = {
                "resourceType": "Bundle",
                "type": "collection",
                "entry": [{"resource": each} for each in listed],
            }
            yield PatientText(key, json.dumps(bundle, ensure_ascii=False), place)
        for key, left in resources.items():
            yield BadRow(f"person {key}", f"{len(left)} rows belong to nobody in {_PERSON}")

    def _rows(self, table: str) -> Iterator[Row]:
        path = self._tables.get(table)
        if path is None:
            return
        rows = read_table(path)
        try:
            yield from rows
        except InvalidInput:
            raise
        except (ValueError, OSError) as problem:
            raise InvalidInput(
                f"The table {str(path)!r} cannot be read: {problem}",
                hint="Write it as Parquet or as CSV with a line of column names.",
                invalid_input=str(path),
            ) from problem


def _key(row: Row) -> str:
    return _text(row.get("person_id"))


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _code(row: Row, begins: str, concepts: Mapping[str, Row]) -> dict[str, Any]:
    """Give a concept as FHIR writes it."""
    concept = _text(row.get(f"{begins}_concept_id"))
    known = concepts.get(concept, {})
    name = _text(row.get(f"{begins}_concept_name")) or _text(known.get("concept_name"))
    code = _text(row.get(f"{begins}_concept_code")) or _text(known.get("concept_code"))
    vocabulary = _text(row.get(f"{begins}_vocabulary_id")) or _text(known.get("vocabulary_id"))
    words = name or _text(row.get(f"{begins}_source_value"))
    coding = {"system": _SYSTEMS.get(vocabulary.upper(), vocabulary), "code": code, "display": name}
    return {**({"coding": [coding]} if code else {}), **({"text": words} if words else {})}


def _to_resource(domain: _Domain, row: Row, concepts: Mapping[str, Row]) -> dict[str, Any]:
    code = _code(row, domain.concept, concepts)
    start, end = _text(row.get(domain.start)), _text(row.get(domain.end))
    made: dict[str, Any] = {"resourceType": domain.resource}
    if domain.resource == "Condition":
        made |= {"code": code, "clinicalStatus": {"coding": [{"code": "active"}]}}
        made |= {"onsetDateTime": start} if start else {}
        if end:
            made |= {"abatementDateTime": end, "clinicalStatus": {"coding": [{"code": "resolved"}]}}
    elif domain.resource == "MedicationStatement":
        period = {**({"start": start} if start else {}), **({"end": end} if end else {})}
        made |= {"status": "completed" if end else "active", "medicationCodeableConcept": code}
        made |= {"effectivePeriod": period} if period else {}
    elif domain.resource == "Procedure":
        made |= {"status": "completed", "code": code}
        made |= {"performedDateTime": start} if start else {}
    else:
        made |= {"status": "final", "code": code, **_value(row, concepts)}
        made |= {"effectiveDateTime": start} if start else {}
    return made


def _value(row: Row, concepts: Mapping[str, Row]) -> dict[str, Any]:
    number = row.get("value_as_number")
    if number not in (None, ""):
        unit = _code(row, "unit", concepts)
        # UCUM codes are what units are written in; names of units stand in where there is none.
        coded = unit.get("coding", [{}])[0].get("code") or unit.get("text", "")
        quantity: dict[str, Any] = {"value": float(str(number))}
        return {"valueQuantity": quantity | ({"unit": coded} if coded else {})}
    concept = _code(row, "value_as", concepts)
    if concept:
        return {"valueCodeableConcept": concept}
    told = _text(row.get("value_as_string"))
    return {"valueString": told} if told else {}


def _to_document(row: Row) -> dict[str, Any]:
    import base64

    day = _text(row.get("note_date"))
    data = base64.b64encode(_text(row.get("note_text")).encode()).decode()
    return {
        "resourceType": "DocumentReference",
        "status": "current",
        **({"date": day} if day else {}),
        "content": [{"attachment": {"contentType": "text/plain", "data": data}}],
    }


def _to_patient(row: Row, concepts: Mapping[str, Row]) -> dict[str, Any]:
    told = _code(row, "gender", concepts).get("text", "").lower()
    gender = _GENDERS.get(_text(row.get("gender_concept_id"))) or _GENDERS.get(told[:1])
    parts = [_text(row.get(f"{unit}_of_birth")) for unit in ("year", "month", "day")]
    known = [part.zfill(2) for part in parts[: parts.index("") if "" in parts else 3]]
    born = _text(row.get("birth_datetime"))[:10] or "-".join(known)
    return {
        "resourceType": "Patient",
        "id": _key(row),
        **({"gender": gender} if gender else {}),
        **({"birthDate": born} if born else {}),
    }
