"""The tools on the site's own files, served over HTTP: seed 002's tests on a live source."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.pathways.site import Site, serving
from tests.pathways.test_live import ASSETS, TEXT, XREF, lists
from tests.pathways.test_real_pathways import counted_straight
from tests.transport.scripted import ScriptedClock
from trialyst.discovery import to_error_envelope
from trialyst.discovery.pathways import Pathways
from trialyst.errors import TrialystError
from trialyst.pathways import LivePathways
from trialyst.transport import Hosts, Transport

pytestmark = pytest.mark.slow


class Live:
    """The tools on a site, each call as a process of its own would make it."""

    def __init__(self, site: Site, home: Path) -> None:
        self.site = site
        self.home = home
        self.clock = ScriptedClock()
        self.hosts = Hosts()

    def wire(self, tool: str, **arguments: Any) -> dict[str, Any]:
        async def ask() -> dict[str, Any]:
            transport = Transport(hosts=self.hosts, clock=self.clock)
            pathways = Pathways(
                LivePathways(transport, self.site.url, home=self.home),
                clock=lambda: datetime(2026, 11, 16, tzinfo=UTC),
            )
            try:
                answer = await getattr(pathways, tool)(**arguments)
                check(tool, answer.to_dict())
                return dict(answer.to_dict())
            except TrialystError as error:
                return to_error_envelope(error)
            finally:
                await pathways.aclose()

        answer: dict[str, Any] = json.loads(json.dumps(asyncio.run(ask())))
        assert nulls(answer) == []
        return answer


@pytest.fixture(scope="module")
def live(facts_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The real lists of the site, and the files of one pathway."""
    folder = facts_dir / "wikipathways"
    if not folder.is_dir():
        pytest.skip("no files of WikiPathways here: set TRIALYST_DATA to where they are")
    files = {
        TEXT: (folder / "findPathwaysByText.json").read_bytes(),
        XREF: gzip.decompress((folder / "findPathwaysByXref.json.gz").read_bytes()),
        f"{ASSETS}/WP554/WP554.gpml": (folder / "WP554_gpml2013a.gpml").read_bytes(),
        f"{ASSETS}/WP554/WP554-datanodes.tsv": (folder / "WP554-datanodes.tsv").read_bytes(),
    }
    with serving(files) as site:
        yield Live(site, tmp_path_factory.mktemp("live"))


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Live]:
    """A site with lists of our own."""
    with serving(lists()) as site:
        yield Live(site, tmp_path)


def ids(answer: dict[str, Any]) -> list[str]:
    return [item["id"] for item in answer["items"]]


def test_glycolysis_ranks_the_glycolysis_pathways_first(live: Live) -> None:
    items = live.wire("search_pathways", query="glycolysis")["items"]
    named = ["glycolysis" in item["title"].lower() for item in items]
    assert any(named)
    assert named == sorted(named, reverse=True)
    assert items[0]["score"] == 1.0


def test_the_organism_filters_exactly(live: Live) -> None:
    answer = live.wire("search_pathways", query="apoptosis", organism="Homo sapiens")
    assert {item["organism"] for item in answer["items"]} == {"Homo sapiens"}
    assert answer["items"][0]["id"] == "WP:WP254"


def test_more_than_a_hundred_results_are_paged_without_loss(live: Live) -> None:
    found: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = live.wire("search_pathways", query="metabolism", page_size=60, cursor=cursor)
        found += page["items"]
        cursor = page["pagination"]["cursor"]
        if cursor is None:
            break
    assert len(found) == len({item["id"] for item in found}) == page["pagination"]["total_count"]
    assert len(found) > 100
    scores = [item["score"] for item in found]
    assert scores == sorted(scores, reverse=True)
    assert (scores[0], scores[-1]) == (1.0, 0.0)


def test_nothing_found_is_an_empty_page(live: Live) -> None:
    answer = live.wire("search_pathways", query="xyzzyplugh")
    assert (answer["items"], answer["pagination"]["total_count"]) == ([], 0)


@pytest.mark.parametrize("gene", ["10", 10, "ncbigene:10", "NAT2"])
def test_a_gene_is_found_exactly_and_never_by_a_part(live: Live, gene: str | int) -> None:
    answer = live.wire("get_pathways_for_gene", gene_id=gene, organism="Homo sapiens")
    assert answer["pagination"]["total_count"] == len(ids(answer)) == 4


def test_a_search_leads_to_the_pathway_and_to_its_components(live: Live, facts_dir: Path) -> None:
    first = live.wire("search_pathways", query="ACE inhibitor", organism="Homo sapiens")["items"][0]
    pathway = live.wire("get_pathway", pathway_id=first["id"])
    assert (pathway["id"], pathway["title"]) == (first["id"], first["title"])
    assert {"ACE", "REN", "AGT"} <= set(pathway["genes"])
    assert pathway["cross_references"]["pubmed"]
    parts = live.wire("get_pathway_components", pathway_id=first["id"], page_size=200)
    drawn = (facts_dir / "wikipathways" / "WP554_gpml2013a.gpml").read_bytes()
    assert len(parts["interactions"]) == counted_straight(drawn).total()
    assert pathway["component_counts"]["interactions"] == len(parts["interactions"])


def test_the_own_genes_of_a_pathway_return_it_first(live: Live) -> None:
    genes = live.wire("get_pathway", pathway_id="WP554")["genes"]
    answer = live.wire("enrich_pathways", genes=genes)
    assert answer["items"][0]["id"] == "WP:WP554"
    assert answer["items"][0]["adjusted_p_value"] < 1e-9


def test_a_pathway_the_site_lacks_is_not_found(live: Live) -> None:
    error = live.wire("get_pathway", pathway_id="WP9999999")["error"]
    assert error["code"] == "ENTITY_NOT_FOUND"
    assert "search_pathways" in error["recovery_hint"]


def test_old_lists_are_told(live: Live) -> None:
    notes = live.wire("search_pathways", query="glycolysis")["provenance"]["notes"]
    assert any("pathways may have changed since" in note for note in notes)


def test_a_site_that_fails_is_an_upstream_error_and_a_later_try_works(small: Live) -> None:
    files = dict(small.site.files)
    small.site.files.clear()
    failed = small.wire("search_pathways", query="statin")
    check("error", failed)
    assert failed["error"]["code"] == "UPSTREAM_ERROR"
    small.site.files.update(files)
    assert ids(small.wire("search_pathways", query="statin")) == ["WP:WP1"]


def test_what_cannot_be_asked_does_not_reach_the_site(small: Live) -> None:
    for arguments in ({"query": "a"}, {"query": "ok", "organism": "human"}):
        assert small.wire("search_pathways", **arguments)["success"] is False
    assert small.wire("get_pathway", pathway_id="statin")["success"] is False
    assert small.wire("get_pathways_for_gene", gene_id="HGNC:abc")["success"] is False
    assert small.site.answers == []


def test_genes_of_another_organism_are_refused_with_a_way_out(small: Live) -> None:
    error = small.wire("enrich_pathways", genes="Tnf", organism="Mus musculus")["error"]
    assert error["code"] == "INVALID_INPUT"
    assert "trialyst pathways sync" in error["recovery_hint"]
