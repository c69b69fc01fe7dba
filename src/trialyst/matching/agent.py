"""PRESCREEN with a model: it searches with two tools within a budget of calls, then sums up.

A medical model may reason first; what it says is shown to the searching model in a section of its
own. A model that fails midway keeps what it found; one that never answered is an error, because an
empty list would read as "no trial fits".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trialyst.eligibility.reading.note import parse_note
from trialyst.errors import BudgetExhausted, InvalidInput, ModelError
from trialyst.llm.adapter import (
    Adapter,
    Message,
    ModelRequest,
    ModelResponse,
    ToolAnswers,
    UserText,
)
from trialyst.llm.pricing import load_prices
from trialyst.llm.prompts import load_prompt, quote_data
from trialyst.matching.findings import Desk
from trialyst.matching.prescreen.candidates import PresearchResult
from trialyst.matching.tools import SearchTools
from trialyst.matching.toolspecs import TOOL_SPECS

if TYPE_CHECKING:
    from trialyst.ctgov.source import OpenSource, TrialSource
    from trialyst.matching.patient import KeyFacts, PatientProfile

__all__ = ["MAX_CANDIDATES", "AgentLimits", "PrescreenAgent", "run_prescreen_agent"]

MAX_CANDIDATES = 20
MAX_TOOL_CALLS = 20
_EXTRA_TURNS = 5
"""Turns beyond the tool calls, for a model to come to its summary."""
_GUIDANCE_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """How far the search may go."""

    max_tool_calls: int = MAX_TOOL_CALLS
    max_candidates: int = MAX_CANDIDATES

    def __post_init__(self) -> None:
        for name in ("max_tool_calls", "max_candidates"):
            if getattr(self, name) < 1:
                raise InvalidInput(
                    f"{name} is {getattr(self, name)}",
                    hint=f"Give at least 1 for {name}.",
                    invalid_input=str(getattr(self, name)),
                )


async def run_prescreen_agent(
    patient_note: str,
    key_facts: KeyFacts,
    *,
    source: TrialSource | Callable[[], OpenSource],
    adapter: Adapter,
    medgemma_adapter: Adapter | None = None,
    limits: AgentLimits | None = None,
) -> PresearchResult:
    """Let a model search for trials a patient may join.

    Args:
        key_facts: what was read; a model is shown each with the sentence it was read from, and none
            that has no sentence.
        source: where to search. A function that opens one is called first, and what it opened is
            always closed; a source given as it is stays open.
        adapter: the model that searches.
        medgemma_adapter: a medical model that gives clinical reasoning beforehand.

    Raises:
        InvalidInput: the note is empty or no text.
        ModelError: the model never answered.
        BudgetExhausted: a budget was spent before the model answered once.
    """
    parse_note(patient_note)
    opened = source() if callable(source) else None
    try:
        tools = SearchTools(opened if opened is not None else source)  # type: ignore[arg-type]
        search = _Search(adapter, tools, limits or AgentLimits())
        if medgemma_adapter is not None:
            await search.reason(medgemma_adapter, patient_note, key_facts)
        await search.run(patient_note, key_facts)
        return search.result()
    finally:
        if opened is not None:
            await opened.aclose()


class PrescreenAgent:
    """A model that searches in the place of the planner, maybe after a medical model."""

    def __init__(self, adapter: Adapter, medgemma_adapter: Adapter | None = None) -> None:
        self._adapter = adapter
        self._medical = medgemma_adapter

    @property
    def name(self) -> str:
        """The names of its models."""
        return "+".join(each.name for each in self.adapters)

    @property
    def adapters(self) -> tuple[Adapter, ...]:
        """Who is sent the note, in the order of the names."""
        return tuple(each for each in (self._medical, self._adapter) if each is not None)

    async def search(
        self, source: TrialSource, profile: PatientProfile, *, limit: int | None = None
    ) -> PresearchResult:
        """Search for trials a patient may join; `limit` is how many candidates to give."""
        return await run_prescreen_agent(
            profile.note.text,
            profile.key_facts,
            source=source,
            adapter=self._adapter,
            medgemma_adapter=self._medical,
            limits=AgentLimits(max_candidates=MAX_CANDIDATES if limit is None else limit),
        )

    async def aclose(self) -> None:
        """Let go of the models' connections."""
        await self._adapter.aclose()
        if self._medical is not None:
            await self._medical.aclose()


