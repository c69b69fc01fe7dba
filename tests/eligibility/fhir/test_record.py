"""FHIR bundles become charts by their codes: nothing coded is lost, nothing is of another."""

from __future__ import annotations

import base64
import gzip
import json
import lzma
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shipped import shipped_vocabulary
from trialyst.eligibility.chart import Chart, SexCode
from trialyst.eligibility.chart_json import chart_from_json, chart_to_json
from trialyst.eligibility.fhir.bundle import parse_bundle
from trialyst.eligibility.fhir.record import read_bundle
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.reading.reader import NoteReader
from trialyst.errors import InvalidInput

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
DAY = date(2026, 1, 31)


@cache
def lexicon() -> Lexicon:
    """Give the one lexicon."""
    return Lexicon(shipped_vocabulary())


def coded(system: str, code: str, display: str) -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code, "display": display}]}


def bundle(*resources: dict[str, Any]) -> str:
    return json.dumps(
        {"resourceType": "Bundle", "entry": [{"resource": each} for each in resources]}
    )


def read(*resources: dict[str, Any], as_of: date | None = DAY) -> Chart:
    chart = read_bundle(
        bundle(*resources), lexicon(), as_of=as_of, today=lambda: DAY, read_note=read_document
    )
    assert_quotes(chart)
    return chart


def read_document(text: str, day: date | None) -> Chart:
    return NoteReader(lexicon()).read(text, as_of=day)


def assert_quotes(chart: Chart) -> None:
    for entry in chart.entries():
        assert chart.note.text[entry.start : entry.end] == entry.text
        sentence = chart.note.sentence(entry.sentence)
        assert sentence is not None
        assert sentence.start <= entry.start < entry.end <= sentence.end


def condition(display: str, **fields: Any) -> dict[str, Any]:
    return {"resourceType": "Condition", "code": coded(SNOMED, "1", display), **fields}


def observed(code: str, display: str = "", **fields: Any) -> dict[str, Any]:
    coding = {"system": LOINC, "code": code} | ({"display": display} if display else {})
    return {"resourceType": "Observation", "code": {"coding": [coding]}, **fields}


def taken(display: str, **fields: Any) -> dict[str, Any]:
    concept = coded("x", "9", display)
    return {
        "resourceType": "MedicationStatement",
        "medicationCodeableConcept": concept,
        "status": "active",
        **fields,
    }


def status(code: str) -> dict[str, Any]:
    return {"coding": [{"code": code}]}


PATIENT = {"resourceType": "Patient", "id": "p", "gender": "female", "birthDate": "1960-02-01"}


@pytest.mark.parametrize(
    ("patient", "as_of", "age"),
    [
        ({}, DAY, "65 Years"),
        ({}, date(2026, 2, 1), "66 Years"),
        ({"birthDate": "2025-11-20"}, DAY, "2 Months"),
        ({"birthDate": "2026-01-21"}, DAY, "10 Days"),
        ({}, None, "65 Years"),
        ({"birthDate": "80/1/1"}, DAY, "None"),
    ],
)
def test_the_age_is_that_of_a_day(patient: dict[str, Any], as_of: date | None, age: str) -> None:
    assert str(read({**PATIENT, **patient}, as_of=as_of).age) == age


def test_the_day_is_the_last_of_the_record_that_has_been() -> None:
    seen = condition("Gout", recordedDate="1990-06-01T10:00:00Z")
    later = condition("Asthma", recordedDate="2999-06-01")
    chart = read(PATIENT, seen, later, as_of=None)
    assert (str(chart.age), chart.as_of) == ("30 Years", date(1990, 6, 1))
    assert chart.warnings == ("1 resource is dated after 1990-06-01, up to 2999-06-01.",)


def test_sex_at_birth_stands_in_for_a_missing_gender() -> None:
    extension = {
        "url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex",
        "valueCode": "M",
    }
    assert read({"resourceType": "Patient", "extension": [extension]}).sex is SexCode.MALE


CONDITIONS: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"clinicalStatus": status("active")}, "present", "active"),
    ({"clinicalStatus": status("resolved")}, "historical", "resolved"),
    ({"clinicalStatus": status("inactive")}, "historical", "resolved"),
    ({"clinicalStatus": status("remission")}, "historical", "remission"),
    ({"clinicalStatus": status("recurrence")}, "present", "recurrent"),
    ({"abatementDateTime": "2020"}, "historical", "resolved"),
    ({"clinicalStatus": status("active"), "abatementString": "x"}, "historical", "resolved"),
    ({"verificationStatus": status("refuted")}, "absent", ""),
    ({"verificationStatus": status("provisional")}, "possible", ""),
    ({"verificationStatus": status("entered-in-error")}, "hypothetical", ""),
    ({}, "present", ""),
)


