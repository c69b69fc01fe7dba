"""Criteria judged against a note: the judge protocol, the rules judge, verdicts with reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.matching.judging.model import ModelJudge, TwoStageJudge
    from trialyst.matching.judging.result import (
        Applicability,
        CriterionResult,
        Judge,
        Quote,
        Statement,
        Verdict,
        evaluate_criterion,
    )

__all__ = [
    "Applicability",
    "CriterionResult",
    "Judge",
    "ModelJudge",
    "Quote",
    "Statement",
    "TwoStageJudge",
    "Verdict",
    "evaluate_criterion",
]

_HOMES = {
    "model": ("ModelJudge", "TwoStageJudge"),
    "result": (
        "Applicability",
        "CriterionResult",
        "Judge",
        "Quote",
        "Statement",
        "Verdict",
        "evaluate_criterion",
    ),
}

__getattr__ = lazy_names(__name__, _HOMES)
