"""What every source of pathways does alike."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.pathways.examples import GPML_2013, gpml
from trialyst.errors import InvalidInput, NotFound
from trialyst.pathways import (
    PathwayId,
    PathwayQuery,
    PathwaySource,
    load_pathways,
    open_pathways,
    open_starter,
)

Value = TypeVar("Value")
Opener = Callable[[], PathwaySource]


def with_source(open_source: Opener, action: Callable[[PathwaySource], Awaitable[Value]]) -> Value:
    async def run() -> Value:
        source = open_source()
        try:
            return await action(source)
        finally:
            await source.aclose()

    return asyncio.run(run())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two pathways loaded, one of them of TNF."""
    home = tmp_path_factory.mktemp("home")
    (home / "WP9001.gpml").write_text(GPML_2013)
    (home / "WP254.gpml").write_bytes(gpml(254, "Apoptosis", genes=[("TP53", "7157")]))
    load_pathways(home, home)
    return home


@pytest.fixture(params=["starter", "local"])
def opener(request: pytest.FixtureRequest, home: Path) -> Opener:
    """A way to open each source that needs no network."""
    return open_starter if request.param == "starter" else lambda: open_pathways(home)


def test_a_pathway_found_by_text_can_be_got(opener: Opener) -> None:
    async def follow(source: PathwaySource) -> tuple[str, str]:
        (hit, *_) = (await source.search(PathwayQuery("apoptosis"))).items
        return hit.pathway.id, (await source.get(PathwayId.parse(hit.pathway.id))).id

    found, got = with_source(opener, follow)
    assert found == got == "WP254"


def test_symbol_and_entrez_id_lead_to_the_same_pathway(opener: Opener) -> None:
    async def ask(source: PathwaySource) -> list[set[str]]:
        pages = [await source.search_gene(gene) for gene in ("TP53", "7157", "tp53")]
        return [{hit.pathway.id for hit in page.items} for page in pages]

    by_symbol, by_entrez, lower = with_source(opener, ask)
    assert by_entrez <= by_symbol == lower
    assert "WP254" in by_entrez


def test_gene_sets_and_organisms_agree(opener: Opener) -> None:
    async def ask(source: PathwaySource) -> tuple[int, int]:
        sets = await source.get_gene_sets("Homo sapiens")
        return len(sets), (await source.count_organisms())["Homo sapiens"]

    sets, counted = with_source(opener, ask)
    assert sets == counted > 0


def test_an_unknown_pathway_is_not_found(opener: Opener) -> None:
    with pytest.raises(NotFound):
        with_source(opener, lambda source: source.get(PathwayId(9_999_999)))


def test_a_common_organism_name_is_refused(opener: Opener) -> None:
    with pytest.raises(InvalidInput) as told:
        with_source(opener, lambda s: s.search(PathwayQuery("apoptosis", organism="human")))
    assert "'Homo sapiens'" in str(told.value.hint)


def test_a_cursor_of_one_source_is_refused_by_another(home: Path) -> None:
    query = PathwayQuery("signaling", page_size=1)
    first = with_source(open_starter, lambda source: source.search(query))
    assert first.cursor
    with pytest.raises(InvalidInput, match="expired"):
        with_source(lambda: open_pathways(home), lambda s: s.search(query, first.cursor))


def test_the_starter_says_what_it_is() -> None:
    told = with_source(open_starter, lambda source: source.provenance())
    assert (told.source, told.synthetic) == ("starter", True)
    assert "Starter set" in told.notes[0]


def test_the_local_source_says_what_its_genes_rest_on(home: Path) -> None:
    told = with_source(lambda: open_pathways(home), lambda source: source.provenance())
    assert (told.source, told.synthetic, told.records) == ("local", False, 2)
    assert "2 pathways were loaded without their datanodes file" in told.notes[0]


def test_an_hgnc_accession_finds_the_gene_by_its_symbol(home: Path) -> None:
    page = with_source(lambda: open_pathways(home), lambda s: s.search_gene("HGNC:11892"))
    assert [hit.pathway.id for hit in page.items] == ["WP9001"]
