"""A trial as a FHIR R4 `ResearchStudy`.

The mapping is our own and says so in its tag: that of the live service is a pilot without a
published schema. What has no place in the resource is left out, never bent to fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.ctgov.trial import Trial

if TYPE_CHECKING:
    from trialyst.ctgov.protocol import DatedEvent, Outcome

__all__ = ["FHIR_MEDIA", "render_research_study"]

FHIR_MEDIA = "application/fhir+json"
_STUDY_URL = "https://clinicaltrials.gov/study/"
_TERMINOLOGY = "http://terminology.hl7.org/CodeSystem"
_OURS = {
    "system": "urn:trialyst:mapping",
    "code": "trialyst",
    "display": "Mapped by Trialyst, not by ClinicalTrials.gov",
}
_STATUS: Mapping[str, str] = {
    "RECRUITING": "active",
    "ENROLLING_BY_INVITATION": "active",
    "AVAILABLE": "active",
    "NOT_YET_RECRUITING": "approved",
    "ACTIVE_NOT_RECRUITING": "closed-to-accrual",
    "COMPLETED": "completed",
    "APPROVED_FOR_MARKETING": "completed",
    "SUSPENDED": "temporarily-closed-to-accrual",
    "TEMPORARILY_NOT_AVAILABLE": "temporarily-closed-to-accrual",
    "TERMINATED": "closed-to-accrual-and-intervention",
    "NO_LONGER_AVAILABLE": "closed-to-accrual-and-intervention",
    "WITHDRAWN": "withdrawn",
    "WITHHELD": "in-review",
}
"""A status that is unknown has no code there: the element is required, so `completed` is not
guessed and `administratively-completed` stands for a record that nobody keeps up."""
_UNKNOWN_STATUS = "administratively-completed"
_PURPOSE: Mapping[str, str] = {
    "TREATMENT": "treatment",
    "PREVENTION": "prevention",
    "DIAGNOSTIC": "diagnostic",
    "SUPPORTIVE_CARE": "supportive-care",
    "SCREENING": "screening",
    "HEALTH_SERVICES_RESEARCH": "health-services-research",
    "BASIC_SCIENCE": "basic-science",
    "DEVICE_FEASIBILITY": "device-feasibility",
}
_PHASE: Mapping[str, str] = {
    "NA": "n-a",
    "EARLY_PHASE1": "early-phase-1",
    "PHASE1": "phase-1",
    "PHASE1/PHASE2": "phase-1-phase-2",
    "PHASE2": "phase-2",
    "PHASE2/PHASE3": "phase-2-phase-3",
    "PHASE3": "phase-3",
    "PHASE4": "phase-4",
}


def render_research_study(trial: Trial) -> bytes:
    """Write the resource as JSON."""
    resource = {
        "resourceType": "ResearchStudy",
        "id": trial.nct_id,
        "meta": {"source": f"{_STUDY_URL}{trial.nct_id}", "tag": [_OURS]},
        "contained": _sponsor(trial),
        "identifier": list(_identifiers(trial)),
        "title": trial.official_title or trial.brief_title,
        "status": _STATUS.get(str(trial.status or ""), _UNKNOWN_STATUS),
        "primaryPurposeType": _coded(
            "research-study-prim-purp-type", _PURPOSE.get(str(trial.design.primary_purpose or ""))
        ),
        "phase": _coded("research-study-phase", _PHASE.get(trial.phase_code or "")),
        "category": _texts([str(trial.study_type)] if trial.study_type else []),
        "focus": _texts(each.name for each in trial.interventions),
        "condition": _texts(trial.conditions),
        "relatedArtifact": [
            {"type": "citation", "citation": each.citation}
            for each in trial.references
            if each.citation
        ],
        "keyword": _texts(trial.keywords),
        "location": _texts(dict.fromkeys(each.country for each in trial.sites if each.country)),
        "description": trial.brief_summary,
        "period": _period(trial.start, trial.completion),
        "sponsor": {"reference": "#sponsor"} if trial.lead_sponsor else None,
        "reasonStopped": {"text": trial.why_stopped} if trial.why_stopped else None,
        "arm": [
            _filled(
                name=each.label,
                type={"text": str(each.type)} if each.type else None,
                description=each.description,
            )
            for each in trial.arms
        ],
        "objective": [
            *_objectives("primary", trial.primary_outcomes),
            *_objectives("secondary", trial.secondary_outcomes),
        ],
    }
    return msgspec.json.encode(_filled(**resource))


def _filled(**values: Any) -> dict[str, Any]:
    """Leave out what is empty: FHIR knows no null and no empty list."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


def _sponsor(trial: Trial) -> list[dict[str, Any]]:
    sponsor = trial.lead_sponsor
    if sponsor is None:
        return []
    return [{"resourceType": "Organization", "id": "sponsor", "name": sponsor.name}]


def _identifiers(trial: Trial) -> Iterable[dict[str, Any]]:
    yield {"use": "official", "system": "https://clinicaltrials.gov", "value": trial.nct_id}
    if trial.org_study_id:
        yield {"use": "secondary", "value": trial.org_study_id}
    for each in trial.secondary_ids:
        yield {"use": "secondary", "value": each.id}


def _coded(system: str, code: str | None) -> dict[str, Any] | None:
    return {"coding": [{"system": f"{_TERMINOLOGY}/{system}", "code": code}]} if code else None


def _texts(names: Iterable[str]) -> list[dict[str, str]]:
    return [{"text": name} for name in names if name]


def _period(start: DatedEvent | None, end: DatedEvent | None) -> dict[str, str]:
    return _filled(start=start and str(start.date), end=end and str(end.date))


def _objectives(kind: str, outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    coded = _coded("research-study-objective-type", kind)
    return [{"name": each.measure, "type": coded} for each in outcomes]