@pytest.mark.parametrize(("fields", "assertion", "activity"), CONDITIONS)
def test_statuses_become_assertions(fields: dict[str, Any], assertion: str, activity: str) -> None:
    [problem] = read(condition("Gout", **fields)).problems
    assert (problem.assertion, problem.activity) == (assertion, activity)
    assert problem.negated == (assertion == "absent")


@pytest.mark.parametrize(
    ("fields", "words", "days_ago", "lasting"),
    [
        ({"onsetDateTime": "2026-01-01"}, "2026-01-01", (30, 30), (30, 30)),
        ({"onsetDateTime": "2025-12"}, "2025-12", (31, 61), (31, 61)),
        (
            {"onsetDateTime": "2025-12-02", "abatementDateTime": "2026-01-01"},
            "2025-12-02 to 2026-01-01",
            (30, 30),
            (30, 30),
        ),
        ({"onsetDateTime": "2026-03-01"}, "2026-03-01", None, None),
        ({"onsetDateTime": "2026-02-31"}, "", None, None),
    ],
)
def test_days_become_times_before_the_record(
    fields: dict[str, Any],
    words: str,
    days_ago: tuple[float, float] | None,
    lasting: tuple[float, float] | None,
) -> None:
    [problem] = read(condition("Gout", **fields)).problems
    when = problem.when
    assert (when.words if when else "") == words
    assert (when and when.days_ago, when and when.lasting) == (days_ago, lasting)


NAMES = """
Malignant neoplasm of breast (disorder) => Breast Neoplasms
Malignant neoplasm of unspecified site of right female breast => Breast Neoplasms
Malignant neoplasm of upper lobe of left lung => Lung Neoplasms
Primary malignant neoplasm of colon => Colonic Neoplasms
Essential (primary) hypertension => Hypertension
Type 2 diabetes mellitus without complications => Diabetes Mellitus, Type 2
Osteoarthritis of left knee => Osteoarthritis, Knee
Secondary malignant neoplastic disease => Neoplasm Metastasis
History of cardiac arrest (situation) => Heart Arrest, historical
Family history of gout => Gout, family
Suspected asthma => Asthma, possible
"""


@pytest.mark.parametrize("line", NAMES.strip().splitlines())
def test_formal_names_become_terms(line: str) -> None:
    words, _, expected = line.partition(" => ")
    [problem] = read(condition(words)).problems
    told = "" if problem.assertion == "present" else f", {problem.assertion}"
    assert f"{problem.what.name}{told}" == expected
    assert problem.code == "SNOMED:1"


def test_a_condition_the_vocabulary_lacks_keeps_its_code_and_its_kind() -> None:
    [problem] = read(condition("Childhood asthma")).problems
    assert problem.what.id == "SNOMED:1"
    assert any(tree.startswith("C08") for tree in problem.what.trees)


def test_a_past_operation_among_conditions_is_a_procedure() -> None:
    [procedure] = read(condition("History of appendectomy (situation)")).procedures
    assert (procedure.what.name, procedure.assertion) == ("Appendectomy", "historical")


MAINS: tuple[tuple[str, list[dict[str, Any]], str | None], ...] = (
    (
        "resolved",
        [condition("Sprain of ankle", clinicalStatus=status("resolved"))],
        None,
    ),
    (
        "resolved beside active",
        [
            condition("Sprain of ankle", abatementDateTime="2026-01-20"),
            condition("Parkinson disease", onsetDateTime="2015"),
        ],
        "Parkinson Disease",
    ),
    (
        "companion",
        [
            condition("Hypertension", onsetDateTime="2025"),
            condition("Crohn disease", onsetDateTime="2010"),
        ],
        "Crohn Disease",
    ),
    (
        "spread",
        [
            condition("Secondary malignant neoplasm of bone", onsetDateTime="2025"),
            condition("Malignant neoplasm of prostate", onsetDateTime="2019"),
        ],
        "Prostatic Neoplasms",
    ),
    ("no illness", [condition("Full-time employment (finding)")], None),
    (
        "refuted",
        [condition("Lung cancer", verificationStatus=status("refuted")), condition("Gout")],
        "Gout",
    ),
)


