"""Hints and calls as a person types them."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from tests.contracts.contracts import TOOLS
from tests.interfaces.cli.conftest import Run
from tests.interfaces.mcp.connecting import WireTools
from trialyst.errors import InvalidInput, RateLimited, UpstreamError
from trialyst.hints import Argument, Call, Command, Hint, Option
from trialyst.interfaces.cli.failures import report
from trialyst.interfaces.cli.wording import COMMANDS, CommandWording, find_command

WITHOUT_A_COMMAND = {"evaluate_criterion"}


@pytest.mark.parametrize(
    ("called", "argument", "worded"),
    [
        ("search", Argument("near"), "--near"),
        ("search", Argument("near", "New York, NY"), "--near 'New York, NY'"),
        ("search", Argument("start_from", "2024"), "--start-from 2024"),
        ("search", Argument("slim", True), "--slim"),
        ("search", Argument("has_results", False), "--no-results"),
        ("search", Argument("status", ["RECRUITING", "COMPLETED"]), None),
        ("landscape asthma", Argument("top_n"), "--top-n"),
        ("drug-trials x --phase 9", Argument("phase_filter"), "--phase-filter"),
        ("trial foo", Argument("nct_id"), "ID"),
        ("trial foo", Argument("nct_id", "NCT:00461032"), "NCT00461032"),
        ("registry sync", Argument("full"), "--full"),
        ("", Argument("page_size"), "--page-size"),
    ],
    ids=str,
)
def test_an_argument_is_the_option_of_the_command_that_was_run(
    called: str, argument: Argument, worded: str | None
) -> None:
    expected = worded or "--status RECRUITING --status COMPLETED"
    assert CommandWording(*called.split()).argument(argument) == expected


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (
            Call("search_trials", {"query": "heart attack", "phase": "PHASE3"}),
            "trialyst search 'heart attack' --phase PHASE3",
        ),
        (
            Call("search_trials", {"condition": ["a b", "c"], "has_results": True}),
            "trialyst search --condition 'a b' --condition c --has-results",
        ),
        (Call("get_trial", {"nct_id": "NCT:00461032"}), "trialyst trial NCT00461032"),
        (
            Call("compare_trials", {"nct_ids": ["NCT:00461032", "NCT:02970942"]}),
            "trialyst compare NCT00461032 NCT02970942",
        ),
        (
            Call("get_trial_locations", {"nct_id": "NCT:00461032", "near": "Bath", "within": 50}),
            "trialyst locations NCT00461032 --near Bath --within 50",
        ),
        (
            Call("detect_whitespace", {"condition": "cancer", "drug": "aspirin"}),
            "trialyst whitespace aspirin cancer",
        ),
        (Call("get_pathway", {"pathway_id": "WP:WP554"}), "trialyst pathways get WP554"),
        (Call("search_pathways", {"query": "cell cycle"}), "trialyst pathways search 'cell cycle'"),
        (Call("search_trials", {"query": "-x", "age": 6}), "trialyst search --age 6 -- -x"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_call_is_a_line_to_paste(call: Call, line: str) -> None:
    wording = CommandWording()
    assert wording.line(call) == line
    assert wording.call(call) == f"`{line}`"


@pytest.mark.parametrize(
    "call",
    [
        Call("evaluate_criterion", {"criterion": "Adults"}),
        Call("profile_patient", {"note": "A man of 63."}),
        Call("search_trials", {"flavour": "mint"}),
    ],
    ids=str,
)
def test_what_no_command_takes_is_no_line(call: Call) -> None:
    assert CommandWording().line(call) is None


@pytest.mark.slow
def test_a_line_asks_what_the_call_asks(trialyst: Run, starter: None, mcp: WireTools) -> None:
    given = {"query": "it's cancer", "near": "-33.9,151.2", "status": ["COMPLETED", "Recruiting"]}
    line = CommandWording().line(Call("search_trials", {**given, "slim": True})) or ""
    asked = trialyst(*shlex.split(line)[1:], "--json").value
    assert asked == mcp.wire("search_trials", **given, slim=True)


def test_what_only_the_shell_can_do_is_said_plainly() -> None:
    wording = CommandWording("search")
    hint = Hint("To get more, {sync}, or {live}.", sync=Command("x"), live=Option("--source live"))
    assert hint.worded(wording) == "To get more, run `x`, or use --source live."


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_has_a_command(tool: str) -> None:
    assert (tool in COMMANDS) is (tool not in WITHOUT_A_COMMAND)


@pytest.mark.parametrize("path", COMMANDS.values())
def test_the_command_of_a_tool_exists(path: str) -> None:
    words = path.split()
    assert find_command(words)[0] == words


@pytest.mark.parametrize("error", [RateLimited, UpstreamError])
@pytest.mark.parametrize(("called", "offered"), [("search", True), ("registry sync", False)])
def test_a_failing_service_leads_to_the_local_source_where_there_is_a_choice(
    capsys: pytest.CaptureFixture[str], error: Any, called: str, *, offered: bool
) -> None:
    report(error("It is busy"), as_json=False, called=called.split())
    assert ("--source local" in capsys.readouterr().err) is offered


def test_a_message_is_in_words_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    error = InvalidInput(Hint("{page_size} is 0"), hint=Hint("Give {page_size} from 1."))
    assert report(error, as_json=False, called=["search", "x", "--limit", "0"]) == 2
    assert capsys.readouterr().err == "Error: --page-size is 0\nHint: Give --page-size from 1.\n"
