"""What is told beside an answer: how it was understood, and what to ask next."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from tests.interfaces.cli.conftest import Run
from trialyst.discovery import Answer
from trialyst.hints import Call
from trialyst.interfaces.cli.telling import next_lines, understood_lines
from trialyst.questions.readings import ArgumentReading, to_understood


def understood(argument: str, **reading: Any) -> list[str]:
    """Give the lines for one reading, made and sent as a tool does."""
    read = ArgumentReading(**{"kind": argument, "known": True, **reading})
    answer = Answer({"understood": {argument: to_understood(argument, read)}}, ())
    return list(understood_lines(answer))


@pytest.mark.parametrize(
    ("argument", "reading", "line"),
    [
        (
            "condition",
            {"asked": "brest cancer", "corrected": "breast cancer", "name": "breast cancer"},
            "Condition: 'brest cancer' read as breast cancer (corrected)",
        ),
        (
            "location",
            {"asked": "DE", "kind": "country", "name": "Germany"},
            "Location: 'DE' read as Germany",
        ),
        (
            "location",
            {"asked": "Bay Area", "name": "San Francisco and Oakland", "approximate": True},
            "Location: 'Bay Area' read as San Francisco and Oakland (approximately)",
        ),
        (
            "intervention",
            {"asked": "PARP inhibitor", "name": "PARP inhibitor", "members": ("olaparib", "b")},
            "Intervention: with olaparib, b",
        ),
        (
            "condition",
            {
                "asked": "MS",
                "ambiguous": True,
                "may_mean": ("multiple sclerosis", "mitral"),
            },
            "Condition: 'MS' may mean multiple sclerosis, mitral",
        ),
        (
            "intervention",
            {"asked": "aspirn", "known": False, "nearest": ("aspirin",)},
            "Intervention: 'aspirn' is not known; names like it are aspirin",
        ),
        (
            "start_from",
            {"asked": "2024", "note": "Trials without a start date are left out."},
            "Start from: Trials without a start date are left out",
        ),
        (
            "phase",
            {"asked": "PHASE4", "count_without": 1200},
            "Phase: without it there are 1,200 trials",
        ),
        (
            "query",
            {"asked": "w " * 30, "name": "condition asthma"},
            "Query: read as condition asthma",
        ),
    ],
)
def test_a_reading_that_is_not_plain_is_one_line(
    argument: str, reading: dict[str, Any], line: str
) -> None:
    assert understood(argument, **reading) == [line]


@pytest.mark.parametrize(
    "reading",
    [
        {"asked": "asthma"},
        {"asked": "Asthma", "name": "asthma"},
        {"asked": "asthma", "name": "Asthma", "concept_id": "D001249", "searched": ("asthma", "x")},
        {"asked": "asthma", "count_without": 0},
        {"asked": "True", "name": "yes"},
    ],
)
def test_what_was_read_as_it_stands_is_not_told(reading: dict[str, Any]) -> None:
    assert understood("condition", **reading) == []


def test_words_that_were_left_out_are_told() -> None:
    assert understood("query", asked="want asthma", name="asthma", dropped=("want", "try"))[1] == (
        "Dropped: want, try"
    )


def test_an_answer_without_readings_or_steps_tells_nothing() -> None:
    answer = Answer({"items": []}, ())
    assert [*understood_lines(answer), *next_lines(answer)] == []


def test_next_steps_are_commands_with_what_they_bring() -> None:
    steps = [
        Call("get_trial", {"nct_id": "NCT:00461032"}, "The first trial in full."),
        Call("search_trials", {"cursor": "abc"}, "The next page."),
        Call("evaluate_criterion", {"criterion": "x"}),
        Call("count_trials", {"condition": "a b", "by": "phase"}),
    ]
    answer = Answer({"next": [step.to_dict() for step in steps]}, ())
    assert list(next_lines(answer)) == [
        "Next: trialyst trial NCT00461032  # The first trial in full.",
        "Next: trialyst count --condition 'a b' --by phase",
    ]


@pytest.mark.slow
def test_a_search_tells_its_steps_and_they_work(trialyst: Run, starter: None) -> None:
    ended = trialyst("search", "asthma", "--phase", "3", "-n", "3")
    steps = [line for line in ended.err.splitlines() if line.startswith("Next: ")]
    assert 1 <= len(steps) <= 3
    for step in steps:
        program, *words = shlex.split(step.removeprefix("Next: "), comments=True)
        assert program == "trialyst"
        assert trialyst(*words).code == 0


@pytest.mark.slow
def test_json_is_told_of_in_the_value_alone(trialyst: Run, starter: None) -> None:
    ended = trialyst("search", "asthma", "--json")
    assert ended.value["next"]
    assert "Next: " not in ended.err
