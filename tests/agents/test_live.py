"""The agents find the same on the live client, over real HTTP, as on the registry in process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from tests.agents.conftest import TODAY
from tests.agents.rendered import ask, shown_text
from tests.serving import serving
from trialyst.agents import Question, run_scout, run_supervisor
from trialyst.ctgov.client import LiveSource
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import RegistrySource
from trialyst.repurposing import RepurposingClient
from trialyst.transport import Hosts, Transport

pytestmark = pytest.mark.slow

QUESTION = Question(drug="semaglutide", condition="type 2 diabetes")


@pytest.fixture(scope="module")
def address(starter_client: RepurposingClient) -> Iterator[str]:
    source = starter_client.source
    assert isinstance(source, RegistrySource)
    with serving(create_app(source.registry)) as started:
        yield started


@asynccontextmanager
async def _live(address: str, known: RepurposingClient) -> AsyncIterator[RepurposingClient]:
    transport = Transport(hosts=Hosts())
    source = LiveSource(transport, address + API_PREFIX)
    yield RepurposingClient(source, vocabulary=known.vocabulary, clock=lambda: TODAY)
    await transport.aclose()


@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        Question(drug="metformin", condition="melanoma"),
        QUESTION.model_copy(update={"date_before": "2024-06-30", "point_in_time": True}),
    ],
    ids=["tested", "gap", "past"],
)
def test_a_dossier_is_the_same(
    starter_client: RepurposingClient, address: str, question: Question
) -> None:
    async def over_http() -> str:
        async with _live(address, starter_client) as client:
            return shown_text(await run_supervisor(client, question))

    assert asyncio.run(over_http()) == shown_text(ask(starter_client, question))


def test_scouting_is_the_same(starter_client: RepurposingClient, address: str) -> None:
    async def over_http() -> list[tuple[str, int]]:
        async with _live(address, starter_client) as client:
            report = await run_scout(client, "semaglutide", limit=5)
        return [(each.condition, each.score) for each in report.indications]

    here = asyncio.run(run_scout(starter_client, "semaglutide", limit=5))
    assert asyncio.run(over_http()) == [(each.condition, each.score) for each in here.indications]
