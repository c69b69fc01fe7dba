"""What a model's tool calls bring together: candidates by NCT id, a memory, and the trace."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trialyst.errors import InvalidInput, TrialystError
from trialyst.llm.adapter import ToolAnswer, ToolCall
from trialyst.matching.prescreen.candidates import ToolCallRecord, TrialCandidate
from trialyst.matching.tools import SearchTools
from trialyst.matching.toolspecs import read_arguments

__all__ = ["Desk", "describe_query", "score_candidate"]

_LONGEST_TRACED = 300


@dataclass(slots=True)
class _Found:
    """One trial as it becomes known."""

    values: dict[str, Any]
    queries: dict[str, None] = field(default_factory=dict)
    detailed: bool = False


@dataclass(frozen=True, slots=True)
class _Outcome:
    content: dict[str, Any]
    summary: str = ""
    error: str | None = None


class Desk:
    """Answers a model's tool calls within a number of calls and remembers what they found."""

    def __init__(self, tools: SearchTools, *, max_calls: int) -> None:
        self._tools = tools
        self._max_calls = max_calls
        self._memory: dict[str, _Outcome] = {}
        self._found: dict[str, _Found] = {}
        self._queries: dict[str, str] = {}
        """As they were first asked, by themselves blind to case."""
        self._made = 0
        self.trace: list[ToolCallRecord] = []
        self.refused = 0
        """Calls that came after the budget was spent."""

    @property
    def total(self) -> int:
        """Distinct trials so far."""
        return len(self._found)

    async def answer(self, call: ToolCall) -> ToolAnswer:
        """Run a tool call, or answer that there are no more; an error is an answer too."""
        began = time.perf_counter()
        arguments: dict[str, Any] = {}
        if self._made >= self._max_calls:
            self.refused += 1
            told = (
                f"Tool budget of {self._max_calls} calls exhausted. "
                "Stop searching and summarise findings."
            )
            spent = _Outcome({"error": told}, f"Refused: {told}", error=told)
            self._record(call, dict(call.arguments or {}), spent, began=began, known=False)
            return ToolAnswer(call, spent.content)
        self._made += 1
        known = False
        try:
            arguments = read_arguments(call.name, call.arguments)
            key = _key(call.name, arguments)
            known = key in self._memory
            outcome = self._memory[key] if known else await self._run(call.name, arguments)
            if outcome.error is None:
                self._memory[key] = outcome
        except InvalidInput as problem:
            outcome = _refusal(problem)
        self._record(call, arguments, outcome, began=began, known=known)
        return ToolAnswer(call, outcome.content)

    async def _run(self, name: str, arguments: dict[str, Any]) -> _Outcome:
        try:
            content, summary = await self._tools.execute(name, arguments)
        except TrialystError as problem:
            return _refusal(problem)
        if name == "search_trials":
            asked = describe_query(arguments)
            query = self._queries.setdefault(asked.casefold(), asked)
            for trial in content["trials"]:
                found = self._found.setdefault(trial["nct_id"], _Found(dict(trial)))
                found.queries[query] = None
        else:
            found = self._found.setdefault(content["nct_id"], _Found({}))
            found.values = {**found.values, **content}
            found.detailed = True
        return _Outcome(content, summary)

    def _record(
        self,
        call: ToolCall,
        arguments: Mapping[str, Any],
        outcome: _Outcome,
        *,
        began: float,
        known: bool,
    ) -> None:
        count = outcome.content.get("count", 0 if outcome.error else 1)
        self.trace.append(
            ToolCallRecord(
                call_index=len(self.trace),
                tool_name=call.name[:_LONGEST_TRACED],
                args=dict(arguments),
                result_summary=outcome.summary,
                result_count=count,
                latency_ms=round((time.perf_counter() - began) * 1000, 3),
                from_memory=known,
                error=outcome.error,
            )
        )

    def candidates(self, limit: int) -> tuple[TrialCandidate, ...]:
        """Give the best candidates, ties by id."""
        built = (_candidate(nct_id, found) for nct_id, found in self._found.items())
        return tuple(sorted(built, key=lambda each: (-each.score, each.nct_id))[:limit])


def describe_query(arguments: Mapping[str, Any]) -> str:
    """Tell a search in words; searches that differ only in how much they ask for are one.

    >>> describe_query({"condition": "asthma", "phase": ["PHASE2", "PHASE3"], "page_size": 10})
    'condition: asthma; phase: PHASE2, PHASE3'
    """
    shown = {name: value for name, value in sorted(arguments.items()) if name != "page_size"}
    return "; ".join(
        f"{name}: {', '.join(value) if isinstance(value, list) else value}"
        for name, value in shown.items()
    )


def score_candidate(
    *, query_count: int, phase: str | None, status: str | None, detailed: bool
) -> float:
    """Give the seed's score: what several searches found, in phase 2 or 3, recruiting, looked at.

    >>> score_candidate(query_count=2, phase="PHASE1/PHASE2", status="RECRUITING", detailed=True)
    11.0
    """
    phases = set((phase or "").split("/"))
    phase_bonus = 2 if phases & {"PHASE2", "PHASE3"} else 1 if "PHASE1" in phases else 0
    recruiting_bonus = 1 if status == "RECRUITING" else 0
    details_bonus = 2 if detailed else 0
    return float(query_count * 3 + phase_bonus + recruiting_bonus + details_bonus)


def _candidate(nct_id: str, found: _Found) -> TrialCandidate:
    known = {name for name in TrialCandidate.model_fields if name in found.values}
    values = {name: found.values[name] for name in known - {"nct_id", "brief_title"}}
    return TrialCandidate(
        nct_id=nct_id,
        brief_title=found.values.get("brief_title", nct_id),
        found_by_query=tuple(found.queries),
        score=score_candidate(
            query_count=len(found.queries),
            phase=found.values.get("phase"),
            status=found.values.get("status"),
            detailed=found.detailed,
        ),
        **values,
    )


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name} {json.dumps(arguments, sort_keys=True)}".casefold()


def _refusal(problem: TrialystError) -> _Outcome:
    content = {"error": problem.message, "hint": str(problem.hint)}
    return _Outcome(content, f"Error: {problem.message}", error=problem.message)
