"""Conditions that many of the nearest trials study are searched for too."""

from __future__ import annotations

from dataclasses import replace

from trialyst.matching.prescreen.feedback import similar_terms
from trialyst.matching.prescreen.rows import PIECES, TrialRow, to_row
from trialyst.matching.prescreen.term import Role
from trialyst.vocabulary import Vocabulary

EMPTY = to_row([("NCT90000001",), *(() for _ in PIECES[1:])])


def _rows(*conditions: str) -> list[TrialRow]:
    return [replace(EMPTY, conditions=(condition,)) for condition in conditions]


def test_what_most_of_them_study_is_a_term(vocabulary: Vocabulary) -> None:
    nearest = _rows(
        "Hypogonadism", "Male Hypogonadism", "Hypogonadism", "Asthma", "Obesity", "Acne"
    )
    (term, *_) = similar_terms(nearest, (), vocabulary)
    assert (term.name, term.role) == ("Hypogonadism", Role.SIMILAR)
    assert 0.2 <= term.weight <= 1


def test_synonyms_count_together(vocabulary: Vocabulary) -> None:
    nearest = _rows("Heart Attack", "Myocardial Infarction", *(f"Nonsense {n}" for n in range(4)))
    (term,) = similar_terms(nearest, (), vocabulary)
    assert term.name == "Myocardial Infarction"


def test_known_and_wide_conditions_are_left_out(vocabulary: Vocabulary) -> None:
    asthma = vocabulary.resolve("asthma").concept
    assert asthma is not None
    assert not similar_terms(_rows("Asthma", "Disease", "Neoplasms"), {asthma.id}, vocabulary)


def test_no_trials_tell_nothing(vocabulary: Vocabulary) -> None:
    assert similar_terms([], (), vocabulary) == ()
