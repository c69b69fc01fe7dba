"""Ages asked for are read from criteria in all their spellings."""

from __future__ import annotations

import math

import pytest

from trialyst.matching.judging.ages import find_age_ranges

INFINITE = math.inf


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Age 25 to 65 years", 25, 66),
        ("adults 18-70 years of age", 18, 71),
        ("Age≥ 40years old", 40, INFINITE),
        ("18 years of age or older", 18, INFINITE),
        ("Age 18+", 18, INFINITE),
        ("At least 18 years of age", 18, INFINITE),
        ("Younger than 18 years of age", 0, 18),
        ("Age 6 months to less than 13 years of age", 0.5, 13),
        ("Between 18 and 75 years old", 18, 76),
        ("Ages 18-24 years (inclusive).", 18, 25),
        ("Age > or = 18 years", 18, INFINITE),
        ("≥ 5 years old (18 years onward in Cambodia)", 5, INFINITE),
        ("Eighteen years of age or older", 18, INFINITE),
        ("up to 80 years of age", 0, 81),
        ("Adult patients with asthma", 18, INFINITE),
        ("Children with epilepsy", 0, 18),
        ("Men and women above fifteen years of age", 15, INFINITE),
        ("Teens lower than 19 years", 0, 19),
        ("25-55 yrs old", 25, 56),
        ("asthma in patients > 18 years", 18, INFINITE),
        ("Aged no less than 50 years and no older than 79 years", 50, 80),
        ("Children 6-12 years with asthma", 6, 13),
        ("18 <= age <= 75", 18, 76),
        ("21 and over", 21, INFINITE),
        ("Aged from birth to 6 years", 0, 7),
        ("20~60 years old", 20, 61),
        ("30 years old, and older", 30, INFINITE),
        ("Hospitalised adult patients with sepsis", 18, INFINITE),
        ("Infants 6 to 24 months", 0.5, 2.083),
        ("Children 6 months to 5 years", 0.5, 6),
        ("Infants under 6 months", 0, 0.5),
    ],
)
def test_an_age_is_read(text: str, low: float, high: float) -> None:
    (found,) = find_age_ranges(text)
    assert (round(found.low, 3), round(found.high, 3)) == (low, high)


def test_two_ages_out_of_which_one_is_meant() -> None:
    found = find_age_ranges("< 18 or > 75 years old")
    assert [(round(ages.low, 3), ages.high) for ages in found] == [(0, 18), (75, INFINITE)]


@pytest.mark.parametrize(
    "text",
    [
        "Stroke within 5 years",
        "Diabetes for more than 5 years",
        "No cancer in the last 5 years",
        "FEV1 of > 80 % of that predicted for age and height",
        "Assent if under 16 years old",
        "Gestational age >= 24 weeks",
        "Women of childbearing age",
        "Children of the investigator",
        "Weight over 50 kg",
        "Back pain for 6 to 24 months",
    ],
)
def test_what_is_no_age_of_the_patient_is_not_read(text: str) -> None:
    assert find_age_ranges(text) == ()
