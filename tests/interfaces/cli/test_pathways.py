"""The commands that ask about pathways, on the starter set."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.interfaces.cli.conftest import Run, rows
from tests.interfaces.cli.test_terminal import on_terminal
from tests.interfaces.mcp.connecting import WireTools

pytestmark = pytest.mark.slow


SAME: dict[str, tuple[tuple[str, ...], str, dict[str, Any]]] = {
    "words": (("search", "breast", "cancer"), "search_pathways", {"query": "breast cancer"}),
    "filters": (
        ("search", "signaling", "--organism", "Homo sapiens", "-n", "3", "--full"),
        "search_pathways",
        {"query": "signaling", "organism": "Homo sapiens", "page_size": 3, "slim": False},
    ),
    "get": (("get", "wp554"), "get_pathway", {"pathway_id": "WP:WP554"}),
    "gene": (("gene", "7124"), "get_pathways_for_gene", {"gene_id": 7124}),
    "components": (("components", "WP534"), "get_pathway_components", {"pathway_id": "WP534"}),
    "enrich": (
        ("enrich", "HK1", "PKM,LDHA", "--limit", "2"),
        "enrich_pathways",
        {"genes": ["HK1", "PKM", "LDHA"], "page_size": 2},
    ),
    "no id": (("get", "glycolysis"), "get_pathway", {"pathway_id": "glycolysis"}),
    "no gene": (("gene", "HGNC:abc"), "get_pathways_for_gene", {"gene_id": "HGNC:abc"}),
    "no organism": (
        ("search", "apoptosis", "--organism", "human"),
        "search_pathways",
        {"query": "apoptosis", "organism": "human"},
    ),
}


@pytest.mark.parametrize(("words", "tool", "arguments"), SAME.values(), ids=SAME)
def test_json_is_what_the_tool_returns(
    trialyst: Run, mcp: WireTools, words: tuple[str, ...], tool: str, arguments: dict[str, Any]
) -> None:
    ended = trialyst("pathways", *words, "--json")
    assert ended.value == mcp.wire(tool, **arguments)
    assert ended.code == (2 if ended.value.get("success") is False else 0)


def test_a_list_is_a_table_and_its_origin_is_told(trialyst: Run) -> None:
    ended = trialyst("pathways", "search", "glycolysis", "--organism", "Homo sapiens")
    head, line = ended.out.splitlines()
    assert head.split() == ["WP", "id", "Title", "Organism", "Score"]
    assert line.split("  ")[0] == "WP534"
    assert ended.err.startswith("Source: starter, ")
    assert "Starter set" in ended.err
    assert "Descriptions and counts of components are left out." in ended.err
    assert "1 of 1 pathways." in ended.err


def test_full_shows_counts_and_descriptions(trialyst: Run) -> None:
    out = trialyst("pathways", "gene", "TNF", "--full").out
    assert "Metabolites" in out.splitlines()[0]
    assert "Starter set: " in out


def test_a_page_leads_to_the_next(trialyst: Run) -> None:
    first = trialyst("pathways", "search", "signaling", "-n", "2")
    cursor = first.err.split("--cursor ")[1].split()[0]
    second = trialyst("pathways", "search", "signaling", "-n", "2", "--cursor", cursor)
    assert second.code == 0
    assert not set(first.out.splitlines()[1:]) & set(second.out.splitlines()[1:])


def test_sheets_have_headers_that_never_change(trialyst: Run) -> None:
    slim = trialyst("pathways", "search", "glycolysis", "--format", "csv").out
    full = trialyst("pathways", "search", "glycolysis", "--full", "--format", "csv").out
    assert slim.splitlines()[0] == full.splitlines()[0]
    assert rows(full)[0]["pathway_id"] == "WP534"
    assert int(rows(full)[0]["genes"]) > 10
    empty = trialyst("pathways", "gene", "NOSUCHGENE1", "--format", "csv")
    assert (empty.code, rows(empty.out)) == (0, [])


def test_a_pathway_is_shown_with_its_genes(trialyst: Run) -> None:
    ended = trialyst("pathways", "get", "https://www.wikipathways.org/instance/WP554")
    assert ended.out.startswith("WP554  ACE inhibitor pathway\n")
    assert "Genes (16)\nACE, ACE2," in ended.out
    assert "trialyst pathways components WP554" in ended.err
    assert trialyst("pathways", "get", "WP554", "-f", "markdown").out.startswith("# WP554 ACE")
    (row,) = rows(trialyst("pathways", "get", "WP554", "-f", "csv").out)
    assert row["genes"].split("|")[0] == "ACE"


def test_components_and_interactions_lose_nothing(trialyst: Run) -> None:
    value = trialyst("pathways", "components", "WP534", "-n", "200", "--json").value
    text = trialyst("pathways", "components", "WP534").out
    parts, edges = text.split("\n\n")
    groups = ("genes", "proteins", "metabolites", "complexes", "others")
    assert len(parts.splitlines()) == 1 + sum(len(value[group]) for group in groups)
    assert len(edges.splitlines()) == 1 + len(value["interactions"])
    sheet = rows(trialyst("pathways", "components", "WP534", "-f", "csv").out)
    assert len(sheet) == sum(len(value[group]) for group in groups)
    lines = rows(trialyst("pathways", "components", "WP534", "--interactions", "-f", "csv").out)
    assert [line["id"] for line in lines] == [edge["id"] for edge in value["interactions"]]


def test_an_enzyme_acts_on_a_conversion_by_name(trialyst: Run) -> None:
    out = trialyst("pathways", "components", "WP534", "--interactions").out
    assert any("(glucose > glucose 6-phosphate)" in line for line in out.splitlines())


def test_genes_come_from_a_file(trialyst: Run, tmp_path: Path) -> None:
    (tmp_path / "genes.txt").write_text("HK1\nPFKM\n\nPKM\tLDHA\n")
    (tmp_path / "measured.txt").write_text("HK1\nPFKM\nPKM\nLDHA\nTNF\nAKT1\n")
    asked = ("pathways", "enrich", "--file", str(tmp_path / "genes.txt"))
    value = trialyst(*asked, "--json").value
    assert value == trialyst("pathways", "enrich", "HK1", "PFKM", "PKM", "LDHA", "--json").value
    assert value["items"][0]["id"] == "WP:WP534"
    held = trialyst(*asked, "--background", str(tmp_path / "measured.txt"), "--json").value
    assert held["background"] == {
        "count": 6,
        "given": True,
        "description": "The background is the 6 genes of the given list that occur in a pathway "
        "of Homo sapiens here.",
    }


def test_the_first_gene_of_a_file_with_a_byte_order_mark_counts(
    trialyst: Run, tmp_path: Path
) -> None:
    (tmp_path / "genes.txt").write_text("HK1\r\nPFKM\r\n", "utf-8-sig")
    value = trialyst("pathways", "enrich", "--file", str(tmp_path / "genes.txt"), "--json").value
    assert value["genes"]["used"] == ["HK1", "PFKM"]


def test_papers_are_listed_on_request(trialyst: Run) -> None:
    short = trialyst("pathways", "get", "WP534", "--json").value
    assert "literature" not in short
    assert "literature" in trialyst("pathways", "get", "WP534", "--literature", "--json").value


@pytest.mark.parametrize("alias", ["p53", "7157", "HGNC:11998", "P53"])
def test_another_name_of_a_gene_gives_what_its_symbol_gives(trialyst: Run, alias: str) -> None:
    asked = trialyst("pathways", "gene", alias)
    assert asked.out == trialyst("pathways", "gene", "TP53").out
    assert f"'{alias}' read as TP53" in asked.err


def test_a_gene_on_no_pathway_is_told(trialyst: Run) -> None:
    ended = trialyst("pathways", "gene", "NOSUCH1")
    assert ended.code == 0
    assert "No pathway here holds 'NOSUCH1'" in ended.err
    assert "compared exactly" in ended.err
    assert "No pathway" not in trialyst("pathways", "gene", "TP53").err


def test_enrichment_says_what_it_tested(trialyst: Run) -> None:
    ended = trialyst("pathways", "enrich", "HK1", "PKM", "nobody")
    assert "2/29" in ended.out.splitlines()[1]
    assert "The background is the " in ended.err
    assert "Genes that do not count, in no pathway of the organism here (1): nobody." in ended.err
    assert "2 genes counted; " in ended.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("search", "a"), 2),
        (("search", "apoptosis", "--limit", "101"), 2),
        (("search", "apoptosis", "--cursor", "damaged"), 2),
        (("search", "apoptosis", "--source", "moon"), 2),
        (("get", "glycolysis"), 2),
        (("get", "WP:ABC"), 2),
        (("get", "WP9999999"), 3),
        (("components", "WP9999999"), 3),
        (("gene", "HGNC:abc"), 2),
        (("enrich",), 2),
        (("enrich", "--file", "no-such-file"), 2),
        (("draw", "glycolysis"), 2),
        (("draw", "WP534", "--highlight", "HGNC:abc"), 2),
        (("bridge", " "), 2),
        (("load", "no-such-file"), 2),
        (("search", "apoptosis", "--source", "local"), 3),
        (("status", "--source", "local"), 3),
    ],
    ids=str,
)
def test_errors_have_a_hint_and_an_exit_code(
    trialyst: Run, words: tuple[str, ...], code: int
) -> None:
    ended = trialyst("pathways", *words)
    assert (ended.code, ended.out) == (code, "")
    assert ended.err.splitlines()[-2].startswith("Error: ")
    assert ended.err.splitlines()[-1].startswith("Hint: ")
    failed = trialyst("pathways", *words, "--json")
    assert failed.code == code
    check("error", failed.value)


def test_the_hint_of_free_text_is_a_command_that_works(trialyst: Run) -> None:
    hint = trialyst("pathways", "get", "glycolysis").err.splitlines()[-1]
    assert "`trialyst pathways search glycolysis`" in hint
    assert trialyst("pathways", "search", "glycolysis").code == 0


def test_a_pathway_is_drawn_into_a_file(trialyst: Run, tmp_path: Path) -> None:
    out = tmp_path / "glycolysis.svg"
    ended = trialyst("pathways", "draw", "WP534", "--out", str(out), "--highlight", "HK1,3098,TNF")
    assert ended.code == 0
    assert f"File:        {out}" in ended.out
    assert "Highlighted: HK1" in ended.out
    assert "Not on this pathway: TNF." in ended.err
    assert ET.fromstring(out.read_text("utf-8")).tag.endswith("svg")


def test_a_drawing_may_go_to_standard_output(trialyst: Run) -> None:
    drawn = trialyst("pathways", "draw", "WP534").out
    assert ET.fromstring(drawn).tag.endswith("svg")
    assert trialyst("pathways", "draw", "WP534", "--out", "-").out == drawn
    value = trialyst("pathways", "draw", "WP534", "--highlight", "HK1", "--json").value
    assert value["highlighted"] == [{"given": "HK1", "labels": ["HK1"]}]
    assert nulls(value) == []
    assert value["svg"].startswith("<")


def test_a_drawing_that_cannot_be_written_is_told(trialyst: Run, tmp_path: Path) -> None:
    for place in (tmp_path / "none" / "x.svg", tmp_path, tmp_path / "x.png"):
        ended = trialyst("pathways", "draw", "WP534", "--out", str(place))
        assert ended.code == 2
        assert "Hint: " in ended.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("starter_home")
def test_a_drug_leads_to_conditions_and_to_what_is_not_known(trialyst: Run) -> None:
    ended = trialyst("pathways", "bridge", "imatinib", "--source", "starter")
    assert ended.code == 0
    assert ended.out.startswith("imatinib: ABL1 (inhibitor, ")
    assert "Every record is synthetic." in ended.err
    assert "Starter set" in ended.err
    value = trialyst("pathways", "bridge", "imatinib", "--source", "starter", "--json").value
    assert nulls(value) == []
    assert len(ended.out.split("\n\n")[1].splitlines()) == 1 + len(value["candidates"])
    sheet = rows(trialyst("pathways", "bridge", "imatinib", "--source", "starter", "-f", "csv").out)
    assert {row["condition"] for row in sheet} == {c["condition"] for c in value["candidates"]}
    unknown = trialyst("pathways", "bridge", "xyzzyplugh", "--source", "starter")
    assert unknown.code == 0
    assert "Not known: " in unknown.err


def test_a_narrow_terminal_still_shows_every_id(starter_home: Path) -> None:
    out = on_terminal(starter_home, 40, "pathways", "search", "signaling")
    value = json.loads(on_terminal(starter_home, 40, "pathways", "search", "signaling", "--json"))
    ids = [item["id"].removeprefix("WP:") for item in value["items"]]
    assert ids
    assert all(any(line.startswith(id) for line in out.splitlines()) for id in ids)
