from __future__ import annotations

import pytest

from tests.matching.judging.judging import judged
from trialyst.matching.judging.result import Verdict

NOTE = (
    "A 58-year-old man with melanoma. ECOG 1. Hb 13.2 g/dL, platelets 301 x 10^9/L, "
    "creatinine 92 umol/L, bilirubin 11 umol/L. HbA1c 8.1 %."
)


@pytest.mark.parametrize(
    ("criterion", "kind", "verdict"),
    [
        ("ECOG performance status 0 or 1", "inclusion", Verdict.MET),
        ("ECOG performance status of 2 or higher", "exclusion", Verdict.NOT_MET),
        ("Platelets >= 100,000/mm3", "inclusion", Verdict.MET),
        ("Hemoglobin < 10 g/dL", "exclusion", Verdict.NOT_MET),
        ("Serum creatinine > 2.0 mg/dL", "exclusion", Verdict.NOT_MET),
        ("HbA1c between 7.5 and 10.5 %", "inclusion", Verdict.MET),
        ("HbA1c less than 8 %", "inclusion", Verdict.NOT_MET),
        ("Hemoglobin >= 9 g/dL and platelets >= 400 x 10^9/L", "inclusion", Verdict.NOT_MET),
        ("Hemoglobin >= 9 g/dL or platelets >= 400 x 10^9/L", "inclusion", Verdict.MET),
    ],
)
def test_values_are_compared_whatever_their_unit(
    criterion: str, kind: str, verdict: Verdict
) -> None:
    assert judged(NOTE, criterion, kind).verdict is verdict


@pytest.mark.parametrize(
    ("told", "criterion", "kind", "verdict"),
    [
        ("ALT was 5x the upper limit of normal", "Elevated liver enzymes", "exclusion", "MET"),
        ("ALT 250 U/L", "Transaminases > 3 x ULN", "exclusion", "MET"),
        ("ALT 25 U/L, AST 20 U/L", "Elevated liver enzymes", "exclusion", "NOT_MET"),
        ("ALT 2 x ULN", "ALT > 3 x ULN", "exclusion", "NOT_MET"),
        ("ALT 250 U/L, AST 20 U/L", "Normal liver enzymes", "inclusion", "NOT_MET"),
        ("LFTs elevated", "Elevated transaminases", "exclusion", "MET"),
        ("ALT 250 U/L", "ALT within 2.5 times ULN", "inclusion", "NOT_MET"),
    ],
)
def test_tests_of_the_liver_are_read_together_and_as_multiples(
    told: str, criterion: str, kind: str, verdict: str
) -> None:
    assert judged(f"A 45-year-old man. {told}.", criterion, kind).verdict == verdict


def test_the_value_is_quoted() -> None:
    result = judged(NOTE, "Platelets >= 100 x 10^9/L", "inclusion")
    assert [quote.text for quote in result.quotes] == ["platelets 301 x 10^9/L"]


def test_a_value_the_note_does_not_give_is_unknown() -> None:
    assert judged(NOTE, "Serum albumin >= 3 g/dL", "inclusion").verdict is Verdict.UNKNOWN


def test_a_karnofsky_score_answers_for_ecog() -> None:
    note = "A 60-year-old woman with breast cancer, KPS 80."
    assert judged(note, "ECOG performance status 0 to 1", "inclusion").verdict is Verdict.MET
