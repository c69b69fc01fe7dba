"""The whole WikiPathways collection: every file parses, counts are right, answers are exact."""

from __future__ import annotations

import asyncio
import json
import lzma
import tarfile
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.interfaces.mcp.connecting import over_stdio
from trialyst.discovery.pathways import Pathways
from trialyst.interfaces.cli.program import run
from trialyst.pathways import (
    LoadReport,
    PathwayId,
    PathwayQuery,
    build_components,
    enrich_genes,
    load_pathways,
    open_pathways,
    parse_gene,
    parse_gpml,
    pathway_figure,
)
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.connections import read_arrow
from trialyst.starter import ensure_starter

pytestmark = pytest.mark.slow

NS = "{http://pathvisio.org/GPML/2013a}"
COLUMNS = (
    "Ensembl|NCBI gene|HGNC|UniProt|Wikidata|ChEBI|InChI|PubChem|ChemSpider|HMDB|KEGG|LipidMaps"
).split("|")


@pytest.fixture(scope="module")
def collection(data_dir: Path) -> Path:
    """The directory of the collection, or a skip."""
    folder = data_dir / "wikipathways"
    if not folder.is_dir():
        pytest.skip("no WikiPathways collection here: set TRIALYST_DATA to where it is")
    return folder


def drawings(collection: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(collection / "gpml_homo_sapiens.tar.xz", "r|xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file and member.name.endswith(".gpml"):
                yield Path(member.name).name, file.read()


def counted_straight(data: bytes) -> Counter[str]:
    """Count the connected interactions of a file by their heads, without our parser."""
    root = ET.fromstring(data)
    known = {each.get("GraphId") for each in root.iter() if each.get("GraphId")}
    counts: Counter[str] = Counter()
    for interaction in root.iter(f"{NS}Interaction"):
        points = interaction.findall(f"{NS}Graphics/{NS}Point")
        first, last = points[0], points[-1]
        if first.get("GraphRef") in known and last.get("GraphRef") in known:
            counts[last.get("ArrowHead") or first.get("ArrowHead") or ""] += 1
    return counts


def test_every_drawing_parses_and_has_the_interactions_counted_straight(collection: Path) -> None:
    files = nodes = 0
    heads: Counter[str] = Counter()
    for name, data in drawings(collection):
        pathway = parse_gpml(data, name=name)
        straight = counted_straight(data)
        edges = build_components(pathway).interactions
        assert len(edges) == straight.total(), name
        by_type: Counter[str] = Counter()
        for head, count in straight.items():
            by_type[read_arrow(head)] += count
        assert Counter(edge.type for edge in edges) == by_type, name
        assert name == f"{pathway.id}.gpml"
        heads += straight
        files, nodes = files + 1, nodes + len(pathway.nodes)
    assert (files, nodes, heads.total()) == (1020, 72251, 51939)
    assert heads["mim-catalysis"] > 5000


def test_a_drawing_becomes_a_figure_with_all_its_nodes_and_lines(collection: Path) -> None:
    for name, data in islice(drawings(collection), 0, None, 12):
        pathway = parse_gpml(data, name=name)
        figure = pathway_figure(pathway, highlight=["NOSUCHGENE"])
        root = ET.fromstring(figure.svg)
        kinds = Counter((each.get("class") or "").split(" ")[0] for each in root.iter())
        assert kinds["node"] == len(pathway.nodes), name
        assert kinds["interaction"] == len(pathway.interactions), name
        assert (figure.notes, figure.not_found) == ((), ("NOSUCHGENE",)), name


def as_files(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Write a record back as the two files it was made of."""
    id = record["id"]
    rows = ["\t".join(["Label", "Type", "Identifier", "Comment", *COLUMNS])]
    for node in record["datanodes"]:
        own = [node.get("label", ""), node.get("type", ""), node.get("xref", ""), ""]
        rows.append("\t".join([*own, *(node.get(column, "") for column in COLUMNS)]))
    yield f"{id}-datanodes.tsv", "\n".join(rows)
    info = {
        "wpid": id,
        "title": record["title"],
        "organisms": record["organisms"],
        "description": record["description"],
        "last-edited": record["last_edited"],
    }
    yield f"{id}-info.json", json.dumps(info)


@pytest.fixture(scope="module")
def loaded(
    collection: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LoadReport, Catalog]]:
    """All 2,095 pathways by their lists of nodes, and one by its drawing too."""
    folder = tmp_path_factory.mktemp("collection")
    path = folder / "all.zip"
    with (
        lzma.open(collection / "wikipathways_2026-08.jsonl.xz", "rt", encoding="utf-8") as lines,
        zipfile.ZipFile(path, "w") as archive,
    ):
        for line in lines:
            for name, text in as_files(json.loads(line)):
                archive.writestr(name, text)
        name, data = next(drawings(collection))
        archive.writestr(name, data)
    report = load_pathways(path, folder)
    catalog = Catalog.open(report.path)
    yield report, catalog
    catalog.close()


def test_the_whole_collection_is_loaded(loaded: tuple[LoadReport, Catalog]) -> None:
    report, catalog = loaded
    assert (report.pathways, report.skipped, len(catalog)) == (2095, (), 2095)
    assert report.without_interactions == 2094
    assert catalog.organisms["Homo sapiens"] == 1020


@pytest.mark.parametrize("gene", ["10", "ncbigene:10", "NAT2"])
def test_a_gene_is_found_exactly_and_never_by_a_part(
    loaded: tuple[LoadReport, Catalog], gene: str
) -> None:
    page = loaded[1].search_gene(parse_gene(gene), organism="Homo sapiens")
    assert page.total == 4


def test_id_systems_agree_on_a_gene(loaded: tuple[LoadReport, Catalog]) -> None:
    def found(gene: str) -> set[str]:
        page = loaded[1].search_gene(parse_gene(gene), organism="Homo sapiens", page_size=100)
        return {hit.pathway.id for hit in page.items}

    assert found("MDM2") >= found("4193") > set()
    assert found("4193") == found("ENSG00000135679")


@pytest.mark.parametrize("organism", [None, "Homo sapiens", "Mus musculus"])
def test_glycolysis_ranks_the_glycolysis_pathways_first(
    loaded: tuple[LoadReport, Catalog], organism: str | None
) -> None:
    hits = loaded[1].search(PathwayQuery("glycolysis", organism)).items
    named = ["glycolysis" in hit.pathway.name.lower() for hit in hits]
    assert any(named)
    assert named == sorted(named, reverse=True)
    assert hits[0].score == 1.0


@pytest.mark.parametrize(
    ("query", "organism", "first"),
    [
        ("apoptosis", "Homo sapiens", "WP254"),
        ("ACE inhibitor", "Homo sapiens", "WP554"),
        ("breast cancer", None, "WP4262"),
        ("IL-6 signaling", "Homo sapiens", "WP364"),
    ],
)
def test_the_pathway_a_person_means_comes_first(
    loaded: tuple[LoadReport, Catalog], query: str, organism: str | None, first: str
) -> None:
    assert loaded[1].search(PathwayQuery(query, organism)).items[0].pathway.id == first


def test_pages_of_a_broad_search_hold_each_pathway_once(
    loaded: tuple[LoadReport, Catalog],
) -> None:
    ids: list[str] = []
    cursor: str | None = None
    while True:
        page = loaded[1].search(PathwayQuery("metabolism", page_size=60), cursor)
        ids += [hit.pathway.id for hit in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert len(ids) == len(set(ids)) == page.total
    assert len(ids) > 200


def test_every_stored_pathway_can_be_read_back(loaded: tuple[LoadReport, Catalog]) -> None:
    catalog = loaded[1]
    numbers = catalog.numbers()
    assert len(numbers) == 2095
    assert all(catalog.get(PathwayId(n)).id == f"WP{n}" for n in numbers[::50])


@pytest.mark.parametrize("number", [254, 534, 554, 4172, 1742, 364])
def test_the_own_genes_of_a_pathway_return_it_first(
    loaded: tuple[LoadReport, Catalog], number: int
) -> None:
    home = loaded[0].path.parent.parent

    async def ask() -> None:
        source = open_pathways(home)
        sets = {each.pathway.id: each.genes for each in await source.get_gene_sets("Homo sapiens")}
        own = sets[f"WP{number}"]
        result = await enrich_genes(source, sorted(own))
        first = result.items[0]
        assert first.pathway.id == min(
            (id for id, genes in sets.items() if genes == own), key=lambda id: int(id[2:])
        )
        assert (len(first.overlap), first.genes) == (len(own), len(own))
        assert result.used == tuple(sorted(own))
        assert 0 < first.p_value <= first.adjusted < 1e-9
        await source.aclose()

    asyncio.run(ask())


def test_entrez_ids_enrich_as_their_symbols_do(loaded: tuple[LoadReport, Catalog]) -> None:
    home = loaded[0].path.parent.parent

    async def ask() -> None:
        source = open_pathways(home)
        by_symbol = await enrich_genes(source, ["TP53", "MDM2", "CDKN1A", "BAX"])
        by_id = await enrich_genes(source, ["7157", "4193", "1026", "581"])
        assert by_id.items == by_symbol.items
        assert by_id.background > 5_000
        await source.aclose()

    asyncio.run(ask())


def test_agents_and_the_command_line_are_answered_alike(
    loaded: tuple[LoadReport, Catalog],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home = loaded[0].path.parent.parent
    monkeypatch.setenv("TRIALYST_HOME", str(home))
    ensure_starter(home)
    with over_stdio(home, source="auto") as tools:
        gene = tools.wire("get_pathways_for_gene", gene_id="10")
        found = tools.wire("search_pathways", query="glycolysis")
    assert gene["pagination"]["total_count"] == 4
    for answer, words in ((gene, ("gene", "10")), (found, ("search", "glycolysis"))):
        assert (answer["provenance"]["source"], answer["provenance"]["records"]) == ("local", 2095)
        assert run(["pathways", *words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == answer


def test_every_kind_of_real_pathway_keeps_the_contracts(
    loaded: tuple[LoadReport, Catalog],
) -> None:
    home = loaded[0].path.parent.parent

    async def ask() -> None:
        pathways = Pathways(open_pathways(home))
        for number in loaded[1].numbers()[::30]:
            for tool in ("get_pathway", "get_pathway_components"):
                answer = (await getattr(pathways, tool)(f"WP{number}")).to_dict()
                check(tool, json.loads(json.dumps(answer)))
                assert nulls(answer) == []
        await pathways.aclose()

    asyncio.run(ask())


def test_components_of_a_real_drawing_are_those_counted_straight(
    loaded: tuple[LoadReport, Catalog], collection: Path
) -> None:
    name, data = next(drawings(collection))

    async def ask() -> dict[str, Any]:
        pathways = Pathways(open_pathways(loaded[0].path.parent.parent))
        try:
            return (await pathways.get_pathway_components(name.removesuffix(".gpml"))).to_dict()
        finally:
            await pathways.aclose()

    parts = asyncio.run(ask())
    assert parts["interactions_known"] is True
    assert len(parts["interactions"]) == counted_straight(data).total()
