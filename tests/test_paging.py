"""Cursors: what was not made by a page is refused, whatever it holds."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from trialyst.errors import InvalidInput
from trialyst.paging import decode_cursor, encode_cursor


@pytest.mark.parametrize("offset", [None, -1, "3", 1.5, True, 10**30, [], {}])
def test_an_offset_that_is_no_place_in_a_list_is_damage(offset: Any) -> None:
    with pytest.raises(InvalidInput, match="damaged"):
        decode_cursor(encode_cursor("q", offset=offset), "q")


@pytest.mark.parametrize("text", ["[" * 50_000, "[]", "1", "null", json.dumps({"offset": 1})])
def test_other_values_are_damage(text: str) -> None:
    with pytest.raises(InvalidInput, match="damaged"):
        decode_cursor(base64.urlsafe_b64encode(text.encode()).decode(), "q")


def test_a_cursor_of_another_query_is_refused() -> None:
    with pytest.raises(InvalidInput, match="another query"):
        decode_cursor(encode_cursor("other", offset=50), "q")
