"""The registry's fields of age and sex are judged in completed units."""

from __future__ import annotations

import pytest

from tests.matching.reading_notes import read
from trialyst.ctgov.ages import Age
from trialyst.ctgov.protocol import Eligibility
from trialyst.matching.judging.structured import judge_structured


@pytest.mark.parametrize(
    ("note", "low", "high", "expected"),
    [
        ("A 75-year-old man has a cough.", "18 Years", "75 Years", "MET"),
        ("A 76-year-old man has a cough.", "18 Years", "75 Years", "NOT_MET"),
        ("A 17-year-old boy has a cough.", "18 Years", None, "NOT_MET"),
        ("A 18-month-old boy has a cough.", "1 Year", "1 Year", "MET"),
        ("A man has a cough.", "18 Years", None, "UNKNOWN"),
    ],
)
def test_ages(note: str, low: str | None, high: str | None, expected: str) -> None:
    eligibility = Eligibility(
        minimum_age=Age.parse(low) if low else None, maximum_age=Age.parse(high) if high else None
    )
    (found,) = judge_structured(eligibility, read(note))
    assert found.verdict == expected


def test_a_trial_without_fields_asks_for_nothing() -> None:
    assert judge_structured(Eligibility(), read("A 75-year-old man has a cough.")) == []
