"""Patterns that look for letters they cannot do without before they search."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.matching.judging.gates import GatedPattern, Gates, find_needed
from trialyst.vocabulary.spotting import split_folded, tokenize


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        (r"\bsmok(?:er|ing)s?\b", ("\bsmok",)),
        (r"(?:non-)?resectable", ("resectable",)),
        (r"\bm[ae]n\b|boys?", ("\bman", "\bmen", "boy")),
        (r"\b(?:child|infant)s?\b", ("\bchild", "\binfant")),
        (r"\bno\b.{0,9}\bbirth", ("\bbirth",)),
        (r"grades?\s*[1-5]|\d+", ("",)),
        (r"(?:old|past)+ x", ("old", "past")),
        (r"a*(?!b)cd\b", ("cd",)),
        (r"x(?:y|z{0,2})", ("x",)),
    ],
)
def test_a_pattern_needs_the_words_no_match_lacks(pattern: str, needed: tuple[str, ...]) -> None:
    assert find_needed(pattern) == needed


def test_what_is_needed_is_in_lower_case_where_case_does_not_count() -> None:
    assert find_needed("Smoker", re.IGNORECASE) == ("smoker",)


_PATTERNS = [
    re.compile(r"\bsmok(?:er|e)s?\b|tobacco"),
    re.compile(r"\bsmok(?:er|e)s?\b|tobacco", re.IGNORECASE),
    re.compile(r"(?<=-)kit\b|>=?|\d+ %"),
    re.compile(r"\b(?:no|non)-?\s?smok\w*", re.IGNORECASE),
    re.compile(r"K\b|s$", re.IGNORECASE),
    re.compile(r"\b_smoke|e_s"),
    re.compile("é", re.IGNORECASE),
]
_GATES = [GatedPattern(pattern.pattern, pattern.flags) for pattern in _PATTERNS]
_PIECES = [
    "no ", "non-", "Smok", "smoke", "ers", "TOBACCO", "c-", "kit", "K", "ſ", "İ", "_", ">", "5 %",
    "é", "É", "s",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=6).map("".join))
def test_a_gate_finds_what_its_pattern_finds(text: str) -> None:
    for pattern, gate in zip(_PATTERNS, _GATES, strict=True):
        spans = [match.span() for match in pattern.finditer(text)]
        assert [match.span() for match in gate.finditer(text)] == spans
        found = gate.search(text)
        assert (found and found.span()) == (spans[0] if spans else None)
        assert gate.sub("*", text) == pattern.sub("*", text)
        for matched, whole in ((gate.match, pattern.match), (gate.fullmatch, pattern.fullmatch)):
            assert (matched(text) is None) == (whole(text) is None)


def test_the_gates_that_words_open_are_given_in_order() -> None:
    gates = Gates([["age", "old"], [""], ["smok"], ["x", "nons"], ["ol"]])
    assert list(gates.opened("an old nonsmoker")) == [0, 1, 3, 4]


@pytest.mark.parametrize("text", ["Crohn's, MK3475", "a_b's", "Sjögren’s 5mg", "IL-6 levels"])
def test_folded_words_are_the_same_with_and_without_places(text: str) -> None:
    assert split_folded(text) == [token.folded for token in tokenize(text)]
