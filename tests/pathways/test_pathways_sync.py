from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.pathways.examples import gpml
from tests.pathways.site import Site, serving
from tests.pathways.test_live import ASSETS, TEXT
from tests.transport.scripted import ScriptedClock
from trialyst.errors import InvalidInput, UpstreamError
from trialyst.pathways import SyncPathwaysReport, sync_pathways
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.loading import store_path
from trialyst.transport import Hosts, Transport

SPECIES = {1: "Homo sapiens", 2: "Homo sapiens", 3: "Mus musculus"}


def listing(dates: dict[int, str]) -> bytes:
    return json.dumps(
        {
            "pathwayInfo": [
                {"id": f"WP{n}", "name": f"No. {n}", "species": SPECIES[n], "revision": date}
                for n, date in dates.items()
            ]
        }
    ).encode()


@pytest.fixture
def site() -> Iterator[Site]:
    files = {TEXT: listing(dict.fromkeys(SPECIES, "2026-01-01"))}
    for number, species in SPECIES.items():
        files[f"{ASSETS}/WP{number}/WP{number}.gpml"] = gpml(number, "x", organism=species)
    with serving(files) as started:
        yield started


def sync(site: Site, home: Path, organisms: Sequence[str] = ()) -> SyncPathwaysReport:
    async def run() -> SyncPathwaysReport:
        transport = Transport(hosts=Hosts(), clock=ScriptedClock())
        try:
            return await sync_pathways(transport, site.url, home, organisms=organisms)
        finally:
            await transport.aclose()

    return asyncio.run(run())


def held(home: Path) -> list[int]:
    catalog = Catalog.open(store_path(home))
    try:
        return catalog.numbers()
    finally:
        catalog.close()


def test_every_pathway_is_fetched_and_loaded(site: Site, tmp_path: Path) -> None:
    report = sync(site, tmp_path)
    assert (report.listed, report.fetched, report.current, report.failed) == (3, 3, 0, ())
    assert held(tmp_path) == [1, 2, 3]


def test_a_later_sync_fetches_only_what_changed(site: Site, tmp_path: Path) -> None:
    sync(site, tmp_path)
    site.answers.clear()
    site.files[TEXT] = listing({1: "2026-01-01", 2: "2026-02-02", 3: "2026-01-01"})
    report = sync(site, tmp_path)
    assert (report.fetched, report.current) == (1, 2)
    assert {path for path, _ in site.answers if ".gpml" in path} == {f"/{ASSETS}/WP2/WP2.gpml"}


def test_a_pathway_the_site_dropped_goes(site: Site, tmp_path: Path) -> None:
    sync(site, tmp_path)
    site.files[TEXT] = listing({1: "2026-01-01", 3: "2026-01-01"})
    sync(site, tmp_path)
    assert held(tmp_path) == [1, 3]


def test_chosen_organisms_leave_the_others_as_they_are(site: Site, tmp_path: Path) -> None:
    assert sync(site, tmp_path, ["Mus musculus"]).listed == 1
    assert held(tmp_path) == [3]
    sync(site, tmp_path, ["Homo sapiens"])
    assert held(tmp_path) == [1, 2, 3]


def test_a_wrong_organism_is_refused_before_anything_is_fetched(site: Site, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as told:
        sync(site, tmp_path, ["mouse"])
    assert "Mus musculus" in str(told.value.hint)
    with pytest.raises(InvalidInput, match="no pathways of 'Danio rerio'"):
        sync(site, tmp_path, ["Danio rerio"])
    assert not any(".gpml" in path for path, _ in site.answers)


def test_a_pathway_that_fails_is_told_and_the_rest_is_loaded(site: Site, tmp_path: Path) -> None:
    whole = site.files[f"{ASSETS}/WP2/WP2.gpml"]
    site.files[f"{ASSETS}/WP2/WP2.gpml"] = whole[:-20]
    report = sync(site, tmp_path)
    assert [each.name for each in report.failed] == ["WP2"]
    assert held(tmp_path) == [1, 3]
    site.files[f"{ASSETS}/WP2/WP2.gpml"] = whole
    assert sync(site, tmp_path).fetched == 1
    assert held(tmp_path) == [1, 2, 3]


def test_a_failing_site_leaves_the_store_as_it_was(site: Site, tmp_path: Path) -> None:
    sync(site, tmp_path)
    before = store_path(tmp_path).read_bytes()
    site.files[TEXT] = listing(dict.fromkeys(SPECIES, "2026-03-03"))
    for number in SPECIES:
        site.files[f"{ASSETS}/WP{number}/WP{number}.gpml"] = b"<html>maintenance</html>"
    with pytest.raises(UpstreamError):
        sync(site, tmp_path)
    assert store_path(tmp_path).read_bytes() == before
