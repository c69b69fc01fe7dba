"""FHIR bundles become profiles; nothing coded is lost."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.matching.reading_notes import reader
from tests.matching.test_ingest import assert_quotes
from trialyst.eligibility.fhir.bundle import parse_bundle
from trialyst.errors import InvalidInput
from trialyst.matching.patient import FactKind, PatientProfile, Sex

pytestmark = pytest.mark.usefixtures("vocabulary")

KEPT = (
    "Condition",
    "Observation",
    "MedicationRequest",
    "MedicationStatement",
    "MedicationAdministration",
    "Procedure",
    "AllergyIntolerance",
    "Immunization",
)
SNOMED = "http://snomed.info/sct"
LOINC = "http://loinc.org"


def coded(system: str, code: str, display: str) -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code, "display": display}]}


def bundle(*resources: dict[str, Any]) -> str:
    return json.dumps(
        {"resourceType": "Bundle", "entry": [{"resource": each} for each in resources]}
    )


def read(*resources: dict[str, Any], as_of: date | None = date(2026, 1, 31)) -> PatientProfile:
    profile = reader().understand(bundle(*resources), as_of=as_of)
    assert_quotes(profile)
    return profile


def condition(display: str, **fields: Any) -> dict[str, Any]:
    return {"resourceType": "Condition", "code": coded(SNOMED, "1", display), **fields}


def status(code: str) -> dict[str, Any]:
    return {"coding": [{"code": code}]}


PATIENT = {"resourceType": "Patient", "id": "p", "gender": "female", "birthDate": "1960-02-01"}


def test_the_age_is_that_of_the_day_asked_for() -> None:
    assert str(read(PATIENT).age) == "65 Years"
    assert str(read(PATIENT, as_of=date(2026, 2, 1)).age) == "66 Years"


def test_the_age_is_that_of_the_last_day_in_the_record_by_default() -> None:
    seen = condition("Gout", recordedDate="1990-06-01T10:00:00Z")
    assert str(read(PATIENT, seen, as_of=None).age) == "30 Years"


def test_the_age_of_a_record_without_days_is_that_of_today() -> None:
    profile = reader().understand(bundle(PATIENT), today=lambda: date(2000, 2, 1))
    assert str(profile.age) == "40 Years"


def test_infants_have_months_and_days() -> None:
    born = {**PATIENT, "birthDate": "2025-11-20"}
    assert str(read(born).age) == "2 Months"
    assert str(read({**PATIENT, "birthDate": "2026-01-21"}).age) == "10 Days"


@pytest.mark.parametrize(
    ("fields", "assertion"),
    [
        ({"clinicalStatus": status("active")}, "present"),
        ({"clinicalStatus": status("resolved")}, "historical"),
        ({"verificationStatus": status("refuted")}, "absent"),
        ({"verificationStatus": status("provisional")}, "possible"),
        ({"verificationStatus": status("entered-in-error")}, "hypothetical"),
        ({}, "present"),
    ],
)
def test_statuses_become_assertions(fields: dict[str, Any], assertion: str) -> None:
    [fact] = read(condition("Gout", **fields)).of(FactKind.CONDITION)
    assert fact.assertion == assertion


def test_codes_become_concepts() -> None:
    [fact] = read(condition("Malignant neoplasm of breast (disorder)")).of(FactKind.CONDITION)
    assert (fact.text, fact.name, fact.code) == (
        "Malignant neoplasm of breast",
        "Breast Neoplasms",
        "SNOMED:1",
    )


def test_a_condition_the_vocabulary_lacks_keeps_its_code_and_its_kind() -> None:
    [fact] = read(condition("Childhood asthma")).of(FactKind.CONDITION)
    assert fact.concept is not None
    assert fact.concept.id == "SNOMED:1"
    assert any(tree.startswith("C08") for tree in fact.concept.trees)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("active", ("current", True)),
        ("stopped", ("prior", True)),
        ("not-taken", ("refused", False)),
    ],
)
def test_medications_have_a_state(state: str, expected: tuple[str, bool]) -> None:
    statement = {
        "resourceType": "MedicationStatement",
        "status": state,
        "medicationCodeableConcept": coded("x", "9", "Paclitaxel 100 MG Injection"),
    }
    [fact] = read(statement).of(FactKind.THERAPY)
    assert (fact.name, (fact.status, fact.holds)) == ("Paclitaxel", expected)


def test_a_medication_may_be_a_resource_of_its_own() -> None:
    request = {
        "resourceType": "MedicationRequest",
        "status": "active",
        "medicationReference": {"reference": "Medication/m"},
    }
    medication = {"resourceType": "Medication", "id": "m", "code": coded("x", "9", "Metformin")}
    [fact] = read(request, medication).of(FactKind.THERAPY)
    assert fact.name == "Metformin"


def test_observations_have_values_and_components() -> None:
    pressure = {
        "resourceType": "Observation",
        "code": coded(LOINC, "55284-4", "Blood Pressure"),
        "component": [
            {
                "code": coded(LOINC, code, name),
                "valueQuantity": {"value": value, "unit": "mm[Hg]"},
            }
            for code, name, value in (("8480-6", "Systolic", 120), ("8462-4", "Diastolic", 80))
        ],
    }
    hemoglobin = {
        "resourceType": "Observation",
        "code": coded(LOINC, "718-7", "Hemoglobin [Mass/volume] in Blood"),
        "valueQuantity": {"value": 11.5, "unit": "g/dL"},
    }
    values = {
        fact.name: str(fact.value)
        for fact in read(pressure, hemoglobin).of(FactKind.MEASUREMENT)
        if fact.value is not None
    }
    assert values == {
        "Systolic blood pressure": "120 mmHg",
        "Diastolic blood pressure": "80 mmHg",
        "Hemoglobin": "11.5 g/dL",
    }


@pytest.mark.parametrize("value", [True, 10**400], ids=["true", "huge"])
def test_what_is_no_number_is_no_value(value: float) -> None:
    hemoglobin = {
        "resourceType": "Observation",
        "code": coded(LOINC, "718-7", "Hemoglobin"),
        "valueQuantity": {"value": value, "unit": "g/dL"},
    }
    assert all(fact.value is None for fact in read(hemoglobin).of(FactKind.MEASUREMENT))


def test_only_the_latest_of_a_measurement_is_a_key_fact() -> None:
    weights = [
        {
            "resourceType": "Observation",
            "code": coded(LOINC, "29463-7", "Body Weight"),
            "valueQuantity": {"value": value, "unit": "kg"},
            "effectiveDateTime": day,
        }
        for day, value in (("2020-01-01", 70), ("2024-01-01", 82), ("2022-01-01", 75))
    ]
    profile = read(*weights)
    assert len(profile.of(FactKind.MEASUREMENT)) == 3
    assert profile.key_facts.measurements == ("Body weight 82 kg",)


def test_mcode_stage_markers_and_performance() -> None:
    def observed(code: str, **value: Any) -> dict[str, Any]:
        return {
            "resourceType": "Observation",
            "code": {"coding": [{"system": LOINC, "code": code}]},
            **value,
        }

    profile = read(
        condition("Malignant neoplasm of breast"),
        observed("21908-9", valueCodeableConcept=coded("x", "4", "Stage 4")),
        observed("16112-5", valueCodeableConcept=coded(SNOMED, "2", "Negative (qualifier value)")),
        observed("89247-1", valueInteger=1),
    )
    assert profile.key_facts.stage == "IV"
    assert profile.key_facts.biomarkers == ("ER negative",)
    assert profile.key_facts.performance_status == "ECOG performance status 1"


def test_a_score_that_cannot_be_is_kept_without_a_value() -> None:
    observation = {
        "resourceType": "Observation",
        "code": {"coding": [{"system": LOINC, "code": "89247-1"}]},
        "valueInteger": -1,
    }
    [fact] = read(observation).of(FactKind.PERFORMANCE)
    assert (fact.value, fact.status) == (None, "not a score")


def test_family_history_is_of_a_relative() -> None:
    history = {
        "resourceType": "FamilyMemberHistory",
        "relationship": coded("x", "MTH", "mother"),
        "condition": [{"code": coded(SNOMED, "3", "Gout")}],
    }
    [fact] = read(history).family_history
    assert (fact.name, fact.detail) == ("Gout", "mother")


def test_what_is_not_read_is_told() -> None:
    condition = {"resourceType": "Condition", "code": {"text": "Gout"}}
    warnings = read(PATIENT, condition, {"resourceType": "Encounter"}).warnings
    assert warnings == ("Not read: 1 Encounter.",)


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([{"resource": {"resourceType": "Condition"}}, {"x": 1}], "1 entry holds no resource"),
        ([{"resource": {"resourceType": "Condition"}}], "1 x unnamed condition"),
        ([{"resource": {"resourceType": "Patient", "birthDate": "80/1/1"}}], "birth date cannot"),
        ([{"resource": PATIENT}], "Nothing was found that a search for trials could use"),
    ],
)
def test_what_cannot_be_read_is_told(entries: list[Any], told: str) -> None:
    bundle = {"resourceType": "Bundle", "entry": entries}
    assert told in " ".join(reader().understand(json.dumps(bundle)).warnings)


def test_resources_without_the_wrapper_of_an_entry_are_read() -> None:
    bundle = {
        "resourceType": "Bundle",
        "entry": [{"resourceType": "Condition", "code": {"text": "Gout"}}],
    }
    assert [fact.name for fact in reader().understand(json.dumps(bundle)).facts] == ["Gout"]


def test_an_empty_bundle_is_a_profile_that_says_so() -> None:
    profile = read()
    assert "empty" in profile.warnings[0]
    assert not profile.facts


def test_sex_at_birth_stands_in_for_a_missing_gender() -> None:
    extension = {
        "url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex",
        "valueCode": "M",
    }
    assert read({"resourceType": "Patient", "extension": [extension]}).sex is Sex.MALE


@pytest.mark.parametrize(
    "text",
    [
        '{"resourceType":',
        '{"resourceType": "Bundle", "entry": [{"resource": {"resourceType": "Patient", "id": "a"}},'
        '{"resource": {"resourceType": "Patient", "id": "b"}}]}',
        '[1, "resourceType"]',
        '{"resourceType": "Bundle", "entry": {"resource": {"resourceType": "Patient"}}}',
        '{"resourceType": "Bundle", "entry": [{"fullUrl": "x"}, 3]}',
        '<?xml version="1.0"?><Bundle xmlns="http://hl7.org/fhir"></Bundle>',
    ],
    ids=["cut", "two patients", "no resource", "no list", "no entries", "XML"],
)
def test_what_is_no_record_of_one_patient_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        reader().understand(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3000) | st.text("ab1-:", max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("coding", "code", "display", "text", "value", "unit", "reference")),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
FIELDS = (
    *("id", "code", "status", "clinicalStatus", "verificationStatus", "stage", "component", "meta"),
    *("valueQuantity", "valueCodeableConcept", "valueRatio", "valueInteger", "interpretation"),
    *("medicationCodeableConcept", "medicationReference", "contained", "condition", "birthDate"),
    *("relationship", "extension", "address", "gender", "effectiveDateTime", "performedPeriod"),
)
RESOURCES = st.builds(
    lambda kind, fields: {"resourceType": kind, **fields},
    st.sampled_from((*KEPT, "Patient", "FamilyMemberHistory", "Medication")),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6),
)


@given(st.lists(RESOURCES, max_size=4))
def test_a_damaged_record_is_read_or_refused(resources: list[dict[str, Any]]) -> None:
    try:
        read(*resources)
    except InvalidInput:
        return


def _real(data_dir: Path) -> Iterator[str]:
    folder = data_dir / "fhir_patients"
    with lzma.open(folder / "synthea_r4_bundles.jsonl.xz", "rt", encoding="utf-8") as lines:
        yield from lines
    with gzip.open(folder / "mcode_bundles.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from lines


@pytest.mark.slow
def test_every_coded_resource_of_real_bundles_is_kept(data_dir: Path) -> None:
    """A resource is one sentence, and every sentence of a coded resource states a fact."""
    seen = 0
    for text in _real(data_dir):
        profile = reader().understand(text)
        kept = parse_bundle(text).of(*KEPT)
        stated = {fact.sentence for fact in profile.facts if fact.code}
        assert len(stated) == len(kept)
        assert_quotes(profile)
        seen += 1
    assert seen == 51
