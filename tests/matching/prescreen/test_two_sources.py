"""A note finds the same trials on the live client, over real HTTP, as on the registry."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import serving
from trialyst.ctgov.client import LiveSource
from trialyst.ctgov.source import TrialSource
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.matching.facade import Matching
from trialyst.matching.prescreen import PresearchResult
from trialyst.matching.tools import SearchTools
from trialyst.registry import RegistrySource
from trialyst.starter.notes import sample_patients
from trialyst.transport import Cache, Hosts, Transport
from trialyst.vocabulary import Vocabulary

pytestmark = pytest.mark.slow

NOTE = sample_patients()[0].note


@pytest.fixture(scope="module")
def address(starter_source: RegistrySource) -> Iterator[str]:
    with serving(create_app(starter_source.registry)) as address:
        yield address


def _live(address: str, cache: Path) -> Transport:
    # One request a second is for the real service; a loopback server may be asked at once.
    return Transport(cache=Cache(cache), hosts=Hosts())


def test_a_note_finds_the_same_on_both(
    starter_source: RegistrySource, vocabulary: Vocabulary, address: str, tmp_path: Path
) -> None:
    async def find(source: TrialSource) -> PresearchResult:
        return await Matching(source, vocabulary=lambda: vocabulary).prescreen(NOTE, limit=50)

    async def find_live() -> PresearchResult:
        transport = _live(address, tmp_path)
        try:
            return await find(LiveSource(transport, address + API_PREFIX))
        finally:
            await transport.aclose()

    local, live = asyncio.run(find(starter_source)), asyncio.run(find_live())
    assert live.candidates == local.candidates
    assert live.left_out == local.left_out


def test_the_tools_answer_the_same_on_both(
    starter_source: RegistrySource, address: str, tmp_path: Path
) -> None:
    async def ask(source: TrialSource) -> tuple[object, object]:
        tools = SearchTools(source)
        found = await tools.search_trials(
            condition="asthma", sex="FEMALE", min_age=40, max_age=40, phase="PHASE2,PHASE3"
        )
        return found, await tools.get_trial_details(found["trials"][0]["nct_id"])

    async def ask_live() -> tuple[object, object]:
        transport = _live(address, tmp_path)
        try:
            return await ask(LiveSource(transport, address + API_PREFIX))
        finally:
            await transport.aclose()

    assert asyncio.run(ask_live()) == asyncio.run(ask(starter_source))
