"""Patterns that look for letters they cannot do without before they search."""

from __future__ import annotations

import re

import pytest

from trialyst.matching.judging.gates import find_needed, gated
from trialyst.vocabulary.spotting import split_folded, tokenize


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        (r"\bsmok(?:er|ing)s?\b", ("smok",)),
        (r"(?:non-)?resectable", ("resectable",)),
        (r"\bm[ae]n\b|boys?", ("man", "men", "boy")),
        (r"grades?\s*[1-5]|\d+", ("",)),
        (r"(?:old|past)+ x", ("old", "past")),
        (r"a*(?!b)cd\b", ("cd",)),
        (r"x(?:y|z{0,2})", ("x",)),
    ],
)
def test_a_pattern_needs_the_words_no_match_lacks(pattern: str, needed: tuple[str, ...]) -> None:
    assert find_needed(re.compile(pattern)) == needed


def test_nothing_is_needed_where_case_does_not_count() -> None:
    assert find_needed(re.compile("smoker", re.IGNORECASE)) == ("",)


@pytest.mark.parametrize("text", ["no smokers", "smok", "she smokes", "tobacco", ""])
def test_a_gate_finds_what_its_pattern_finds(text: str) -> None:
    pattern = r"\bsmok(?:er|e)s?\b|tobacco"
    spans = [match.span() for match in re.finditer(pattern, text)]
    gate = gated(pattern)
    assert [match.span() for match in gate.finditer(text)] == spans
    found = gate.search(text)
    assert (found and found.span()) == (spans[0] if spans else None)


@pytest.mark.parametrize("text", ["Crohn's, MK3475", "a_b's", "Sjögren’s 5mg", "IL-6 levels"])
def test_folded_words_are_the_same_with_and_without_places(text: str) -> None:
    assert split_folded(text) == [token.folded for token in tokenize(text)]
