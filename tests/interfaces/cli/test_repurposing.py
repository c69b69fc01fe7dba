"""The commands about a drug and a condition, on the starter registry."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.interfaces.cli.conftest import Run, rows
from tests.interfaces.mcp.connecting import WireTools

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("starter")]

PNG = b"\x89PNG\r\n\x1a\n"


SAME: dict[str, tuple[tuple[str, ...], str, dict[str, Any]]] = {
    "pair": (
        ("whitespace", "semaglutide", "asthma", "--date-before", "2024", "--point-in-time"),
        "detect_whitespace",
        {"drug": "semaglutide", "condition": "asthma", "date_before": "2024"}
        | {"point_in_time": True},
    ),
    "stops": (
        ("terminated", "statins", "--limit", "5"),
        "get_terminated",
        {"query": "statins", "max_results": 5},
    ),
    "bad phase": (
        ("drug-trials", "wegovy", "--phase", "PHASE7"),
        "search_drug_trials",
        {"drug": "wegovy", "phase_filter": "PHASE7"},
    ),
    "no limit": (
        ("landscape", "asthma", "--top", "0"),
        "get_landscape",
        {"condition": "asthma", "top_n": "0"},
    ),
}


@pytest.mark.parametrize(("command", "tool", "arguments"), SAME.values(), ids=SAME)
def test_json_is_exactly_what_the_mcp_tool_returns(
    trialyst: Run,
    mcp: WireTools,
    command: tuple[str, ...],
    tool: str,
    arguments: dict[str, Any],
) -> None:
    ended = trialyst(*command, "--json")
    assert ended.value == mcp.wire(tool, **arguments)


LISTED: dict[str, tuple[tuple[str, ...], str, dict[str, Any], str]] = {
    "drug": (
        ("drug-trials", "wegovy", "type 2 diabetes", "-p", "PHASE2 OR PHASE3"),
        "search_drug_trials",
        {"drug": "wegovy", "condition": "type 2 diabetes", "phase_filter": "PHASE2 OR PHASE3"}
        | {"slim": False},
        "items",
    ),
    "field": (("landscape", "asthma"), "get_landscape", {"condition": "asthma"}, "competitors"),
    "stops": (("terminated", "statins"), "get_terminated", {"query": "statins"}, "items"),
}


@pytest.mark.parametrize(("command", "tool", "arguments", "listed"), LISTED.values(), ids=LISTED)
def test_a_list_is_whole_where_the_tool_gives_pages(
    trialyst: Run,
    mcp: WireTools,
    command: tuple[str, ...],
    tool: str,
    arguments: dict[str, Any],
    listed: str,
) -> None:
    page = mcp.wire(tool, **arguments, page_size=4)
    found = page[listed]
    while cursor := page["pagination"]["cursor"]:
        page = mcp.wire(tool, cursor=cursor)
        found += page[listed]
    assert found
    assert trialyst(*command, "--json").value[listed] == found


def test_brand_and_generic_name_list_the_same_trials(trialyst: Run) -> None:
    brand = trialyst("drug-trials", "wegovy", "--csv", "-")
    generic = trialyst("drug-trials", "semaglutide", "--csv", "-")
    assert brand.code == generic.code == 0
    ids = {row["nct_id"] for row in rows(generic.out)}
    assert ids
    assert {row["nct_id"] for row in rows(brand.out)} == ids


def test_drug_trials_are_filtered_and_cut_as_asked(trialyst: Run) -> None:
    ended = trialyst(
        *("drug-trials", "semaglutide", "type 2 diabetes"),
        *("--phase", "(PHASE2 OR PHASE3)", "--max-results", "2", "--json"),
    )
    found = ended.value
    assert len(found["items"]) <= 2
    assert all("2" in item["phase"] or "3" in item["phase"] for item in found["items"])
    assert found["pagination"]["page_size"] == 2
    assert [name["kind"] for name in found["names"]] == ["drug", "condition"]


def test_a_table_says_how_many_more_there_are(trialyst: Run) -> None:
    ended = trialyst("drug-trials", "semaglutide", "-n", "1")
    assert ended.out.splitlines()[0].startswith("NCT id")
    assert len(ended.out.splitlines()) == 2
    assert "For more of them raise --max-results." in ended.err


def test_an_untested_pair_lists_the_other_drugs(trialyst: Run) -> None:
    ended = trialyst("whitespace", "semaglutide", "asthma")
    assert ended.code == 0
    assert "Grade                   untested" in ended.out
    assert "Other drugs tested for asthma, phase 2 and later" in ended.out
    assert "Approvals were not consulted" in ended.err


def test_whitespace_as_json_has_the_agreed_keys(trialyst: Run) -> None:
    value = trialyst("whitespace", "semaglutide", "asthma", "--json").value
    agreed = {"is_whitespace", "exact_match_count", "drug_only_trials", "condition_only_trials"}
    assert {*agreed, "condition_drugs", "grade", "provenance"} <= set(value)


def test_the_matrix_agrees_with_its_pairs(trialyst: Run) -> None:
    drugs, conditions = ("semaglutide", "metformin"), ("asthma", "type 2 diabetes")
    matrix = trialyst(
        *("whitespace", "--matrix", "-d", ",".join(drugs)),
        *("-c", conditions[0], "-c", conditions[1], "--json"),
    ).value
    pairs = [(item["drug"], item["condition"]) for item in matrix["items"]]
    assert pairs == [(drug, condition) for drug in drugs for condition in conditions]
    for item in matrix["items"]:
        alone = trialyst("whitespace", item["drug"], item["condition"], "--json").value
        assert {name: alone.get(name) for name in item if name not in ("drug", "condition")} == {
            name: value for name, value in item.items() if name not in ("drug", "condition")
        }


def test_the_matrix_reads_lists_from_files_and_semicolons(trialyst: Run, tmp_path: Path) -> None:
    listed = tmp_path / "conditions.txt"
    listed.write_text("# one a line\nDiabetes Mellitus, Type 2\n\nasthma\n", "utf-8")
    by_file = trialyst("whitespace", "metformin", "--matrix", "-c", f"@{listed}", "--csv", "-")
    by_text = trialyst(
        "whitespace", "metformin", "Diabetes Mellitus, Type 2; asthma", "--matrix", "--csv", "-"
    )
    assert [row["condition"] for row in rows(by_file.out)] == [
        "Diabetes Mellitus, Type 2",
        "asthma",
    ]
    assert by_text.out == by_file.out


def test_too_large_a_heat_map_is_refused_before_asking(trialyst: Run, tmp_path: Path) -> None:
    drugs = ",".join(f"drug{number}" for number in range(201))
    command = ("whitespace", "--matrix", drugs, "asthma", "--plot", str(tmp_path / "big.png"))
    assert trialyst(*command).code == 2
    many = ",".join(f"name{number}" for number in range(51))
    assert "too many" in trialyst("whitespace", "--matrix", many, many).err


def test_the_matrix_is_a_grid_on_screen(trialyst: Run) -> None:
    ended = trialyst("whitespace", "--matrix", "metformin", "asthma,melanoma")
    head, row = ended.out.splitlines()
    assert head.split() == ["Drug", "asthma", "melanoma"]
    assert row.startswith("metformin  ░ untested")


@pytest.mark.parametrize(
    ("command", "name", "opening"),
    [
        (("drug-trials", "semaglutide"), "chart.svg", b"<svg"),
        (("whitespace", "semaglutide", "asthma"), "chart.svg", b"<svg"),
        (("whitespace", "--matrix", "metformin", "asthma"), "chart.png", PNG),
        (("landscape", "asthma"), "chart.PNG", PNG),
        (("terminated", "asthma"), "chart.svg", b"<svg"),
        (("terminated", "no such thing at all"), "chart.svg", b"<svg"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_chart_is_drawn_into_the_file(
    trialyst: Run, tmp_path: Path, command: tuple[str, ...], name: str, opening: bytes
) -> None:
    path = tmp_path / name
    ended = trialyst(*command, "--plot", str(path))
    assert ended.code == 0
    assert f"Wrote {path}." in ended.err
    assert path.read_bytes().startswith(opening)
    if name.endswith("svg"):
        ElementTree.fromstring(path.read_text("utf-8"))


def test_a_landscape_shows_competitors_and_writes_them_all(trialyst: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "competitors.csv"
    ended = trialyst("landscape", "asthma", "--top", "3", "--csv", str(sheet))
    assert ended.code == 0
    assert {"Competitors", "Phases", "Drug classes"} <= set(ended.out.splitlines())
    assert "For more of them raise --top." in ended.err
    written = rows(sheet.read_text("utf-8"))
    assert [row["group"] for row in written].count("treatment") == 3
    assert all(row["nct_ids"].startswith("NCT9") for row in written)


def test_stopped_trials_have_a_category_and_a_summary(trialyst: Run) -> None:
    ended = trialyst("terminated", "GLP-1 receptor agonists", "--json")
    assert ended.value["names"][0]["kind"] == "class"
    items = ended.value["items"]
    assert items
    assert {item["overall_status"] for item in items} <= {"TERMINATED", "WITHDRAWN", "SUSPENDED"}
    assert sum(ended.value["summary"]["categories"].values()) == len(items)
    told = trialyst("terminated", "GLP-1 receptor agonists")
    assert "Without a usable reason:" in told.err


def test_markdown_has_headings_and_tables(trialyst: Run) -> None:
    ended = trialyst("landscape", "asthma", "--top", "1", "--format", "markdown")
    assert "### Competitors\n\n| Sponsor |" in ended.out


def test_point_in_time_hides_what_came_later(trialyst: Run) -> None:
    ended = trialyst(
        *("drug-trials", "semaglutide", "--date-before", "2023", "--point-in-time", "--json")
    )
    assert ended.code == 0
    assert all(item["first_posted"] <= "2023-12-31" for item in ended.value["items"])
    assert {item["point_in_time"]["cutoff"] for item in ended.value["items"]} == {"2023-12-31"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("whitespace", "metformin"),
        ("whitespace", "metformin", "asthma", "-d", "aspirin"),
        ("whitespace", "--matrix", "metformin"),
        ("whitespace", "--matrix", "metformin", "@no-such-file"),
        ("landscape", "asthma", "--top", "0"),
        ("landscape", "asthma", "--top", "many"),
        ("drug-trials", "aspirin", "--plot", "chart.pdf"),
        ("drug-trials", "aspirin", "--plot", "no/such/place/chart.png"),
        ("drug-trials", "aspirin", "--csv", "-", "--format", "markdown"),
        ("drug-trials", "aspirin", "--phase", "PHASE7"),
        ("drug-trials", "aspirin", "--date-before", "soon"),
        ("terminated", "asthma", "--point-in-time"),
        ("terminated", " "),
    ],
    ids=" ".join,
)
def test_wrong_input_is_exit_code_2_with_a_hint(trialyst: Run, arguments: tuple[str, ...]) -> None:
    ended = trialyst(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "Hint:" in ended.err


def test_an_unknown_name_is_an_answer_that_says_so(trialyst: Run) -> None:
    ended = trialyst("whitespace", "semaglutyde", "asthma")
    assert ended.code == 0
    assert "unknown name" in ended.out
    assert "semaglutide" in ended.err
