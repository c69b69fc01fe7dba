"""Criteria of trials put to a judge, whatever the judge does.

A judge that raises, answers too little or speaks of something else leaves criteria open, with the
reason; it never ends a run. Evidence that the note does not hold is dropped and counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.criteria import Criterion, split_criteria
from trialyst.errors import ModelError, TrialystError
from trialyst.matching.alternatives import find_alternatives, settle_alternatives
from trialyst.matching.judging.result import (
    Applicability,
    CriterionResult,
    Judge,
    Statement,
    Verdict,
)

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial
    from trialyst.matching.note import Note

__all__ = ["Judged", "judge_trials"]

_UNSURE = 0.5


class Judged(NamedTuple):
    """The criteria of one trial, and why they could not be judged, if they could not."""

    results: list[CriterionResult]
    problem: str | None = None


async def judge_trials(judge: Judge, note: Note, trials: Sequence[Trial | None]) -> list[Judged]:
    """Judge the criteria of some trials together; after a failure each trial by itself."""
    criteria = [_criteria(trial) for trial in trials]
    asked = [[Statement(item.plain, item.kind) for item in each] for each in criteria]
    together = [statement for each in asked for statement in each]
    try:
        results = iter(await _judge(judge, note, together))
    except TrialystError as problem:
        if len(asked) > 1:
            return [(await judge_trials(judge, note, [trial]))[0] for trial in trials]
        reason = f"{judge.name} could not judge: {problem.message}"
        return [Judged([_open(each, reason) for each in together], reason)]
    return [
        Judged(settle_alternatives([next(results) for _ in each], find_alternatives(each)))
        for each in criteria
    ]


def _criteria(trial: Trial | None) -> Sequence[Criterion]:
    text = trial.eligibility.criteria if trial else None
    return split_criteria(text or "")


async def _judge(
    judge: Judge, note: Note, statements: Sequence[Statement]
) -> list[CriterionResult]:
    """Give one checked result a statement, or raise a TrialystError."""
    if not statements:
        return []
    try:
        results = await judge.judge(note.text, statements)
    except TrialystError:
        raise
    except Exception as problem:
        # Anybody can write a judge: what it raises is not ours to foresee, nor to end a run by.
        raise ModelError(f"{type(problem).__name__}: {problem}") from problem
    # The types are promised, not enforced: a judge may be anybody's.
    given = list(results) if isinstance(results, Sequence) else []  # type: ignore[redundant-expr]
    if len(given) != len(statements):
        raise ModelError(f"{len(given)} answers to {len(statements)} criteria")
    return [_checked(result, each, note) for result, each in zip(given, statements, strict=True)]


def _checked(result: CriterionResult, statement: Statement, note: Note) -> CriterionResult:
    if not _is_answer(result, statement):
        return _open(statement, "The judge's answer is not a verdict on this criterion.")
    quotes = tuple(
        quote
        for quote in result.quotes
        if quote.text and note.text[quote.start : quote.end] == quote.text
    )
    sentences = tuple(number for number in result.sentences if note.sentence(number) is not None)
    sure = result.confidence
    if len(quotes) == len(result.quotes) and sentences == result.sentences and 0 <= sure <= 1:
        return result
    return replace(
        result,
        quotes=quotes,
        sentences=sentences,
        confidence=min(max(sure, 0.0), 1.0) if math.isfinite(sure) else _UNSURE,
        fabricated_quotes=result.fabricated_quotes + len(result.quotes) - len(quotes),
    )


def _is_answer(result: object, statement: Statement) -> bool:
    return (
        isinstance(result, CriterionResult)
        and result.verdict in set(Verdict)
        and result.criterion == statement.text
        and result.criterion_type is statement.kind
    )


def _open(statement: Statement, reason: str) -> CriterionResult:
    return CriterionResult(
        criterion=statement.text,
        criterion_type=statement.kind,
        verdict=Verdict.UNKNOWN,
        confidence=0.0,
        applicability=Applicability.APPLIES,
        sentences=(),
        quotes=(),
        reasoning=reason,
        missing=f"a verdict on: {statement.text}",
    )
