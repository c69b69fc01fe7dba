from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.registry.invented import FIRST, opened, study
from trialyst.ctgov.ages import Age, AgeUnit
from trialyst.ctgov.patients import admits_age, parse_age
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput
from trialyst.essie import parse, render
from trialyst.ids import NctId
from trialyst.registry import Registry

BOUNDS = [
    (None, None),
    ("18 Years", None),
    (None, "75 Years"),
    ("18 Years", "75 Years"),
    ("6 Months", "1 Year"),
    ("30 Months", "5 Years"),
    (None, "17 Months"),
    (None, "0 Years"),
    ("76 Years", None),
    (None, "52 Weeks"),
    ("155 Weeks", None),
]


@pytest.fixture(scope="module")
def bounded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """One study for each pair of bounds, in their order."""
    studies = [
        study(
            FIRST + number,
            eligibility={
                **({"minimumAge": low} if low else {}),
                **({"maximumAge": high} if high else {}),
            },
        )
        for number, (low, high) in enumerate(BOUNDS)
    ]
    directory: Path = tmp_path_factory.mktemp("bounds")
    registry = opened(directory, *studies)
    yield registry
    registry.close()


def admitting(registry: Registry, age: str | int) -> set[tuple[str | None, str | None]]:
    query = TrialQuery(filters=(admits_age(parse_age(age)),))
    return {BOUNDS[NctId(number).number - FIRST] for number in registry.match_numbers(query)}


@pytest.mark.parametrize(
    ("age", "left_out"),
    [
        (63, {("6 Months", "1 Year"), ("30 Months", "5 Years"), (None, "17 Months")}),
        (75, {("6 Months", "1 Year"), ("30 Months", "5 Years"), (None, "17 Months")}),
        (17, {("6 Months", "1 Year"), ("30 Months", "5 Years"), (None, "17 Months")}),
    ],
)
def test_bounds_that_exclude_leave_a_trial_out(
    bounded: Registry,
    age: int,
    left_out: set[tuple[str | None, str | None]],
) -> None:
    found = admitting(bounded, age)
    assert not found & left_out
    assert (("18 Years", None) in found) is (age >= 18)


def test_no_bound_admits_every_age(bounded: Registry) -> None:
    for age in ("1 day", "6 months", 0, 40, 120):
        assert (None, None) in admitting(bounded, age)


def test_an_upper_bound_admits_until_the_next_birthday(bounded: Registry) -> None:
    assert (None, "75 Years") in admitting(bounded, 75)
    assert (None, "75 Years") not in admitting(bounded, 76)


def test_an_upper_bound_in_years_counts_completed_years(bounded: Registry) -> None:
    found = admitting(bounded, "18 months")
    assert ("6 Months", "1 Year") in found
    assert (None, "17 Months") not in found
    assert (None, "0 Years") in admitting(bounded, "11 months")
    assert (None, "0 Years") not in admitting(bounded, "12 months")


def test_a_lower_bound_in_months_keeps_children_who_may_have_reached_it(bounded: Registry) -> None:
    assert ("30 Months", "5 Years") in admitting(bounded, 2)
    assert ("30 Months", "5 Years") not in admitting(bounded, 1)
    assert ("30 Months", "5 Years") not in admitting(bounded, "29 months")


def test_bounds_in_weeks_count_for_ages_in_years(bounded: Registry) -> None:
    assert (None, "52 Weeks") in admitting(bounded, 1)
    assert (None, "52 Weeks") not in admitting(bounded, 2)
    assert ("155 Weeks", None) in admitting(bounded, 2)
    assert ("155 Weeks", None) not in admitting(bounded, 1)


def test_a_lower_bound_in_years_is_a_birthday(bounded: Registry) -> None:
    assert ("76 Years", None) in admitting(bounded, 76)
    assert ("76 Years", None) not in admitting(bounded, 75)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (63, "63 Years"),
        ("63", "63 Years"),
        ("63 years old", "63 Years"),
        ("63-year-old", "63 Years"),
        ("63y", "63 Years"),
        (" 6 Months ", "6 Months"),
        ("10 d", "10 Days"),
        (2.5, "30 Months"),
        (3.7, "1351 Days"),
        ("0", "0 Years"),
    ],
)
def test_ages_are_read_as_people_say_them(text: str | float, read: str) -> None:
    assert str(parse_age(text)) == read


@pytest.mark.parametrize("text", ["", "old", "-1", "131", "6 moons", "sixty", "1e3", True])
def test_what_is_no_age_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_age(text)
    assert "63" in str(caught.value.hint)


@given(st.integers(0, 120), st.sampled_from(list(AgeUnit)[:4]), st.integers(0, 120))
def test_a_bound_in_the_patients_own_unit_is_plain_arithmetic(
    value: int, unit: AgeUnit, bound: int
) -> None:
    rendered = render(admits_age(Age.parse(f"{value} {unit}s")))
    assert render(parse(rendered)) == rendered
    assert f"[{value} {unit}s, MAX]" in rendered
