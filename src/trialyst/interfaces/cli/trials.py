"""The commands that ask about trials: `search`, `trial`, `locations`, `count` and `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer

from trialyst.discovery.arguments import (
    CompareArguments,
    CountArguments,
    GetArguments,
    LocationArguments,
    SearchArguments,
)
from trialyst.interfaces.cli.arguments import options_of, to_arguments
from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.options import Format, examples
from trialyst.interfaces.cli.views import COMPARISON, COUNTS, SITES, TRIALS, WHOLE

__all__ = ["add_to", "compare", "count", "locations", "search", "trial"]

Given = Mapping[str, Any]


def add_to(app: typer.Typer) -> None:
    """Give the program the commands of this module."""
    for command, lines in _COMMANDS.items():
        app.command(epilog=examples(*lines))(command)


@asks(options_of(SearchArguments, bare=["query"]))
def search(given: Given, form: Format) -> Question:
    """Find trials, the best matches first.

    Everything given must hold; of an option that is given several times, any of its values. Words
    are text, never operators; quote a phrase to keep its words together.
    """
    arguments = to_arguments(given)
    # A sheet has no use for what was cut short for readers; a cursor remembers what was asked.
    if form is Format.CSV and not {"slim", "cursor"} & given.keys():
        arguments["fields"] = [*given.get("fields", ()), *WHOLE]
    return Question("search_trials", arguments, TRIALS)


@asks(options_of(GetArguments))
def trial(given: Given, form: Format) -> Question:
    """Show trials by id: whole if it is one, in short if they are several.

    Sections are title, summaries, protocol, eligibility, outcomes, sponsors, dates, arms,
    references, cross_references and results. What is asked for by name is never cut.
    """
    from trialyst.interfaces.cli.record import RECORDS, SHEET_SECTIONS

    # A cell left empty because its section is long would look like a trial without the value.
    whole = {"sections": SHEET_SECTIONS} if form is Format.CSV else {}
    return Question("get_trial", {**whole, **given}, RECORDS)


@asks(options_of(LocationArguments))
def locations(given: Given, form: Format) -> Question:
    """List the sites of a trial, with --near the nearest first."""
    return Question("get_trial_locations", given, SITES)


@asks(options_of(CountArguments, bare=["query"]))
def count(given: Given, form: Format) -> Question:
    """Count trials exactly; with nothing to look for, all of them."""
    return Question("count_trials", to_arguments(given), COUNTS)


@asks(options_of(CompareArguments))
def compare(given: Given, form: Format) -> Question:
    """Put two to ten trials side by side, one row an aspect."""
    return Question("compare_trials", given, COMPARISON)


_COMMANDS = {
    search: (
        'trialyst search "breast cancer immunotherapy"',
        "trialyst search --condition asthma --phase PHASE3 --status RECRUITING --limit 5",
        "trialyst search -c melanoma --near 'Boston, MA' --within 100 --age 63 --sex female",
        "trialyst search --drug semaglutide --country France --country Italy --start-from 2024",
        "trialyst search --advanced '(asthma OR eczema) AND NOT allergy' --json",
        "trialyst search -c asthma --page-size 200 --format csv > asthma.csv",
    ),
    trial: (
        "trialyst trial NCT90000001",
        "trialyst trial NCT90000001 --sections eligibility,outcomes",
        "trialyst trial NCT90000001 NCT90000002 --json",
    ),
    locations: (
        "trialyst locations NCT90000001",
        "trialyst locations NCT90000001 --country France --status RECRUITING",
        "trialyst locations NCT90000001 --near Boston --within 200 --format csv",
    ),
    count: (
        "trialyst count --condition asthma",
        "trialyst count --condition asthma --by phase --by start_year",
    ),
    compare: (
        "trialyst compare NCT90000001 NCT90000002",
        "trialyst compare NCT90000001 NCT90000002 NCT90000003 --format markdown",
    ),
}
