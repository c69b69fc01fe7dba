"""Shapes of a trial for the repurposing contracts: pure functions, nothing but views."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from trialyst.annotation.controls import is_control
from trialyst.ctgov.vocab import label_of
from trialyst.repurposing import models
from trialyst.repurposing.answers import Match, PointInTime
from trialyst.repurposing.holdout import AS_OF_TODAY, first_posted, hold_trial
from trialyst.repurposing.stop_reasons import classify_stop_reason

if TYPE_CHECKING:
    from trialyst.ctgov.outline import Intervention
    from trialyst.ctgov.protocol import DatedEvent
    from trialyst.ctgov.trial import Trial

__all__ = ["DRUG_TYPES", "STOPPED", "to_terminated", "to_trial"]

STOPPED = ("TERMINATED", "WITHDRAWN", "SUSPENDED")
DRUG_TYPES = ("DRUG", "BIOLOGICAL")
REPORTING = ("RESULT", "DERIVED")
"""Types of references that are papers on the trial itself."""


def to_trial(
    trial: Trial,
    *,
    matched_by: tuple[Match, ...] = (),
    known_at: date | None = None,
    role: str | None = None,
) -> models.Trial:
    """Give a trial of the contract; with `known_at`, as it was known then.

    Args:
        role: what the drug asked for is in it.
    """
    shown, as_known = _as_known(trial, known_at)
    stopped = shown.status in STOPPED
    reason = classify_stop_reason(shown.why_stopped) if stopped else None
    return models.Trial(
        nct_id=shown.nct_id,
        title=shown.title,
        brief_summary=shown.brief_summary,
        phase=shown.phase_label,
        overall_status=shown.status,
        why_stopped=shown.why_stopped,
        conditions=list(shown.conditions),
        interventions=list(map(_intervention, shown.interventions)),
        sponsor=shown.lead_sponsor.name if shown.lead_sponsor else "",
        collaborators=[each.name for each in shown.collaborators],
        enrollment=shown.enrollment.count,
        start_date=_date(shown.start),
        completion_date=_date(shown.primary_completion),
        study_type=shown.study_type or "",
        primary_outcomes=[
            models.PrimaryOutcome(measure=each.measure, time_frame=each.time_frame)
            for each in shown.primary_outcomes
        ],
        results_posted=shown.has_results,
        references=list(shown.pmids),
        reporting_references=_reporting(shown),
        stop_category=reason.category.value if reason else None,
        stop_categories=tuple(each.value for each in reason.categories) if reason else (),
        success=reason.success if reason else False,
        first_posted=_date(first_posted(shown)),
        first_posted_inferred=shown.first_posted is None and shown.first_submitted is not None,
        enrollment_type=shown.enrollment.type,
        primary_purpose=shown.design.primary_purpose,
        role=role,
        matched_by=matched_by,
        point_in_time=as_known,
    )


def to_terminated(
    trial: Trial, *, today: date, matched_by: tuple[Match, ...] = (), known_at: date | None = None
) -> models.TerminatedTrial:
    """Give a stopped trial of the contract; with `known_at`, as it was known then.

    Args:
        today: the day of the answer; a termination after it is planned.
    """
    shown, as_known = _as_known(trial, known_at)
    reason = classify_stop_reason(shown.why_stopped)
    given = (each.name for each in shown.interventions if each.type in DRUG_TYPES)
    drugs = tuple(dict.fromkeys(name for name in given if not is_control(name)))
    return models.TerminatedTrial(
        nct_id=shown.nct_id,
        title=shown.title,
        drug_name=drugs[0] if drugs else None,
        condition=shown.conditions[0] if shown.conditions else None,
        phase=shown.phase_label,
        why_stopped=shown.why_stopped,
        stop_category=reason.category.value,
        enrollment=shown.enrollment.count,
        sponsor=shown.lead_sponsor.name if shown.lead_sponsor else None,
        start_date=_date(shown.start),
        termination_date=_date(shown.primary_completion),
        termination_planned=_is_planned(shown.primary_completion, today),
        gives_drug=any(each.type in DRUG_TYPES for each in shown.interventions),
        references=list(shown.pmids),
        reporting_references=_reporting(shown),
        overall_status=shown.status,
        stop_categories=tuple(each.value for each in reason.categories),
        success=reason.success,
        usable_reason=reason.usable,
        drugs=drugs,
        conditions=shown.conditions,
        matched_by=matched_by,
        point_in_time=as_known,
    )


def _as_known(trial: Trial, cutoff: date | None) -> tuple[Trial, PointInTime | None]:
    if cutoff is None:
        return trial, None
    held = hold_trial(trial, cutoff)
    told = PointInTime(
        cutoff=cutoff.isoformat(),
        whole=held.whole,
        hidden=held.hidden,
        inferred=held.inferred,
        as_of_today=() if held.whole else AS_OF_TODAY,
    )
    return held.trial, told


def _intervention(intervention: Intervention) -> models.Intervention:
    return models.Intervention(
        intervention_type=label_of(intervention.type) if intervention.type else "",
        intervention_name=intervention.name,
        description=intervention.description,
    )


def _date(event: DatedEvent | None) -> str | None:
    return None if event is None else str(event.date)


def _is_planned(event: DatedEvent | None, today: date) -> bool:
    return event is not None and (event.type == "ESTIMATED" or event.date.first_day > today)


def _reporting(trial: Trial) -> tuple[str, ...]:
    found = (each.pmid for each in trial.references if each.type in REPORTING)
    return tuple(dict.fromkeys(pmid for pmid in found if pmid))
