"""What a verdict on a trial rests on, and where it is, in words for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten

from trialyst.ctgov.criteria import CriterionKind
from trialyst.ctgov.phases import phase_label
from trialyst.ctgov.vocab import Phase
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.report import Costs, MatchedTrial, NearbySite
from trialyst.matching.verdict import TrialVerdict

__all__ = [
    "clearing_words",
    "cost_words",
    "criterion_words",
    "phase_words",
    "site_words",
    "verdict_words",
    "why_words",
]


_CONFLICTS, _FACTS = 3, 8
"""Told of why a trial is open; a protocol of many cohorts has fifty of each."""
_LONGEST = 200
"""Letters of a criterion in a list of them."""
_CRITERIA = {
    (CriterionKind.EXCLUSION, Verdict.MET): "has it",
    (CriterionKind.EXCLUSION, Verdict.NOT_MET): "does not have it",
    (CriterionKind.INCLUSION, Verdict.MET): "meets it",
    (CriterionKind.INCLUSION, Verdict.NOT_MET): "does not meet it",
}
_POSSIBLE = {CriterionKind.EXCLUSION: "may have it", CriterionKind.INCLUSION: "may not meet it"}
_ASIDE = {
    Applicability.NOT_APPLICABLE: "not asked of this patient",
    Applicability.ADMINISTRATIVE: "to confirm",
}


def verdict_words(verdict: TrialVerdict) -> str:
    """Name a verdict on a trial, with its code beside.

    >>> verdict_words(TrialVerdict.EXCLUDED)
    'conflict (EXCLUDED)'
    """
    return f"{verdict.words} ({verdict.value})"


def criterion_words(result: CriterionResult) -> str:
    """Say what a verdict on a criterion means for the patient, with its code beside."""
    if result.verdict is Verdict.UNKNOWN:
        said = _ASIDE.get(result.applicability, "open")
    elif result.possible:
        said = _POSSIBLE[result.criterion_type]
    else:
        said = _CRITERIA.get((result.criterion_type, result.verdict), "")
    return f"{said} ({result.verdict.value})" if said else result.verdict.value


def why_words(trial: MatchedTrial) -> str:
    """Say what a trial's verdict rests on, or what would settle it."""
    if trial.problem:
        return trial.problem
    if trial.verdict is TrialVerdict.NOT_RELEVANT:
        return f"about {'; '.join(trial.candidate.conditions)}"
    if trial.verdict is TrialVerdict.ELIGIBLE:
        return "meets every inclusion criterion, and has nothing that excludes"
    return ". ".join(filter(None, _reasons(trial)))


def _reasons(trial: MatchedTrial) -> Iterator[str]:
    assessment = trial.assessment
    excluded = trial.verdict is TrialVerdict.EXCLUDED
    conflicts = assessment.deciding if excluded else assessment.possible
    listed = _some(
        [f"{each.criterion_type}: {_short(each.criterion)}" for each in conflicts], _CONFLICTS
    )
    if listed:
        yield listed if excluded else f"possible conflict: {listed}"
    yield clearing_words(trial)
    if assessment.missing:
        yield f"not known: {_some(assessment.missing, _FACTS)}"
    elif not conflicts and assessment.read_in_part:
        words = [_short(each.criterion) for each in assessment.read_in_part]
        yield f"understood in part only: {_some(words, _CONFLICTS)}"


def _some(told: Sequence[str], most: int) -> str:
    """List the first of some things, and count the others; each stands with its criterion."""
    more = f"; and {len(told) - most:,} more" if len(told) > most else ""
    return "; ".join(told[:most]) + more


def _short(criterion: str) -> str:
    return shorten(criterion, width=_LONGEST, placeholder=" \u2026")


def clearing_words(trial: MatchedTrial) -> str:
    """Say when the last washout ends; nothing where no washout stands in the way."""
    days = trial.assessment.clears_in_days
    if days is None:
        return ""
    day = trial.eligible_from
    when = f"from {day.isoformat()}" if day else f"{days:,} days after the note"
    return f"eligible {when}, after the washout, as far as this goes"


def site_words(site: NearbySite) -> str:
    """Name a site and how far it is."""
    name = ", ".join(filter(None, (site.facility, site.city, site.country)))
    about = "about " if site.approximate else ""
    return f"{name} ({about}{site.distance_km:,.0f} km)"


def phase_words(code: str | None) -> str:
    """Give the label of a phase code, which may join two; nothing where there is none.

    >>> phase_words("PHASE1/PHASE2"), phase_words(None)
    ('Phase 1/Phase 2', '')
    """
    known = set(Phase)
    codes = code.split("/") if code else []
    return phase_label([Phase(each) if each in known else each for each in codes]) if codes else ""


def cost_words(costs: Costs) -> str:
    """Say what models cost; nothing where they cost nothing.

    >>> cost_words(Costs(usd=0.01234)), cost_words(Costs())
    ('Models cost 0.0123 USD.', '')
    """
    if costs.usd is None:
        return "What the models cost is not known."
    return f"Models cost {costs.usd:.4f} USD." if costs.usd else ""
