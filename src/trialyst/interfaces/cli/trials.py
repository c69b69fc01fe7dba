"""The commands that ask about trials: `search`, `trial`, `locations`, `count` and `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.options import Format, examples, many, one
from trialyst.interfaces.cli.terms import TERMS, to_terms
from trialyst.interfaces.cli.views import COMPARISON, COUNTS, SITES, TRIALS

__all__ = ["add_to", "compare", "count", "locations", "search", "trial"]

Given = Mapping[str, Any]

_PAGE: Given = {
    "page_size": one(
        "How many on a page, 1 to 200; 50.", "--page-size", "--limit", "-n", metavar="N"
    ),
    "cursor": one("Where the previous page ended.", "--cursor", metavar="CURSOR"),
}
_ORDER: Given = {
    "sort": one("A date or number piece, such as StartDate:desc.", "--sort", metavar="PIECE"),
    "slim": Annotated[
        bool, typer.Option("--slim", help="Only id, title, phase and status.", show_default=False)
    ],
}
_SECTIONS: Given = {
    "sections": many(
        "Only these parts, such as eligibility; repeat or separate by commas.",
        "--sections",
        "--section",
        metavar="NAMES",
    )
}
_PLACES: Given = {
    "country": one("Only sites in this country.", "--country"),
    "status": many("Status at the site, such as RECRUITING; may be repeated.", "--status", "-s"),
    "near": one("A place, or a point LAT,LON: nearest sites first.", "--near"),
    "within": one("Only sites within this distance of --near.", "--within", metavar="KM"),
}
_BREAKDOWNS: Given = {
    "by": many(
        "Count per value too: phase, status, sponsor_class, country or start_year; may be "
        "repeated.",
        "--by",
        metavar="NAME",
    )
}


def _ids(help_text: str) -> Given:
    return {"nct_ids": Annotated[list[str], typer.Argument(metavar="ID...", help=help_text)]}


_ONE_ID: Given = {
    "nct_id": Annotated[
        str, typer.Argument(metavar="ID", help="NCT id, in any spelling, or a study's URL.")
    ]
}


def add_to(app: typer.Typer) -> None:
    """Give the program the commands of this module."""
    for command, lines in _COMMANDS.items():
        app.command(epilog=examples(*lines))(command)


@asks({**TERMS, **_ORDER, **_PAGE})
def search(given: Given, form: Format) -> Question:
    """Find trials, the best matches first.

    Everything given must hold. Words are text, never operators; quote a phrase to keep its words
    together.
    """
    return Question("search_trials", to_terms(given), TRIALS)


@asks({**_ids("Up to 20 NCT ids, in any spelling, or studies' URLs."), **_SECTIONS})
def trial(given: Given, form: Format) -> Question:
    """Show trials by id: whole if it is one, in short if they are several.

    Sections are title, summaries, protocol, eligibility, outcomes, sponsors, dates, arms,
    references, cross_references and results. What is asked for by name is never cut.
    """
    from trialyst.interfaces.cli.record import RECORDS, SHEET_SECTIONS

    arguments = {"nct_id": given["nct_ids"], "sections": given.get("sections")}
    # A cell left empty because its section is long would look like a trial without the value.
    if form is Format.CSV and arguments["sections"] is None:
        arguments["sections"] = SHEET_SECTIONS
    return Question("get_trial", arguments, RECORDS)


@asks({**_ONE_ID, **_PLACES, **_PAGE})
def locations(given: Given, form: Format) -> Question:
    """List the sites of a trial, with --near the nearest first."""
    return Question("get_trial_locations", given, SITES)


@asks({**TERMS, **_BREAKDOWNS})
def count(given: Given, form: Format) -> Question:
    """Count trials exactly; with nothing to look for, all of them."""
    return Question("count_trials", to_terms(given), COUNTS)


@asks(_ids("Two to ten NCT ids, in any spelling, or studies' URLs."))
def compare(given: Given, form: Format) -> Question:
    """Put two to ten trials side by side, one row an aspect."""
    return Question("compare_trials", given, COMPARISON)


_COMMANDS = {
    search: (
        'trialyst search "breast cancer immunotherapy"',
        "trialyst search --condition asthma --phase PHASE3 --status RECRUITING --limit 5",
        "trialyst search -c melanoma --near 'Boston, MA' --within 100 --age 63 --sex female",
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
