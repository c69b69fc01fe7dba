"""A verdict on a criterion as plain JSON values; what is absent or empty is left out."""

from __future__ import annotations

from typing import Any

from trialyst.matching.judging.result import CriterionResult

__all__ = ["to_criterion_view", "to_result_view"]

_ORIGIN = {"source": "note", "synthetic": False, "complete": True}


def to_result_view(result: CriterionResult) -> dict[str, Any]:
    """Give a verdict with its evidence."""
    view = {
        "criterion": result.criterion,
        "criterion_type": result.criterion_type.value,
        "reading": result.reading or None,
        "verdict": result.verdict.value,
        "confidence": result.confidence,
        "applicability": result.applicability.value,
        "disqualifies": result.disqualifies,
        "possible": result.possible or None,
        "reasoning": result.reasoning,
        "missing": result.missing,
        "failure": result.failure,
        "evidence_sentences": list(result.sentences),
        "evidence": [{"sentence": quote.sentence, "text": quote.text} for quote in result.quotes],
    }
    return {name: value for name, value in view.items() if value is not None}


def to_criterion_view(result: CriterionResult, *, judge: str) -> dict[str, Any]:
    """Give a verdict on one criterion asked for by itself, and who judged."""
    return {
        **to_result_view(result),
        "judge": judge,
        "understood": {},
        "provenance": {
            **_ORIGIN,
            "notes": ["For research only; a verdict speaks of the statement, not of eligibility."],
        },
        "next": [],
    }
