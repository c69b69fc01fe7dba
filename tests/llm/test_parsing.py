from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.llm import parse_objects, quote_data

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON), st.text("abc \n`.", max_size=20))
def test_an_object_is_found_in_what_stands_around_it(value: dict[str, object], around: str) -> None:
    assert parse_objects(f"{around}{json.dumps(value)}{around}") == [value]


@given(st.text())
def test_no_text_is_too_odd_to_look_at(text: str) -> None:
    assert isinstance(parse_objects(text), list)


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "[" * 200_000, "{" * 200_000])
def test_depth_without_end_gives_nothing(text: str) -> None:
    assert parse_objects(text) == []


def test_thinking_aloud_is_not_the_answer() -> None:
    assert parse_objects('<think>{"a": 1}</think>{"a": 2}') == [{"a": 2}]


@given(st.text())
def test_quoted_data_cannot_close_its_own_marks(text: str) -> None:
    first, *_, last = quote_data("note", text).split("\n")
    assert last == first.replace("<", "</")
    assert quote_data("note", text).count(last) == 1
