from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from trialyst.ctgov.ages import Age, AgeUnit
from trialyst.essie.values import age_days

ADAPTER = TypeAdapter(Age)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("18 Years", 18, AgeUnit.YEAR),
        ("1 Year", 1, AgeUnit.YEAR),
        ("6 Months", 6, AgeUnit.MONTH),
        ("3 Weeks", 3, AgeUnit.WEEK),
        ("0 Days", 0, AgeUnit.DAY),
        ("12 Hours", 12, AgeUnit.HOUR),
        ("30 Minutes", 30, AgeUnit.MINUTE),
    ],
)
def test_an_age_has_value_unit_and_days(text: str, value: int, unit: AgeUnit) -> None:
    age = Age.parse(text)

    assert (age.value, age.unit, age.days, str(age)) == (value, unit, age_days(text), text)


@pytest.mark.parametrize("unit", list(AgeUnit))
def test_a_unit_knows_its_length(unit: AgeUnit) -> None:
    assert unit.days == Age.parse(f"1 {unit}").days


def test_ages_in_different_units_compare_by_length() -> None:
    assert Age.parse("6 Months") < Age.parse("1 Year") < Age.parse("53 Weeks")


def test_twelve_months_equal_a_year() -> None:
    assert Age.parse("12 Months") == Age.parse("1 Year")
    assert len({Age.parse("12 Months"), Age.parse("1 Year")}) == 1


@pytest.mark.parametrize("text", ["N/A", "", "18", "Years", "-1 Years", "1.5 Years", "18 Moons"])
def test_what_is_no_age_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a number and a unit"):
        Age.parse(text)


def test_json_holds_the_text_and_gives_the_age_back() -> None:
    assert ADAPTER.dump_json(Age.parse("18 Years")) == b'"18 Years"'
    assert str(ADAPTER.validate_json('"18 Years"')) == "18 Years"


def test_schema_says_it_is_a_string() -> None:
    assert ADAPTER.json_schema()["type"] == "string"
