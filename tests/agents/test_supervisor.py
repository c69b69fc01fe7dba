from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.agents.rendered import ask, text_of
from trialyst.agents import DossierForm, Question
from trialyst.errors import InvalidInput, UpstreamError
from trialyst.repurposing import RepurposingClient

pytestmark = pytest.mark.slow

QUESTION = Question(drug="semaglutide", condition="type 2 diabetes")


def _failing(client: RepurposingClient, *methods: str, error: Exception) -> RepurposingClient:
    """Give a client on the same source of which some methods fail."""

    async def fail(*arguments: Any, **more: Any) -> Any:
        await asyncio.sleep(0)
        raise error

    broken = type("Broken", (RepurposingClient,), dict.fromkeys(methods, fail))
    made: RepurposingClient = broken(
        client.source, vocabulary=client.vocabulary, clock=client.clock
    )
    return made


@pytest.mark.parametrize(
    ("method", "agent", "part"),
    [
        ("detect_whitespace", "Trial", "trial"),
        ("get_landscape", "Landscape", "landscape"),
        ("get_terminated", "Critique", "critique"),
    ],
)
@pytest.mark.parametrize("error", [UpstreamError("The service is down"), KeyError("oops")], ids=str)
def test_an_agent_that_fails_costs_its_part_and_is_told(
    starter_client: RepurposingClient, method: str, agent: str, part: str, error: Exception
) -> None:
    dossier = ask(_failing(starter_client, method, error=error), QUESTION)
    assert [failure.agent for failure in dossier.failures] == [agent]
    assert getattr(dossier, part) is None
    assert len(dossier.findings) == 3
    page = text_of(dossier, DossierForm.MARKDOWN)
    assert f"the {agent} agent failed" in page.partition("## At a glance")[0]
    assert str(error) in page


def test_when_every_agent_fails_there_is_no_dossier(starter_client: RepurposingClient) -> None:
    methods = ("search_trials", "detect_whitespace", "get_landscape", "get_terminated")
    broken = _failing(starter_client, *methods, error=UpstreamError("The service is down"))
    with pytest.raises(UpstreamError, match="down"):
        ask(broken, QUESTION)


def test_wrong_input_is_never_taken_for_a_failure(starter_client: RepurposingClient) -> None:
    broken = _failing(starter_client, "get_landscape", error=InvalidInput("No such condition"))
    with pytest.raises(InvalidInput, match="No such condition"):
        ask(broken, QUESTION)


def test_agents_run_side_by_side(starter_client: RepurposingClient) -> None:
    """Each waits for the other to begin, so one after the other would never end."""
    begun = {name: asyncio.Event() for name in ("get_landscape", "detect_whitespace")}

    class Waiting(RepurposingClient):
        async def get_landscape(self, *arguments: Any, **more: Any) -> Any:
            begun["get_landscape"].set()
            await begun["detect_whitespace"].wait()
            return await super().get_landscape(*arguments, **more)

        async def detect_whitespace(self, *arguments: Any, **more: Any) -> Any:
            begun["detect_whitespace"].set()
            await begun["get_landscape"].wait()
            return await super().detect_whitespace(*arguments, **more)

    client = Waiting(
        starter_client.source, vocabulary=starter_client.vocabulary, clock=starter_client.clock
    )
    assert ask(client, QUESTION).failures == ()


def test_no_note_is_of_a_list_that_a_dossier_does_not_have(
    starter_client: RepurposingClient,
) -> None:
    notes = ask(starter_client, Question(drug="semaglutide", condition="cancer")).provenance.notes
    field = asyncio.run(starter_client.get_landscape("cancer"))
    assert any(" are listed." in note for note in field.provenance.notes)
    assert not any(" are listed." in note for note in notes)
