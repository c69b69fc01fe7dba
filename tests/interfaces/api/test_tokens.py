from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.errors import InvalidInput
from trialyst.interfaces.api.tokens import decode_token, encode_token

offsets = st.integers(min_value=0, max_value=2**40 - 1)
url_safe = string.ascii_letters + string.digits + "-_"


@given(st.text(max_size=40), offsets)
def test_token_gives_its_position_back(generation: str, offset: int) -> None:
    assert decode_token(encode_token(generation, offset), generation) == offset


@given(offsets, st.integers(0, 19), st.sampled_from(url_safe))
def test_a_changed_character_is_noticed(offset: int, place: int, character: str) -> None:
    token = encode_token("g", offset)
    changed = token[:place] + character + token[place + 1 :]
    if changed != token:
        with pytest.raises(InvalidInput, match="incorrect format"):
            decode_token(changed, "g")


@given(st.text(max_size=60))
def test_any_text_is_refused_politely(text: str) -> None:
    with pytest.raises(InvalidInput):
        decode_token(text, "g")


def test_a_token_of_another_generation_has_expired() -> None:
    with pytest.raises(InvalidInput, match="expired"):
        decode_token(encode_token("old", 10), "new")