class _Search:
    """One search of one model, with what it cost and what it found."""

    def __init__(self, adapter: Adapter, tools: SearchTools, limits: AgentLimits) -> None:
        self._adapter = adapter
        self._limits = limits
        self._desk = Desk(tools, max_calls=limits.max_tool_calls)
        self._guidance = ""
        self._reasoning = ""
        self._notes: list[str] = []
        self._costs: list[float | None] = []
        self._reasoning_costs: list[float | None] = []
        self._unpriced: dict[str, None] = {}

    async def reason(self, medical: Adapter, note: str, key_facts: KeyFacts) -> None:
        """Ask the medical model for guidance; without it the search goes on."""
        prompt = load_prompt("trialyst.matching", "clinical_reasoning")
        asked = prompt.fill(note=quote_data("note", note), key_facts=_facts(key_facts))
        request = ModelRequest(
            prompt.system, (UserText(asked),), max_tokens=_GUIDANCE_TOKENS, prompt=prompt.label
        )
        try:
            response = await medical.generate(request)
        except (BudgetExhausted, ModelError) as problem:
            self._notes.append(f"No clinical reasoning went into the search: {problem.message}.")
            return
        self._count(response, medical, self._reasoning_costs)
        self._guidance = response.text.strip()
        if not self._guidance:
            self._notes.append(f"{medical.name} gave no clinical reasoning.")

    async def run(self, note: str, key_facts: KeyFacts) -> None:
        """Let the model search until it has done, or its turns are over."""
        prompt = load_prompt("trialyst.matching", "prescreen")
        asked = prompt.fill(
            age=key_facts.age or "not told",
            sex=key_facts.sex or "not told",
            note=quote_data("note", note),
            key_facts=_facts(key_facts),
            guidance=_section(self._guidance),
            max_tool_calls=str(self._limits.max_tool_calls),
        )
        messages: list[Message] = [UserText(asked)]
        for turn in range(self._limits.max_tool_calls + _EXTRA_TURNS):
            request = ModelRequest(
                prompt.system, tuple(messages), tools=TOOL_SPECS, prompt=prompt.label
            )
            try:
                response = await self._adapter.generate(request)
            except (BudgetExhausted, ModelError) as problem:
                if turn == 0:
                    raise
                self._notes.append(f"The search ended early: {problem.message}.")
                return
            self._count(response, self._adapter, self._costs)
            self._reasoning = response.text.strip() or self._reasoning
            if not response.tool_calls:
                return
            answers = [await self._desk.answer(call) for call in response.tool_calls]
            messages += [response, ToolAnswers(tuple(answers))]
        self._notes.append("The model was stopped: it went on searching instead of summing up.")

    def result(self) -> PresearchResult:
        """Give what was found, the trace and the costs."""
        candidates = self._desk.candidates(self._limits.max_candidates)
        searching = sum(cost or 0.0 for cost in self._costs)
        reasoning = sum(cost or 0.0 for cost in self._reasoning_costs)
        return PresearchResult(
            candidates=candidates,
            agent_reasoning=self._reasoning,
            tool_call_trace=tuple(self._desk.trace),
            total_found=self._desk.total,
            gemini_cost_usd=searching,
            medgemma_cost_usd=reasoning,
            total_cost_usd=searching + reasoning,
            cost_known=not self._unpriced,
            notes=tuple(self._told(len(candidates))),
        )

    def _count(self, response: ModelResponse, adapter: Adapter, costs: list[float | None]) -> None:
        costs.append(response.cost_usd)
        if response.cost_usd is None:
            self._unpriced[adapter.name] = None

    def _told(self, given: int) -> Iterator[str]:
        yield from self._notes
        if not self._desk.trace:
            yield "The model searched for nothing: that no trial is listed says nothing."
        if self._desk.refused:
            yield f"{self._desk.refused:,} calls came after the tool budget was spent."
        if self._desk.total > given:
            yield f"{self._desk.total:,} trials were found; the best {given:,} are listed."
        for name in self._unpriced:
            yield f"The price of {name} is not known as of {load_prices().as_of}."


def _section(guidance: str) -> str:
    if not guidance:
        return ""
    return f"\nMedGemma Clinical Reasoning:\n{quote_data('reasoning', guidance)}"


def _facts(key_facts: KeyFacts) -> str:
    """Tell what was read, each with its sentence: a program may have misread it."""
    lines = (f'{fact} <- "{sentence}"' for fact, sentence in key_facts.sentences)
    return quote_data("facts", "\n".join(lines))
