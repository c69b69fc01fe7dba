"""Dates, ages and numbers."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.errors import InvalidInput
from trialyst.essie.values import age_days, date_key, parse_date, parse_number


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("2022", (20220101, 20221231)),
        ("2022-03", (20220301, 20220331)),
        ("2024-02", (20240201, 20240229)),
        ("2022-03-15", (20220315, 20220315)),
        ("01/15/2015", (20150115, 20150115)),
        ("1/5/2015", (20150105, 20150105)),
        ("03/2015", (20150301, 20150331)),
        ("2022-03-15T10:30", (20220315, 20220315)),
        ("2022-03-15 10:30:59", (20220315, 20220315)),
        (" 2022 ", (20220101, 20221231)),
    ],
)
def test_dates_cover_their_days(text: str, span: tuple[int, int]) -> None:
    assert parse_date(text) == span


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "22",
            "2022-13",
            "2022-00",
            "2022-02-29",
            "02/30/2020",
            "13/2015",
            "0000",
            "20220315",
        ),
        *("2022-3-5", "2022-03-15T25:00", "March 2015", "MIN", "٢٠٢٢", "2022-03-15T10:30x"),
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    assert date_key(text) is None
    with pytest.raises(InvalidInput, match="Invalid date"):
        parse_date(text)


def test_a_partial_date_sorts_as_its_first_day() -> None:
    assert [date_key(text) for text in ("2023", "2023-06", "2023-06-05")] == [
        20230101,
        20230601,
        20230605,
    ]


@given(st.dates())
def test_every_day_of_the_calendar_is_itself(day: datetime.date) -> None:
    number = day.year * 10_000 + day.month * 100 + day.day
    assert parse_date(day.isoformat()) == (number, number)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("18 Years", 6574.5),
        ("1 Year", 365.25),
        ("64y", 64 * 365.25),
        ("6 months", 182.625),
        ("2 weeks", 14),
        ("18d", 18),
        ("0 days", 0),
        ("36 Hours", 1.5),
        ("720 Minutes", 0.5),
        ("1.5 years", 547.875),
        ("2 yrs", 730.5),
    ],
)
def test_ages_are_days(text: str, days: float) -> None:
    assert age_days(text) == days


@pytest.mark.parametrize(
    "text", ["N/A", "", "18", "Years", "18 moons", "-1 Years", "9" * 5000 + "y"]
)
def test_what_is_no_age_is_none(text: str) -> None:
    assert age_days(text) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [("12 Months", "1 Year"), ("24 Hours", "1 Day"), ("60 Minutes", "1 Hour"), ("7 Days", "1w")],
)
def test_equal_ages_are_equal(one: str, other: str) -> None:
    assert age_days(one) == age_days(other)


@pytest.mark.parametrize(("text", "number"), [("5", 5), ("-3", -3), ("+7", 7), ("0.5", 0.5)])
def test_numbers(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize("text", ["", "five", "1e9", "nan", "inf", "1,000", "1.", "9" * 5000, "½"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="Invalid number"):
        parse_number(text)
