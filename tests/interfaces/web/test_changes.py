"""The site tells what changed in a trial, and gives the feeds of what is watched."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx2

from tests.ctgov.studies import load_study
from tests.serving import serving
from trialyst.discovery.watches import Watch, WatchBook
from trialyst.ids import NctId
from trialyst.interfaces.served import Served, follow_pathways, follow_registry
from trialyst.interfaces.web import create_site
from trialyst.registry import add_studies, build_from_studies
from trialyst.settings import Settings


def titled(title: str) -> dict[str, Any]:
    study = load_study("ordinary")
    study["protocolSection"]["identificationModule"]["briefTitle"] = title
    return study


def test_the_panel_of_a_trial_and_the_feed_of_a_watch(tmp_path: Path) -> None:
    nct_id = NctId.parse(titled("First")["protocolSection"]["identificationModule"]["nctId"])
    settings = Settings(home=tmp_path, registry=tmp_path / "registry")
    build_from_studies([titled("First")], settings.registry)
    served = Served(
        settings, follow_registry(settings), follow_pathways(settings, source="starter")
    )
    WatchBook(tmp_path).add(Watch(name="mine", arguments={"ids": str(nct_id)}, created=""))
    with (
        serving(create_site(served, settings), lifespan="on") as url,
        httpx2.Client(base_url=url, timeout=60) as client,
    ):
        assert "What changed" not in client.get(f"/trial/{nct_id}").text
        # The server was not restarted; the registry is at its next generation.
        add_studies([titled("Second <b>")], settings.registry)
        page = client.get(f"/trial/{nct_id}").text
        assert "What changed" in page
        assert "brief title changed: First -&gt; Second &lt;b&gt;" in page
        answer = client.get("/watch/mine.atom")
        assert answer.headers["content-type"].startswith("application/atom+xml")
        entry = ElementTree.fromstring(answer.text).find("{http://www.w3.org/2005/Atom}entry")
        assert entry is not None
        assert f"{url}/trial/{nct_id}" in [each.get("href") for each in entry]
        assert client.get("/watch/absent.atom").status_code == 404