@pytest.mark.parametrize(
    ("conditions", "name"), [each[1:] for each in MAINS], ids=[each[0] for each in MAINS]
)
def test_the_main_problem_is_an_active_disease(
    conditions: list[dict[str, Any]], name: str | None
) -> None:
    main = read(PATIENT, *conditions).main
    assert (main and main.what.name) == name


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        (taken("Paclitaxel 100 MG Injection"), ("Paclitaxel", "current", True)),
        (taken("Aspirin 81 MG Oral Tablet", status="stopped"), ("Aspirin", "prior", True)),
        (taken("Methotrexate", status="not-taken"), ("Methotrexate", "refused", False)),
        (taken("Methotrexate", status="intended"), ("Methotrexate", "planned", False)),
        (taken("Methotrexate", doNotPerform=True), ("Methotrexate", "refused", False)),
        (
            {
                "resourceType": "Immunization",
                "status": "completed",
                "vaccineCode": coded("http://hl7.org/fhir/sid/cvx", "21", "varicella"),
            },
            ("Chickenpox Vaccine", "prior", True),
        ),
        (
            {
                "resourceType": "Procedure",
                "status": "completed",
                "code": coded(SNOMED, "1", "Radiation therapy (procedure)"),
            },
            ("Radiotherapy", "prior", True),
        ),
    ],
)
def test_treatments_have_a_state(resource: dict[str, Any], expected: tuple[str, str, bool]) -> None:
    [therapy] = read(resource).therapies
    assert (therapy.what.name, therapy.status, therapy.holds) == expected


def test_a_treatment_that_ended_is_dated_by_its_end() -> None:
    period = {"start": "2025-11-01", "end": "2026-01-19"}
    [therapy] = read(taken("Carboplatin", status="completed", effectivePeriod=period)).therapies
    assert therapy.when is not None
    assert (therapy.when.days_ago, therapy.when.lasting) == ((12, 12), (79, 79))


def test_a_medication_may_be_a_resource_of_its_own() -> None:
    request = {
        "resourceType": "MedicationRequest",
        "status": "active",
        "medicationReference": {"reference": "Medication/m"},
    }
    medication = {"resourceType": "Medication", "id": "m", "code": coded("x", "9", "Metformin")}
    [therapy] = read(request, medication).therapies
    assert therapy.what.name == "Metformin"


@pytest.mark.parametrize(
    ("display", "expected"),
    [
        ("Allergy to amoxicillin", ("Amoxicillin", True)),
        ("Shellfish allergy", ("Shellfish", True)),
        ("No known drug allergy (situation)", ("Allergies", False)),
    ],
)
def test_allergies_are_to_substances(display: str, expected: tuple[str, bool]) -> None:
    resource = {"resourceType": "AllergyIntolerance", "code": coded(SNOMED, "1", display)}
    [allergy] = read(resource).allergies
    assert (allergy.what.name, allergy.holds) == expected


def test_observations_have_values_and_components() -> None:
    parts = (("8480-6", "Systolic", 120), ("8462-4", "Diastolic", 80))
    pressure = observed(
        "55284-4",
        "Blood Pressure",
        component=[
            {"code": coded(LOINC, code, name), "valueQuantity": {"value": value, "unit": "mm[Hg]"}}
            for code, name, value in parts
        ],
    )
    hemoglobin = observed(
        "718-7",
        "Hemoglobin [Mass/volume] in Blood",
        valueQuantity={"value": 11.5, "unit": "g/dL"},
        interpretation=[status("L")],
    )
    virus = observed("1", "Influenza virus A RNA", valueCodeableConcept={"text": "Not detected"})
    urine = observed(
        "3", "Glucose [Mass/volume] in Urine", valueQuantity={"value": 5, "unit": "mg/dL"}
    )
    void = observed("718-7", valueQuantity={"value": 3, "unit": "g/dL"}, status="entered-in-error")
    heart = observed("2", "NYHA functional class", valueCodeableConcept={"text": "NYHA Class III"})
    chart = read(pressure, hemoglobin, virus, urine, void, heart)
    assert [
        (each.analyte, str(each.value or each.grade), each.status) for each in chart.lab_values
    ] == [
        ("systolic", "120 mmHg", ""),
        ("diastolic", "80 mmHg", ""),
        ("hemoglobin", "11.5 g/dL", "low"),
        ("LOINC:1", "", "negative"),
        ("LOINC:3", "5 mg/dL", ""),
        ("nyha", "III", ""),
    ]


