"""Options that are read off the arguments of tools."""

from __future__ import annotations

from typing import Any

import pytest

from tests.each_case import on_each_case
from tests.interfaces.cli.conftest import Run, rows
from trialyst.discovery.arguments import (
    CompareArguments,
    CountArguments,
    GetArguments,
    LocationArguments,
    SearchArguments,
)
from trialyst.interfaces.cli.arguments import SPELLINGS, to_arguments
from trialyst.interfaces.cli.wording import find_command
from trialyst.questions.arguments import ALIASES
from trialyst.signatures import parameters_of

slow = pytest.mark.slow
LIMITS = {"page_size", "max_results", "top_n"}
"""What `--limit` sets."""
TAKEN = {
    "search": SearchArguments,
    "count": CountArguments,
    "trial": GetArguments,
    "locations": LocationArguments,
    "compare": CompareArguments,
}


@pytest.mark.parametrize(("command", "arguments"), TAKEN.items())
def test_every_argument_is_an_option_in_the_words_of_its_declaration(
    command: str, arguments: type
) -> None:
    _, options = find_command([command])
    for parameter in parameters_of(arguments):
        option = options[parameter.name]
        assert option.help.startswith(parameter.description.removesuffix("."))
        if not parameter.required:
            assert f"--{parameter.name.replace('_', '-')}" in option.opts


@on_each_case("name", SPELLINGS)
def test_another_long_name_of_an_option_is_another_name_of_its_argument(name: str) -> None:
    own = {name, name.removesuffix("s"), name.partition("_")[0]}
    for spelling in SPELLINGS[name].also:
        other = spelling.removeprefix("--").replace("-", "_")
        meant = ALIASES.get(other)
        assert not spelling.startswith("--") or other in own or {meant, name} <= {name, *LIMITS}


def test_words_may_stand_bare_and_are_one_text() -> None:
    assert to_arguments({"bare_query": ["breast", "cancer"], "age": "63"}) == {
        "query": "breast cancer",
        "age": "63",
    }


def test_one_value_of_several_stands_alone() -> None:
    assert to_arguments({"condition": ["a"], "phase": ["1", "2"]}) == {
        "condition": "a",
        "phase": ["1", "2"],
    }


@pytest.mark.parametrize(
    ("option", "own"),
    [("--gender", "--sex"), ("--since", "--posted-from"), ("--lead-sponsor", "--sponsor")],
)
def test_another_name_of_an_argument_leads_to_the_option(
    trialyst: Run, option: str, own: str
) -> None:
    ended = trialyst("search", "asthma", option, "x")
    assert ended.code == 2
    assert f"Hint: Use {own} for it." in ended.err
    assert "Possible" not in ended.err


@slow
@pytest.mark.parametrize(
    "repeated",
    [
        ("--condition", "asthma", "--condition", "melanoma"),
        ("-c", "asthma OR melanoma"),
        ("--disease", "asthma|melanoma"),
    ],
    ids=" ".join,
)
def test_a_repeated_option_means_any_of_its_values(
    trialyst: Run, starter: None, repeated: tuple[str, ...]
) -> None:
    def count(*options: str) -> int:
        total: int = trialyst("count", *options, "--json").value["total_count"]
        return total

    one, other = count("-c", "asthma"), count("-c", "melanoma")
    assert max(one, other) < count(*repeated) <= one + other


@slow
@pytest.mark.parametrize(
    ("options", "tool_arguments"),
    [
        (("--drug", "albuterol"), {"intervention": "albuterol"}),
        (("--country", "France"), {"location": "France"}),
        (("--date-before", "2020"), {"posted_to": "2020"}),
        (("--has-results",), {"has_results": True}),
        (("--no-results",), {"has_results": False}),
        (("--start-from", "2020"), {"start_from": "2020"}),
    ],
    ids=str,
)
def test_options_ask_what_the_arguments_ask(
    trialyst: Run, starter: None, options: tuple[str, ...], tool_arguments: dict[str, Any]
) -> None:
    asked = trialyst("count", *options, "--json").value
    assert 0 < asked["total_count"] < 2000
    assert set(asked["understood"]) == set(tool_arguments)


@slow
def test_fields_asked_for_are_columns(trialyst: Run, starter: None) -> None:
    command = ("search", "asthma", "--fields", "sponsor,start_date", "--near", "Boston", "-n", "2")
    heads = trialyst(*command).out.splitlines()[0]
    assert all(name in heads for name in ("Sponsor", "Start date", "Nearest site"))
    sheet = rows(trialyst(*command, "-f", "csv").out)
    assert {"sponsor", "start_date", "nearest_site_distance_km"} <= set(sheet[0])


@slow
def test_a_sheet_has_whole_summaries(trialyst: Run, starter: None) -> None:
    sheet = rows(trialyst("search", "cancer", "-f", "csv").out)
    assert not any("[...]" in row["brief_summary"] for row in sheet)
    assert "summary" not in sheet[0]
