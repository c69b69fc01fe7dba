"""The tools about a drug and a condition answer alike on the live client, over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls, without_origin
from tests.discovery.asking import TODAY
from tests.serving import serving
from trialyst.ctgov.client import LiveSource
from trialyst.ctgov.source import TrialSource
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.interfaces.mcp.repurposing_tools import REPURPOSING_TOOLS
from trialyst.registry import RegistrySource
from trialyst.repurposing import RepurposingClient
from trialyst.transport import Cache, Hosts, Transport
from trialyst.vocabulary import Vocabulary

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_drug_trials", {"drug": "wegovy", "max_results": 5}),
    ("search_drug_trials", {"drug": "metformin", "condition": "type 2 diabetes"}),
    ("detect_whitespace", {"drug": "semaglutide", "condition": "asthma"}),
    ("detect_whitespace", {"drug": "semaglutide", "condition": "type 2 diabetes"}),
    ("get_landscape", {"condition": "asthma"}),
    ("get_landscape", {"condition": "asthma", "date_before": "2022", "point_in_time": True}),
    ("get_terminated", {"query": "GLP-1 receptor agonist", "max_results": 3}),
    ("get_terminated", {"query": "melanoma", "date_before": "2024", "point_in_time": True}),
]
TOOLS = {call.__name__: call for call in REPURPOSING_TOOLS}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(starter_source: RegistrySource) -> Iterator[str]:
    with serving(create_app(starter_source.registry)) as address:
        yield address


async def _ask(source: TrialSource, names: Vocabulary, tool: str, given: Any) -> dict[str, Any]:
    client = RepurposingClient(source, vocabulary=names, clock=lambda: TODAY)
    return (await TOOLS[tool](client, **given)).to_dict()


async def _ask_live(address: str, cache: Path, *rest: Any) -> dict[str, Any]:
    transport = Transport(cache=Cache(cache), hosts=Hosts())
    try:
        return await _ask(LiveSource(transport, address + API_PREFIX), *rest)
    finally:
        await transport.aclose()


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=str)
def test_drugs_are_answered_alike_on_both_sources(
    starter_source: RegistrySource,
    address: str,
    vocabulary: Vocabulary,
    tmp_path: Path,
    tool: str,
    arguments: dict[str, Any],
) -> None:
    local = asyncio.run(_ask(starter_source, vocabulary, tool, arguments))
    live = asyncio.run(_ask_live(address, tmp_path / "cache.sqlite", vocabulary, tool, arguments))
    check(tool, live)
    assert nulls(live) == []
    assert without_origin(live) == without_origin(local)
