"""A profile is a view of a chart: one fact an entry, with all that a search uses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shipped import shipped_vocabulary
from trialyst.eligibility.chart_json import chart_from_json
from trialyst.eligibility.lexicon import Lexicon
from trialyst.matching.patient import FactKind, PatientProfile
from trialyst.matching.profile import to_profile
from trialyst.matching.views import to_profile_view

pytestmark = pytest.mark.usefixtures("vocabulary")


def profile(**fields: Any) -> PatientProfile:
    return to_profile(chart_from_json(json.dumps(fields), Lexicon(shipped_vocabulary())))


def lab(analyte: str, **fields: Any) -> dict[str, Any]:
    return {"analyte": analyte, "name": analyte, **fields}


def test_every_entry_is_a_fact() -> None:
    read = profile(
        age={"value": 60},
        sex="FEMALE",
        pregnant=False,
        demographics=[{"role": "age"}, {"role": "sex"}, {"role": "pregnancy"}],
        problems=[
            {"what": "lung cancer", "stage": "IV"},
            {"what": "gout", "assertion": "family", "relative": "mother"},
            {"what": "fever", "kind": "symptom", "assertion": "absent"},
        ],
        main=0,
        lab_values=[
            lab("hemoglobin", value={"number": 9.5, "unit": "g/dL"}),
            lab("ecog", value={"number": 1, "unit": "ECOG"}),
            lab("nyha", grade="III"),
            lab("child_pugh", grade="B"),
        ],
        therapies=[{"what": "cisplatin", "status": "prior", "line": 1, "dose": "75 mg/m2"}],
        procedures=[{"what": "lobectomy"}],
        markers=[{"name": "EGFR", "state": "mutated", "variant": "L858R"}],
        allergies=[{"what": "amoxicillin"}],
        habits=[{"what": "smoking", "state": "former"}],
        person=[{"role": "place", "text": "Houston, TX"}, {"role": "inpatient"}],
        warnings=["Two patients."],
    )
    assert [
        (fact.kind.value, fact.name, str(fact.value or fact.status), fact.detail)
        for fact in read.facts
    ] == [
        ("age", "age", "60 Year", ""),
        ("sex", "sex", "FEMALE", ""),
        ("pregnancy", "pregnancy", "", ""),
        ("condition", "Lung Neoplasms", "", ""),
        ("stage", "Lung Neoplasms", "", "IV"),
        ("condition", "Gout", "", "mother"),
        ("symptom", "Fever", "", ""),
        ("measurement", "hemoglobin", "9.5 g/dL", ""),
        ("performance", "ecog", "1 ECOG", ""),
        ("measurement", "nyha", "3 class", ""),
        ("measurement", "child_pugh", "B", ""),
        ("therapy", "Cisplatin", "prior", "75 mg/m2"),
        ("procedure", "Lobectomy", "", ""),
        ("biomarker", "EGFR", "mutated", "L858R"),
        ("allergy", "Amoxicillin", "", ""),
        ("smoking", "smoking", "former", ""),
        ("place", "Houston, TX", "", ""),
        ("person", "inpatient", "", "inpatient"),
    ]
    key = read.key_facts
    assert (key.primary_diagnosis, key.stage, key.absent) == ("Lung Neoplasms", "IV", ("Fever",))
    assert (key.place, key.smoking, key.family_history) == ("Houston, TX", "former", ("Gout",))
    assert key.missing_information == ("ALK", "PD-L1", "kidney function", "liver function")
    view = to_profile_view(read)
    assert view["warnings"] == ["Two patients."]
    assert view["provenance"]["notes"] == ["Two patients."]


def test_an_empty_chart_misses_everything_and_warns_of_nothing() -> None:
    read = profile()
    assert read.missing[:3] == ("age", "sex", "diagnosis")
    assert "warnings" not in to_profile_view(read)
    assert not read.of(*FactKind)


def test_only_the_latest_of_a_coded_measurement_is_a_key_fact() -> None:
    values = [
        lab("weight", name="Body weight", value={"number": number, "unit": "kg"}, code="LOINC:1")
        for number in (70, 75, 82)
    ]
    read = profile(lab_values=values)
    assert len(read.of(FactKind.MEASUREMENT)) == 3
    assert read.key_facts.measurements == ("Body weight 82 kg",)
