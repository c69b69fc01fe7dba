"""Times in criteria and notes, and reading that takes time in proportion to the text."""

from __future__ import annotations

from datetime import date

import pytest

from trialyst.eligibility.ages import find_ages
from trialyst.eligibility.requirement import Window
from trialyst.eligibility.times import find_times, find_windows
from trialyst.eligibility.values import find_values

MONTH, YEAR = 30.4375, 365.25
WINDOWS = {
    "Major surgery within 4 weeks of enrollment": Window(within=28),
    "in the past 6 months": Window(within=6 * MONTH),
    "during the last 30 days prior to screening": Window(within=30),
    "Surgery within six (6) months": Window(within=6 * MONTH),
    "MI within the past year": Window(within=YEAR),
    "within 14 days or 5 half-lives prior to first dose": Window(within=14),
    "Prior chemo less than 3 weeks before study": Window(within=21),
    "within 24 hours of symptom onset": Window(within=1, anchor="symptom onset"),
    "more than 5 years ago": Window(beyond=5 * YEAR),
    "completed chemotherapy at least 4 weeks before randomization": Window(beyond=28),
    "30-day washout": Window(beyond=30),
    "at least 6 months after myocardial infarction": Window(
        beyond=6 * MONTH, anchor="myocardial infarction"
    ),
    "stable dose for at least 8 weeks": Window(lasting_at_least=56),
    "stable dose for at least 4 weeks prior to baseline": Window(lasting_at_least=28),
    "duration of disease >= 6 months": Window(lasting_at_least=6 * MONTH),
    "symptoms for 3 months or longer": Window(lasting_at_least=3 * MONTH),
    "aged 18 years or older": None,
    "ECOG 0-1": None,
}
TIMES = {
    "carboplatin 12 days ago": ((12, 12), None, False),
    "two years ago": ((1.5 * YEAR, 2.5 * YEAR), None, False),
    "stroke in 2015": ((3289, 3653), None, False),
    "since March 2021": ((0, 1402), (1372, 1402), False),
    "on 3/12/2024": ((295, 295), None, False),
    "March 3, 2023": ((670, 670), None, False),
    "MI (2012)": ((4384, 4749), None, False),
    "last week": ((1, 14), None, False),
    "yesterday": ((1, 1), None, False),
    "POD 3": ((3, 3), None, False),
    "over the past 2 weeks": ((0, 17.5), None, False),
    "cough x 4 days": (None, (4, 4), False),
    "for the past 3 months": (None, (2.5 * MONTH, 3.5 * MONTH), False),
    "8-month history of weight loss": (None, (7.5 * MONTH, 8.5 * MONTH), False),
    "surgery scheduled for 5/1/2026": ((0, 0), None, True),
}


def test_windows_and_durations_of_criteria() -> None:
    read: dict[str, Window | None] = {}
    for text in WINDOWS:
        found = [each.window for each in find_windows(text)]
        plain: list[Window | None] = [
            Window(
                each.within, each.beyond, each.lasting_at_least, each.lasting_at_most, each.anchor
            )
            for each in found
        ]
        [read[text]] = plain or [None]
    assert read == WINDOWS


def test_times_of_notes() -> None:
    read = {}
    for text in TIMES:
        [found] = find_times(text, date(2025, 1, 1))
        read[text] = (found.when.days_ago, found.when.lasting, found.future)
    assert read == TIMES


def test_dates_without_the_day_of_the_note_keep_their_words() -> None:
    [found] = find_times("CABG in May 2019")
    assert found.when.words == "May 2019"
    assert found.when.days_ago is None


@pytest.mark.parametrize(
    "seed", [".", "1", " ", "<", "(", "1 ", "hb 1 (2 ", "AST, ", "18 years old within 5 days "]
)
def test_any_text_is_read(seed: str) -> None:
    """Anything is read to its end; a pattern that backtracks without bound would not return."""
    text = seed * (20_000 // len(seed))
    for found in (find_values(text), find_ages(text), find_windows(text), find_times(text)):
        assert all(0 <= each.start <= each.end <= len(text) for each in found)
