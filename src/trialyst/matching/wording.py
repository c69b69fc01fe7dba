"""What a verdict on a trial rests on, and where it is, in words for a person."""

from __future__ import annotations

from trialyst.ctgov.phases import phase_label
from trialyst.ctgov.vocab import Phase
from trialyst.matching.report import Costs, MatchedTrial, NearbySite
from trialyst.matching.verdict import TrialVerdict

__all__ = ["cost_words", "phase_words", "site_words", "why_words"]


def why_words(trial: MatchedTrial) -> str:
    """Say what a trial's verdict rests on, or what would settle it."""
    assessment = trial.assessment
    if trial.problem:
        return trial.problem
    if trial.verdict is TrialVerdict.NOT_RELEVANT:
        return f"about {'; '.join(trial.candidate.conditions)}"
    if trial.verdict is TrialVerdict.EXCLUDED:
        return "; ".join(f"{each.criterion_type}: {each.criterion}" for each in assessment.deciding)
    if trial.verdict is TrialVerdict.UNCERTAIN:
        return f"not known: {'; '.join(assessment.missing)}" if assessment.missing else ""
    return "every inclusion criterion is met, and no exclusion criterion"


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
