from __future__ import annotations

import pytest

from trialyst.errors import InvalidInput
from trialyst.questions.dates import read_date


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2024", "2024"),
        (2024, "2024"),
        ("2024-3", "2024-03"),
        ("2024-03-05", "2024-03-05"),
        ("2024/03/05", "2024-03-05"),
        ("2024-03-05T10:00:00Z", "2024-03-05"),
        ("03/05/2024", "2024-03-05"),
        ("3/2024", "2024-03"),
        ("March 2024", "2024-03"),
        ("5 Mar 2024", "2024-03-05"),
        ("Sept. 5, 2024", "2024-09-05"),
    ],
)
def test_dates_are_read_as_people_write_them(written: object, read: str) -> None:
    assert str(read_date("start_from", written)) == read


@pytest.mark.parametrize("written", ["last year", "13/13/2024", "2024-02-31", "Foo 2024", "24"])
def test_what_is_no_date_is_refused_with_its_argument(written: str) -> None:
    with pytest.raises(InvalidInput, match="start_from is") as told:
        read_date("start_from", written)
    assert "`start_from`" in str(told.value.hint)