@pytest.mark.parametrize(
    ("code", "value", "told"),
    [
        ("718-7", {"value": True, "unit": "g/dL"}, ""),
        ("718-7", {"value": 10**400, "unit": "g/dL"}, ""),
        ("718-7", {"value": 950, "unit": "g/dL"}, "Hemoglobin 950 g/dL cannot be"),
        ("10230-1", {"value": 250, "unit": "%"}, "ejection fraction 250 % cannot be"),
        ("2160-0", {"value": -4, "unit": "mg/dL"}, "Creatinine -4 mg/dL cannot be"),
    ],
)
def test_what_cannot_be_is_no_value(code: str, value: dict[str, Any], told: str) -> None:
    chart = read(observed(code, valueQuantity=value))
    assert all(each.value is None for each in chart.lab_values)
    assert told in " ".join(chart.warnings)


def test_mcode_stage_markers_variants_and_performance() -> None:
    gene = {
        "code": {"coding": [{"system": LOINC, "code": "48018-6"}]},
        "valueCodeableConcept": coded("http://www.genenames.org/geneId", "HGNC:3236", "EGFR"),
    }
    change = {
        "code": {"coding": [{"system": LOINC, "code": "48005-3"}]},
        "valueCodeableConcept": {"text": "p.L858R"},
    }
    chart = read(
        condition("Malignant neoplasm of breast"),
        observed("21908-9", valueCodeableConcept=coded("x", "4", "Stage 4")),
        observed("16112-5", valueCodeableConcept=coded(SNOMED, "2", "Negative (qualifier value)")),
        observed("85147-7", "PD-L1", valueQuantity={"value": 50, "unit": "%"}),
        observed("62862-8", valueCodeableConcept={"text": "Stable"}),
        observed("69548-6", component=[gene, change], valueCodeableConcept={"text": "Present"}),
        observed("21636-6", "BRCA1 gene mutations found", valueCodeableConcept={"text": "Absent"}),
        observed("89247-1", valueInteger=1),
        observed("89243-0", valueInteger=-1),
    )
    assert chart.main is not None
    assert chart.main.stage == "IV"
    assert chart.main in chart.problems
    assert [
        (each.name, each.state, each.variant or str(each.value or ""), each.negated)
        for each in chart.markers
    ] == [
        ("ER", "negative", "", True),
        ("PD-L1", "", "50 %", False),
        ("MSI", "negative", "", True),
        ("EGFR", "mutated", "p.L858R", False),
        ("BRCA1", "negative", "", True),
    ]
    scores = {each.analyte: (each.value and str(each.value)) for each in chart.lab_values}
    assert scores == {"stage": None, "ecog": "1 score", "karnofsky": None}


@pytest.mark.parametrize(
    ("code", "value", "expected"),
    [
        ("72166-2", "Never smoker", ("smoking", "never", True)),
        ("72166-2", "Former smoker", ("smoking", "former", False)),
        ("72166-2", "Current every day smoker", ("smoking", "current", False)),
        ("11331-6", "Current drinker of alcohol", ("alcohol", "current", False)),
    ],
)
def test_habits(code: str, value: str, expected: tuple[str, str, bool]) -> None:
    [habit] = read(observed(code, valueCodeableConcept={"text": value})).habits
    assert (habit.what, habit.state, habit.negated) == expected


PREGNANT = observed("82810-3", valueCodeableConcept={"text": "Pregnant"})
NOT_PREGNANT = observed("82810-3", valueCodeableConcept={"text": "Not pregnant"})


@pytest.mark.parametrize(
    ("resources", "pregnant"),
    [
        ([PREGNANT], True),
        ([PREGNANT, NOT_PREGNANT], False),
        ([condition("Normal pregnancy", onsetDateTime="2025-12-01")], True),
        ([condition("Normal pregnancy", onsetDateTime="2015-12-01")], None),
        ([condition("Normal pregnancy", clinicalStatus=status("resolved"))], None),
        ([], None),
    ],
)
def test_pregnancy(resources: list[dict[str, Any]], pregnant: bool | None) -> None:
    assert read(PATIENT, *resources).pregnant is pregnant


def test_a_pregnant_man_is_told() -> None:
    chart = read({**PATIENT, "gender": "male"}, PREGNANT)
    assert chart.pregnant is None
    assert "male" in chart.warnings[-1]


def test_family_history_is_of_a_relative() -> None:
    history = {
        "resourceType": "FamilyMemberHistory",
        "relationship": coded("x", "MTH", "mother"),
        "condition": [{"code": coded(SNOMED, "3", "Gout")}],
    }
    [problem] = read(history).problems
    assert (problem.what.name, problem.assertion, problem.relative) == ("Gout", "family", "mother")


