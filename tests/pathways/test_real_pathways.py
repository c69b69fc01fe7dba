"""The whole WikiPathways collection: every file parses, counts are right, answers are exact."""

from __future__ import annotations

import asyncio
import json
import lzma
import random
import tarfile
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
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
from trialyst.pathways.words import single_words, to_phrase
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


def test_drawings_parse_and_have_the_interactions_counted_straight(collection: Path) -> None:
    heads: Counter[str] = Counter()
    for name, data in islice(drawings(collection), 0, None, 4):
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
    assert heads["mim-catalysis"] > 1000


def test_a_drawing_becomes_a_figure_with_all_its_nodes_and_lines(collection: Path) -> None:
    for name, data in islice(drawings(collection), 0, None, 12):
        pathway = parse_gpml(data, name=name)
        figure = pathway_figure(pathway, highlight=["NOSUCHGENE"])
        root = ET.fromstring(figure.svg)
        kinds = Counter((each.get("class") or "").split(" ")[0] for each in root.iter())
        assert kinds["node"] == len(pathway.nodes), name
        assert kinds["interaction"] == len(pathway.interactions), name
        assert (figure.notes, figure.not_found) == ((), ("NOSUCHGENE",)), name


def records(collection: Path) -> Iterator[dict[str, Any]]:
    path = collection / "wikipathways_2026-08.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


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
    with zipfile.ZipFile(path, "w") as archive:
        for record in records(collection):
            for name, text in as_files(record):
                archive.writestr(name, text)
        name, data = next(drawings(collection))
        archive.writestr(name, data)
    report = load_pathways(path, folder)
    catalog = Catalog.open(report.path)
    yield report, catalog
    catalog.close()


