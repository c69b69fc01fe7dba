"""The rules judge: deterministic, explained, and at home on this machine.

A criterion is parsed once into a requirement, a note read once into a chart, and the two compared.
Confidence is how often verdicts that rest on the same were right on labelled patients
(`data/judge_confidence.json`, made by `tools/calibrate_judge.py`).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from trialyst.annotation.conditions import annotate_texts
from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.answer import Answer
from trialyst.eligibility.chart import Chart
from trialyst.eligibility.evaluate import Focus, evaluate
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.parse import CriterionParser
from trialyst.eligibility.reading.note import Note
from trialyst.eligibility.reading.reader import NoteReader
from trialyst.eligibility.render import render_requirement
from trialyst.eligibility.requirement import Requirement
from trialyst.matching.judging.evidence import collect_evidence
from trialyst.matching.judging.result import CriterionResult, Statement, Verdict
from trialyst.vocabulary.relations import Relations

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["Calibration", "RulesJudge", "calibration_key", "load_calibration", "to_digest"]

_PRIOR = 0.75
_PRIOR_WEIGHT = 4
_REMEMBERED = 20_000
"""Criteria whose requirement is kept: those of about a thousand trials."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How often verdicts of each kind were right on labelled rows, and on whose."""

    counts: dict[str, tuple[int, int]]
    """By type, leaf, basis and verdict: right, all."""
    patients: frozenset[str]
    """Digests of the patients that tables were fitted on."""

    def confidence(self, kind: CriterionKind, answer: Answer) -> float:
        """Give the share of right verdicts to expect."""
        right, n = self.counts.get(calibration_key(kind, answer), (0, 0))
        return (right + _PRIOR * _PRIOR_WEIGHT) / (n + _PRIOR_WEIGHT)


def calibration_key(kind: CriterionKind, answer: Answer) -> str:
    """Name what is calibrated together."""
    leaf = answer.leaf.partition("/")[0]
    return f"{kind.value}/{leaf}/{answer.basis.value}/{answer.verdict.value}"


@cache
def load_calibration() -> Calibration:
    """Read the shipped calibration."""
    path = files("trialyst.matching").joinpath("data", "judge_confidence.json")
    held = json.loads(path.read_text("utf-8"))
    counts = {name: (right, n) for name, (right, n) in held["counts"].items()}
    return Calibration(counts, frozenset(held["patients"]))


def to_digest(patient_id: str) -> str:
    """Give the digest under which a patient is known to have been seen."""
    return hashlib.sha256(patient_id.encode()).hexdigest()[:12]


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
        started = time.perf_counter()
        requirement, answer = self.answer(chart, statement)
        sentences, quotes = collect_evidence(chart.note, answer.evidence)
        unknown = answer.verdict is Verdict.UNKNOWN
        return CriterionResult(
            criterion=statement.text,
            criterion_type=statement.kind,
            verdict=answer.verdict,
            confidence=round(self._calibration.confidence(statement.kind, answer), 3),
            applicability=answer.applicability,
            sentences=sentences,
            quotes=quotes,
            reasoning=answer.why or "The note does not tell.",
            missing=(answer.missing or "more about the patient") if unknown else None,
            reading=render_requirement(requirement),
            latency_seconds=time.perf_counter() - started,
        )

    def answer(
        self, chart: Chart, statement: Statement, *, stated_only: bool = False
    ) -> tuple[Requirement, Answer]:
        """Parse a statement and compare it with a chart, or with what is stated in it alone."""
        requirement = self.requirement_of(statement)
        answer = evaluate(
            requirement,
            chart,
            self._relations,
            exclusion=statement.kind is CriterionKind.EXCLUSION,
            focus=self.focus(statement.title, statement.conditions),
            stated_only=stated_only,
        )
        return requirement, answer

    def requirement_of(self, statement: Statement) -> Requirement:
        """Give what a statement demands, read now where nobody did before."""
        if statement.requirement is not None:
            return statement.requirement
        excludes = statement.kind is CriterionKind.EXCLUSION
        return self.parse(statement.text, opening=statement.opening, excludes=excludes)

    def _focus(self, title: str, conditions: tuple[str, ...]) -> Focus:
        read = annotate_texts(title, conditions, lexicon=self._lexicon, relations=self._relations)
        return Focus(conditions=read.focus or read.concepts)