def test_documents_are_read_as_notes_of_their_own() -> None:
    def attached(text: str, day: str) -> dict[str, Any]:
        data = base64.b64encode(text.encode()).decode()
        return {
            "resourceType": "DocumentReference",
            "date": day,
            "content": [{"attachment": {"contentType": "text/html", "data": data}}],
        }

    chart = read(
        PATIENT,
        condition("Asthma"),
        attached("<p>Seen for <b>gout</b> diagnosed 7 days ago.</p><p>ECOG 1</p>", "2026-01-01"),
        attached("Old", "2020-01-01"),
    )
    assert [each.what.name for each in chart.problems] == ["Asthma", "Gout"]
    when = chart.problems[1].when
    assert when is not None
    assert when.days_ago == (37, 37)
    assert [each.analyte for each in chart.lab_values] == ["ecog"]
    assert "Not read: 1 of 2 documents" in chart.warnings[-1]


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([{"resource": {"resourceType": "Condition"}}, {"x": 1}], "1 entry holds no resource"),
        ([{"resource": {"resourceType": "Condition"}}], "1 x unnamed condition"),
        ([{"resource": {"resourceType": "Patient", "birthDate": "80/1/1"}}], "birth date cannot"),
        ([{"resource": PATIENT}], "Nothing was found that a search for trials could use"),
        ([{"resource": PATIENT}, {"resource": {"resourceType": "Encounter"}}], "1 Encounter"),
        ([{"resource": {**PATIENT, "deceasedBoolean": True}}], "has died"),
        ([], "empty"),
        (
            [
                {"resource": PATIENT},
                {"resource": condition("Gout", subject={"reference": "Patient/p"})},
                {"resource": condition("Asthma", subject={"reference": "Patient/q"})},
            ],
            "Not read, since of another patient: 1 Condition",
        ),
    ],
)
def test_what_cannot_be_read_is_told(entries: list[Any], told: str) -> None:
    text = json.dumps({"resourceType": "Bundle", "entry": entries})
    chart = read_bundle(text, lexicon(), as_of=DAY)
    assert told in " ".join(chart.warnings)
    assert "Asthma" not in [problem.what.name for problem in chart.problems]


def test_resources_without_the_wrapper_of_an_entry_are_read() -> None:
    text = json.dumps(
        {
            "resourceType": "Bundle",
            "entry": [{"resourceType": "Condition", "code": {"text": "Gout"}}],
        }
    )
    assert [each.what.name for each in read_bundle(text, lexicon()).problems] == ["Gout"]


def of(patient: str) -> str:
    return json.dumps(condition("Gout", subject={"reference": f"Patient/{patient}"}))


@pytest.mark.parametrize(
    "text",
    [
        '{"resourceType":',
        '{"resourceType": "Bundle", "entry": [{"resource": {"resourceType": "Patient", "id": "a"}},'
        '{"resource": {"resourceType": "Patient", "id": "b"}}]}',
        f"[{of('a')}, {of('b')}]",
        '[1, "resourceType"]',
        '{"resourceType": "Bundle", "entry": {"resource": {"resourceType": "Patient"}}}',
        '{"resourceType": "Bundle", "entry": [{"fullUrl": "x"}, 3]}',
        '{"resourceType": "Bundle", "entry": [{"resource": ' * 5000,
        '{"resourceType": "Bundle", "entry": ' * 300 + "[]" + "}" * 300,
    ],
    ids=["cut", "two", "two named", "no resource", "no list", "no entries", "endless", "nested"],
)
def test_what_is_no_record_of_one_patient_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_bundle(text, lexicon())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3000) | st.text("ab1-:<\x1b\n", max_size=6),
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
    *(
        "vaccineCode",
        "subject",
        "content",
        "section",
        "severity",
        "bodySite",
        "dosage",
        "conclusion",
    ),
)
RESOURCES = st.builds(
    lambda kind, fields: {"resourceType": kind, **fields},
    st.sampled_from((*KEPT, "Patient", "FamilyMemberHistory", "Medication", "DocumentReference")),
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
def test_real_bundles_are_kept_whole_and_come_back_from_json(data_dir: Path) -> None:
    """A resource is one sentence, and every sentence of a coded resource states an entry."""
    seen = 0
    for text in _real(data_dir):
        chart = read_bundle(text, lexicon())
        stated = {entry.sentence for entry in chart.entries() if entry.code}
        assert len(stated) == len(parse_bundle(text).of(*KEPT))
        assert chart.main is None or chart.main.assertion in ("present", "possible")
        assert chart_from_json(chart_to_json(chart)) == chart
        assert_quotes(chart)
        seen += 1
    assert seen == 51
