"""Records that say next to nothing have pages all the same: a study may be an id and a title."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from tests.interfaces.web.pages import read_page
from tests.serving import serving
from trialyst.interfaces.served import Served, follow_pathways, follow_registry
from trialyst.interfaces.web import create_site
from trialyst.registry import build_from_studies
from trialyst.settings import Settings
from trialyst.starter import generate_studies
from trialyst.vocabulary import Vocabulary

_HEAD = "identificationModule"


def _hollow(value: Any) -> Any:
    """Give a value with its shape kept and nothing told in it."""
    if isinstance(value, dict):
        return {name: _hollow(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_hollow(each) for each in value[:2]]
    return value if isinstance(value, bool) else None


def _sparse() -> Iterator[dict[str, Any]]:
    """Give studies of one module alone: as it is, empty, and hollow; and one with none."""
    full = max(
        (each for each in generate_studies() if "resultsSection" in each),
        key=lambda each: len(str(each)),
    )
    protocol = full["protocolSection"]
    modules: list[dict[str, Any]] = [{}]
    for name, module in protocol.items():
        if name != _HEAD:
            modules += [{name: module}, {name: {}}, {name: _hollow(module)}]
    for number, module in enumerate(modules):
        head = {"nctId": f"NCT{number + 1:08d}", "briefTitle": "Asthma, and no more"}
        yield {"protocolSection": {_HEAD: head, **copy.deepcopy(module)}}
    results = full["resultsSection"]
    for number, name in enumerate(results, start=len(modules)):
        for place, section in enumerate((results[name], _hollow(results[name]))):
            head = {"nctId": f"NCT{2 * number + place + 1000:08d}", "briefTitle": "Asthma"}
            yield {"protocolSection": {_HEAD: head}, "resultsSection": {name: section}}


def test_every_page_of_records_that_say_nothing(tmp_path: Path, vocabulary: Vocabulary) -> None:
    studies = list(_sparse())
    build_from_studies(studies, tmp_path / "r", vocabulary=vocabulary)
    settings = Settings(home=tmp_path, registry=tmp_path / "r")
    followed = follow_registry(settings, source="local")
    served = Served(settings, followed, follow_pathways(settings, source="starter"))
    ids = [each["protocolSection"][_HEAD]["nctId"] for each in studies]
    with (
        serving(create_site(served, settings), lifespan="on") as url,
        httpx2.Client(base_url=url, timeout=60) as client,
    ):
        for nct_id in ids:
            page = read_page(client.get(f"/trial/{nct_id}"))
            assert "None" not in page.text.split(), nct_id
        for first in range(0, len(ids), 4):
            read_page(client.get("/compare", params={"ids": ids[first : first + 4]}))
        for path in ("/", "/search", "/search?query=asthma&sort=StartDate:desc", "/registry"):
            read_page(client.get(path))
        for path in ("", "/dossier", "/landscape", "/stopped", "/scout", "/trials", "/matrix"):
            asked = {"drug": "albuterol", "condition": "asthma", "query": "asthma"}
            asked |= {"drugs": "albuterol", "conditions": "asthma"}
            read_page(client.get(f"/repurposing{path}", params=asked))
        for form in ("csv", "json", "ris"):
            assert client.get(f"/search.{form}?query=asthma").status_code == 200
