"""A judge for the tests, opened once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.judging.result import CriterionResult, Statement
from trialyst.vocabulary import open_vocabulary


@cache
def judge() -> RulesJudge:
    """Give the rules judge with the shipped vocabulary."""
    return RulesJudge(open_vocabulary(Path(mkdtemp(prefix="trialyst-judging-"))))


def judged(note: str, criterion: str, kind: str = "inclusion") -> CriterionResult:
    """Judge one criterion."""
    (result,) = judge().judge_all(note, [Statement(criterion, CriterionKind(kind))])
    return result


def verdict(note: str, criterion: str, kind: str = "inclusion") -> str:
    """Give the verdict alone."""
    return judged(note, criterion, kind).verdict.value
