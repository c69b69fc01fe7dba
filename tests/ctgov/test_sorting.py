from __future__ import annotations

import pytest

from trialyst.ctgov.errors import BadParameter
from trialyst.ctgov.query import SortKey
from trialyst.ctgov.sorting import parse_sort, render_sort


@pytest.mark.parametrize(
    ("text", "piece", "descending"),
    [
        ("LastUpdatePostDate", "LastUpdatePostDate", True),
        ("LastUpdatePostDate:asc", "LastUpdatePostDate", False),
        ("EnrollmentCount", "EnrollmentCount", False),
        ("EnrollmentCount:desc", "EnrollmentCount", True),
        ("NumArmGroups", "NumArmGroups", False),
        ("@relevance", "@relevance", True),
        ("@relevance:asc", "@relevance", False),
        ("START-DATE", "StartDate", True),
        ("protocolSection.statusModule.startDateStruct.date", "StartDate", True),
    ],
)
def test_the_direction_follows_the_kind_unless_it_is_given(
    text: str, piece: str, *, descending: bool
) -> None:
    assert parse_sort(text) == (SortKey(piece, descending=descending),)


@pytest.mark.parametrize("text", ["StartDate,@relevance", "StartDate|@relevance"])
def test_two_keys_are_taken_in_order(text: str) -> None:
    assert [key.piece for key in parse_sort(text)] == ["StartDate", "@relevance"]


def test_keys_come_back() -> None:
    keys = (SortKey("StartDate", descending=False), SortKey("@relevance", descending=True))

    assert parse_sort(render_sort(keys)) == keys


def test_no_sort_is_no_key() -> None:
    assert parse_sort(" ") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1abc", "Item 1 in parameter `sort` has incorrect format"),
        ("StartDate,StartDate:up", "Item 2 in parameter `sort` has incorrect format"),
        ("StartDate,", "Item 2 in parameter `sort` has incorrect format"),
        ("BriefTitle", "Unsupported sort field type: text"),
        ("OverallStatus", "Unsupported sort field type: text"),
        ("HasResults", "Unsupported sort field type: boolean"),
        ("Nonsense", "Parameter 'sort' contains invalid field name: 'Nonsense'"),
        ("StartDate,StartDate,StartDate", "Parameter `sort` has more than 2 items"),
    ],
)
def test_what_cannot_be_sorted_is_refused_in_the_service_words(text: str, message: str) -> None:
    with pytest.raises(BadParameter) as caught:
        parse_sort(text)

    assert caught.value.message == message
