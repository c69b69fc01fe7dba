"""Rules first, a model for the rest: what the chart settles surely is settled on this machine.

The model is asked once a trial, for all criteria that the rules leave open or are not sure of, and
is shown the note once. Where it gives no verdict, what the rules said stands, marked as not judged.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.errors import BudgetExhausted, ModelError
from trialyst.llm.adapter import Adapter, ModelRequest, UserText
from trialyst.llm.prompts import load_prompt, quote_data
from trialyst.matching.judging.answers import ANSWERS_SCHEMA, ReadAnswer, read_answers
from trialyst.matching.judging.model import (
    RawAnswer,
    note_of,
    numbered_note,
    to_raw,
    to_result,
)
from trialyst.matching.judging.result import (
    SURE,
    Applicability,
    CriterionResult,
    Statement,
    Verdict,
)

if TYPE_CHECKING:
    from trialyst.eligibility.chart import Chart
    from trialyst.eligibility.reading.note import Note
    from trialyst.matching.judging.judge import RulesJudge

__all__ = ["CombinedJudge"]

_ANSWER_TOKENS = 160
"""Tokens an answer to one criterion may have: a sentence, a quote or two, and the names around."""
_FIRST_TOKENS = 1024
"""For thinking, which counts as output with most providers."""
_MOST_TOKENS = 16_384


class CombinedJudge:
    """Judges by rules, and asks a model once a trial for what they do not settle surely."""

    def __init__(self, rules: RulesJudge, adapter: Adapter) -> None:
        self.transcript: list[RawAnswer] = []
        """What the model wrote, for whoever keeps the run to take out."""
        self._rules = rules
        self._adapter = adapter
        self._prompt = load_prompt("trialyst.matching", "trial_criteria")

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self._rules.name}+{self._adapter.name}"

    @property
    def concurrency(self) -> int:
        """How many trials may be judged at the same time."""
        limits = getattr(self._adapter, "limits", None)
        return 1 if limits is None else limits.concurrency

    @property
    def adapters(self) -> tuple[Adapter, ...]:
        """Who is sent the note."""
        return (self._adapter,)

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        """Judge the statements of one trial, one result each, in their order."""
        chart = await asyncio.to_thread(self._read, patient)
        results = await asyncio.to_thread(self._rules.judge_all, chart, statements)
        places = [place for place, result in enumerate(results) if not _is_settled(result)]
        if places:
            asked = [statements[place] for place in places]
            answers = await self._ask(chart.note, asked, [results[place] for place in places])
            for place, answer in zip(places, answers, strict=True):
                results[place] = answer
        return results

    async def requests(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[tuple[Adapter, ModelRequest]]:
        """Give what the statements of one trial would have the model asked: one call, or none."""
        chart = await asyncio.to_thread(self._read, patient)
        results = await asyncio.to_thread(self._rules.judge_all, chart, statements)
        rest = [
            each
            for each, result in zip(statements, results, strict=True)
            if not _is_settled(result)
        ]
        return [(self._adapter, self._request(chart.note, rest))] if rest else []

    async def aclose(self) -> None:
        """Let go of the model's connections."""
        await self._adapter.aclose()

    def _read(self, patient: str | Chart) -> Chart:
        return self._rules.read(note_of(patient)) if isinstance(patient, str) else patient

    async def _ask(
        self, note: Note, asked: Sequence[Statement], ruled: Sequence[CriterionResult]
    ) -> list[CriterionResult]:
        began = time.perf_counter()
        request = self._request(note, asked)
        cost: float | None = 0.0
        try:
            response = await self._adapter.generate(request)
            self.transcript.append(to_raw(self._adapter, request, asked, response))
            cost = response.cost_usd
            answers = read_answers(response.text, note, len(asked))
        except (BudgetExhausted, ModelError) as problem:
            failed = ReadAnswer(Verdict.UNKNOWN, f"{problem.message}.", failed=True)
            answers = [failed] * len(asked)
        seconds = time.perf_counter() - began
        return [
            replace(
                _joined(statement, answer, by_rules),
                # One call answers them all: each bears its part.
                cost_usd=(cost or 0.0) / len(asked),
                cost_known=cost is not None,
                latency_seconds=by_rules.latency_seconds + seconds / len(asked),
            )
            for statement, answer, by_rules in zip(asked, answers, ruled, strict=True)
        ]

    def _request(self, note: Note, asked: Sequence[Statement]) -> ModelRequest:
        listed = "\n".join(
            f"{number}. ({each.kind.value}) {' '.join(each.bound.split())}"
            for number, each in enumerate(asked, start=1)
        )
        filled = self._prompt.fill(
            note=quote_data("note", numbered_note(note)), criteria=quote_data("criteria", listed)
        )
        return ModelRequest(
            self._prompt.system,
            (UserText(filled),),
            schema=ANSWERS_SCHEMA,
            max_tokens=min(_FIRST_TOKENS + _ANSWER_TOKENS * len(asked), _MOST_TOKENS),
            prompt=self._prompt.label,
        )


def _is_settled(result: CriterionResult) -> bool:
    """Whether the rules are sure, or the criterion is nothing that a note could tell."""
    if result.applicability is not Applicability.APPLIES:
        return True
    return result.verdict is not Verdict.UNKNOWN and result.confidence >= SURE


def _joined(statement: Statement, answer: ReadAnswer, ruled: CriterionResult) -> CriterionResult:
    """Give a model's answer with how the rules read the criterion; without one, what they said."""
    if answer.failed:
        return replace(ruled, failure=answer.reasoning, fabricated_quotes=answer.fabricated)
    return replace(to_result(statement, answer), reading=ruled.reading)
