"""How long a note says a complaint has lasted; the notes are made up."""

from __future__ import annotations

import pytest

from tests.matching.judging.judging import verdict

MAN = "A 52-year-old man presents with flank pain since yesterday. AST is 60 U/L."
WOMAN = "A 29-year-old woman has had a cough for the past 10 days."
BOY = "A 9-year-old boy is tired. Two weeks ago he was seen for a fever."


@pytest.mark.parametrize(
    ("note", "criterion", "expected"),
    [
        (MAN, "Pain for less than 48 hours", "MET"),
        (MAN, "Duration of pain: not exceeding 24 hours", "MET"),
        (MAN, "Flank pain lasting more than 3 weeks", "NOT_MET"),
        (MAN, "Duration of symptoms >2/52", "NOT_MET"),
        (WOMAN, "Dry cough for >8 weeks", "NOT_MET"),
        (WOMAN, "Cough for no longer than 3 days", "NOT_MET"),
        (WOMAN, "Cough for at least 1 week", "MET"),
        (WOMAN, "Headache for at least 1 week", "UNKNOWN"),
        (BOY, "Fever for at least 1 week", "UNKNOWN"),
        (MAN, "AST less than 3 times normal", "MET"),
    ],
)
def test_a_complaint_is_timed_by_its_sentence(note: str, criterion: str, expected: str) -> None:
    assert verdict(note, criterion) == expected
