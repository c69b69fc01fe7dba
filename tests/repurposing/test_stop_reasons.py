from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each_case import on_each_case
from trialyst.repurposing.stop_reasons import StopCategory, classify_stop_reason

CASES = [
    tuple(part.strip() for part in line.split("|", 2))
    for line in Path(__file__).with_name("stop_reasons.txt").read_text("utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]
PHRASES = [text for _, _, text in CASES]


@on_each_case(("categories", "marks", "text"), CASES, ids=[text[:60] for text in PHRASES])
def test_sentence_has_its_categories(categories: str, marks: str, text: str) -> None:
    reason = classify_stop_reason(text)
    assert ", ".join(reason.categories) == categories
    assert ("s" if reason.success else "-" if reason.usable else "v") == marks


@pytest.mark.parametrize("text", [None, "", "  \n", ".", "--", "…", "\x00", "'"])
def test_without_a_text_the_reason_is_unknown(text: str | None) -> None:
    reason = classify_stop_reason(text)
    assert reason.categories == (StopCategory.UNKNOWN,)
    assert not reason.usable
    assert not reason.evidence


def test_evidence_keeps_the_writing_of_the_text() -> None:
    text = "Terminated:  the trial didn’t  MEET its primary end-point (slow Re-cruitment)."
    found = [(e.category.value, e.text) for e in classify_stop_reason(text).evidence]
    assert found[0] == ("efficacy", "didn’t  MEET its primary")


_hostile = st.one_of(
    st.text(st.characters(codec=None, exclude_categories=()), max_size=300),
    st.lists(st.sampled_from([*PHRASES, "not", "no", "(", ";", "due to", "but"]), max_size=8).map(
        " ".join
    ),
)


@given(_hostile)
def test_any_text_gets_a_sound_answer(text: str) -> None:
    reason = classify_stop_reason(text)
    order = list(StopCategory)
    assert reason.category == reason.categories[0]
    assert sorted(set(reason.categories), key=order.index) == list(reason.categories)
    assert all(e.text and e.text == text[e.start : e.end] for e in reason.evidence)
    assert {e.category for e in reason.evidence} <= set(reason.categories)
    assert not reason.success or reason.categories == (StopCategory.OTHER,)
    assert reason == classify_stop_reason(text)


@given(st.sampled_from(PHRASES), st.sampled_from([" {} ", "{}.", "Reason: {}", "({})"]))
def test_frame_around_a_text_changes_nothing(text: str, frame: str) -> None:
    plain = classify_stop_reason(text)
    assert classify_stop_reason(frame.format(text)).categories == plain.categories


@on_each_case("text", [text for text in PHRASES if "N/A" not in text])
def test_case_does_not_matter(text: str) -> None:
    plain = classify_stop_reason(text)
    assert classify_stop_reason(text.upper()).categories == plain.categories


@pytest.mark.parametrize("unit", ["no ", "not due to any new safety or ", "slow ", "(", "é", "a"])
def test_very_long_text_is_read_to_its_end(unit: str) -> None:
    reason = classify_stop_reason(unit * 2000 + ". Funding ended")
    assert "Funding" in [e.text for e in reason.evidence]
