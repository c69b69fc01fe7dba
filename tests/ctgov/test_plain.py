from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.ctgov.plain import (
    MAX_PAGE_SIZE,
    PlainQuery,
    check_page_size,
    read_sort,
    to_trial_query,
)
from trialyst.ctgov.query import RELEVANCE, SortKey
from trialyst.ctgov.vocab import Phase
from trialyst.errors import InvalidInput
from trialyst.essie.ast import And, Area, Node, Not, Or, Phrase, Words
from trialyst.essie.parser import parse
from trialyst.essie.render import render


@pytest.mark.parametrize(
    ("field", "param"),
    [
        ("condition", "cond"),
        ("term", "term"),
    ],
)
def test_text_goes_to_its_own_parameter(field: str, param: str) -> None:
    given_text: dict[str, Any] = {field: "asthma"}
    assert to_trial_query(PlainQuery(**given_text)).queries == ((param, Words(("asthma",))),)


def test_operators_in_text_are_words() -> None:
    ((_, node),) = to_trial_query(PlainQuery(term="NOT AREA[Phase]PHASE4")).queries
    assert isinstance(node, Words)


@given(st.text(min_size=1, max_size=40))
def test_text_never_becomes_an_operator(text: str) -> None:
    try:
        query = to_trial_query(PlainQuery(term=text))
    except InvalidInput:
        return
    ((_, node),) = query.queries
    allowed: tuple[type[Node], ...] = (Words, Phrase, And)
    assert isinstance(node, allowed)
    assert parse(render(node)) == node


def test_quoted_text_is_a_phrase() -> None:
    ((_, node),) = to_trial_query(PlainQuery(condition='"heart attack"')).queries
    assert node == Phrase("heart attack")


@pytest.mark.parametrize("text", ["", "   ", "a\x00b"])
def test_blank_and_control_characters_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        to_trial_query(PlainQuery(condition=text))


@pytest.mark.parametrize("phase", ["PHASE2", "Phase 2", "phase2", "2"])
def test_phase_means_contains(phase: str) -> None:
    assert to_trial_query(PlainQuery(phase=phase)).filters == (Area("Phase", Phrase("PHASE2")),)


def test_phases_in_a_list_are_alternatives() -> None:
    (node,) = to_trial_query(PlainQuery(phase=["PHASE2", "PHASE3"])).filters
    assert node == Area("Phase", Or((Phrase("PHASE2"), Phrase("PHASE3"))))


def test_phases_joined_by_a_slash_are_both_meant() -> None:
    (node,) = to_trial_query(PlainQuery(phase="PHASE1/PHASE2")).filters
    assert node == Area("Phase", And((Phrase("PHASE1"), Phrase("PHASE2"))))


def test_sex_admits_trials_open_to_all() -> None:
    (node,) = to_trial_query(PlainQuery(sex="female")).filters
    assert node == Area("Sex", Or((Phrase("FEMALE"), Phrase("ALL"))))


def test_study_type_is_a_filter() -> None:
    (node,) = to_trial_query(PlainQuery(study_type="Observational")).filters
    assert node == Area("StudyType", Phrase("OBSERVATIONAL"))


def test_advanced_is_essie() -> None:
    (node,) = to_trial_query(PlainQuery(advanced="NOT asthma")).filters
    assert node == Not(Words(("asthma",)))


def test_relevance_is_the_default_order() -> None:
    assert to_trial_query(PlainQuery()).sort == (SortKey(RELEVANCE, descending=True),)


@pytest.mark.parametrize("text", ["start_date:DESC", "Start Date:desc", "startdate:desc"])
def test_the_piece_to_sort_by_may_be_written_in_words(text: str) -> None:
    assert read_sort(text) == (SortKey("StartDate", descending=True),)


def test_relevance_needs_no_sign() -> None:
    assert read_sort("relevance") == read_sort(None)


def test_dates_sort_newest_first() -> None:
    assert read_sort("StartDate") == (SortKey("StartDate", descending=True),)


@pytest.mark.parametrize(
    "wrong",
    [
        PlainQuery(phase="Phase 5"),
        PlainQuery(phase=""),
        PlainQuery(phase="PHASE1/"),
        PlainQuery(sex="other"),
        PlainQuery(study_type="survey"),
        PlainQuery(advanced="AREA[Phase](PHASE2 OR"),
    ],
    ids=repr,
)
def test_what_can_never_match_is_refused(wrong: PlainQuery) -> None:
    with pytest.raises(InvalidInput):
        to_trial_query(wrong)


def test_an_unknown_value_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="Invalid phase value 'Phase 5'") as caught:
        to_trial_query(PlainQuery(phase="Phase 5"))
    assert caught.value.message.endswith("Must be one of: " + ", ".join(Phase))


@pytest.mark.parametrize("order", ["BriefTitle", "StartDate:down"])
def test_what_orders_nothing_is_refused(order: str) -> None:
    with pytest.raises(InvalidInput):
        read_sort(order)


@pytest.mark.parametrize("size", [0, MAX_PAGE_SIZE + 1])
def test_pages_have_bounds(size: int) -> None:
    with pytest.raises(InvalidInput):
        check_page_size(size)
