"""A model rephrases over real HTTP, and is held to what the data says."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tests.llm.asking import with_adapter
from tests.llm.conftest import libraries, server
from tests.llm.providers import Answer, Asked, Fails, ModelServer, Step
from trialyst.agents.model_rephraser import ModelRephraser
from trialyst.agents.rephrasing import Rephrased, rephrase
from trialyst.agents.sentences import finding, method
from trialyst.errors import ModelError
from trialyst.interfaces.cli.program import create_app
from trialyst.llm import Adapter, CallLimits, Meter, ModelBudget

__all__ = ["libraries", "server"]

SENTENCES = [
    finding("5 trials stopped early.", ["NCT00000001"]),
    finding("2 trials are recruiting.", ["NCT00000002"]),
    method("Counted today."),
]


def _told(server: ModelServer, *steps: Step, meter: Meter | None = None) -> Rephrased:
    server.script(*steps)

    async def use(adapter: Adapter) -> Rephrased:
        return await rephrase(ModelRephraser(adapter), SENTENCES)

    limits = CallLimits(tries=1)
    return with_adapter(server.model("google"), use, limits=limits, meter=meter)


def _answer(**values: object) -> Answer:
    return Answer(json.dumps(values))


def test_a_model_rephrases_and_orders(server: ModelServer) -> None:
    worded = ["Early stops: 5 trials.", "Recruiting now: 2 trials."]
    told = _told(server, _answer(sentences=worded), _answer(places=[1, 0]))
    assert [each.text for each in told.sentences] == [worded[1], worded[0], "Counted today."]
    assert told.sentences[0].nct_ids == ("NCT00000002",)
    assert told.refused == 0


def test_ids_are_not_sent(server: ModelServer) -> None:
    _told(server, _answer(sentences=[]), _answer(places=[]))
    assert "NCT0" not in str(server.asked)


@pytest.mark.parametrize(
    "answer",
    [Answer("potatoes"), _answer(sentences="x"), _answer(sentences=[1, 2]), _answer(sentences=[])],
    ids=["prose", "text", "numbers", "none"],
)
def test_nonsense_leaves_the_sentences_as_they_are(server: ModelServer, answer: Answer) -> None:
    told = _told(server, answer)
    assert told.sentences == tuple(SENTENCES)
    assert told.refused == 3


def test_what_says_more_than_the_data_is_refused(server: ModelServer) -> None:
    worded = ["6 trials stopped early for safety.", "2 trials are recruiting."]
    told = _told(server, _answer(sentences=worded), _answer(places=[0, 1]))
    assert told.sentences[0].text == "5 trials stopped early."
    assert told.refused == 1


@pytest.mark.parametrize("meter", [None, Meter(ModelBudget(calls=0))], ids=["failed", "spent"])
def test_a_model_that_gives_nothing_is_a_model_error(
    server: ModelServer, meter: Meter | None
) -> None:
    with pytest.raises(ModelError):
        _told(server, Fails(500), meter=meter)


def test_many_sentences_are_asked_for_in_parts(server: ModelServer) -> None:
    def echo(asked: Asked) -> Answer:
        listed = asked.user.partition("\n")[2].rpartition("\n")[0]
        return _answer(sentences=json.loads(listed))

    texts = [f"{n} trials." for n in range(60)]
    server.script(echo)

    async def use(adapter: Adapter) -> list[str]:
        return list(await ModelRephraser(adapter).rephrase(texts))

    assert with_adapter(server.model(), use) == texts
    assert len(server.asked) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("starter_client")
def test_the_command_says_where_sentences_go_and_writes_all_the_same(server: ModelServer) -> None:
    server.script(Answer("potatoes"))
    call = ["dossier", "semaglutide", "NASH", "--source", "starter", "--model", server.model()]
    done = CliRunner().invoke(create_app(), call)
    assert done.exit_code == 0, done.stderr
    assert "sentences stay on this machine: vllm:tiny answers at 127.0.0.1" in done.stderr
    assert "A language model rephrased" in done.stdout
