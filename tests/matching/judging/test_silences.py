"""Which exclusions a note that says nothing of them settles; the notes are made up."""

from __future__ import annotations

import pytest

from tests.matching.judging.judging import judged, verdict

WOMAN = "A 34-year-old woman presents with cough and fever. A chest x-ray shows an infiltrate."
INFANT = "A 5-month-old male infant is brought in with vomiting."


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("Screening hgb <10", "UNKNOWN"),
        ("A body-mass index greater than 35", "UNKNOWN"),
        ("Severe renal impairment (creatinine clearance <30 mL/min)", "NOT_MET"),
        ("Weight loss of more than 5 %", "NOT_MET"),
        ("Positive hepatitis B surface antigen", "UNKNOWN"),
        ("Hepatitis B", "NOT_MET"),
        ("Chest CT shows interstitial lung disease", "UNKNOWN"),
        ("Significant abnormalities on screening ECG", "UNKNOWN"),
        ("Unable to speak, read and write in English", "UNKNOWN"),
        ("Poor understanding of Finnish", "UNKNOWN"),
        ("Less than one year from first diagnosis", "UNKNOWN"),
        ("More than 10 hospital admissions in the past 12 months", "UNKNOWN"),
        ("Employees of the sponsor and their relatives", "UNKNOWN"),
        ("Residents of another county: residing outside of the county", "UNKNOWN"),
        ("Right-handed", "UNKNOWN"),
        ("Patients will be excluded if they have any of the following:", "UNKNOWN"),
        ("Does not meet the inclusion criteria", "UNKNOWN"),
        ("Known pregnancy", "NOT_MET"),
        ("Current use of an IUD", "NOT_MET"),
        ("Pregnant or nursing women", "UNKNOWN"),
        (
            "Any condition that in the opinion of the investigator precludes participation",
            "UNKNOWN",
        ),
        ("Any condition that in the investigator's opinion adds risk, such as lupus", "NOT_MET"),
    ],
)
def test_a_silent_note_settles_what_it_would_tell_of(criterion: str, expected: str) -> None:
    assert verdict(WOMAN, criterion, "exclusion") == expected


@pytest.mark.parametrize(
    "criterion",
    ["N/A", "None", "There are no exclusion criteria.", "Children with a genetic disorder"],
)
def test_what_asks_nothing_of_the_patient_does_not_apply(criterion: str) -> None:
    result = judged(WOMAN, criterion, "exclusion")
    assert (result.verdict, result.applicability) == ("UNKNOWN", "not_applicable")


def test_how_an_infant_was_born_is_no_pregnancy() -> None:
    told = f"{INFANT} He was born at 39 weeks of gestation."
    assert verdict(INFANT, "Premature birth (<36 weeks gestation)", "exclusion") == "UNKNOWN"
    assert verdict(told, "Premature birth (<36 weeks gestation)", "exclusion") == "NOT_MET"


def test_who_has_no_partner_is_not_pregnant() -> None:
    note = f"{WOMAN} She is not sexually active."
    result = judged(note, "Positive pregnancy test", "exclusion")
    assert result.verdict == "NOT_MET"
    assert [quote.text for quote in result.quotes] == ["not sexually active"]
