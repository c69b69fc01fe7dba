"""The commands that ask about trials, on the starter registry."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.cli.conftest import Run, rows
from tests.interfaces.mcp.connecting import WireTools
from trialyst.discovery.comparison import ASPECTS

pytestmark = pytest.mark.slow

ONE, TWO = "NCT90000001", "NCT90000002"
SITED = POSTED = "NCT90000007"


SAME: dict[str, tuple[tuple[str, ...], str, dict[str, Any]]] = {
    "words": (("search", "asthma"), "search_trials", {"query": "asthma"}),
    "filters": (
        ("search", "-c", "asthma", "-s", "recruiting", "-s", "Completed", "-p", "2", "-n", "3"),
        "search_trials",
        {"condition": "asthma", "status": ["recruiting", "Completed"], "phase": "2"}
        | {"page_size": 3},
    ),
    "patient": (
        ("search", "--age", "63", "--sex", "f", "--near", "Springfield", "--within", "200 mi"),
        "search_trials",
        {"age": "63", "sex": "f", "near": "Springfield", "within": "200 mi"},
    ),
    "order": (
        ("search", "cancer", "--sort", "StartDate:desc", "--slim", "--date-before", "2020-06"),
        "search_trials",
        {"query": "cancer", "sort": "StartDate:desc", "slim": True, "posted_to": "2020-06"},
    ),
    "advanced": (
        ("search", "--advanced", "asthma OR eczema", "--location", "France"),
        "search_trials",
        {"advanced": "asthma OR eczema", "location": "France"},
    ),
    "nothing": (("search",), "search_trials", {}),
    "bad page": (("search", "x", "--limit", "0"), "search_trials", {"query": "x", "page_size": 0}),
    "bad cursor": (
        ("search", "asthma", "--cursor", "abc"),
        "search_trials",
        {"query": "asthma", "cursor": "abc"},
    ),
    "bad essie": (
        ("search", "--advanced", "(asthma"),
        "search_trials",
        {"advanced": "(asthma"},
    ),
    "one": (("trial", SITED), "get_trial", {"nct_id": SITED}),
    "several": (("trial", ONE, "nct:90000002"), "get_trial", {"nct_id": [ONE, TWO]}),
    "sections": (
        ("trial", ONE, "--sections", "eligibility,dates"),
        "get_trial",
        {"nct_id": ONE, "sections": ["eligibility", "dates"]},
    ),
    "free text": (("trial", "aspirin"), "get_trial", {"nct_id": "aspirin"}),
    "unknown id": (("trial", "NCT00000002"), "get_trial", {"nct_id": "NCT00000002"}),
    "sites": (
        ("locations", SITED, "--near", "50.85,4.35", "--status", "Recruiting", "-n", "2"),
        "get_trial_locations",
        {"nct_id": SITED, "near": "50.85,4.35", "status": ["Recruiting"], "page_size": 2},
    ),
    "country": (
        ("locations", SITED, "--country", "belgium"),
        "get_trial_locations",
        {"nct_id": SITED, "country": "belgium"},
    ),
    "counts": (
        ("count", "-i", "pembrolizumab", "--by", "phase", "--by", "start year,country"),
        "count_trials",
        {"intervention": "pembrolizumab", "by": ["phase", "start_year", "country"]},
    ),
    "count of all": (("count",), "count_trials", {}),
    "bad breakdown": (("count", "--by", "colour"), "count_trials", {"by": ["colour"]}),
    "comparison": (("compare", ONE, TWO), "compare_trials", {"nct_ids": [ONE, TWO]}),
    "results": (
        ("results", POSTED, "-n", "3"),
        "get_results",
        {"nct_id": POSTED, "page_size": "3"},
    ),
    "no results": (("results", ONE), "get_results", {"nct_id": ONE}),
    "fields": (("fields", "enrollment"), "explore_fields", {"query": "enrollment"}),
    "values": (
        ("fields", "--field", "Phase", "-c", "asthma"),
        "explore_fields",
        {"field": "Phase", "condition": "asthma"},
    ),
    "no field": (("fields", "--field", "Fase"), "explore_fields", {"field": "Fase"}),
    "too few": (("compare", ONE), "compare_trials", {"nct_ids": [ONE]}),
}


@pytest.mark.parametrize("flag", [("--json",), ("--format", "json")], ids=" ".join)
@pytest.mark.parametrize(("command", "tool", "arguments"), SAME.values(), ids=SAME)
def test_json_is_exactly_what_the_mcp_tool_returns(
    trialyst: Run,
    mcp: WireTools,
    command: tuple[str, ...],
    tool: str,
    arguments: dict[str, Any],
    flag: tuple[str, ...],
) -> None:
    sent = mcp.wire(tool, **arguments)
    ended = trialyst(*command, *flag)
    assert ended.value == sent
    assert (ended.code == 0) == (sent.get("success") is not False)


COMMANDS = {
    "search": ("search", "asthma", "-n", "3"),
    "trial": ("trial", ONE),
    "locations": ("locations", SITED),
    "count": ("count", "--by", "phase"),
    "compare": ("compare", ONE, TWO),
    "results": ("results", POSTED),
    "fields": ("fields", "phase"),
}


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_every_format_says_that_records_are_synthetic_and_how_old(
    trialyst: Run, command: tuple[str, ...], form: str
) -> None:
    ended = trialyst(*command, "--format", form)
    assert ended.code == 0
    assert "Source: starter, 2,000 records, as of 20" in ended.err
    assert "Every record is synthetic." in ended.err
    assert "trialyst registry sync" in ended.err


def test_a_place_that_could_be_another_is_told(trialyst: Run) -> None:
    told = trialyst("search", "asthma", "--near", "Springfield").err
    assert "It could also be: Springfield, Massachusetts" in told


def test_what_was_left_out_is_told_with_the_way_to_get_it(trialyst: Run) -> None:
    told = trialyst("trial", ONE, TWO).err
    assert "Sections left out: eligibility" in told
    assert f"Next: trialyst trial {ONE},{TWO} --sections eligibility" in told
    assert "get_trial" not in told


def test_the_next_page_is_offered_until_the_last(trialyst: Run) -> None:
    first = trialyst("search", "asthma", "--limit", "20")
    total = trialyst("count", "asthma").out.strip()
    assert f"20 of {total} trials." in first.err
    cursor = first.err.split("--cursor ")[1].split()[0]
    second = trialyst("search", "asthma", "--limit", "20", "--cursor", cursor)
    assert "--cursor" not in second.err
    ids = {line[:11] for page in (first, second) for line in page.out.splitlines()[1:]}
    assert len(ids) == int(total)


def test_csv_of_a_search_has_every_trial_under_stable_headers(trialyst: Run) -> None:
    items = trialyst("search", "asthma", "--json").value["items"]
    ended = trialyst("search", "asthma", "-f", "csv")
    found = rows(ended.out)
    assert [row["nct_id"] for row in found] == [item["id"].replace(":", "") for item in items]
    assert [row["title"] for row in found] == [item["title"] for item in items]
    assert [row["conditions"].split("|") for row in found] == [i["conditions"] for i in items]
    assert ended.out.endswith("\r\n")
    slim = trialyst("search", "asthma", "--slim", "-f", "csv").out
    assert slim.partition("\r\n")[0] == ended.out.partition("\r\n")[0]


def test_csv_of_trials_is_a_row_each_with_whole_criteria(trialyst: Run) -> None:
    items = trialyst("trial", ONE, TWO, "--sections", "criteria_text,arms", "--json").value["items"]
    found = rows(trialyst("trial", ONE, TWO, "-f", "csv").out)
    assert [row["nct_id"] for row in found] == [ONE, TWO]
    assert [row["criteria"] for row in found] == [item["criteria_text"] for item in items]
    assert [row["interventions"].split("|") for row in found] == [
        [each["name"] for each in item["arms"]["interventions"]] for item in items
    ]


def test_csv_of_sites_is_a_row_each(trialyst: Run) -> None:
    items = trialyst("locations", SITED, "--near", "Paris", "--json").value["items"]
    found = rows(trialyst("locations", SITED, "--near", "Paris", "-f", "csv").out)
    assert [(row["nct_id"], row["facility"]) for row in found] == [
        (SITED, item["facility"]) for item in items
    ]
    assert [float(row["distance_km"]) for row in found] == [item["distance_km"] for item in items]


def test_csv_of_counts_loses_no_trial(trialyst: Run) -> None:
    found = rows(trialyst("count", "--by", "status", "-f", "csv").out)
    total, *counted = found
    assert (total["by"], total["count"]) == ("total", "2000")
    assert sum(int(row["count"]) for row in counted) == 2000


def test_csv_of_a_comparison_has_every_aspect(trialyst: Run) -> None:
    found = rows(trialyst("compare", ONE, TWO, "-f", "csv").out)
    assert [row["nct_id"] for row in found] == [ONE, TWO]
    assert list(found[0]) == ["nct_id", "title", *ASPECTS]


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"results"}))
def test_markdown_has_a_table_of_even_rows(trialyst: Run, name: str) -> None:
    lines = trialyst(*COMMANDS[name], "-f", "markdown").out.splitlines()
    table = [line for line in lines if line.startswith("| ")]
    assert set(table[1]) == {"|", " ", "-"}
    pipes = {line.replace("\\|", "").count("|") for line in table}
    assert len(pipes) == 1


def test_a_bare_count_is_a_number(trialyst: Run) -> None:
    assert trialyst("count").out == "2000\n"


def test_a_breakdown_shows_trials_without_a_value(trialyst: Run) -> None:
    counted = trialyst("count", "--by", "phase", "--json").value["breakdowns"]["phase"]
    lines = trialyst("count", "--by", "phase").out.splitlines()
    assert lines[0].split() == ["Phase", "Trials"]
    assert lines[-1].split() == ["(none)", str(counted["without_value"])]


def test_a_comparison_marks_what_is_the_same(trialyst: Run) -> None:
    answer = trialyst("compare", ONE, TWO, "--json").value
    shown = trialyst("compare", ONE, TWO).out.splitlines()
    assert shown[0].split() == ["Aspect", ONE, TWO]
    same = sum(not row["differs"] for row in answer["rows"])
    assert sum(" = " in line for line in shown) == same > 0


@pytest.mark.parametrize(
    ("option", "essie"),
    [
        (("--title", "asthma"), "AREA[TitleSearch]asthma"),
        (("--sponsor", "university"), "AREA[SponsorSearch]university"),
        (("--outcome", "survival"), "AREA[OutcomeSearch]survival"),
        (("--study-type", "observational"), "AREA[StudyType]OBSERVATIONAL"),
        (("--id", ONE, "--id", TWO), f"AREA[NCTId]({ONE} OR {TWO})"),
        (
            ("--title", "asthma", "--advanced", "phase OR NOT phase"),
            "AREA[TitleSearch]asthma",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_every_option_restricts(trialyst: Run, option: tuple[str, ...], essie: str) -> None:
    counted = trialyst("count", *option, "--json").value["total_count"]
    assert counted == trialyst("count", "--advanced", essie, "--json").value["total_count"]
    assert 0 < counted < 2000


def test_an_error_in_essie_points_at_what_the_user_wrote(trialyst: Run) -> None:
    told = trialyst("search", "--title", "asthma", "--advanced", "(eczema").err
    assert "(eczema\n" in told
    assert "^" in told


@pytest.mark.parametrize(
    "command",
    [
        ("search", "asthma", "--json", "--format", "csv"),
        ("search", "asthma", "--format", "xml"),
        ("search", "asthma", "--within", "5"),
        ("trial", ONE, "--sections", "eligibilty"),
        ("locations", ONE, "--country", "Atlantis"),
        ("compare", ONE, ONE),
    ],
    ids=" ".join,
)
def test_wrong_input_is_exit_code_2(trialyst: Run, command: tuple[str, ...]) -> None:
    ended = trialyst(*command)
    assert ended.code == 2
    assert ended.err.startswith("Error: ") or ended.value["success"] is False


def test_hints_are_in_words_of_the_command_line(trialyst: Run) -> None:
    told = trialyst("trial", "breast cancer").err
    assert "`trialyst search 'breast cancer'`" in told


def test_a_point_in_the_south_is_no_option(trialyst: Run) -> None:
    assert trialyst("search", "--near", "-33.9,151.2", "--json").code == 0


def test_a_search_imports_nothing_of_the_servers(starter_home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "trialyst", "search", "asthma"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TRIALYST_HOME": str(starter_home)},
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
    assert "trialyst" in imported
    assert imported.isdisjoint({"mcp", "httpx2", "starlette", "uvicorn", "rich", "hishel"})
