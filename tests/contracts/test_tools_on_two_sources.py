"""The tools answer alike on the live client, over real HTTP, and on the registry in process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls, without_origin
from tests.discovery.asking import TODAY, Tools
from tests.serving import serving
from trialyst.ctgov.client import LiveSource
from trialyst.discovery import Discovery, to_error_envelope
from trialyst.errors import TrialystError
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import RegistrySource
from trialyst.transport import Cache, Hosts, Transport
from trialyst.vocabulary import Vocabulary

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_trials", {"query": "breast cancer immunotherapy"}),
    ("search_trials", {"condition": "COVID-19", "page_size": 5}),
    ("search_trials", {"condition": "asthma", "phase": "Phase 2", "status": "Completed"}),
    ("search_trials", {"condition": "asthma", "age": 63, "sex": "f", "page_size": 20}),
    ("search_trials", {"age": "18 months", "date_before": "2024"}),
    ("search_trials", {"advanced": "AREA[Phase]PHASE2 AND NOT asthma", "sort": "StartDate"}),
    ("get_trial", {"nct_id": "NCT90000001"}),
    ("get_trial", {"nct_id": ["NCT90000003", "NCT00000001", "NCT90000001"]}),
    ("get_trial_locations", {"nct_id": "NCT90000003", "near": "Boston, MA"}),
    ("count_trials", {"condition": "asthma", "by": ["phase", "status", "sponsor_class"]}),
    ("compare_trials", {"nct_ids": ["NCT90000001", "NCT90000002"]}),
]
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("search_trials", {}),
    ("search_trials", {"advanced": "asthma AND ("}),
    ("search_trials", {"query": "asthma", "cursor": "damaged"}),
    ("get_trial", {"nct_id": "melanoma"}),
    ("get_trial", {"nct_id": "NCT00000001"}),
    ("get_trial", {"nct_id": ["NCT00000001", "NCT00000002"]}),
]


class Live:
    """The tools on the live client; a new one for each question, in its own event loop."""

    def __init__(self, address: str, cache: Path, names: Vocabulary) -> None:
        self.address, self.cache, self.names = address, cache, names

    def wire(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return asyncio.run(self._wire(tool, arguments))

    async def _wire(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        async with self._source() as source:
            discovery = Discovery(source, clock=lambda: TODAY)
            try:
                answer: dict[str, Any] = (await getattr(discovery, tool)(**arguments)).to_dict()
            except TrialystError as error:
                answer = to_error_envelope(error)
            return answer

    @asynccontextmanager
    async def _source(self) -> AsyncIterator[LiveSource]:
        transport = Transport(cache=Cache(self.cache), hosts=Hosts())
        yield LiveSource(transport, self.address + API_PREFIX, names=lambda: self.names)
        await transport.aclose()


@pytest.fixture(scope="module")
def live(
    starter_source: RegistrySource, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """The starter registry behind our own server."""
    with serving(create_app(starter_source.registry)) as address:
        cache = tmp_path_factory.mktemp("live") / "cache.sqlite"
        yield Live(address, cache, starter_source.names)


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=str)
def test_answers_are_alike(
    live: Live, starter: Tools, tool: str, arguments: dict[str, Any]
) -> None:
    answer = live.wire(tool, **arguments)
    check(tool, answer)
    assert nulls(answer) == []
    assert answer["provenance"]["source"] == "live"
    assert answer["provenance"]["synthetic"] is True
    assert without_origin(answer) == without_origin(starter.wire(tool, **arguments))


@pytest.mark.slow
def test_near_a_place_the_registry_finds_what_the_live_service_finds_and_sites_without_a_point(
    live: Live, starter: Tools
) -> None:
    arguments: dict[str, Any] = {"near": "Boston, MA", "age": 63, "sex": "f", "page_size": 200}
    from_live, from_here = (source.wire("search_trials", **arguments) for source in (live, starter))
    placed = [item["id"] for item in from_live["items"]]
    found = [item["id"] for item in from_here["items"]]
    assert placed
    assert [each for each in found if each in placed] == placed
    assert "point is recorded" in from_live["understood"]["near"]["note"]
    assert "by their city" in from_here["understood"]["near"]["note"]


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "arguments"), REFUSED, ids=str)
def test_refusals_are_alike(
    live: Live, starter: Tools, tool: str, arguments: dict[str, Any]
) -> None:
    failed = live.wire(tool, **arguments)
    check("error", failed)
    assert failed == starter.wire(tool, **arguments)


@pytest.mark.slow
def test_pages_of_the_live_source_hold_every_trial_once(live: Live) -> None:
    seen: list[str] = []
    cursor, total = None, 0
    while True:
        page = live.wire("search_trials", condition="asthma", page_size=10, cursor=cursor)
        seen += [item["id"] for item in page["items"]]
        cursor, total = page["pagination"]["cursor"], page["pagination"]["total_count"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == total


@pytest.mark.slow
@pytest.mark.parametrize("by", ["country", "start_year"])
def test_the_live_source_says_what_it_can_count(live: Live, by: str) -> None:
    failed = live.wire("count_trials", condition="asthma", by=by)
    assert failed["error"]["message"] == f"The live source cannot count by {by}"
    able = failed["error"]["recovery_hint"].removeprefix("Count by ").split(" here")[0]
    assert list(live.wire("count_trials", condition="asthma", by=able)["breakdowns"]) == able.split(
        ", "
    )
