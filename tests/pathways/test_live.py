"""The live source against a real HTTP server that serves the site's files."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from tests.pathways.examples import gpml
from tests.pathways.site import Site, serving
from tests.transport.scripted import ScriptedClock
from trialyst.errors import InvalidInput, NotFound, UpstreamError
from trialyst.pathways import LivePathways, PathwayHit, PathwayId, PathwayQuery, Xref
from trialyst.transport import Cache, Hosts, Transport

Value = TypeVar("Value")

TEXT, XREF = "json/findPathwaysByText.json", "json/findPathwaysByXref.json"
ASSETS = "wikipathways-assets/pathways"
LISTED = [
    {"id": "WP1", "name": "Statin pathway", "species": "Mus musculus", "revision": "2025-05-22",
     "description": "A &amp; B", "datanodes": "Abca1, Tnf", "annotations": "statin drug pathway"},
    {"id": "WP2", "name": "Tumour &quot;TNF&quot;", "species": "Homo sapiens",
     "revision": "2025-07-10", "description": "", "datanodes": "TNF, ATP", "annotations": ""},
]  # fmt: skip
CROSSED = [
    {"id": "WP1", "ncbigene": "ncbigene:11303, ncbigene:21926", "hgnc": "", "uniprot": ""},
    {"id": "WP2", "ncbigene": "ncbigene:7124", "hgnc": "hgnc.symbol:TNF",
     "uniprot": "uniprot:P01375;uniprot:Q5STB3", "ensembl": "ensembl:ENSG00000232810"},
]  # fmt: skip


def lists() -> dict[str, bytes]:
    return {
        TEXT: json.dumps({"pathwayInfo": LISTED}).encode(),
        XREF: json.dumps({"pathwayInfo": CROSSED}).encode(),
    }


def ask(
    url: str,
    home: Path,
    action: Callable[[LivePathways], Awaitable[Value]],
    *,
    clock: ScriptedClock | None = None,
) -> Value:
    """Do something with a source of its own, as a new process would."""

    async def run() -> Value:
        transport = Transport(
            cache=Cache(home / "cache.sqlite"), hosts=Hosts(), clock=clock or ScriptedClock()
        )
        source = LivePathways(transport, url, home=home)
        try:
            return await action(source)
        finally:
            await source.aclose()

    return asyncio.run(run())


@pytest.fixture
def site() -> Iterator[Site]:
    """A site of two pathways."""
    with serving(lists()) as started:
        yield started


def found(query: str) -> Callable[[LivePathways], Awaitable[list[str]]]:
    async def search(source: LivePathways) -> list[str]:
        page = await source.search(PathwayQuery(query))
        return [hit.pathway.id for hit in page.items]

    return search


def genes(gene: str) -> Callable[[LivePathways], Awaitable[list[str]]]:
    async def search(source: LivePathways) -> list[str]:
        return [hit.pathway.id for hit in (await source.search_gene(gene)).items]

    return search


def test_lists_are_fetched_once_for_all_questions_and_processes(site: Site, tmp_path: Path) -> None:
    assert ask(site.url, tmp_path, found("statin")) == ["WP1"]
    assert ask(site.url, tmp_path, found("tumor")) == ["WP2"]
    assert [path for path, _ in site.answers] == [f"/{TEXT}", f"/{XREF}"]


def test_texts_lose_their_html(site: Site, tmp_path: Path) -> None:
    async def first(source: LivePathways) -> tuple[str, str]:
        (a,) = (await source.search(PathwayQuery("statin"))).items
        (b,) = (await source.search(PathwayQuery("tumor"))).items
        return a.pathway.description, b.pathway.name

    assert ask(site.url, tmp_path, first) == ("A & B", 'Tumour "TNF"')


@pytest.mark.parametrize(
    ("gene", "ids"),
    [
        ("7124", ["WP2"]),
        ("712", []),
        ("TNF", ["WP2", "WP1"]),
        ("Q5STB3", ["WP2"]),
        ("ENSG00000232810", ["WP2"]),
        ("ATP", []),
    ],
)
def test_genes_are_found_exactly(site: Site, tmp_path: Path, gene: str, ids: list[str]) -> None:
    assert ask(site.url, tmp_path, genes(gene)) == ids


def test_a_refresh_asks_with_the_tag_and_takes_what_is_new(site: Site, tmp_path: Path) -> None:
    ask(site.url, tmp_path, found("statin"))
    assert ask(site.url, tmp_path, LivePathways.refresh) is False
    assert site.count(304) == 2
    newer = {**LISTED[0], "name": "Brand new"}
    site.files[TEXT] = json.dumps({"pathwayInfo": [newer, LISTED[1]]}).encode()
    assert ask(site.url, tmp_path, LivePathways.refresh) is True
    assert ask(site.url, tmp_path, found("brand new")) == ["WP1"]


@pytest.mark.parametrize("body", [b"", b"{", b"<html></html>", b'{"pathwayInfo": []}', b"[]"])
def test_a_damaged_list_costs_nothing_of_what_is_here(
    site: Site, tmp_path: Path, body: bytes
) -> None:
    ask(site.url, tmp_path, found("statin"))
    site.files[TEXT] = body

    async def refresh(source: LivePathways) -> tuple[list[str], str]:
        await source.refresh()
        return await found("statin")(source), " ".join((await source.provenance()).notes)

    ids, notes = ask(site.url, tmp_path, refresh)
    assert ids == ["WP1"]
    assert "from the cache" in notes


def test_a_site_that_cannot_be_read_is_an_upstream_error(site: Site, tmp_path: Path) -> None:
    site.files[XREF] = b"nonsense"
    with pytest.raises(UpstreamError):
        ask(site.url, tmp_path, found("statin"))


def test_an_unknown_pathway_is_not_found(site: Site, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as told:
        ask(site.url, tmp_path, lambda source: source.get(PathwayId(4711)))
    assert told.value.invalid_input == "WP4711"


def test_a_pathway_without_a_list_of_nodes_is_its_drawing(site: Site, tmp_path: Path) -> None:
    site.files[f"{ASSETS}/WP2/WP2.gpml"] = gpml(2, "Two", genes=[("TNF", "7124")])
    pathway = ask(site.url, tmp_path, lambda source: source.get(PathwayId(2)))
    assert [(node.label, node.xrefs[0]) for node in pathway.nodes] == [
        ("TNF", Xref("ncbigene", "7124"))
    ]


def test_a_truncated_drawing_is_an_upstream_error(site: Site, tmp_path: Path) -> None:
    site.files[f"{ASSETS}/WP2/WP2.gpml"] = gpml(2, "Two", genes=[("TNF", "7124")])[:-30]
    with pytest.raises(UpstreamError, match="not whole XML"):
        ask(site.url, tmp_path, lambda source: source.get(PathwayId(2)))


def test_gene_sets_are_human_and_others_are_refused(site: Site, tmp_path: Path) -> None:
    (human,) = ask(site.url, tmp_path, lambda source: source.get_gene_sets("Homo sapiens"))
    assert (human.pathway.id, human.genes) == ("WP2", frozenset({"TNF"}))
    with pytest.raises(InvalidInput, match="do not tell which nodes"):
        ask(site.url, tmp_path, lambda source: source.get_gene_sets("Mus musculus"))


def test_old_lists_are_told(site: Site, tmp_path: Path) -> None:
    ask(site.url, tmp_path, found("statin"))
    later = ScriptedClock(elapsed=40 * 86_400.0)
    told = ask(site.url, tmp_path, LivePathways.provenance, clock=later)
    assert (told.source, told.records, told.synthetic) == ("live", 2, False)
    assert told.data_timestamp == "2025-07-10T00:00:00"
    assert any("40 days ago" in note for note in told.notes)


@pytest.fixture(scope="module")
def real(facts_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The site's real files, fetched and indexed once."""
    folder = facts_dir / "wikipathways"
    files = {
        TEXT: (folder / "findPathwaysByText.json").read_bytes(),
        XREF: gzip.decompress((folder / "findPathwaysByXref.json.gz").read_bytes()),
        f"{ASSETS}/WP554/WP554.gpml": (folder / "WP554_gpml2013a.gpml").read_bytes(),
        f"{ASSETS}/WP554/WP554-datanodes.tsv": (folder / "WP554-datanodes.tsv").read_bytes(),
    }
    home = tmp_path_factory.mktemp("live")
    with serving(files) as started:
        ask(started.url, home, LivePathways.count_organisms)
        yield started.url, home


