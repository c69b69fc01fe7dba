"""The arguments of a search as one question, and how it says it was understood."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput
from trialyst.questions.reading import Question, read_question
from trialyst.registry import RegistrySource


def read(source: RegistrySource, **arguments: Any) -> Question:
    return asyncio.run(read_question(source, arguments))


def count(source: RegistrySource, **arguments: Any) -> int:
    return asyncio.run(source.count(read(source, **arguments).to_query()))


def test_a_question_in_words_finds_what_its_names_find(starter_source: RegistrySource) -> None:
    asked = "What trials are there for patients with asthma who want to try dupilumab?"
    named = count(starter_source, condition="asthma", intervention="dupilumab")
    assert count(starter_source, query=asked) == named > 0


def test_wording_is_read_as_filters_and_said(starter_source: RegistrySource) -> None:
    question = read(starter_source, query="recruiting phase 2 asthma trials in Germany")
    assert count(starter_source, query="recruiting phase 2 asthma trials in Germany") == count(
        starter_source, condition="asthma", status="RECRUITING", phase="PHASE2", location="Germany"
    )
    understood = question.understood()
    assert set(understood) == {"query", "status", "phase", "location"}
    assert understood["phase"]["note"] == "Read from the words of the query."


def test_an_argument_wins_over_the_wording(starter_source: RegistrySource) -> None:
    question = read(starter_source, query="phase 2 asthma", phase="PHASE3")
    assert question.understood()["phase"]["name"] == "Phase 3"


@pytest.mark.parametrize("joined", ["asthma OR eczema", "asthma|eczema", ["asthma", "eczema"]])
def test_alternatives_find_what_each_finds(starter_source: RegistrySource, joined: Any) -> None:
    def numbers(value: Any) -> set[int]:
        query = read(starter_source, condition=value).to_query()
        return starter_source.registry.match_numbers(query)

    assert numbers(joined) == numbers("asthma") | numbers("eczema")


def test_a_class_is_searched_by_its_members_and_says_so(starter_source: RegistrySource) -> None:
    question = read(starter_source, intervention="TNF inhibitors")
    understood = question.understood()["intervention"]
    assert "adalimumab" in understood["members"]
    assert count(starter_source, intervention="TNF inhibitors") >= count(
        starter_source, intervention="adalimumab"
    )


def test_words_around_a_name_that_only_ask_are_dropped(starter_source: RegistrySource) -> None:
    question = read(starter_source, condition="patients with asthma")
    assert question.understood()["condition"]["dropped"] == ["patients", "with"]
    assert count(starter_source, condition="patients with asthma") == count(
        starter_source, condition="asthma"
    )


def test_a_dose_does_not_narrow_a_search(starter_source: RegistrySource) -> None:
    assert count(starter_source, intervention="metformin 500 mg tablets") == count(
        starter_source, intervention="metformin"
    )


def test_ids_in_a_question_are_looked_up(starter_source: RegistrySource) -> None:
    assert count(starter_source, query="tell me about NCT90000001") == 1


def test_the_last_four_filters_say_that_they_are_words_of_the_criteria(
    starter_source: RegistrySource,
) -> None:
    question = read(
        starter_source, biomarker="HER2", prior_therapy="chemotherapy", line_of_therapy="2"
    )
    for reading in question.understood().values():
        assert reading["note"] == "Searched as words of the eligibility text."


def test_nothing_asked_is_the_query_for_everything(starter_source: RegistrySource) -> None:
    assert read(starter_source).to_query() == TrialQuery()


def test_a_radius_without_a_place_is_refused(starter_source: RegistrySource) -> None:
    with pytest.raises(InvalidInput, match="`within` is a distance from `near`"):
        read(starter_source, condition="asthma", within=10)
