from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.repurposing.wording import read_wording


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sponsor's Decision", " sponsor decision "),
        ("didn’t", " did not "),
        ("cannot", " can not "),
        ("non-safety / follow-up", " non safety follow up "),
        ("stop - go", " stop - go "),
        ("benefit:risk, why: none", " benefit risk , why : none "),
        ("Enrôlement", " enrolement "),
        ("a_b", " a b "),
        ("", "  "),
    ],
)
def test_words_are_plain(text: str, words: str) -> None:
    assert read_wording(text).words == words


@given(st.text())
def test_every_word_knows_its_place(text: str) -> None:
    wording = read_wording(text)
    for offset, span in zip(wording.offsets, wording.spans, strict=True):
        assert wording.words[offset - 1] == " "
        assert wording.place(offset, offset + 1) == span
