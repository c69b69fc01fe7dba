"""Rewordings: what is tried, and what each step is called."""

from __future__ import annotations

import pytest

from trialyst.vocabulary.concept import How
from trialyst.vocabulary.rewording import LONGEST, reword


@pytest.mark.parametrize(
    ("text", "reworded", "how"),
    [
        ("Infarction, Myocardial", "Myocardial Infarction", How.INVERTED),
        ("Leukemia, Myeloid, Acute", "Acute Myeloid Leukemia", How.INVERTED),
        ("metformin hydrochloride", "metformin", How.SALT),
        ("Cancer of the Breast", "Breast neoplasms", How.REWORDED),
        ("Heart Failure (HFpEF)", "Heart Failure", How.PARENTHESIS),
        ("Heart Failure (HFpEF)", "HFpEF", How.WITHIN),
        ("Stage IV Breast Cancer", "Breast Cancer", How.MODIFIER),
        ("Breast Cancer Stage IIIA", "Breast Cancer", How.MODIFIER),
        ("Relapsed/Refractory Acute Myeloid Leukemia", "Acute Myeloid Leukemia", How.MODIFIER),
        ("Asthma in Children", "Asthma", How.QUALIFIER),
        ("Hypertension, uncontrolled, resistant", "Hypertension", How.QUALIFIER),
    ],
)
def test_a_text_is_reworded(text: str, reworded: str, how: How) -> None:
    assert (reworded, how) in list(reword(text))


def test_modifiers_fall_one_by_one_so_that_the_longest_name_wins() -> None:
    tried = [text for text, how in reword("severe chronic asthma") if how is How.MODIFIER]
    assert tried.index("chronic asthma") < tried.index("asthma")


@pytest.mark.parametrize("text", ["", " ", "()", ",", "((((", "advanced", "x" * 10_000])
def test_odd_texts_do_no_harm(text: str) -> None:
    assert len(list(reword(text))) < 100


@pytest.mark.parametrize("words", ["in ", "the of a in ", "a - ", ", a", "( "])
@pytest.mark.parametrize("length", [LONGEST, 20_000])
def test_the_rewordings_of_a_long_text_are_few(words: str, length: int) -> None:
    text = (words * length)[:length]
    assert sum(1 for _ in reword(text)) < 1_000


def test_a_text_longer_than_any_name_has_no_rewording() -> None:
    assert not list(reword("cancer of the breast " * 20))