def test_all_pathways_of_the_site_are_held(real: tuple[str, Path]) -> None:
    told = ask(*real, LivePathways.provenance)
    assert told.records == 2095
    organisms = ask(*real, LivePathways.count_organisms)
    assert (next(iter(organisms)), organisms["Homo sapiens"]) == ("Homo sapiens", 1020)


@pytest.mark.parametrize(("gene", "count"), [("10", 4), ("7157", 91)])
def test_real_genes_are_counted_exactly(real: tuple[str, Path], gene: str, count: int) -> None:
    async def total(source: LivePathways) -> int | None:
        return (await source.search_gene(gene)).total

    assert ask(*real, total) == count


@pytest.mark.parametrize("gene", ["TNF", "7124", "ENSG00000232810", "P01375"])
def test_real_gene_is_counted_exactly_in_human(real: tuple[str, Path], gene: str) -> None:
    """111 pathways list an id of TNF, and 5 a node of its symbol with an id that is of no gene."""

    async def total(source: LivePathways) -> int | None:
        return (await source.search_gene(gene, organism="Homo sapiens")).total

    assert ask(*real, total) == 116


def test_glycolysis_ranks_the_human_glycolysis_pathway_first(real: tuple[str, Path]) -> None:
    async def hits(source: LivePathways) -> list[PathwayHit]:
        return list((await source.search(PathwayQuery("glycolysis"))).items)

    found = ask(*real, hits)
    named = ["glycolysis" in hit.pathway.name.lower() for hit in found]
    assert found[0].pathway.id == "WP534"
    assert sum(named) >= 9
    assert named == sorted(named, reverse=True)


def test_real_brca1_is_the_same_by_every_id(real: tuple[str, Path]) -> None:
    async def totals(source: LivePathways) -> set[int | None]:
        names = ("BRCA1", "672", "ENSG00000012048", "P38398", "HGNC:1100", "A0A494C182")
        return {(await source.search_gene(n, organism="Homo sapiens")).total for n in names}

    assert ask(*real, totals) == {20}


def test_real_pathway_is_whole(real: tuple[str, Path]) -> None:
    pathway = ask(*real, lambda source: source.get(PathwayId(554)))
    assert pathway.name == "ACE inhibitor pathway"
    assert len(pathway.description) > 200
    assert Xref("ensembl", "ENSG00000130234") in [x for n in pathway.nodes for x in n.xrefs]
    assert any(interaction.connected for interaction in pathway.interactions)
