"""Judges of a benchmark run: opened by name, capped, counted, and stopped by a spent budget.

`ModelJudge` turns every failure into UNKNOWN. A run must tell a verdict from a failure and an
unasked row from both, so each row is judged through a probe that sees what happened.
"""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from trialyst.eligibility.chart import Chart
from trialyst.errors import BudgetExhausted, InvalidInput, ModelError
from trialyst.llm.adapter import Adapter, ModelRequest, ModelResponse
from trialyst.llm.prompts import load_prompt
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.judging.model import ModelJudge, TwoStageJudge
from trialyst.matching.judging.result import CriterionResult, Judge, Statement

if TYPE_CHECKING:
    from trialyst.benchmark.config import ModelConfig
    from trialyst.llm.budget import Meter
    from trialyst.llm.endpoint import Endpoint
    from trialyst.llm.pricing import Price
    from trialyst.settings import Settings

__all__ = [
    "BenchmarkJudge",
    "BudgetStop",
    "Judged",
    "ModelRows",
    "RulesRows",
    "StrictJudge",
    "open_rows_judge",
]


class BudgetStop(Exception):
    """The budget is spent: a row was not judged. Not one of the errors a judge turns to UNKNOWN."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of one row, and what the model took for it."""

    result: CriterionResult
    input_tokens: int = 0
    output_tokens: int = 0
    problem: str | None = None
    """Why a model gave no verdict; None where it gave one."""
    answers: tuple[str, ...] = ()
    """What models wrote, word for word."""
    is_last: bool = False
    """Whether the model will give no other verdict either."""

    @property
    def failed(self) -> bool:
        """Whether there is no verdict: the model failed, or what it wrote cannot be read."""
        return self.problem is not None or not self.result.is_judged


class BenchmarkJudge(Protocol):
    """A judge as a run uses it."""

    @property
    def name(self) -> str:
        """What to call it in reports."""
        ...

    @property
    def whole_notes(self) -> bool:
        """Whether the criteria of a note are best judged together."""
        ...

    @property
    def adapters(self) -> tuple[Adapter, ...]:
        """The models asked; none for rules."""
        ...

    @property
    def prompts(self) -> tuple[str, ...]:
        """The prompts in use, which decide the answers as much as the model."""
        ...

    async def judge_rows(self, note: str, statements: Sequence[Statement]) -> list[Judged]:
        """Judge statements against one note; raises BudgetStop where nothing may be sent."""
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...


class RulesRows:
    """The rules judge, which costs nothing."""

    whole_notes = True
    adapters: tuple[Adapter, ...] = ()
    prompts: tuple[str, ...] = ()

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        """Its name."""
        return self._judge.name

    async def judge_rows(self, note: str, statements: Sequence[Statement]) -> list[Judged]:
        """Judge the statements together."""
        return [Judged(result) for result in await self._judge.judge(note, statements)]

    async def aclose(self) -> None:
        """Nothing to let go of."""


class ModelRows:
    """One model, or two in turn, asked row by row."""

    whole_notes = False

    def __init__(self, adapters: tuple[Adapter, ...], *, max_tokens: int | None = None) -> None:
        self.adapters = adapters
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        """The names of its models."""
        return "+".join(adapter.name for adapter in self.adapters)

    @property
    def prompts(self) -> tuple[str, ...]:
        """Name, version and digest of each prompt."""
        two = ("criterion_reasoning", "criterion_label")
        names = ("criterion",) if len(self.adapters) == 1 else two
        loaded = [load_prompt("trialyst.matching", name) for name in names]
        return tuple(f"{prompt.label} {prompt.digest}" for prompt in loaded)

    async def judge_rows(self, note: str, statements: Sequence[Statement]) -> list[Judged]:
        """Judge the statements one after the other."""
        return [await self._judge_row(note, statement) for statement in statements]

    async def _judge_row(self, note: str, statement: Statement) -> Judged:
        probes = [_Probe(adapter, self._max_tokens) for adapter in self.adapters]
        judge = ModelJudge(probes[0]) if len(probes) == 1 else TwoStageJudge(*probes)
        (result,) = await judge.judge(note, [statement])
        return Judged(
            result,
            input_tokens=sum(probe.input_tokens for probe in probes),
            output_tokens=sum(probe.output_tokens for probe in probes),
            answers=tuple(each.text for each in judge.transcript),
            problem=next((probe.problem for probe in probes if probe.problem), None),
            is_last=any(getattr(adapter, "given_up", False) for adapter in self.adapters),
        )

    async def aclose(self) -> None:
        """Let go of the models' connections."""
        for adapter in self.adapters:
            await adapter.aclose()


