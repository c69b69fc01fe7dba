"""The rules judge: deterministic, explained, and at home on this machine.

Confidence is how often the rule that spoke was right on labelled patients, drawn towards the
average where it spoke seldom (`data/judge_confidence.json`, made by `tools/calibrate_judge.py`).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.reading.note import Note
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.evidence import collect_evidence
from trialyst.matching.judging.lexicon import prepare_lexicon
from trialyst.matching.judging.result import CriterionResult, Statement, Verdict
from trialyst.matching.judging.rules import decide, open_case
from trialyst.matching.judging.statement import read_statement
from trialyst.matching.judging.view import NoteView, read_view

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["Calibration", "RulesJudge", "calibration_key", "load_calibration", "to_digest"]

_USUAL_NOTE = "A 50-year-old woman with fever and a cough. Her hemoglobin is 11 g/dL."
_USUAL_CRITERIA = ("Pneumonia", "Platelets >= 100 x 10^9/L", "HER2-positive breast cancer")
"""What makes the rules look into every table they have."""
_PRIOR = 0.75
_PRIOR_WEIGHT = 4
_LONGEST_MISSING = 120


@dataclass(frozen=True, slots=True)
class Calibration:
    """How often each rule was right on labelled rows, and on whose."""

    counts: dict[str, tuple[int, int]]
    """By type, rule and verdict: right, all."""
    patients: frozenset[str]
    """Digests of the patients the rules were developed with."""

    def confidence(self, kind: CriterionKind, decision: Decision) -> float:
        """Give the share of right verdicts to expect."""
        right, n = self.counts.get(calibration_key(kind, decision), (0, 0))
        return (right + _PRIOR * _PRIOR_WEIGHT) / (n + _PRIOR_WEIGHT)


def calibration_key(kind: CriterionKind, decision: Decision) -> str:
    """Name what is calibrated together."""
    return f"{kind.value}/{decision.rule}/{decision.verdict.value}"


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
        self._vocabulary = vocabulary
        self._calibration = load_calibration() if calibration is None else calibration
        self._last: tuple[str | Note, NoteView] | None = None

    def prepare(self) -> RulesJudge:
        """Do now what the first criteria would wait for; for those who judge many."""
        prepare_lexicon()
        view = self.read(_USUAL_NOTE)
        for text in _USUAL_CRITERIA:
            self.judge_one(view, Statement(text, CriterionKind.INCLUSION))
        return self

    async def judge(self, note: str, statements: Sequence[Statement]) -> list[CriterionResult]:
        """Judge statements against one note, one result each, in their order."""
        return await asyncio.to_thread(self.judge_all, note, statements)

    def judge_all(self, note: str | Note, statements: Sequence[Statement]) -> list[CriterionResult]:
        """Judge statements against one note, which is read once for calls one after the other."""
        last = self._last
        if last is None or last[0] != note:
            last = self._last = note, self.read(note)
        return [self.judge_one(last[1], statement) for statement in statements]

    def read(self, note: str | Note) -> NoteView:
        """Read a note for judging; raises InvalidInput for what is no note."""
        return read_view(note, self._vocabulary)

    def judge_one(self, view: NoteView, statement: Statement) -> CriterionResult:
        """Judge one statement against a note that was read."""
        started = time.perf_counter()
        case = open_case(read_statement(statement.text), statement.kind, view)
        decision = decide(case)
        return self._result(statement, case, decision, started)

    def _result(
        self, statement: Statement, case: Case, decision: Decision, started: float
    ) -> CriterionResult:
        sentences, quotes = collect_evidence(case, decision)
        unknown = decision.verdict is Verdict.UNKNOWN
        return CriterionResult(
            criterion=statement.text,
            criterion_type=statement.kind,
            verdict=decision.verdict,
            confidence=round(self._calibration.confidence(statement.kind, decision), 3),
            applicability=decision.applicability,
            sentences=sentences,
            quotes=quotes,
            reasoning=decision.reason,
            missing=_missing(statement, decision) if unknown else None,
            latency_seconds=time.perf_counter() - started,
        )


def _missing(statement: Statement, decision: Decision) -> str:
    """Say what would decide a criterion the note leaves open."""
    if decision.missing is not None:
        return decision.missing
    words = " ".join(statement.text.split())
    if len(words) > _LONGEST_MISSING:
        words = words[: _LONGEST_MISSING - 3].rsplit(" ", 1)[0] + "..."
    return f"whether this holds: {words}"
