"""A judge for the tests, opened once."""

from __future__ import annotations

from functools import cache

from tests.shipped import shipped_vocabulary
from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.judging.result import CriterionResult, Statement


@cache
def judge() -> RulesJudge:
    """Give the rules judge with the shipped vocabulary."""
    return RulesJudge(shipped_vocabulary())


def judged(note: str, criterion: str, kind: str = "inclusion") -> CriterionResult:
    """Judge one criterion."""
    (result,) = judge().judge_all(note, [Statement(criterion, CriterionKind(kind))])
    return result


def verdict(note: str, criterion: str, kind: str = "inclusion") -> str:
    """Give the verdict alone."""
    return judged(note, criterion, kind).verdict.value
