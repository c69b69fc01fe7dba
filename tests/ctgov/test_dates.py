from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from trialyst.ctgov.dates import PartialDate
from trialyst.essie.values import parse_date

ADAPTER = TypeAdapter(PartialDate)

DAYS = st.dates(min_value=datetime.date(1900, 1, 1), max_value=datetime.date(2099, 12, 31))
TEXTS = st.builds(lambda day, size: str(day)[:size], DAYS, st.sampled_from([4, 7, 10]))


@given(TEXTS)
def test_a_date_is_written_as_it_was_given(text: str) -> None:
    assert str(PartialDate.parse(text)) == text


@given(TEXTS)
def test_first_and_last_day_agree_with_the_query_language(text: str) -> None:
    date = PartialDate.parse(text)
    span = parse_date(text)

    assert int(date.first_day.strftime("%Y%m%d")) == span.low
    assert int(date.last_day.strftime("%Y%m%d")) == span.high


@given(TEXTS, TEXTS)
def test_order_follows_the_first_day(left: str, right: str) -> None:
    first, second = PartialDate.parse(left), PartialDate.parse(right)

    if first.first_day < second.first_day:
        assert first < second
    assert (first == second) == (left == right)
    assert (first < second) + (first == second) + (first > second) == 1


@pytest.mark.parametrize(
    "text", ["", "2021-13", "2021-02-30", "0000", "21-01", "2021-1", "2021-01-01T10:00", "２０２１"]
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a date|must be in|out of range"):
        PartialDate.parse(text)


def test_a_day_without_a_month_is_refused() -> None:
    with pytest.raises(ValueError, match="month"):
        PartialDate(2021, None, 3)


def test_json_holds_the_text() -> None:
    assert ADAPTER.dump_json(PartialDate(2021, 2)) == b'"2021-02"'


def test_json_gives_the_date_back() -> None:
    assert ADAPTER.validate_json('"2021-02"') == PartialDate(2021, 2)


def test_schema_says_it_is_a_string() -> None:
    assert ADAPTER.json_schema()["type"] == "string"


@pytest.mark.parametrize("value", [None, [], {}, True, "soon"])
def test_a_bad_value_in_a_model_is_a_validation_error(value: object) -> None:
    with pytest.raises(ValidationError, match="not a date"):
        ADAPTER.validate_python(value)
