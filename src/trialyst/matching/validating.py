"""Criteria of trials put to a judge, whatever the judge does.

A judge that raises, answers too little or speaks of something else leaves criteria open, with the
reason; it never ends a run. Evidence that the note does not hold is dropped and counted.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.criteria import decode_criteria, read_structure, structure_of
from trialyst.eligibility.criterion_lists import CriteriaList
from trialyst.errors import ModelError, TrialystError
from trialyst.matching.judging.result import (
    Applicability,
    CriterionResult,
    Judge,
    Statement,
    Verdict,
)
from trialyst.matching.settling import set_list_apart, settle_alternatives, settle_list

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial
    from trialyst.eligibility.chart import Chart
    from trialyst.eligibility.evaluate import Focus
    from trialyst.eligibility.reading.note import Note

__all__ = ["Judged", "Known", "ReadTrials", "judge_trials", "open_statements"]

_UNSURE = 0.5
_KEPT = 4_000
"""Trials whose criteria are kept in memory: patients are judged for the same ones."""


class Judged(NamedTuple):
    """The criteria of one trial, and why they could not be judged, if they could not."""

    results: list[CriterionResult]
    problem: str | None = None


Known = Mapping[Statement, Sequence[CriterionResult]]
"""What an earlier run said of the criteria of a trial; of the same text in their order."""
_NOTHING: Known = {}
_VERDICTS = frozenset(Verdict)


class ReadTrials(NamedTuple):
    """What was read of trials before they are judged, by id."""

    criteria: Mapping[str, bytes] = {}
    """As `TrialSource.kept_criteria` gives them."""
    focus: Mapping[str, Focus] = {}
    """What they are about."""


_UNREAD = ReadTrials()


def open_statements(
    trial: Trial | None, *, known: Known = _NOTHING, read: ReadTrials = _UNREAD
) -> list[Statement]:
    """Give the criteria of a trial that `judge_trials` would put to a judge."""
    return list(_Sheet(trial, known, read).asked.values())


async def judge_trials(
    judge: Judge,
    chart: Chart,
    trials: Sequence[Trial | None],
    *,
    known: Sequence[Known] = (),
    read: ReadTrials = _UNREAD,
    jointly: bool = True,
) -> list[Judged]:
    """Judge the criteria of some trials together; after a failure each trial by itself.

    Args:
        known: what was said of each trial before; of that only what has no verdict is asked again.
        read: what need not be read again.
        jointly: False to put each trial to the judge by itself, all at the same time.
    """
    before = list(known) or [_NOTHING for _ in trials]
    if not jointly and len(trials) > 1:
        each_alone = (
            judge_trials(judge, chart, [trial], known=[said], read=read)
            for trial, said in zip(trials, before, strict=True)
        )
        return [judged for (judged,) in await asyncio.gather(*each_alone)]
    sheets = [_Sheet(trial, said, read) for trial, said in zip(trials, before, strict=True)]
    together = [statement for sheet in sheets for statement in sheet.asked.values()]
    problem: str | None = None
    try:
        results = iter(await _judge(judge, chart, together))
    except TrialystError as failure:
        if len(trials) > 1:
            return [
                (await judge_trials(judge, chart, [trial], known=[said], read=read))[0]
                for trial, said in zip(trials, before, strict=True)
            ]
        problem = f"{judge.name} could not judge: {failure.message}"
        results = iter([_open(each, problem) for each in together])
    return [Judged(sheet.settle(results), problem) for sheet in sheets]


class _Blank:
    """The criteria of a trial before anybody is judged: the same for every patient."""

    def __init__(self, trial: Trial | None, encoded: bytes | None, focus: Focus | None) -> None:
        text = (trial and trial.eligibility.criteria) or ""
        kept = () if encoded is None else decode_criteria(encoded, text)
        structure = read_structure(text) if encoded is None else structure_of(kept)
        self.criteria, self.lists, self.groups, openings = structure
        plain = [Statement(each.plain, each.kind) for each in self.criteria]
        self.results = [_open(each, "It only opens a list.") for each in plain]
        silent = {each.parent for each in self.lists if each.bare}
        self.statements = [
            replace(
                statement,
                opening=openings.get(place),
                title=(trial and trial.brief_title) or "",
                conditions=trial.conditions if trial else (),
                trial=trial.nct_id if trial else "",
                requirement=kept[place].requirement if kept else None,
                focus=focus,
            )
            for place, statement in enumerate(plain)
        ]
        self.asked = {
            place: statement
            for place, statement in enumerate(self.statements)
            if place not in silent and statement.kind is not CriterionKind.OTHER
        }
        steps = sorted(self._steps(), key=lambda step: step[0])
        self.steps = [item for _, item in steps]

    def _steps(self) -> Iterator[tuple[tuple[int, int], CriteriaList | tuple[int, ...]]]:
        """Give lists and alternatives, the innermost first."""
        for found in self.lists:
            yield (-self.criteria[found.parent].depth, 0), found
        for group in self.groups:
            yield (-self.criteria[group[0]].depth, 1), group


_blanks: OrderedDict[str, tuple[Trial, bytes | None, Focus | None, _Blank]] = OrderedDict()
_NO_TRIAL = _Blank(None, None, None)


def _blank_of(trial: Trial | None, read: ReadTrials) -> _Blank:
    """Give the criteria of a trial; of one that is the same as before, the same again."""
    if trial is None:
        return _NO_TRIAL
    encoded, focus = read.criteria.get(trial.nct_id), read.focus.get(trial.nct_id)
    known = _blanks.get(trial.nct_id)
    if known is None or not (
        known[1] == encoded and known[2] == focus and _is_alike(known[0], trial)
    ):
        known = _blanks[trial.nct_id] = (trial, encoded, focus, _Blank(trial, encoded, focus))
        if len(_blanks) > _KEPT:
            _blanks.popitem(last=False)
    return known[3]


def _is_alike(one: Trial, other: Trial) -> bool:
    """Whether two editions of a trial ask the same."""
    return one is other or (
        one.eligibility.criteria == other.eligibility.criteria
        and one.brief_title == other.brief_title
        and one.conditions == other.conditions
    )


class _Sheet:
    """The criteria of a trial for one patient: which are asked, and what all of them come to."""

    def __init__(self, trial: Trial | None, known: Known, read: ReadTrials) -> None:
        self._blank = blank = _blank_of(trial, read)
        self._before: dict[int, CriterionResult] = {}
        if known:
            said = {each: iter(results) for each, results in known.items()}
            for place, each in enumerate(blank.criteria):
                before = next(said.get(Statement(each.plain, each.kind), iter(())), None)
                if before is not None:
                    self._before[place] = before
        held = {place for place in self._before if self._holds(place)}
        self._held = held
        self.asked = (
            {place: each for place, each in blank.asked.items() if place not in held}
            if held
            else blank.asked
        )

    def _holds(self, place: int) -> bool:
        """Whether an earlier verdict stands as the judge gave it."""
        blank = self._blank
        changed = any(place in each.changed for each in blank.lists)
        return (
            self._before[place].is_judged
            and not changed
            and not any(place in group for group in blank.groups)
        )

    def settle(self, results: Iterator[CriterionResult]) -> list[CriterionResult]:
        """Take the next results for what was asked, and give every criterion its own."""
        blank = self._blank
        settled = list(blank.results)
        for place in self.asked:
            settled[place] = _with_cost(next(results), self._before.get(place))
        for place in self._held:
            settled[place] = self._before[place]
        for item in blank.steps:
            if isinstance(item, CriteriaList):
                settle_list(settled, item)
            else:
                settled[:] = settle_alternatives(settled, [item])
        for found in reversed(blank.lists):
            set_list_apart(settled, found)
        return settled


def _with_cost(result: CriterionResult, before: CriterionResult | None) -> CriterionResult:
    """Add what an earlier answer cost, which was paid all the same."""
    if before is None or (before.cost_known and not before.cost_usd):
        return result
    return replace(
        result,
        cost_usd=result.cost_usd + before.cost_usd,
        cost_known=result.cost_known and before.cost_known,
    )


async def _judge(
    judge: Judge, chart: Chart, statements: Sequence[Statement]
) -> list[CriterionResult]:
    """Give one checked result a statement, or raise a TrialystError."""
    if not statements:
        return []
    try:
        results = await judge.judge(chart, statements)
    except TrialystError:
        raise
    except Exception as problem:
        # Anybody can write a judge: what it raises is not ours to foresee, nor to end a run by.
        raise ModelError(f"{type(problem).__name__}: {problem}") from problem
    # The types are promised, not enforced: a judge may be anybody's.
    given = list(results) if isinstance(results, Sequence) else []  # type: ignore[redundant-expr]
    if len(given) != len(statements):
        raise ModelError(f"{len(given)} answers to {len(statements)} criteria")
    note = chart.note
    return [_checked(result, each, note) for result, each in zip(given, statements, strict=True)]


def _checked(result: CriterionResult, statement: Statement, note: Note) -> CriterionResult:
    if not _is_answer(result, statement):
        return _open(statement, "The judge's answer is not a verdict on this criterion.")
    if not result.quotes and not result.sentences and 0 <= result.confidence <= 1:
        return result
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
        and result.verdict in _VERDICTS
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
