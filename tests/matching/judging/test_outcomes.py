"""Results, scores, weeks and times of a note, beside what criteria ask; the notes are made up."""

from __future__ import annotations

import pytest

from tests.matching.judging.judging import verdict

MAN = (
    "A 52-year-old man presents with flank pain since yesterday, which he scores 8 out of 10. "
    "TSH was 9 mU/L. QXS score: 21. Complete blood count and biochemical profile are normal. "
    "The patient will provide informed consent, and will comply with the trial protocol."
)
WOMAN = (
    "A 29-year-old woman is 12 weeks pregnant. She has had a cough for the past 10 days. "
    "Serum hCG is 52000 mIU/mL. Vital signs are normal."
)
ELDERLY = "A 71-year-old woman presents with cough for the past 3 months."
INFANT = "A 3-month-old girl, born at 32 weeks, is brought in with vomiting."


@pytest.mark.parametrize(
    ("note", "criterion", "expected"),
    [
        (MAN, "Elevated TSH", "MET"),
        (MAN, "Decreased TSH and increased free T4", "NOT_MET"),
        (MAN, "Normal creatinine", "UNKNOWN"),
        (MAN, "QXS > 18", "MET"),
        (MAN, "QXS score of 25 or higher", "NOT_MET"),
        (MAN, "Pain score of at least 6 on a scale of 0-10", "MET"),
        (MAN, "Pain below 40 on the 100 mm visual analogue scale", "NOT_MET"),
        (MAN, "Platelets at least 100,000/mm3", "MET"),
        (MAN, "ALT less than 3 times normal", "MET"),
        (MAN, "Pain for less than 48 hours", "MET"),
        (MAN, "Flank pain lasting more than 3 weeks", "NOT_MET"),
        (MAN, "Not pregnant or breastfeeding", "MET"),
        (MAN, "Able to attend all visits", "MET"),
        (WOMAN, "Not pregnant", "NOT_MET"),
        (WOMAN, "Positive serum hCG", "MET"),
        (WOMAN, "Gestational age of less than 20 weeks", "MET"),
        (WOMAN, "24 to 34 weeks of gestation", "NOT_MET"),
        (WOMAN, "Dry cough for >8 weeks", "NOT_MET"),
        (WOMAN, "Women with an intact uterus", "MET"),
        (ELDERLY, "Not pregnant", "MET"),
        (INFANT, "Infants born preterm", "MET"),
        (INFANT, "Infants born at 37 or more weeks of gestation", "NOT_MET"),
    ],
)
def test_what_was_found_decides_an_inclusion(note: str, criterion: str, expected: str) -> None:
    assert verdict(note, criterion) == expected


@pytest.mark.parametrize(
    ("note", "criterion", "expected"),
    [
        (MAN, "Hematocrit < 25", "NOT_MET"),
        (MAN, "AST > 3 x ULN", "NOT_MET"),
        (MAN, "Elevated TSH", "MET"),
        (MAN, "Because of the dose, women are excluded.", "NOT_MET"),
        (MAN, "Girls will be excluded.", "NOT_MET"),
        (WOMAN, "Women are excluded.", "MET"),
        (WOMAN, "Fever > 39 C", "NOT_MET"),
        (ELDERLY, "Pregnancy", "UNKNOWN"),
    ],
)
def test_what_was_found_decides_an_exclusion(note: str, criterion: str, expected: str) -> None:
    assert verdict(note, criterion, "exclusion") == expected
