"""One judged trial: its verdict, how it stands to the patient, where it is, and how it fits."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from trialyst.matching.fit import measure_fit
from trialyst.matching.judging.structured import judge_structured
from trialyst.matching.report import MatchedTrial
from trialyst.matching.sites import find_nearest_sites, tell_contacts
from trialyst.matching.verdict import TrialAssessment, aggregate_to_trial_verdict
from trialyst.vocabulary.relations import Relation

if TYPE_CHECKING:
    from trialyst.ctgov.places import Place
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.matching.patient import PatientProfile
    from trialyst.matching.preparing import Topic
    from trialyst.matching.prescreen.candidates import TrialCandidate
    from trialyst.matching.validating import Judged

__all__ = ["assess"]

_CONTACTS = 2
_NO_CRITERIA = "The record states no eligibility criteria."


async def assess(
    candidate: TrialCandidate,
    trial: Trial | None,
    judged: Judged,
    *,
    profile: PatientProfile,
    topic: Topic,
    near: tuple[TrialSource, Place | None],
) -> MatchedTrial:
    """Put together what is known of one trial for the patient."""
    problem = judged.problem
    if trial is None:
        problem = "The record is not there any more."
    elif not judged.results and topic.on_topic is not False:
        problem = _NO_CRITERIA
    structured = judge_structured(trial.eligibility, profile) if trial else []
    assessment = aggregate_to_trial_verdict(
        judged.results,
        structured=structured,
        has_condition=topic.on_topic,
        about_sibling=topic.standing.relation is Relation.SIBLING,
    )
    sites = await find_nearest_sites(trial, *near) if trial else ()
    return MatchedTrial(
        candidate=candidate,
        assessment=assessment,
        on_topic=topic.on_topic,
        primary=topic.standing.primary,
        measures=measure_fit(
            candidate.score, topic.standing, assessment, sites=None if near[1] is None else sites
        ),
        eligible_from=_eligible_from(assessment, profile),
        problem=problem,
        sites=sites,
        contacts=tuple(tell_contacts(trial.central_contacts))[:_CONTACTS] if trial else (),
    )


def _eligible_from(assessment: TrialAssessment, profile: PatientProfile) -> date | None:
    days, written = assessment.clears_in_days, profile.chart.as_of
    return None if days is None or written is None else written + timedelta(days=days)
