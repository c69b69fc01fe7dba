"""Tokens with their places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trialyst.folding import fold
from trialyst.vocabulary.spotting import tokenize

PRINTABLE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=80)


@given(PRINTABLE)
def test_tokens_are_those_of_the_folding(text: str) -> None:
    assert [token.folded for token in tokenize(text)] == fold(text)


@given(st.text(max_size=80))
def test_places_lie_in_the_text_and_do_not_go_back(text: str) -> None:
    tokens = tokenize(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)
