"""From verdicts on criteria to a verdict on a trial, by one truth table.

In this order: the patient does not have the trial's condition: NOT_RELEVANT; a criterion surely
disqualifies: EXCLUDED; every inclusion criterion is met, one of them by the condition the trial is
about, nothing disqualifies even possibly, no clinical demand was set aside, and all of it was
understood: ELIGIBLE; otherwise UNCERTAIN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.calibration import load_calibration
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict

__all__ = ["TrialAssessment", "TrialVerdict", "aggregate_to_trial_verdict"]


class TrialVerdict(StrEnum):
    """Whether a patient may take part in a trial, the best first."""

    ELIGIBLE = "ELIGIBLE"
    UNCERTAIN = "UNCERTAIN"
    EXCLUDED = "EXCLUDED"
    NOT_RELEVANT = "NOT_RELEVANT"

    @property
    def words(self) -> str:
        """What reports call it, the code beside.

        >>> TrialVerdict.ELIGIBLE.words
        'meets what could be read'
        """
        return _WORDS[self]


_WORDS = {
    TrialVerdict.ELIGIBLE: "meets what could be read",
    TrialVerdict.UNCERTAIN: "open",
    TrialVerdict.EXCLUDED: "conflict",
    TrialVerdict.NOT_RELEVANT: "another condition",
}


@dataclass(frozen=True, slots=True)
class TrialAssessment:
    """A verdict on a trial and what it rests on."""

    verdict: TrialVerdict
    confidence: float
    """The chance that the verdict stands, as often as such verdicts did on labelled patients."""
    deciding: tuple[CriterionResult, ...]
    """What excludes the patient, or what leaves the trial uncertain."""
    missing: tuple[str, ...]
    """The facts that would decide an uncertain trial."""
    to_confirm: tuple[CriterionResult, ...]
    """Open criteria that do not stand in the way: consent, opinion, what concerns others."""
    results: tuple[CriterionResult, ...]
    clears_in_days: int | None = None
    """After how many days nothing disqualifies any more, where only washouts do."""

    @property
    def possible(self) -> tuple[CriterionResult, ...]:
        """What would exclude the patient but is not sure."""
        return tuple(result for result in self.results if result.possible)

    @property
    def read_in_part(self) -> tuple[CriterionResult, ...]:
        """What speaks for the patient as far as it was understood."""
        return tuple(result for result in self.results if result.read_in_part)


def aggregate_to_trial_verdict(
    results: Sequence[CriterionResult],
    *,
    structured: Sequence[CriterionResult] = (),
    has_condition: bool | None = None,
    about_sibling: bool = False,
) -> TrialAssessment:
    """Judge a trial by its criteria.

    Args:
        results: the criteria of the text.
        structured: the registry's own fields of age and sex, which count as inclusion criteria.
        has_condition: False where the patient certainly does not have what the trial is about.
        about_sibling: whether it is about another disease of the same kind, such as a tumour of
            another organ: what it shares with the patient's is not its condition.
    """
    everything = (*structured, *(r for r in results if r.criterion_type is not CriterionKind.OTHER))
    to_confirm = tuple(r for r in everything if r.verdict is Verdict.UNKNOWN and not _blocks(r))
    bad = [result for result in everything if result.disqualifies]
    sure = tuple(result for result in bad if not result.possible)
    blocking = tuple(
        r for r in everything if (_blocks(r) if r.verdict is Verdict.UNKNOWN else r.possible)
    )
    partly = tuple(result for result in everything if result.read_in_part)
    deciding: tuple[CriterionResult, ...] = ()
    if has_condition is False:
        verdict = TrialVerdict.NOT_RELEVANT
    elif sure:
        verdict, deciding = TrialVerdict.EXCLUDED, sure
    elif not (blocking or partly or about_sibling) and _meets_condition(results):
        verdict = TrialVerdict.ELIGIBLE
    else:
        verdict, deciding = TrialVerdict.UNCERTAIN, (*blocking, *partly)
    missing = tuple(dict.fromkeys(fact for r in blocking for fact in _facts(r)))
    return TrialAssessment(
        verdict=verdict,
        confidence=_confidence(verdict, sure, len(everything)),
        deciding=deciding,
        missing=missing if verdict is TrialVerdict.UNCERTAIN else (),
        to_confirm=to_confirm,
        results=tuple(everything),
        clears_in_days=_clears(everything),
    )


def _blocks(result: CriterionResult) -> bool:
    return result.applicability is Applicability.APPLIES or result.set_aside


def _facts(result: CriterionResult) -> tuple[str, ...]:
    # A model names what is missing in words of its own.
    told = () if result.missing is None or result.leaf else (result.missing,)
    return result.facts or told


def _meets_condition(results: Sequence[CriterionResult]) -> bool:
    """Whether an inclusion criterion is met by the condition itself.

    A judge that does not say what its criteria are about is taken at its word.
    """
    return any(
        result.criterion_type is CriterionKind.INCLUSION
        and result.verdict is Verdict.MET
        and (result.about_condition or not result.leaf)
        for result in results
    )


def _confidence(
    verdict: TrialVerdict, sure: Sequence[CriterionResult], number_of_criteria: int
) -> float:
    if verdict is TrialVerdict.EXCLUDED:
        return max(result.confidence for result in sure)
    return round(load_calibration().trial_confidence(verdict.value, number_of_criteria), 3)


def _clears(results: Sequence[CriterionResult]) -> int | None:
    """Give when the last washout ends, where nothing else disqualifies."""
    days = [result.clears_in_days for result in results if result.disqualifies]
    known = [each for each in days if each is not None]
    return max(known) if known and len(known) == len(days) else None
