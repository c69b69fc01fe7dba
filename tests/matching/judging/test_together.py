"""A criterion is judged by what it asks for together, and by what it denies."""

from __future__ import annotations

import pytest

from tests.matching.judging.judging import judged, verdict
from trialyst.matching.judging.clauses import find_choice, split_demands, split_items
from trialyst.matching.judging.denials import denied_part

NOTE = (
    "A 58-year-old obese woman with COPD and heart failure presents with severe chest pain for 3 "
    "days. She takes furosemide and uses a topical hydrocortisone ointment. Her eGFR is 25 mL/min. "
    "HBsAg is positive. She has a pacemaker. She lost 10 kg."
)
CANCER = "A 63-year-old man. Endoscopy shows a lesion of the stomach; biopsy: adenocarcinoma."


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("Adults over 40 with chronic obstructive pulmonary disease", "MET"),
        ("Adults over 60 with chronic obstructive pulmonary disease", "NOT_MET"),
        ("COPD according to the GOLD guidelines and without heart failure", "NOT_MET"),
        ("No history of heart failure, stroke or cancer", "NOT_MET"),
        ("No history of stroke", "MET"),
        ("At least one of the following: asthma, COPD or cystic fibrosis", "MET"),
        ("Symptoms for less than 48 hours", "NOT_MET"),
        ("Onset of symptoms within 7 days", "MET"),
        ("BMI > 25 kg/m2", "MET"),
        ("Pain of at least 4 on a visual analogue scale", "UNKNOWN"),
        ("Weight stable", "NOT_MET"),
        ("Healthy volunteers", "NOT_MET"),
        ("Any race or ethnicity", "MET"),
        ("Confirmed diagnosis of multiple sclerosis", "NOT_MET"),
        ("Weight at least 60 kg", "UNKNOWN"),
    ],
)
def test_an_inclusion_is_met_by_all_it_asks_for(criterion: str, expected: str) -> None:
    assert verdict(NOTE, criterion) == expected


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("Severe renal impairment", "MET"),
        ("Active hepatitis B infection", "MET"),
        ("Contraindication to MRI", "MET"),
        ("Stroke, heart failure, epilepsy", "MET"),
        ("Stroke, epilepsy, asthma", "NOT_MET"),
        ("Chronic lung disease", "MET"),
        ("Malignancy", "NOT_MET"),
        ("Steroid injections", "NOT_MET"),
        ("Previous myocardial infarction", "NOT_MET"),
        ("There are no exclusion criteria.", "UNKNOWN"),
    ],
)
def test_an_exclusion_is_met_by_one_of_what_it_lists(criterion: str, expected: str) -> None:
    assert verdict(NOTE, criterion, "exclusion") == expected


def test_a_cancer_is_known_by_its_organ() -> None:
    assert verdict(CANCER, "Confirmed diagnosis of stomach cancer") == "MET"
    assert verdict(CANCER, "Papillary thyroid cancer") == "NOT_MET"
    assert verdict(CANCER, "Malignancy", "exclusion") == "MET"


def test_a_plain_picture_counts_as_the_condition() -> None:
    note = (
        "A 2-year-old boy has cyanotic spells and squats after running. The chest x-ray shows a "
        "boot-shaped heart."
    )
    found = judged(note, "Children with tetralogy of Fallot")
    assert found.verdict == "MET"
    assert "picture" in found.reasoning


def test_criteria_are_cut_where_a_demand_begins() -> None:
    assert split_demands("Women aged 18 to 40 who smoke and have asthma")[1:] == (
        "who smoke",
        "have asthma",
    )
    assert split_items("Asthma, COPD or gout") == ("Asthma", "COPD", "gout")
    assert find_choice("Two or more of the following: fever, cough, rash") is not None
    assert denied_part("Patients must not have any eye disease") == "eye disease"
    assert denied_part("Not older than 60 years") is None


DRINKER = "A 78-year-old man has myasthenia gravis with weakness. He drinks alcohol occasionally."


@pytest.mark.parametrize(
    ("criterion", "kind", "expected"),
    [
        ("All ages, both sexes", "inclusion", "MET"),
        ("Endometrial cancer, regardless of stage", "inclusion", "UNKNOWN"),
        ("Cardiomyopathy of ischemic or non-ischemic origin", "inclusion", "UNKNOWN"),
        ("HER2 negative in the primary tumour", "inclusion", "UNKNOWN"),
        (
            "Negative pregnancy test in women of childbearing potential. Women who are past the "
            "menopause for at least 1 year need none.",
            "inclusion",
            "UNKNOWN",
        ),
        (
            "Women who can bear children and men with partners agree to abstain",
            "inclusion",
            "UNKNOWN",
        ),
        ("A prior diagnosis of thrombosis might be acceptable", "inclusion", "UNKNOWN"),
        ("History of alcohol or drug abuse", "exclusion", "NOT_MET"),
        ("Known alcohol abuse, drug abuse, or intake of >21 units", "exclusion", "NOT_MET"),
        ("History of cancer", "exclusion", "NOT_MET"),
    ],
)
def test_nobody_is_taken_in_or_shut_out_by_words_for_others(
    criterion: str, kind: str, expected: str
) -> None:
    assert verdict(DRINKER, criterion, kind) == expected
