"""`trialyst match --agent`: a model searches, is announced, shares the budget, and may fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.interfaces.cli.conftest import Run
from tests.llm.providers import Answer, Asked, Calls, Fails, ModelServer, serve

pytestmark = pytest.mark.slow

SAMPLE = ("match", "--sample", "eosinophilic_asthma", "--json")
ASTHMA = Calls((("search_trials", {"condition": "asthma", "page_size": 4}),))


@pytest.fixture
def server(starter: None) -> Iterator[ModelServer]:
    pytest.importorskip("pydantic_ai.models.openai", reason="the extra `llm` is not installed")
    with serve() as started:
        yield started


def test_a_model_searches_and_the_rules_judge(server: ModelServer, trialyst: Run) -> None:
    server.script(ASTHMA, Answer("Four asthma trials."))
    done = trialyst(*SAMPLE, "--agent", server.model())
    told = done.value
    assert done.code == 0
    assert "The patient note stays on this machine: vllm:tiny" in done.err
    assert (told["found"], told["judge"], told["searched"]) == (4, "rules", "Four asthma trials.")


def test_a_model_that_fails_leaves_the_search_to_the_plan(
    server: ModelServer, trialyst: Run
) -> None:
    for step, why in (
        (Fails(401), "did not accept the key"),
        (Answer("I would rather not."), "vllm:tiny found no trial"),
    ):
        server.script(step)
        done = trialyst(*SAMPLE, "--agent", server.model(), "--candidates", "5")
        assert done.code == 0
        assert done.value["found"] > 4
        assert why in done.err
        assert "found without a model instead" in done.err


def test_searching_and_judging_share_one_budget(server: ModelServer, trialyst: Run) -> None:
    def answer(asked: Asked) -> Any:
        if "tools" not in asked.body:
            return Answer('{"verdict": "UNKNOWN", "reasoning": "Not told.", "evidence": []}')
        return Answer("Done.") if asked.tool_answers else ASTHMA

    server.script(answer)
    model = server.model()
    done = trialyst(*SAMPLE, "--agent", model, "--judge", model, "--max-calls", "5")
    assert done.code == 5
    assert len(server.asked) == 5


def test_what_names_no_model_is_refused(trialyst: Run) -> None:
    done = trialyst("match", "--sample", "eosinophilic_asthma", "--agent", "clever")
    assert done.code == 2
    assert "no model to search with 'clever'" in done.err
