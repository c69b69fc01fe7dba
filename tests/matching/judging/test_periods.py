from __future__ import annotations

import pytest

from trialyst.matching.judging.periods import Period, find_times, read_count


@pytest.mark.parametrize(
    ("criterion", "days", "within", "less"),
    [
        ("diabetes for at least 26 weeks", 182, False, False),
        ("insulin within 2 weeks", 14, True, False),
        ("exacerbations in the past two weeks", 14, True, False),
        ("treated for less than 4 weeks", 28, False, True),
        ("for 3 days or longer", 3, False, False),
        ("stable dose for \u2265 10 days before randomization", 10, False, False),
    ],
)
def test_times_of_criteria_are_read(criterion: str, days: float, within: bool, less: bool) -> None:
    (time,) = find_times(criterion)
    assert (time.days, time.within, time.less) == (days, within, less)


def test_a_dose_is_no_time() -> None:
    assert find_times("metformin at least 1500 mg daily") == ()


@pytest.mark.parametrize(
    ("asked", "lasted", "holds"),
    [
        ("for at least 10 days", Period(10, 11), True),
        ("for at least 10 days", Period(9, 10), False),
        ("for at least 10 days", Period(9, None), None),
        ("for less than 10 days", Period(3, 4), True),
        ("for less than 10 days", Period(20, None), False),
        ("within 10 days", Period(5, 6), True),
        ("within 10 days", Period(30, 40), False),
    ],
)
def test_what_has_lasted_is_held_to_the_time_asked(
    asked: str, lasted: Period, holds: bool | None
) -> None:
    (time,) = find_times(asked)
    assert time.holds(lasted) is holds


@pytest.mark.parametrize(("word", "number"), [("two", 2), ("12", 12), ("Twice", 2), ("no", 0)])
def test_numbers_are_read_in_words_and_digits(word: str, number: float) -> None:
    assert read_count(word) == number
