"""The rules judge: deterministic, explained, and at home on this machine.

A criterion is parsed once into a requirement, a note read once into a chart, and the two compared.
Confidence is how often verdicts of the same kind were right on labelled patients, at least
(`calibration.py`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from trialyst.annotation.conditions import annotate_texts
from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.answer import Answer
from trialyst.eligibility.chart import Chart, Problem
from trialyst.eligibility.comparison.touched_entries import TouchedEntries
from trialyst.eligibility.evaluate import Case, Focus, evaluate
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.parse import CriterionParser
from trialyst.eligibility.reading.note import Note
from trialyst.eligibility.reading.reader import NoteReader
from trialyst.eligibility.requirement import Requirement
from trialyst.matching.judging.asked_statement import AskedStatement
from trialyst.matching.judging.calibration import Calibration, calibration_keys, load_calibration
from trialyst.matching.judging.evidence import collect_evidence
from trialyst.matching.judging.facts import open_facts
from trialyst.matching.judging.result import CriterionResult, Statement, Verdict
from trialyst.matching.judging.setting_aside import is_read_in_part, is_set_aside
from trialyst.matching.judging.washout import days_until_clear
from trialyst.vocabulary.relations import Relation, Relations

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["RulesJudge"]

_SAME_DISEASE = frozenset({Relation.SAME, Relation.NARROWER, Relation.WIDER})
_REMEMBERED = 20_000
"""Criteria whose requirement is kept: those of about a thousand trials."""


class RulesJudge:
    """Judges criteria by rules; keep one for many notes."""

    name = "rules"

    def __init__(self, vocabulary: Vocabulary, *, calibration: Calibration | None = None) -> None:
        self._lexicon = Lexicon(vocabulary)
        self._reader = NoteReader(self._lexicon)
        self._relations = Relations(vocabulary)
        self._calibration = load_calibration() if calibration is None else calibration
        self.parse = lru_cache(_REMEMBERED)(CriterionParser(self._lexicon).parse)
        self.focus = lru_cache(_REMEMBERED)(self._focus)
        self._last: tuple[str | Note, Chart] | None = None
        self._cases: dict[tuple[bool, bool], Case] = {}
        self._bearing: TouchedEntries | None = None
        self._sure: dict[tuple[str, ...], float] = {}

    def prepare(self) -> RulesJudge:
        """Do now what the first criteria would wait for; for those who judge many."""
        chart = self.read("A 50-year-old woman with breast cancer. Her hemoglobin is 11 g/dL.")
        self.judge_one(chart, Statement("Platelets >= 100 x 10^9/L", CriterionKind.INCLUSION))
        return self

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        """Judge statements against a note or a chart, one result each, in their order."""
        return await asyncio.to_thread(self.judge_all, patient, statements)

    def judge_all(
        self, patient: str | Note | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        """Judge statements; a note is read once for calls one after the other."""
        chart = patient if isinstance(patient, Chart) else self._read_once(patient)
        return [self.judge_one(chart, statement) for statement in statements]

    def _read_once(self, note: str | Note) -> Chart:
        last = self._last
        if last is None or last[0] != note:
            last = self._last = note, self.read(note)
        return last[1]

    def read(self, note: str | Note) -> Chart:
        """Read a note for judging; raises InvalidInput for what is no note."""
        return self._reader.read(note)

    def judge_one(self, chart: Chart, statement: Statement) -> CriterionResult:
        """Judge one statement against a chart."""
        asked = self._ask(statement)
        case = self._case(chart, asked.focus, exclusion=asked.exclusion)
        touched = asked.touches(case)
        known = None if touched else asked.recall(case)
        if known is None:
            known, answer = self._compare(statement, asked, case)
            if not touched:
                asked.keep(case, known, answer.evidence)
        return known

    def _ask(self, statement: Statement) -> AskedStatement:
        """Give what is known of a statement; the same object is asked of many patients."""
        known: AskedStatement | None = statement.kept.get(self)
        if known is None:
            known = AskedStatement(
                statement.kind, self.requirement_of(statement), self._focus_of(statement)
            )
            statement.kept[self] = known
        return known

    def _compare(
        self, statement: Statement, asked: AskedStatement, case: Case
    ) -> tuple[CriterionResult, Answer]:
        started = time.perf_counter()
        requirement, exclusion = asked.requirement, asked.exclusion
        answer = evaluate(requirement, case)
        sentences, quotes = collect_evidence(case.chart.note, answer.evidence)
        facts = _facts(requirement, answer, case)
        disqualifies = answer.verdict is (Verdict.MET if exclusion else Verdict.NOT_MET)
        result = CriterionResult(
            criterion=statement.text,
            criterion_type=statement.kind,
            verdict=answer.verdict,
            confidence=self._confidence(asked, answer),
            applicability=answer.applicability,
            sentences=sentences,
            quotes=quotes,
            reasoning=answer.why or "The note does not tell.",
            missing="; ".join(facts) or None,
            facts=facts,
            reading=asked.reading,
            leaf=answer.leaf.partition("/")[0],
            basis=answer.basis.value,
            about_condition=self._is_about_condition(asked, answer),
            set_aside=is_set_aside(requirement, answer),
            read_in_part=is_read_in_part(requirement, answer, exclusion=exclusion),
            clears_in_days=days_until_clear(requirement, answer.evidence, exclusion=exclusion)
            if disqualifies
            else None,
            latency_seconds=time.perf_counter() - started,
        )
        return result, answer

    def _confidence(self, asked: AskedStatement, answer: Answer) -> float:
        keys = calibration_keys(asked.kind, asked.shape, answer)
        known = self._sure.get(keys)
        if known is None:
            known = self._sure[keys] = round(self._calibration.confidence_of(keys), 3)
        return known

    def _is_about_condition(self, asked: AskedStatement, answer: Answer) -> bool:
        """Whether an inclusion is met by a condition that the trial is about."""
        inclusion = asked.kind is CriterionKind.INCLUSION
        if not inclusion or answer.verdict is not Verdict.MET:
            return False
        focus = asked.focus.conditions
        held = [each.what for each in answer.evidence if isinstance(each, Problem)]
        return any(
            self._relations.relate(what, each) in _SAME_DISEASE for what in held for each in focus
        )

    def answer(
        self, chart: Chart, statement: Statement, *, stated_only: bool = False
    ) -> tuple[Requirement, Answer]:
        """Parse a statement and compare it with a chart, or with what is stated in it alone."""
        asked = self._ask(statement)
        case = self._case(chart, asked.focus, exclusion=asked.exclusion, stated_only=stated_only)
        return asked.requirement, evaluate(asked.requirement, case)

    def _case(
        self, chart: Chart, focus: Focus, *, exclusion: bool, stated_only: bool = False
    ) -> Case:
        """Give what a statement is compared with, the same for criteria of one side in a row."""
        side = exclusion, stated_only
        case = self._cases.get(side)
        if case is None or case.chart is not chart or case.focus is not focus:
            case = self._cases[side] = Case(
                chart,
                self._relations,
                exclusion=exclusion,
                focus=focus,
                stated_only=stated_only,
                found=self._bearing_of(chart),
            )
        return case

    def _bearing_of(self, chart: Chart) -> TouchedEntries:
        """Give what bears on terms of the chart under judgement, found once for all trials."""
        known = self._bearing
        if known is None or known.chart is not chart:
            known = self._bearing = TouchedEntries(chart, self._relations)
        return known

    def _focus_of(self, statement: Statement) -> Focus:
        if statement.focus is not None:
            return statement.focus
        return self.focus(statement.title, statement.conditions)

    def requirement_of(self, statement: Statement) -> Requirement:
        """Give what a statement demands, read now where nobody did before."""
        if statement.requirement is not None:
            return statement.requirement
        excludes = statement.kind is CriterionKind.EXCLUSION
        return self.parse(statement.text, opening=statement.opening, excludes=excludes)

    def _focus(self, title: str, conditions: tuple[str, ...]) -> Focus:
        read = annotate_texts(title, conditions, lexicon=self._lexicon, relations=self._relations)
        return Focus(conditions=read.focus or read.concepts)


def _facts(requirement: Requirement, answer: Answer, case: Case) -> tuple[str, ...]:
    """Give the facts that would decide what is open."""
    if answer.verdict is not Verdict.UNKNOWN or not answer.asked:
        return ()
    return open_facts(
        requirement, lambda leaf: answer if leaf is requirement else evaluate(leaf, case)
    )
