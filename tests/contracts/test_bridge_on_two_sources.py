"""The bridge answers alike on the live client, over real HTTP, and on the registry in process."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import nulls
from tests.discovery.asking import TODAY
from tests.serving import serving
from trialyst.ctgov.client import LiveSource
from trialyst.ctgov.source import TrialSource
from trialyst.discovery.bridge import BridgeLimits, bridge_drug
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.pathways import open_starter
from trialyst.registry import RegistrySource
from trialyst.transport import Cache, Hosts, Transport
from trialyst.vocabulary import open_vocabulary


@pytest.mark.slow
def test_the_bridge_is_the_same_on_the_live_source(
    starter_source: RegistrySource, tmp_path: Path
) -> None:
    vocabulary = open_vocabulary(tmp_path)
    limits = BridgeLimits(drugs=4, lookups=12, candidates=5)

    async def ask(trials: TrialSource) -> dict[str, Any]:
        answer = await bridge_drug(
            trials,
            open_starter(),
            "tofacitinib",
            vocabulary=vocabulary,
            limits=limits,
            clock=lambda: TODAY,
        )
        return answer.to_dict()

    async def ask_live(address: str) -> dict[str, Any]:
        transport = Transport(cache=Cache(tmp_path / "cache.sqlite"), hosts=Hosts())
        answer = await ask(LiveSource(transport, address + API_PREFIX))
        await transport.aclose()
        return answer

    with serving(create_app(starter_source.registry)) as address:
        live = asyncio.run(ask_live(address))
    local = asyncio.run(ask(starter_source))
    assert live.pop("provenance")["source"] == "live"
    assert local.pop("provenance")["source"] == "starter"
    assert live == local
    assert live["candidates"]
    assert nulls(live) == nulls(local) == nulls({})
