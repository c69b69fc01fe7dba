"""What a verdict on a trial rests on, and where it is, in words for a person."""

from __future__ import annotations

from trialyst.matching.report import MatchedTrial, NearbySite
from trialyst.matching.verdict import TrialVerdict

__all__ = ["site_words", "why_words"]


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
