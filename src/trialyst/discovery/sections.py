"""The sections of `get_trial`, each a pure view of a trial.

`to_sections` gives them whole; `shorten` cuts what is long and says what it left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.criteria import Criterion, split_criteria
from trialyst.discovery.results import to_results
from trialyst.discovery.views import present, to_contact, to_title
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.protocol import DatedEvent, MeshTerm, Outcome, Reference
    from trialyst.ctgov.sites import Sponsor
    from trialyst.ctgov.trial import Trial

__all__ = ["SECTIONS", "SHORT_SECTIONS", "WHOLE_SECTIONS", "to_sections"]

STUDY_URL = "https://clinicaltrials.gov/study/"

_DATES = (
    "start",
    "primary_completion",
    "completion",
    "first_submitted",
    "first_posted",
    "results_first_submitted",
    "results_first_posted",
    "last_update_submitted",
    "last_update_posted",
    "verified",
)


def to_sections(trial: Trial, chosen: Iterable[str]) -> dict[str, Any]:
    """Give a trial's id and title, then the chosen sections that it has something for."""
    head = {"id": NctId.parse(trial.nct_id).curie, "title": to_title(trial)}
    parts = {name: _VIEWS[name](trial) for name in chosen if name != "title"}
    titles = _titles(trial) if "title" in chosen else {}
    return present({**head, **titles, **parts})


def _titles(trial: Trial) -> dict[str, Any]:
    return {"brief_title": trial.brief_title, "acronym": trial.acronym}


def _summaries(trial: Trial) -> dict[str, Any]:
    return present(
        {
            "brief_summary": trial.brief_summary,
            "detailed_description": trial.detailed_description,
        }
    )


def _protocol(trial: Trial) -> dict[str, Any]:
    design = trial.design.model_dump(mode="json", exclude_none=True)
    access = trial.expanded_access
    return present(
        {
            "study_type": trial.study_type,
            "phase": trial.phase_code,
            "status": trial.status,
            "last_known_status": trial.last_known_status,
            "why_stopped": trial.why_stopped,
            "conditions": list(trial.conditions),
            "keywords": list(trial.keywords),
            "design": {name: value for name, value in design.items() if value != []},
            "enrollment": present(trial.enrollment.model_dump(mode="json")),
            "has_results": trial.has_results,
            "site_count": len(trial.sites),
            "countries": list(trial.countries),
            "oversight": trial.oversight.model_dump(mode="json", exclude_none=True),
            "expanded_access": access.model_dump(mode="json", exclude_none=True)
            if access
            else None,
        }
    )


def _eligibility(trial: Trial) -> dict[str, Any]:
    stated = trial.eligibility
    criteria = split_criteria(stated.criteria) if stated.criteria else ()
    kinds = ("inclusion", "exclusion")
    other = [_criterion(each) for each in criteria if each.kind.value not in kinds]
    return present(
        {
            **{
                kind: [_criterion(each) for each in criteria if each.kind.value == kind]
                for kind in kinds
            },
            "other": other or None,
            "minimum_age": str(stated.minimum_age) if stated.minimum_age else None,
            "maximum_age": str(stated.maximum_age) if stated.maximum_age else None,
            "sex": stated.sex,
            "gender_based": stated.gender_based,
            "gender_description": stated.gender_description,
            "healthy_volunteers": stated.healthy_volunteers,
            "age_groups": list(stated.std_ages),
            "study_population": stated.study_population,
            "sampling_method": stated.sampling_method,
        }
    )


def _criterion(criterion: Criterion) -> dict[str, Any]:
    return present(
        {
            "text": criterion.plain,
            "group": criterion.group,
            "depth": criterion.depth or None,
        }
    )


