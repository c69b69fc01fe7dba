"""Words typed by a person are read as they are meant."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from trialyst.errors import InvalidInput
from trialyst.matching.prescreen import Scope, search_inquiry
from trialyst.matching.prescreen.inquiry import read_inquiry, score_inquiry
from trialyst.matching.prescreen.rows import PIECES, TrialRow, to_row
from trialyst.registry import RegistrySource
from trialyst.vocabulary import Vocabulary

EMPTY = to_row([("NCT90000001",), *(() for _ in PIECES[1:])])


def _row(title: str, *conditions: str, criteria: str = "") -> TrialRow:
    return replace(EMPTY, brief_title=title, conditions=conditions, criteria=criteria)


def _better(text: str, vocabulary: Vocabulary, one: TrialRow, other: TrialRow) -> bool:
    inquiry = read_inquiry(text, vocabulary)
    return score_inquiry(inquiry, one) > score_inquiry(inquiry, other)


def test_conditions_are_named_and_other_words_asked(vocabulary: Vocabulary) -> None:
    inquiry = read_inquiry("safe treatment for high blood pressure in kids", vocabulary)
    assert [named.name for named in inquiry.named] == ["Hypertension"]
    assert [asked.written for asked in inquiry.asked] == ["safe", "kid"]
    assert inquiry.doings == ("treatment",)


PAIRS = {
    "serious": ("Drug X in Severe Sleep Apnea", "Drug X in Sleep Apnea"),
    "kids with": ("Sleep Apnea: a Pediatric Study", "Sleep Apnea: a Study"),
    "workout for": ("Aerobic Exercise in Sleep Apnea", "Drug X in Sleep Apnea"),
}


@pytest.mark.parametrize("words", PAIRS)
def test_lay_words_mean_what_records_say(words: str, vocabulary: Vocabulary) -> None:
    better, worse = (_row(title, "Sleep Apnea") for title in PAIRS[words])
    assert _better(f"{words} sleep apnea", vocabulary, better, worse)


def test_a_word_about_the_condition_counts_more_than_elsewhere(vocabulary: Vocabulary) -> None:
    near = _row("Severe Sleep Apnea and a Long Title About Hypertension", "Sleep Apnea")
    far = _row("Severe Hypertension and a Long Title About Sleep Apnea", "Sleep Apnea")
    assert _better("serious sleep apnea", vocabulary, near, far)


def test_what_is_excluded_hardly_counts(vocabulary: Vocabulary) -> None:
    wanted = _row("Trial", "Asthma", criteria="Inclusion Criteria:\n- severe asthma")
    unwanted = _row("Trial", "Asthma", criteria="Exclusion Criteria:\n- severe asthma")
    assert _better("serious asthma", vocabulary, wanted, unwanted)


def test_synonyms_of_a_condition_are_the_condition(
    starter_source: RegistrySource, vocabulary: Vocabulary
) -> None:
    found = asyncio.run(
        search_inquiry(
            starter_source,
            "high blood sugar disease type 2 diabetes",
            vocabulary=vocabulary,
            scope=Scope(),
            limit=5,
        )
    )
    assert all("iabetes" in " ".join(item.conditions) for item in found.candidates)


def test_a_text_without_words_is_refused(vocabulary: Vocabulary) -> None:
    with pytest.raises(InvalidInput):
        read_inquiry(" - ", vocabulary)
