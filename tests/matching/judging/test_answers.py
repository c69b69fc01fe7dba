from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.eligibility.reading.note import parse_note
from trialyst.matching.judging.answers import find_quotes, read_answer
from trialyst.matching.judging.result import Verdict

NOTE = parse_note(
    "Mr. B. has “stage IV” NSCLC – EGFR-negative. He takes\n5 mg/day. He quit in 2015."
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
PIECES = st.sampled_from(["quote", "sentence"])
EVIDENCE = st.lists(st.dictionaries(PIECES, ANYTHING | st.sampled_from(["NSCLC", 0, "He"])))


@given(
    st.sampled_from(["MET", "not met", "UNKNOWN", "?"]) | ANYTHING,
    EVIDENCE | ANYTHING,
    st.dictionaries(
        st.sampled_from(["reasoning", "confidence", "applicability", "missing"]), ANYTHING
    ),
)
def test_whatever_a_model_says_is_read_and_only_the_note_is_quoted(
    verdict: Any, evidence: Any, others: dict[str, Any]
) -> None:
    answer = read_answer(json.dumps({"verdict": verdict, "evidence": evidence} | others), NOTE)
    assert answer.verdict in Verdict
    assert 0 <= answer.confidence <= 1
    assert all(NOTE.text[quote.start : quote.end] == quote.text for quote in answer.quotes)
    assert set(answer.sentences) <= {sentence.number for sentence in NOTE.sentences}


@given(st.data())
def test_every_span_of_whole_words_is_found(data: st.DataObject) -> None:
    words = NOTE.text.split()
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    quote = " ".join(words[start:end])
    if any(letter.isalnum() for letter in quote):
        assert find_quotes(NOTE, quote)


@pytest.mark.parametrize(
    "quote",
    ['has "stage IV" NSCLC - egfr-negative', "1. He takes 5 mg/day.", "Mr. B. ... NSCLC", "'quit'"],
)
def test_a_quote_in_other_dress_is_found(quote: str) -> None:
    assert find_quotes(NOTE, quote)


@pytest.mark.parametrize(
    "quote", ["stage I", "NSCLC ... EGFR-positive", "g", "...", "", "5 mg/day twice", "SCLC"]
)
def test_what_the_note_does_not_say_is_not_found(quote: str) -> None:
    assert not find_quotes(NOTE, quote)


def test_the_sentence_named_is_looked_at_first() -> None:
    note = parse_note("No cough. Then a cough.")
    (quote,) = find_quotes(note, "cough", near=1)
    assert (quote.sentence, quote.start) == (1, 17)
