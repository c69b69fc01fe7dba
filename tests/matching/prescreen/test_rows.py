"""A trial's row: its text by field, and whom its ages admit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trialyst.matching.prescreen.rows import (
    PIECES,
    Field,
    TrialRow,
    admits_patient_age,
    fold_row,
    to_row,
)

EMPTY = to_row([("NCT90000001",), *(() for _ in PIECES[1:])])
YEAR = 365.25


def _aged(low: str | None, high: str | None) -> TrialRow:
    return replace(EMPTY, minimum_age=low, maximum_age=high)


def test_an_empty_record_is_a_row() -> None:
    assert (EMPTY.nct_id, EMPTY.conditions, EMPTY.sex) == ("NCT90000001", (), None)


def test_criteria_are_cut_at_the_exclusions() -> None:
    row = replace(EMPTY, criteria="Inclusion Criteria:\n* asthma\n\nExclusion Criteria:\n* cancer")
    texts = fold_row(row).fields
    assert "asthma" in texts[Field.INCLUSION].words
    assert "cancer" not in texts[Field.INCLUSION].words
    assert "cancer" in texts[Field.EXCLUSION].words


@pytest.mark.parametrize(
    ("low", "high", "years", "fits"),
    [
        ("18 Years", "75 Years", 75, True),
        ("18 Years", "75 Years", 76, False),
        ("18 Years", None, 17, False),
        ("18 Years", None, 18, True),
        (None, "17 Years", 40, False),
        (None, None, 40, None),
        ("N/A", None, 40, None),
        ("6 Months", "2 Years", 2, True),
    ],
)
def test_ages_compare_in_completed_units(
    low: str | None, high: str | None, years: int, fits: bool | None
) -> None:
    days = (years * YEAR, (years + 1) * YEAR)
    assert admits_patient_age(_aged(low, high), days) is fits
