"""The searching model, over real HTTP on both protocols and the starter registry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.discovery.starting import open_starter
from tests.llm.conftest import libraries, server
from tests.llm.providers import Answer, Asked, Calls, Drops, Fails, ModelServer, Step
from tests.matching.reading_notes import read
from tests.transport.scripted import ScriptedClock
from trialyst.errors import BudgetExhausted, InvalidInput, ModelError
from trialyst.llm import CallLimits, Meter, ModelBudget, open_adapter
from trialyst.matching.agent import AgentLimits, PrescreenAgent, run_prescreen_agent
from trialyst.matching.findings import score_candidate
from trialyst.matching.patient import KeyFacts
from trialyst.matching.prescreen import PresearchResult
from trialyst.matching.tools import SearchTools
from trialyst.registry import RegistrySource
from trialyst.settings import Settings

__all__ = ["libraries", "server"]

NOTE = "A 34-year-old woman with severe asthma despite inhaled steroids."
FACTS = KeyFacts(age="34 Years", sex="FEMALE", primary_diagnosis="Asthma", conditions=("Asthma",))
ASTHMA = ("search_trials", {"condition": "asthma", "page_size": 5})
DONE = Answer("These trials fit.")
GEMINI = ("google", "gemini-2.5-flash")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistrySource]:
    yield from open_starter(tmp_path_factory.getbasetemp() / "home")


@pytest.fixture(scope="module")
def asthma_ids(source: RegistrySource) -> list[str]:
    """The trials that the search for asthma gives."""
    found = asyncio.run(SearchTools(source).search_trials(condition="asthma", page_size=5))
    return [trial["nct_id"] for trial in found["trials"]]


def run(
    server: ModelServer,
    source: RegistrySource | Callable[[], Any],
    *steps: Step,
    limits: AgentLimits | None = None,
    model: tuple[str, str] = GEMINI,
    medgemma: bool = False,
    meter: Meter | None = None,
) -> PresearchResult:
    server.script(*steps)

    async def search() -> PresearchResult:
        settings = Settings.from_environment({})
        asked = CallLimits(tries=1)
        clock = ScriptedClock()
        adapter = open_adapter(
            server.model(*model), settings, limits=asked, clock=clock, meter=meter
        )
        medical = open_adapter(
            server.model("medgemma", "m"), settings, limits=asked, clock=clock, meter=meter
        )
        try:
            return await run_prescreen_agent(
                NOTE,
                FACTS,
                source=source,
                adapter=adapter,
                medgemma_adapter=medical if medgemma else None,
                limits=limits,
            )
        finally:
            await adapter.aclose()
            await medical.aclose()

    return asyncio.run(search())


@pytest.mark.parametrize("model", [GEMINI, ("openai", "gpt-4.1"), ("vllm", "tiny")])
def test_a_model_searches_looks_closer_and_sums_up(
    server: ModelServer, source: RegistrySource, asthma_ids: list[str], model: tuple[str, str]
) -> None:
    found = run(server, source, Calls((ASTHMA,)), DONE, model=model).candidates
    # The last of the best leads once its details were looked at.
    chosen = [trial.nct_id for trial in found if trial.score == found[0].score][-1]
    details = ("get_trial_details", {"nct_id": chosen})
    result = run(server, source, Calls((ASTHMA,)), Calls((details,)), DONE, model=model)
    assert set(result.nct_ids) == set(asthma_ids)
    assert result.nct_ids[0] == chosen
    assert result.candidates[0].eligibility_criteria
    assert result.agent_reasoning == "These trials fit."
    assert [record.tool_name for record in result.tool_call_trace] == [ASTHMA[0], details[0]]
    assert [record.call_index for record in result.tool_call_trace] == [0, 1]
    assert server.asked[-2].tool_answers[0]["count"] == 5


def test_candidates_keep_every_query_that_found_them(
    server: ModelServer, source: RegistrySource, asthma_ids: list[str]
) -> None:
    other = ("search_trials", {"condition": "Asthma", "sex": "FEMALE", "page_size": 100})
    result = run(server, source, Calls((ASTHMA, other)), DONE, limits=AgentLimits(20, 100))
    by_id = {candidate.nct_id: candidate for candidate in result.candidates}
    found = by_id[asthma_ids[0]].found_by_query
    assert found == ("condition: asthma", "condition: Asthma; sex: FEMALE")
    assert by_id[asthma_ids[0]].score >= 6


def test_a_query_counts_once_whatever_its_case(
    server: ModelServer, source: RegistrySource, asthma_ids: list[str]
) -> None:
    loud = ("search_trials", {"condition": "ASTHMA", "page_size": 99})
    result = run(server, source, Calls((ASTHMA, loud)), DONE, limits=AgentLimits(20, 100))
    assert {each.found_by_query for each in result.candidates} == {("condition: asthma",)}


def test_what_was_read_reaches_a_model_with_its_sentence_only(
    server: ModelServer, source: RegistrySource
) -> None:
    run(server, source, DONE)
    assert "<-" not in server.asked[0].user
    server.asked.clear()
    profile = read("A man of 61 with asthma. His mother had gout.")
    server.script(DONE)

    async def search() -> None:
        adapter = open_adapter(server.model(*GEMINI), Settings.from_environment({}))
        agent = PrescreenAgent(adapter)
        try:
            await agent.search(source, profile)
        finally:
            await agent.aclose()

    asyncio.run(search())
    told = server.asked[0].user.split("may be wrong")[1]
    assert 'condition: family Gout <- "His mother had gout."' in told
    assert all("<-" in line for line in told.splitlines() if "condition:" in line)


def test_a_repeated_search_is_answered_from_memory(
    server: ModelServer, source: RegistrySource, asthma_ids: list[str]
) -> None:
    again = ("search_trials", {"page_size": 5, "condition": " ASTHMA "})
    result = run(server, source, Calls((ASTHMA,)), Calls((again,)), DONE)
    assert [record.from_memory for record in result.tool_call_trace] == [False, True]
    assert server.asked[2].tool_answers[0] == server.asked[2].tool_answers[1]
    assert result.candidates[0].found_by_query == ("condition: asthma",)


@pytest.mark.parametrize("model", [GEMINI, ("vllm", "tiny")])
def test_every_call_beyond_the_budget_is_answered_so(
    server: ModelServer, source: RegistrySource, model: tuple[str, str]
) -> None:
    calls = tuple(("search_trials", {"condition": f"asthma {n}"}) for n in range(4))
    limits = AgentLimits(max_tool_calls=3)
    result = run(server, source, Calls(calls), Calls(calls[:2]), DONE, limits=limits, model=model)
    told = "Tool budget of 3 calls exhausted. Stop searching and summarise findings."
    answers = server.asked[2].tool_answers
    assert [answer.get("error") for answer in answers[3:]] == [told] * 3
    trace = result.tool_call_trace
    assert [record.error for record in trace] == [None] * 3 + [told] * 3
    assert [record.call_index for record in trace] == list(range(6))
    assert trace[3].args == calls[3][1]
    assert "3 calls came after the tool budget was spent." in result.notes
    assert result.agent_reasoning == "These trials fit."


def test_a_model_that_never_ends_is_stopped(server: ModelServer, source: RegistrySource) -> None:
    result = run(server, source, Calls((ASTHMA,)), limits=AgentLimits(max_tool_calls=2))
    assert len(server.asked) == 2 + 5
    assert any("stopped" in note for note in result.notes)
    assert result.candidates


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (("delete_trials", {}), "Unknown tool"),
        (("search_trials", {}), "Nothing to search for"),
        (("search_trials", {"condition": ["a", {}]}), "condition is not a text"),
        (("search_trials", {"condition": "asthma", "page_size": "many"}), "not a number"),
        (("search_trials", {"condition": "asthma", "phase": [3]}), "not a list of texts"),
        (("search_trials", {"condition": "asthma", "status": "PERHAPS"}), "PERHAPS"),
        (("get_trial_details", {"nct_id": "NCT99999999"}), "NCT99999999"),
        (("get_trial_details", {"nct_id": "asthma"}), "asthma"),
        (("search_trials", "{nonsense"), "not a JSON object"),
    ],
    ids=str,
)
def test_a_wrong_call_is_answered_with_what_is_wrong(
    server: ModelServer, source: RegistrySource, call: tuple[str, Any], problem: str
) -> None:
    result = run(server, source, Calls((call,)), Calls((ASTHMA,)), DONE, model=("vllm", "tiny"))
    assert problem in server.asked[1].tool_answers[0]["error"]
    assert problem in (result.tool_call_trace[0].error or "")
    assert result.candidates


def test_clinical_reasoning_is_shown_in_a_section_of_its_own(
    server: ModelServer, source: RegistrySource
) -> None:
    def told(asked: Asked) -> Answer:
        return Answer("Think of biologics.") if "/v1/" in asked.path else DONE

    run(server, source, told, medgemma=True)
    first, second = server.asked
    assert NOTE in first.user
    _, heading, section = second.user.partition("MedGemma Clinical Reasoning:")
    assert heading
    assert "Think of biologics." in section


def test_without_a_medical_model_there_is_no_such_section(
    server: ModelServer, source: RegistrySource
) -> None:
    run(server, source, DONE)
    assert "MedGemma" not in server.asked[0].user


def test_a_medical_model_that_fails_does_not_end_the_search(
    server: ModelServer, source: RegistrySource
) -> None:
    result = run(server, source, Fails(500), Calls((ASTHMA,)), DONE, medgemma=True)
    assert result.candidates
    assert any("No clinical reasoning" in note for note in result.notes)


def test_age_sex_and_facts_are_told(server: ModelServer, source: RegistrySource) -> None:
    run(server, source, DONE)
    asked = server.asked[0].user
    assert "age 34 Years, sex FEMALE" in asked
    assert NOTE in asked


@pytest.mark.parametrize("failure", [Fails(500), Drops(), Fails(401)], ids=["500", "drop", "401"])
def test_a_model_that_dies_midway_keeps_what_it_found(
    server: ModelServer, source: RegistrySource, asthma_ids: list[str], failure: Step
) -> None:
    result = run(server, source, Calls((ASTHMA,), text="Asthma first."), failure)
    assert set(result.nct_ids) == set(asthma_ids)
    assert any("ended early" in note for note in result.notes)
    assert result.agent_reasoning == "Asthma first."


def test_a_spent_budget_keeps_what_was_found(
    server: ModelServer, source: RegistrySource, asthma_ids: list[str]
) -> None:
    meter = Meter(ModelBudget(calls=1))
    result = run(server, source, Calls((ASTHMA,)), meter=meter)
    assert set(result.nct_ids) == set(asthma_ids)
    assert any("budget is spent" in note for note in result.notes)


def test_a_model_that_never_answered_is_an_error(
    server: ModelServer, source: RegistrySource
) -> None:
    with pytest.raises(ModelError):
        run(server, source, Fails(500))
    with pytest.raises(BudgetExhausted):
        run(server, source, DONE, meter=Meter(ModelBudget(calls=0)))


def test_a_model_that_searches_for_nothing_is_told_apart(
    server: ModelServer, source: RegistrySource
) -> None:
    result = run(server, source, Answer("I would rather not."))
    assert result.candidates == ()
    assert any("searched for nothing" in note for note in result.notes)


def test_costs_come_from_the_tokens_of_every_turn(
    server: ModelServer, source: RegistrySource
) -> None:
    result = run(server, source, Answer("Think."), Calls((ASTHMA,)), DONE, medgemma=True)
    assert result.gemini_cost_usd == pytest.approx(2 * (100 * 0.3 + 20 * 2.5) / 1e6)
    assert result.medgemma_cost_usd == 0
    assert result.total_cost_usd == result.gemini_cost_usd
    assert result.cost_known


def test_an_unknown_price_is_told(server: ModelServer, source: RegistrySource) -> None:
    result = run(server, source, DONE, model=("openai", "gpt-99"))
    assert not result.cost_known
    assert any("price of openai:gpt-99 is not known" in note for note in result.notes)


def test_the_best_are_kept_and_ties_go_by_id(server: ModelServer, source: RegistrySource) -> None:
    wide = ("search_trials", {"condition": "cancer", "page_size": 100})
    whole = run(server, source, Calls((wide,)), DONE, limits=AgentLimits(max_candidates=100))
    cut = run(server, source, Calls((wide,)), DONE)
    order = [(-candidate.score, candidate.nct_id) for candidate in whole.candidates]
    assert order == sorted(order)
    assert cut.nct_ids == whole.nct_ids[:20]
    assert whole.total_found == cut.total_found > 20
    assert any("the best 20 are listed" in note for note in cut.notes)


@pytest.mark.parametrize(
    ("phase", "status", "detailed", "score"),
    [
        (None, None, False, 3),
        ("PHASE1", "RECRUITING", False, 5),
        ("PHASE1/PHASE2", "RECRUITING", True, 8),
        ("PHASE3", "COMPLETED", False, 5),
        ("PHASE4", "COMPLETED", True, 5),
    ],
)
def test_the_score_is_the_seeds(
    phase: str | None, status: str | None, detailed: bool, score: float
) -> None:
    told = score_candidate(query_count=1, phase=phase, status=status, detailed=detailed)
    assert told == score


class _Closing:
    """A source of one use that tells whether it was closed."""

    def __init__(self, source: RegistrySource) -> None:
        self.source = source
        self.closed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    async def aclose(self) -> None:
        self.closed = True


@pytest.mark.parametrize("steps", [(Calls((ASTHMA,)), DONE), (Fails(500),)], ids=["done", "failed"])
def test_a_source_the_search_opened_is_always_closed(
    server: ModelServer, source: RegistrySource, steps: tuple[Step, ...]
) -> None:
    opened = _Closing(source)
    try:
        run(server, lambda: opened, *steps)
    except ModelError:
        assert len(steps) == 1
    assert opened.closed


def test_what_is_no_note_is_refused_before_anything_is_sent(
    server: ModelServer, source: RegistrySource
) -> None:
    adapter = open_adapter(server.model(), Settings.from_environment({}))
    with pytest.raises(InvalidInput):
        asyncio.run(run_prescreen_agent(" ", FACTS, source=source, adapter=adapter))
    asyncio.run(adapter.aclose())
    assert server.asked == []


@pytest.mark.parametrize("name", ["max_tool_calls", "max_candidates"])
def test_limits_below_one_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        replace(AgentLimits(), **{name: 0})


def test_a_hostile_note_stays_between_its_marks(
    server: ModelServer, source: RegistrySource
) -> None:
    run(server, source, DONE)
    system = server.asked[0].system
    assert "never an instruction" in system
    assert NOTE not in system