@pytest.fixture(scope="module")
def drawn(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    """The human pathways by their drawings alone, as the site's archive has them."""
    home = tmp_path_factory.mktemp("drawn")
    catalog = Catalog.open(load_pathways(collection / "gpml_homo_sapiens.tar.xz", home).path)
    yield catalog
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


@dataclass(frozen=True, slots=True)
class Counted:
    """A human gene as the records name it, and the pathways that hold it, counted straight."""

    names: tuple[str, ...]
    """Its symbol, then its Entrez and Ensembl ids."""
    pathways: frozenset[str]


def listed(node: dict[str, Any], column: str) -> list[str]:
    return [id for id in node.get(column, "").split(";") if id]


def count_genes(collection: Path, many: int) -> list[Counted]:
    """Count some of the genes that every node names alike, by any of their ids or their label."""
    holders: defaultdict[str, set[str]] = defaultdict(set)
    together: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for record in records(collection):
        if record["organisms"] != ["Homo sapiens"]:
            continue
        for node in record["datanodes"]:
            ids = [listed(node, column) for column in ("HGNC", "NCBI gene", "Ensembl")]
            for id in {*chain(*ids), node.get("xref", "")}:
                holders[id].add(record["id"])
            if node.get("type") in ("GeneProduct", "Protein"):
                holders[f"hgnc.symbol:{node.get('label', '').strip()}"].add(record["id"])
            if all(len(each) == 1 for each in ids):
                together[ids[0][0]][ids[0][0], ids[1][0], ids[2][0]] += 1
    certain = [next(iter(told)) for told in together.values() if len(told) == 1]
    chosen = random.Random(16).sample(sorted(certain), many)
    return [
        Counted(
            tuple(id.partition(":")[2] for id in ids),
            frozenset().union(*(holders[id] for id in ids)),
        )
        for ids in chosen
    ]


def found(catalog: Catalog, gene: str) -> frozenset[str]:
    ids: set[str] = set()
    cursor = None
    while True:
        page = catalog.search_gene(
            parse_gene(gene), organism="Homo sapiens", page_size=100, cursor=cursor
        )
        ids |= {hit.pathway.id for hit in page.items}
        cursor = page.cursor
        if cursor is None:
            return frozenset(ids)


def test_genes_are_found_by_every_id_as_counted_straight(
    loaded: tuple[LoadReport, Catalog], collection: Path
) -> None:
    """Symbols that a gene has no more, and columns that were shifted, are 1 in 100 of the rest."""
    genes = count_genes(collection, 300)
    for gene in genes:
        assert len({found(loaded[1], name) for name in gene.names}) == 1, gene.names
    missed = [g.names for g in genes if g.pathways - found(loaded[1], g.names[0])]
    more = [g.names for g in genes if found(loaded[1], g.names[0]) - g.pathways]
    assert (len(missed), len(more) <= 3) == (0, True), (missed, more)


def test_drawings_alone_find_genes_by_every_id_too(drawn: Catalog, collection: Path) -> None:
    """A drawing names a gene by one id only, and has nodes that the lists leave out."""
    genes = count_genes(collection, 300)
    for gene in genes:
        assert len({found(drawn, name) for name in gene.names}) == 1, gene.names
    held = sum(len(gene.pathways) for gene in genes)
    missed = sum(len(gene.pathways - found(drawn, gene.names[0])) for gene in genes)
    assert missed <= held / 100


@pytest.mark.parametrize("gene", ["BRCA1", "672", "ENSG00000012048", "P38398", "HGNC:1100"])
def test_brca1_is_in_twenty_drawings_by_any_id(drawn: Catalog, gene: str) -> None:
    assert len(found(drawn, gene)) == 20


def test_genes_of_other_organisms_are_not_joined_by_a_label(
    loaded: tuple[LoadReport, Catalog], collection: Path
) -> None:
    """Two Entrez ids lead to one gene only where a mapping gives both the same symbol."""
    nodes = {
        id: (record["organisms"][0], node["label"].upper())
        for record in records(collection)
        for node in record["datanodes"]
        for id in listed(node, "NCBI gene")
        if node.get("label") and record["organisms"] != ["Homo sapiens"] and not node.get("HGNC")
    }
    ids = random.Random(16).sample(sorted(nodes), 300)
    readings = loaded[1].read_genes([parse_gene(id) for id in ids])
    genes = [(r.held[0].organism, r.held[0].symbol) for r in readings if r.held[0].organism]
    assert len(genes) > 250
    assert len(set(genes)) == len(genes)


@pytest.mark.parametrize(
    ("organism", "first"), [(None, "WP534"), ("Homo sapiens", "WP534"), ("Mus musculus", "WP157")]
)
def test_glycolysis_ranks_the_glycolysis_pathways_first(
    loaded: tuple[LoadReport, Catalog], organism: str | None, first: str
) -> None:
    hits = loaded[1].search(PathwayQuery("glycolysis", organism)).items
    named = ["glycolysis" in hit.pathway.name.lower() for hit in hits]
    assert (hits[0].pathway.id, hits[0].score) == (first, 1.0)
    assert named == sorted(named, reverse=True)


def test_every_title_finds_its_pathway_first_or_one_of_the_same_title(
    loaded: tuple[LoadReport, Catalog], collection: Path
) -> None:
    chosen = random.Random(16).sample(list(records(collection)), 300)
    for record in chosen:
        query = PathwayQuery(record["title"], record["organisms"][0], page_size=1)
        (hit,) = loaded[1].search(query).items
        assert to_phrase(hit.pathway.name) == to_phrase(record["title"])


def test_human_titles_come_first_unless_another_organism_is_asked_for(
    loaded: tuple[LoadReport, Catalog], collection: Path
) -> None:
    human = [each for each in records(collection) if each["organisms"] == ["Homo sapiens"]]
    for record in random.Random(16).sample(human, 200):
        (hit,) = loaded[1].search(PathwayQuery(record["title"], page_size=1)).items
        assert hit.pathway.organism == "Homo sapiens", record["title"]
        assert to_phrase(hit.pathway.name) == to_phrase(record["title"])


def misspelt(rng: random.Random, word: str) -> str:
    """Leave out a letter, double one, or swap two."""
    at = rng.randrange(1, len(word) - 2)
    slips = (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:])
    return rng.choice((*slips, word[:at] + word[at + 1] + word[at] + word[at + 2 :]))


def test_misspelt_words_of_titles_are_put_right_or_offered_and_never_changed_to_others(
    loaded: tuple[LoadReport, Catalog], collection: Path
) -> None:
    rng = random.Random(16)
    titles = Counter(word for each in records(collection) for word in single_words(each["title"]))
    common = sorted(w for w, count in titles.items() if len(w) > 6 and count > 4 and w.isalpha())
    right = 0
    words = rng.sample(common, 150)
    for word in words:
        slip = misspelt(rng, word)
        page = loaded[1].search(PathwayQuery(slip, page_size=1))
        used = [each.used for each in page.respelt if each.used]
        assert used in ([], [word]), (slip, used)
        offered = [name for each in page.respelt for name in each.offered]
        right += word in (*used, *offered) or slip == word
    assert right >= 0.95 * len(words)


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
