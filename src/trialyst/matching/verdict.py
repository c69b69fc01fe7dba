"""From verdicts on criteria to a verdict on a trial, by one truth table.

In this order: the patient does not have the trial's condition: NOT_RELEVANT; an inclusion
criterion is not met or an exclusion criterion is: EXCLUDED; every inclusion criterion is met, at
least one of the text among them, and no exclusion criterion: ELIGIBLE; otherwise UNCERTAIN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict

__all__ = ["TrialAssessment", "TrialVerdict", "aggregate_to_trial_verdict"]


class TrialVerdict(StrEnum):
    """Whether a patient may take part in a trial, the best first."""

    ELIGIBLE = "ELIGIBLE"
    UNCERTAIN = "UNCERTAIN"
    EXCLUDED = "EXCLUDED"
    NOT_RELEVANT = "NOT_RELEVANT"


@dataclass(frozen=True, slots=True)
class TrialAssessment:
    """A verdict on a trial and what it rests on."""

    verdict: TrialVerdict
    confidence: float
    """The share of criteria decided, each weighted by the confidence of its verdict."""
    deciding: tuple[CriterionResult, ...]
    """What excludes the patient, or what leaves the trial uncertain."""
    missing: tuple[str, ...]
    """The facts that would decide an uncertain trial."""
    to_confirm: tuple[CriterionResult, ...]
    """Open criteria that do not stand in the way: consent, opinion, what concerns others."""
    results: tuple[CriterionResult, ...]


def aggregate_to_trial_verdict(
    results: Sequence[CriterionResult],
    *,
    structured: Sequence[CriterionResult] = (),
    has_condition: bool | None = None,
) -> TrialAssessment:
    """Judge a trial by its criteria.

    Args:
        results: the criteria of the text.
        structured: the registry's own fields of age and sex, which count as inclusion criteria.
        has_condition: False where the patient certainly does not have what the trial is about.
    """
    everything = (*structured, *(r for r in results if r.criterion_type is not CriterionKind.OTHER))
    open_results = [result for result in everything if result.verdict is Verdict.UNKNOWN]
    to_confirm = tuple(r for r in open_results if r.applicability is not Applicability.APPLIES)
    blocking = tuple(r for r in open_results if r.applicability is Applicability.APPLIES)
    disqualifying = tuple(result for result in everything if result.disqualifies)
    deciding: tuple[CriterionResult, ...] = ()
    if has_condition is False:
        verdict = TrialVerdict.NOT_RELEVANT
    elif disqualifying:
        verdict, deciding = TrialVerdict.EXCLUDED, disqualifying
    elif not blocking and _met_in_text(results):
        verdict = TrialVerdict.ELIGIBLE
    else:
        verdict, deciding = TrialVerdict.UNCERTAIN, blocking
    missing = tuple(dict.fromkeys(r.missing or r.criterion for r in blocking))
    return TrialAssessment(
        verdict=verdict,
        confidence=_confidence(everything),
        deciding=deciding,
        missing=missing if verdict is TrialVerdict.UNCERTAIN else (),
        to_confirm=to_confirm,
        results=tuple(everything),
    )


def _met_in_text(results: Sequence[CriterionResult]) -> bool:
    return any(
        result.criterion_type is CriterionKind.INCLUSION and result.verdict is Verdict.MET
        for result in results
    )


def _confidence(results: Sequence[CriterionResult]) -> float:
    counted = [
        result
        for result in results
        if result.applicability is Applicability.APPLIES or result.verdict is not Verdict.UNKNOWN
    ]
    decided = sum(r.confidence for r in counted if r.verdict is not Verdict.UNKNOWN)
    return round(decided / len(counted), 4) if counted else 0.0
