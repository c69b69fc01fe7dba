"""The tools of matching keep their contracts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.discovery.asking import Tools
from trialyst.starter.notes import sample_patients

NOTE = "A 58-year-old woman in her fifties with HER2+ breast cancer. No family history of gout."
BUNDLE = json.dumps(
    {
        "resourceType": "Bundle",
        "entry": [
            {"resource": {"resourceType": "Patient", "gender": "male", "birthDate": "1980-05-01"}},
            {
                "resource": {
                    "resourceType": "Condition",
                    "code": {"coding": [{"code": "1", "display": "Gout"}]},
                }
            },
        ],
    }
)
WRONG: list[dict[str, Any]] = [
    {},
    {"note": ""},
    {"note": " \n"},
    {"note": ["a"]},
    {"note": '{"resourceType":'},
    {"note": NOTE, "as_of": "soon"},
    {"note": NOTE, "as_of": 3},
    {"note": NOTE, "slim": "perhaps"},
]


@pytest.mark.parametrize("note", [NOTE, BUNDLE, *(each.note for each in sample_patients()[:3])])
def test_a_profile_keeps_its_contract(starter: Tools, note: str) -> None:
    check("profile_patient#arguments", {"note": note})
    answer = starter.wire("profile_patient", note=note)
    check("profile_patient", answer)
    assert nulls(answer) == []
    assert answer["fact_count"] == len(answer["facts"])


def test_a_slim_profile_has_no_single_facts(starter: Tools) -> None:
    answer = starter.wire("profile_patient", note=NOTE, slim=True)
    check("profile_patient", answer)
    assert "facts" not in answer
    assert answer["key_facts"]["primary_diagnosis"] == "Breast Neoplasms"


def test_the_day_asked_for_decides_the_age(starter: Tools) -> None:
    answer = starter.wire("profile_patient", note=BUNDLE, as_of="2026-04-30")
    assert answer["age"] == {"value": 45, "unit": "Year"}


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_cannot_be_read_is_one_envelope(starter: Tools, wrong: dict[str, Any]) -> None:
    failed = starter.wire("profile_patient", **wrong)
    check("error", failed)
    assert failed["error"]["code"] == "INVALID_INPUT"


def test_an_error_does_not_repeat_the_note(starter: Tools) -> None:
    failed = starter.wire("profile_patient", note='{"resourceType": "Secret"', as_of=None)
    assert "Secret" not in json.dumps(failed)


@pytest.mark.parametrize(
    ("criterion", "kind", "verdict"),
    [
        ("Breast cancer", "inclusion", "MET"),
        ("Pregnancy", "exclusion", "UNKNOWN"),
        ("Age 18 to 40 years", "inclusion", "NOT_MET"),
        ("Myasthenia gravis", "exclusion", "NOT_MET"),
    ],
)
def test_a_verdict_keeps_its_contract(
    starter: Tools, criterion: str, kind: str, verdict: str
) -> None:
    arguments = {"note": NOTE, "criterion": criterion, "criterion_type": kind}
    check("evaluate_criterion#arguments", arguments)
    answer = starter.wire("evaluate_criterion", **arguments)
    check("evaluate_criterion", answer)
    assert nulls(answer) == []
    assert answer["verdict"] == verdict
    assert all(each["text"] in NOTE for each in answer["evidence"])


def test_a_bundle_is_judged_too(starter: Tools) -> None:
    answer = starter.wire(
        "evaluate_criterion", note=BUNDLE, criterion="Gout", criterion_type="exclusion"
    )
    assert (answer["verdict"], answer["disqualifies"]) == ("MET", True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"note": " ", "criterion": "Gout", "criterion_type": "exclusion"},
        {"note": NOTE, "criterion": "", "criterion_type": "exclusion"},
        {"note": NOTE, "criterion": "Gout", "criterion_type": "perhaps"},
        {"note": NOTE, "criterion": ["Gout"], "criterion_type": "exclusion"},
        {"note": NOTE, "criterion": "Gout"},
    ],
    ids=str,
)
def test_a_criterion_that_cannot_be_judged_is_an_error(
    starter: Tools, wrong: dict[str, Any]
) -> None:
    answer = starter.wire("evaluate_criterion", **wrong)
    check("error", answer)
    assert answer["error"]["code"] == "INVALID_INPUT"
