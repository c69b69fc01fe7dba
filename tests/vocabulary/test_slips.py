"""What lies between two spellings."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.vocabulary.slips import LONGER, MOST_EDITS, Likeness, beginnings, slip_cost

WORDS = st.text("abcdef", min_size=1, max_size=9)


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("alzhiemer", "alzheimer"),
        ("diarhea", "diarrhea"),
        ("schizofrenia", "schizophrenia"),
        ("leukimia", "leukemia"),
        ("anemea", "anemia"),
        ("sindrome", "syndrome"),
        ("exema", "eczema"),
        ("metfor min", "metformin"),
        ("breastcancer", "breast cancer"),
        ("cirrosis", "cirrhosis"),
        ("athsma", "asthma"),
        ("sertralin", "sertraline"),
    ],
)
def test_a_slip_with_a_reason_costs_less_than_any_letter(written: str, known: str) -> None:
    assert 0 < slip_cost(written, known, limit=2) < 1


@pytest.mark.parametrize(
    ("written", "known"),
    [("mk 3475", "mk 3476"), ("covid 18", "covid 19"), ("abt 26", "abt 263"), ("il 2", "il 21")],
)
def test_digits_are_never_mistaken(written: str, known: str) -> None:
    assert slip_cost(written, known, limit=9) == inf


def test_a_slip_in_the_first_letter_costs_more() -> None:
    first = slip_cost("tembrolizumab", "pembrolizumab", limit=2)
    assert first > slip_cost("pembrotizumab", "pembrolizumab", limit=2)


def test_a_consonant_for_a_vowel_costs_more_than_for_a_consonant() -> None:
    assert slip_cost("eosinophilic", "eosinophilia", limit=2) > slip_cost(
        "ketorotac", "ketorolac", limit=2
    )


@given(WORDS)
def test_a_word_costs_nothing_against_itself(word: str) -> None:
    assert slip_cost(word, word, limit=2) == 0


@given(WORDS, WORDS)
def test_the_limit_only_cuts_off(written: str, known: str) -> None:
    cost = slip_cost(written, known, limit=9)
    assert slip_cost(written, known, limit=1.2) == (cost if cost <= 1.2 else inf)


@given(WORDS, WORDS)
def test_likeness_is_the_number_of_edits(written: str, known: str) -> None:
    near = edits(written, known) <= MOST_EDITS and abs(len(written) - len(known)) <= LONGER
    assert Likeness(written)(known) == near


@given(st.text("abcdefghij", min_size=4, max_size=9), st.integers(0, 8), st.sampled_from("abxyz"))
def test_a_beginning_is_found_after_one_slip(word: str, at: int, letter: str) -> None:
    at = min(at, len(word) - 1)
    for slipped in (
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
    ):
        assert word.startswith(beginnings(slipped))


def edits(one: str, other: str) -> int:
    """Count letters missing, too many, wrong and swapped, the plain way."""
    rows: list[list[int]] = [[*range(len(other) + 1)]]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return int(rows[-1][-1])