class StrictJudge:
    """A judge that stops where a benchmark judge fails for good or may not go on.

    A single failed row is UNKNOWN, and counted.
    """

    def __init__(self, rows: BenchmarkJudge) -> None:
        self._rows = rows
        self._answered = False
        self.failures = 0

    @property
    def name(self) -> str:
        """What to call it in reports."""
        return self._rows.name

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        """Judge statements against one note, one result each, in their order.

        Raises:
            BudgetExhausted: the budget is spent.
            ModelError: the model never answered, or does not any more.
        """
        note = patient if isinstance(patient, str) else patient.note.text
        parts = [statements] if self._rows.whole_notes else [[each] for each in statements]
        asked = [await self._settle(note, part) for part in parts[:1]]
        # Calls under way are waited for: a spent budget for one does not waste those that it paid.
        asked += await gather(*(self._settle(note, part) for part in parts[1:]))
        spent = next((each for each in asked if isinstance(each, BudgetStop)), None)
        if spent is not None:
            raise BudgetExhausted(str(spent))
        judged = [each for part in asked if not isinstance(part, BudgetStop) for each in part]
        self._answered = self._answered or any(each.problem is None for each in judged)
        failed = [each for each in judged if each.problem is not None]
        if failed and (failed[-1].is_last or not self._answered):
            raise ModelError(str(failed[-1].problem).rstrip("."))
        self.failures += sum(each.failed for each in judged)
        return [each.result for each in judged]

    async def _settle(self, note: str, part: Sequence[Statement]) -> list[Judged] | BudgetStop:
        try:
            return await self._rows.judge_rows(note, part)
        except BudgetStop as spent:
            return spent


class _Probe:
    """An adapter for one row: caps the answers and sees what came of them."""

    def __init__(self, adapter: Adapter, max_tokens: int | None) -> None:
        self._adapter = adapter
        self._max_tokens = max_tokens
        self.input_tokens = 0
        self.output_tokens = 0
        self.problem: str | None = None

    @property
    def name(self) -> str:
        return self._adapter.name

    @property
    def endpoint(self) -> Endpoint:
        return self._adapter.endpoint

    @property
    def price(self) -> Price | None:
        return self._adapter.price

    async def generate(self, request: ModelRequest) -> ModelResponse:
        if self._max_tokens is not None:
            request = replace(request, max_tokens=self._max_tokens)
        try:
            response = await self._adapter.generate(request)
        except BudgetExhausted as spent:
            raise BudgetStop(spent.message) from None
        except ModelError as failed:
            hint = failed.hint if failed.hint != ModelError.hint else ""
            self.problem = f"{failed.message}. {hint}".strip()
            raise
        self.input_tokens += response.input_tokens
        self.output_tokens += response.output_tokens
        return response

    async def aclose(self) -> None:
        """The adapter outlives the row."""


def open_rows_judge(
    choice: ModelConfig, settings: Settings, *, meter: Meter | None = None
) -> BenchmarkJudge:
    """Open a judge by name: `rules`, `provider:model` or `provider:model+provider:model`.

    Nothing is sent yet.

    Raises:
        InvalidInput: the name names no judge, or a key is not set.
        ModelError: the libraries that speak to models are not installed.
    """
    if choice.name.strip().lower() == RulesJudge.name:
        from trialyst.vocabulary import open_vocabulary

        return RulesRows(RulesJudge(open_vocabulary(settings.home)).prepare())
    names = choice.name.split("+")
    if len(names) > 2:
        raise InvalidInput(
            f"{choice.name!r} names {len(names)} models",
            hint="Name one model, or two joined by +: the first reasons, the second labels.",
            invalid_input=choice.name,
        )
    return _open_models(names, choice, settings, meter)


def _open_models(
    names: Sequence[str], choice: ModelConfig, settings: Settings, meter: Meter | None
) -> ModelRows:
    from trialyst.llm.calling import CallLimits
    from trialyst.llm.opening import open_adapter

    limits = CallLimits(timeout=settings.llm_timeout, concurrency=choice.max_concurrent)
    try:
        adapters = tuple(open_adapter(name, settings, meter=meter, limits=limits) for name in names)
    except InvalidInput as wrong:
        if ":" in choice.name:
            raise
        raise InvalidInput(
            f"There is no judge {choice.name!r}",
            hint=f"Use {RulesJudge.name}, or {wrong.hint[:1].lower()}{wrong.hint[1:]}",
            invalid_input=choice.name,
        ) from None
    return ModelRows(adapters, max_tokens=choice.max_tokens)
