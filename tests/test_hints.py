"""Sentences with slots, in the words of whoever calls tools."""

from __future__ import annotations

import pytest

from trialyst.errors import InvalidInput, RegistryMissing
from trialyst.hints import Argument, Call, Command, Hint, Option


@pytest.mark.parametrize(
    ("hint", "worded"),
    [
        (Hint("Give {near} too."), "Give `near` too."),
        (Hint("Give {it}.", it=Argument("near", "Boston")), "Give `near='Boston'`."),
        (Hint("Use {it}.", it=Call("get_trial")), "Use get_trial."),
        (
            Hint("Use {it}.", it=Call("get_trial", {"nct_id": "NCT:00461032"})),
            "Use get_trial with nct_id='NCT:00461032'.",
        ),
        (
            Hint("{these} differ", these=(Argument("age"), Argument("sex"))),
            "`age`, `sex` differ",
        ),
        (
            Hint("To have more, {sync}.", sync=Command("trialyst registry sync")),
            "To have more, ask the person who runs this server to run `trialyst registry sync`.",
        ),
        (
            Hint("Or {live}.", live=Option("--source live")),
            "Or ask the person who runs this server to start it with `--source live`.",
        ),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_a_hint_is_worded_for_callers_of_tools(hint: Hint, worded: str) -> None:
    assert str(hint) == worded


def test_what_to_run_begins_a_sentence_with_a_capital() -> None:
    sync = Command("trialyst registry sync")
    told = str(Hint("{sync}. {sync}.", sync=sync))
    assert told.count("Ask the person") == 2


def test_what_users_wrote_is_no_slot() -> None:
    assert str(Hint("Not {given}", given="{near} {0}")) == "Not {near} {0}"


def test_a_message_with_slots_is_also_a_plain_text() -> None:
    error = InvalidInput(Hint("{age} is {given}, not an age", given="'old'"))
    assert error.message == str(error) == "`age` is 'old', not an age"


def test_the_hint_of_a_class_is_worded_too() -> None:
    assert "ask the person who runs this server" in str(RegistryMissing("None").hint)
