"""Judges that ask a language model: in one stage, or in two with a medical model before.

Whatever goes wrong with one criterion, a time-out, a dead model, a spent budget or nonsense, is
UNKNOWN with the reason; it never ends a run.
"""

from __future__ import annotations

import asyncio
import textwrap
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from trialyst.eligibility.chart import Chart
from trialyst.eligibility.reading.note import Note, parse_note
from trialyst.errors import BudgetExhausted, ModelError
from trialyst.llm.adapter import (
    DEFAULT_MAX_TOKENS,
    Adapter,
    ModelRequest,
    ModelResponse,
    UserText,
)
from trialyst.llm.prompts import Prompt, load_prompt, quote_data
from trialyst.matching.judging.answers import ANSWER_SCHEMA, ReadAnswer, read_answer
from trialyst.matching.judging.result import CriterionResult, Statement, Verdict

__all__ = [
    "ModelJudge",
    "RawAnswer",
    "TwoStageJudge",
    "note_of",
    "numbered_note",
    "to_raw",
    "to_result",
]

_PROSE_TOKENS = 1024
_LONGEST_TOKEN = 4
"""Letters a token of prose has."""
_LONGEST_MISSING = 120


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """What a model wrote, as it wrote it."""

    model: str
    prompt: str
    trial: str
    criteria: tuple[str, ...]
    """What it was asked."""
    text: str = field(repr=False)
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class ModelJudge:
    """One model reads the note and the criterion and gives the verdict."""

    def __init__(self, adapter: Adapter) -> None:
        self.transcript: list[RawAnswer] = []
        """What the model wrote, for whoever keeps the run to take out."""
        self._adapter = adapter
        self._prompt = load_prompt("trialyst.matching", "criterion")

    @property
    def name(self) -> str:
        """The model's name."""
        return self._adapter.name

    @property
    def adapters(self) -> tuple[Adapter, ...]:
        """Who is sent the note."""
        return (self._adapter,)

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        """Judge statements against one note, one result each, in their order."""
        read = note_of(patient)
        quoted = quote_data("note", numbered_note(read))

        async def ask(statement: Statement, responses: list[ModelResponse]) -> str:
            request = _request(self._prompt, statement, note=quoted)
            responses.append(await self._adapter.generate(request))
            self.transcript.append(to_raw(self._adapter, request, [statement], responses[-1]))
            return responses[-1].text

        return await _judge_all(read, statements, ask)

    async def requests(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[tuple[Adapter, ModelRequest]]:
        """Give what the model would be asked: one call a statement."""
        quoted = quote_data("note", numbered_note(note_of(patient)))
        return [(self._adapter, _request(self._prompt, each, note=quoted)) for each in statements]

    async def aclose(self) -> None:
        """Let go of the model's connections."""
        await self._adapter.aclose()


class TwoStageJudge:
    """A medical model reasons in prose, a second model puts the prose into a verdict.

    The second is not shown the note.
    """

    def __init__(self, reasoner: Adapter, labeller: Adapter) -> None:
        self.transcript: list[RawAnswer] = []
        """What the models wrote, for whoever keeps the run to take out."""
        self._reasoner = reasoner
        self._labeller = labeller
        self._reasoning = load_prompt("trialyst.matching", "criterion_reasoning")
        self._label = load_prompt("trialyst.matching", "criterion_label")

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self._reasoner.name}+{self._labeller.name}"

    @property
    def adapters(self) -> tuple[Adapter, ...]:
        """Who is sent the note, and who what was reasoned from it."""
        return (self._reasoner, self._labeller)

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        """Judge statements against one note, one result each, in their order."""
        read = note_of(patient)
        quoted = quote_data("note", numbered_note(read))

        async def ask(statement: Statement, responses: list[ModelResponse]) -> str:
            asked = _request(self._reasoning, statement, note=quoted)
            responses.append(await self._reasoner.generate(asked))
            self.transcript.append(to_raw(self._reasoner, asked, [statement], responses[-1]))
            prose = responses[-1].text.strip()
            if not prose:
                raise ModelError(f"{self._reasoner.name} gave an empty answer")
            explained = quote_data("explanation", prose)
            label = _request(self._label, statement, explanation=explained)
            responses.append(await self._labeller.generate(label))
            self.transcript.append(to_raw(self._labeller, label, [statement], responses[-1]))
            return responses[-1].text

        return await _judge_all(read, statements, ask)

    async def requests(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[tuple[Adapter, ModelRequest]]:
        """Give what the models would be asked: two calls a statement, with the longest prose."""
        quoted = quote_data("note", numbered_note(note_of(patient)))
        prose = quote_data("explanation", "x" * _LONGEST_TOKEN * _PROSE_TOKENS)
        return [
            asked
            for each in statements
            for asked in (
                (self._reasoner, _request(self._reasoning, each, note=quoted)),
                (self._labeller, _request(self._label, each, explanation=prose)),
            )
        ]

    async def aclose(self) -> None:
        """Let go of the models' connections."""
        await self._reasoner.aclose()
        await self._labeller.aclose()


def note_of(patient: str | Chart) -> Note:
    """Give the note of a patient, which is all that a model is shown."""
    return parse_note(patient) if isinstance(patient, str) else patient.note


def numbered_note(note: Note) -> str:
    """Give the note with a number before each sentence."""
    return "\n".join(f"{each.number}. {' '.join(each.text.split())}" for each in note.sentences)


def to_raw(
    adapter: Adapter,
    request: ModelRequest,
    statements: Sequence[Statement],
    response: ModelResponse,
) -> RawAnswer:
    """Give what a model wrote of some statements, to be kept."""
    return RawAnswer(
        model=adapter.name,
        prompt=request.prompt,
        trial=statements[0].trial,
        criteria=tuple(each.text for each in statements),
        text=response.text,
        input_tokens=response.input_tokens,
        output_tokens=response.output_tokens,
        cost_usd=response.cost_usd,
    )


Ask = Callable[[Statement, list[ModelResponse]], Awaitable[str]]
"""Gives what the model wrote, and puts every response it took into the list."""


async def _judge_all(
    note: Note, statements: Sequence[Statement], ask: Ask
) -> list[CriterionResult]:
    return list(await asyncio.gather(*(_judge_one(note, each, ask) for each in statements)))


async def _judge_one(note: Note, statement: Statement, ask: Ask) -> CriterionResult:
    began = time.perf_counter()
    responses: list[ModelResponse] = []
    try:
        answer = read_answer(await ask(statement, responses), note)
    except (BudgetExhausted, ModelError) as problem:
        answer = ReadAnswer(Verdict.UNKNOWN, f"{problem.message}.", failed=True)
    costs = [response.cost_usd for response in responses]
    return replace(
        to_result(statement, answer),
        cost_usd=sum(cost or 0.0 for cost in costs),
        cost_known=None not in costs,
        latency_seconds=time.perf_counter() - began,
    )


def to_result(statement: Statement, answer: ReadAnswer) -> CriterionResult:
    """Give what a model said of a statement as a result, without what it cost."""
    unknown = answer.verdict is Verdict.UNKNOWN
    return CriterionResult(
        criterion=statement.text,
        criterion_type=statement.kind,
        verdict=answer.verdict,
        confidence=answer.confidence,
        applicability=answer.applicability,
        sentences=answer.sentences,
        quotes=answer.quotes,
        reasoning=answer.reasoning,
        missing=(answer.missing or _missing(statement)) if unknown else None,
        failure=answer.reasoning if answer.failed else None,
        fabricated_quotes=answer.fabricated,
    )


def _missing(statement: Statement) -> str:
    words = textwrap.shorten(statement.text, _LONGEST_MISSING, placeholder="...")
    return f"whether this holds: {words}"


def _request(prompt: Prompt, statement: Statement, **values: str) -> ModelRequest:
    filled = prompt.fill(
        kind=statement.kind.value, criterion=quote_data("criterion", statement.bound), **values
    )
    in_prose = prompt.name == "criterion_reasoning"
    return ModelRequest(
        prompt.system,
        (UserText(filled),),
        schema=None if in_prose else ANSWER_SCHEMA,
        max_tokens=_PROSE_TOKENS if in_prose else DEFAULT_MAX_TOKENS,
        prompt=prompt.label,
    )