def _outcomes(trial: Trial) -> dict[str, Any]:
    return {
        "primary": [_outcome(each) for each in trial.primary_outcomes],
        "secondary": [_outcome(each) for each in trial.secondary_outcomes],
        "other": [_outcome(each) for each in trial.other_outcomes],
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return present(outcome.model_dump(mode="json"))


def _sponsors(trial: Trial) -> dict[str, Any]:
    responsible = trial.responsible_party
    return present(
        {
            "lead": _sponsor(trial.lead_sponsor) if trial.lead_sponsor else None,
            "collaborators": [_sponsor(each) for each in trial.collaborators],
            "organization": _sponsor(trial.organization) if trial.organization else None,
            "responsible_party": present(responsible.model_dump(mode="json"))
            if responsible
            else None,
            "officials": [present(each.model_dump(mode="json")) for each in trial.officials],
            "contacts": [to_contact(each) for each in trial.central_contacts],
        }
    )


def _sponsor(sponsor: Sponsor) -> dict[str, Any]:
    return present({"name": sponsor.name, "class": sponsor.agency_class})


def _dates(trial: Trial) -> dict[str, Any]:
    events: dict[str, DatedEvent | None] = {name: getattr(trial, name) for name in _DATES}
    return {
        name: present({"date": str(event.date), "type": event.type})
        for name, event in events.items()
        if event is not None
    }


def _arms(trial: Trial) -> dict[str, Any]:
    return {
        "arms": [present(each.model_dump(mode="json")) for each in trial.arms],
        "interventions": [present(each.model_dump(mode="json")) for each in trial.interventions],
    }


def _references(trial: Trial) -> dict[str, Any]:
    sharing = trial.ipd_statement
    shared = sharing.model_dump(mode="json", exclude_none=True) if sharing else {}
    return present(
        {
            "papers": [_paper(each) for each in trial.references],
            "links": [present(each.model_dump(mode="json")) for each in trial.links],
            "documents": [
                present({"label": each.label, "date": _text(each.date), "url": each.url})
                for each in trial.documents
            ],
            "data_sharing": {
                name: value for name, value in shared.items() if value not in ([], "")
            },
            "available_data": [
                present(each.model_dump(mode="json")) for each in trial.available_data
            ],
        }
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _paper(reference: Reference) -> dict[str, Any]:
    return present(
        {
            "pmid": reference.pmid,
            "type": reference.type,
            "citation": reference.citation,
            "retracted": True if reference.retractions else None,
        }
    )


def _cross_references(trial: Trial) -> dict[str, Any]:
    return present(
        {
            "url": f"{STUDY_URL}{trial.nct_id}",
            "pubmed": [f"PMID:{pmid}" for pmid in trial.pmids if pmid.isdigit()],
            "mesh_conditions": [_mesh(term) for term in trial.condition_mesh],
            "mesh_interventions": [_mesh(term) for term in trial.intervention_mesh],
            "registry_ids": [
                *(
                    [{"id": trial.org_study_id, "type": "ORG_STUDY_ID"}]
                    if trial.org_study_id
                    else ()
                ),
                *(present(each.model_dump(mode="json")) for each in trial.secondary_ids),
            ],
            "aliases": [NctId.parse(alias).curie for alias in trial.aliases] or None,
        }
    )


def _mesh(term: MeshTerm) -> dict[str, Any]:
    return present({"id": f"MESH:{term.id}" if term.id else None, "term": term.term})


_VIEWS: Mapping[str, Callable[[Trial], dict[str, Any] | str | None]] = {
    "summaries": _summaries,
    "protocol": _protocol,
    "eligibility": _eligibility,
    "criteria_text": lambda trial: trial.eligibility.criteria,
    "outcomes": _outcomes,
    "sponsors": _sponsors,
    "dates": _dates,
    "arms": _arms,
    "references": _references,
    "cross_references": _cross_references,
    "results": to_results,
}
SECTIONS = ("title", *_VIEWS)
WHOLE_SECTIONS = tuple(name for name in SECTIONS if name != "criteria_text")
"""What one trial is given in, unless sections are chosen: nothing twice."""
SHORT_SECTIONS = ("title", "summaries", "protocol", "sponsors", "dates")
"""What several trials are given in, unless sections are chosen."""
