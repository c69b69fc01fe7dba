"""One study in the v2 JSON shape, assembled from its plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trialyst.starter.arms import Design, draw_design, render_arms
from trialyst.starter.draw import Draw, Weighted
from trialyst.starter.eligibility import draw_eligibility
from trialyst.starter.identity import description_module, identification_module, sponsor_module
from trialyst.starter.mesh import browse_module
from trialyst.starter.places import contacts_module
from trialyst.starter.plan import Plan, nct_id
from trialyst.starter.results import results_section
from trialyst.starter.supplements import (
    annotation_section,
    document_section,
    ipd_module,
    references_module,
)
from trialyst.starter.tables import Outcome, Tables
from trialyst.starter.timeline import DATA_DATE, render_dates

__all__ = ["build_study"]

_STOPPED = {"TERMINATED": 0.9, "SUSPENDED": 0.9, "WITHDRAWN": 0.85}
_STOP_CATEGORIES = Weighted(
    {
        "enrollment": 26.0,
        "business": 18.0,
        "other": 15.0,
        "safety": 11.0,
        "efficacy": 11.0,
        "negated": 8.0,
        "mixed": 4.0,
        "success": 4.0,
        "unknown": 3.0,
    }
)
_BEFORE_ANYONE = Weighted({"business": 4.0, "other": 3.0, "enrollment": 2.0, "unknown": 1.0})
_COUNTED = frozenset({"COMPLETED", "TERMINATED", "WITHDRAWN"})
_IMMUNOTHERAPY = ("PD-1", "PD-L1", "CTLA-4", "CAR-T")
_SIZES = {
    "EARLY_PHASE1": (6, 20),
    "PHASE1": (12, 60),
    "PHASE2": (30, 240),
    "PHASE3": (120, 2400),
    "PHASE4": (40, 900),
    "NA": (20, 400),
}
_UNKNOWN_SIZE = 99_999_999


def build_study(draw: Draw, plan: Plan, content: Tables) -> dict[str, Any]:
    """Build the record of a plan."""
    if not plan.study_type:
        return _withheld(draw, plan, content)
    design = draw_design(draw, plan, content)
    sizes = _arm_sizes(draw, plan, max(1, len(design.arms)))
    outcomes = _draw_outcomes(draw, plan, content)
    protocol = {
        "identificationModule": identification_module(draw, plan, design=design, content=content),
        "statusModule": _status_module(draw, plan, content),
        "sponsorCollaboratorsModule": sponsor_module(draw, plan, content),
        "oversightModule": _oversight(draw, plan, design),
        "descriptionModule": description_module(draw, plan, design),
        "conditionsModule": _conditions(draw, plan, design),
        "designModule": _design_module(draw, plan, design, sizes),
        "armsInterventionsModule": render_arms(draw, plan, design),
        "outcomesModule": _outcomes_module(draw, plan, outcomes),
        "eligibilityModule": draw_eligibility(draw, plan, content),
        "contactsLocationsModule": contacts_module(draw, plan, content),
        "referencesModule": references_module(draw, plan),
        "ipdSharingStatementModule": ipd_module(draw, plan),
    }
    study: dict[str, Any] = {"protocolSection": _present(protocol)}
    if plan.results:
        study["resultsSection"] = results_section(
            draw, plan, design=design, outcomes=outcomes, sizes=sizes, content=content
        )
    sections = {
        "annotationSection": annotation_section(draw, plan, plan.timeline),
        "documentSection": document_section(draw, plan, plan.timeline),
    }
    return {
        **study,
        **_present(sections),
        "derivedSection": _derived(draw, plan, design),
        "hasResults": plan.results,
    }


def _present(modules: dict[str, Any]) -> dict[str, Any]:
    return {name: module for name, module in modules.items() if module}


def _withheld(draw: Draw, plan: Plan, content: Tables) -> dict[str, Any]:
    empty = Design("withheld", (), ())
    identity = identification_module(draw, plan, design=empty, content=content)
    dates = render_dates(draw, plan.timeline)
    status = {
        "statusVerifiedDate": dates["lastUpdateSubmitDate"][:7],
        "overallStatus": plan.status,
        "delayedPosting": True,
        **dates,
    }
    return {
        "protocolSection": {
            "identificationModule": identity,
            "statusModule": status,
            "sponsorCollaboratorsModule": sponsor_module(draw, plan, content),
            "oversightModule": {"isUnapprovedDevice": True},
        },
        "derivedSection": {"miscInfoModule": {"versionHolder": DATA_DATE}},
        "hasResults": False,
    }


def _status_module(draw: Draw, plan: Plan, content: Tables) -> dict[str, Any]:
    dates = render_dates(draw, plan.timeline)
    module: dict[str, Any] = {
        "statusVerifiedDate": dates["lastUpdateSubmitDate"][:7],
        "overallStatus": plan.status,
    }
    if plan.last_known:
        module["lastKnownStatus"] = plan.last_known
    if draw.chance(_STOPPED.get(plan.status, 0.0)):
        choice = _BEFORE_ANYONE if plan.status == "WITHDRAWN" else _STOP_CATEGORIES
        module["whyStopped"] = draw.pick(content.stop_reasons[draw.weighted(choice)])
    access: dict[str, Any] = {"hasExpandedAccess": False}
    if plan.study_type == "INTERVENTIONAL" and draw.chance(0.01):
        access = {
            "hasExpandedAccess": True,
            "nctId": nct_id(draw.between(1, 2000)),
            "statusForNctId": "AVAILABLE",
        }
    module["expandedAccessInfo"] = access
    return {**module, **dates}


def _oversight(draw: Draw, plan: Plan, design: Design) -> dict[str, Any] | None:
    if plan.study_type != "INTERVENTIONAL" and draw.chance(0.6):
        return None
    types = {item.type for item in design.items}
    module: dict[str, Any] = {}
    if draw.chance(0.85):
        module["oversightHasDmc"] = draw.chance(0.4)
    if draw.chance(0.8):
        module["isFdaRegulatedDrug"] = bool(types & {"DRUG", "BIOLOGICAL"}) and draw.chance(0.6)
        module["isFdaRegulatedDevice"] = "DEVICE" in types and draw.chance(0.6)
    return module


def _conditions(draw: Draw, plan: Plan, design: Design) -> dict[str, Any]:
    names: list[str] = []
    for condition in plan.conditions:
        written = condition.name if plan.case or draw.chance(0.6) else draw.pick(condition.variants)
        names.append(written)
    if draw.chance(0.15):
        names += [v for v in draw.some(plan.condition.variants, 1) if v not in names]
    if plan.healthy and draw.chance(0.3):
        names.append("Healthy Volunteers")
    module: dict[str, Any] = {"conditions": list(dict.fromkeys(names))}
    if draw.chance(0.6):
        treatments = [item.remedy.name for item in design.items[: len(plan.remedies)]]
        pool = (*plan.condition.keywords, *plan.condition.variants, *treatments)
        module["keywords"] = draw.some(pool, draw.between(1, 4))
    groups = [item.remedy.group for item in design.items]
    if any(mark in group for group in groups for mark in _IMMUNOTHERAPY):
        module.setdefault("keywords", []).append("Immunotherapy")
    return module


def _arm_sizes(draw: Draw, plan: Plan, arms: int) -> list[int]:
    if plan.status == "WITHDRAWN":
        return [0] * arms
    low, high = _SIZES.get(plan.phases[-1], (50, 3000)) if plan.phases else (50, 3000)
    total = int(low * (high / low) ** draw.real(0, 1))
    if plan.status == "TERMINATED":
        total = max(arms * 2, total // 3)
    share = max(2, total // arms)
    return [share + draw.between(0, 3) for _ in range(arms)]


def _design_module(draw: Draw, plan: Plan, design: Design, sizes: Sequence[int]) -> dict[str, Any]:
    module: dict[str, Any] = {"studyType": plan.study_type}
    if plan.study_type == "EXPANDED_ACCESS":
        kinds = draw.some(("individual", "intermediate", "treatment"), draw.between(1, 2))
        return {**module, "expandedAccessTypes": dict.fromkeys(sorted(kinds), True)}
    if plan.study_type == "OBSERVATIONAL":
        if draw.chance(0.2):
            module["patientRegistry"] = True
            module["targetDuration"] = draw.pick(("5 Years", "12 Months", "1 Year", "2 Years"))
        elif draw.chance(0.7):
            module["patientRegistry"] = False
        module["designInfo"] = {
            "observationalModel": draw.pick(_OBSERVATIONAL_MODELS),
            "timePerspective": draw.pick(("PROSPECTIVE", "RETROSPECTIVE", "CROSS_SECTIONAL")),
        }
        if draw.chance(0.15):
            module["bioSpec"] = {
                "retention": draw.pick(_RETENTIONS),
                "description": "Blood and tissue",
            }
    else:
        if plan.phases:
            module["phases"] = list(plan.phases)
        module["designInfo"] = _design_info(draw, plan, design)
    if plan.case or draw.chance(0.985):
        module["enrollmentInfo"] = _enrollment(draw, plan, sum(sizes))
    return module


_RETENTIONS = ("NONE_RETAINED", "SAMPLES_WITH_DNA", "SAMPLES_WITHOUT_DNA")
_OBSERVATIONAL_MODELS = (
    "COHORT",
    "COHORT",
    "COHORT",
    "CASE_CONTROL",
    "CASE_ONLY",
    "NATURAL_HISTORY",
    "FAMILY_BASED",
    "OTHER",
)


def _enrollment(draw: Draw, plan: Plan, count: int) -> dict[str, Any]:
    counted = plan.status in _COUNTED
    if plan.status == "ACTIVE_NOT_RECRUITING":
        counted = draw.chance(0.7)
    if plan.status == "UNKNOWN" and draw.chance(0.01):
        count = _UNKNOWN_SIZE
    return {"count": count, "type": "ACTUAL" if counted else "ESTIMATED"}


def _design_info(draw: Draw, plan: Plan, design: Design) -> dict[str, Any]:
    info: dict[str, Any] = {}
    single = len(design.arms) == 1
    models = {"single": "SINGLE_GROUP", "cohorts": "SEQUENTIAL", "crossover": "CROSSOVER"}
    if draw.chance(0.97):
        randomized = "NON_RANDOMIZED" if design.kind == "cohorts" else "RANDOMIZED"
        info["allocation"] = "NA" if single else randomized
    model = models.get(design.kind, "PARALLEL")
    factorial = len(plan.remedies) == 2 and model == "PARALLEL" and draw.chance(0.1)
    info["interventionModel"] = "FACTORIAL" if factorial else model
    info["primaryPurpose"] = plan.purpose
    info["maskingInfo"] = _masking(draw, design)
    return info


def _masking(draw: Draw, design: Design) -> dict[str, Any]:
    blind = design.kind in {"placebo", "sham", "doses", "crossover"}
    if not blind:
        return {"masking": "NONE"}
    who = ("PARTICIPANT", "INVESTIGATOR", "OUTCOMES_ASSESSOR", "CARE_PROVIDER")
    count = draw.pick((1, 2, 2, 3, 4, 4))
    masking = {1: "SINGLE", 2: "DOUBLE", 3: "TRIPLE", 4: "QUADRUPLE"}[count]
    return {"masking": masking, "whoMasked": list(who[:count])}


def _draw_outcomes(draw: Draw, plan: Plan, content: Tables) -> list[tuple[str, Outcome]]:
    own = content.outcomes.get(plan.condition.key) or content.outcomes[plan.condition.area]
    primary = draw.pick(own)
    kin = (*own, *content.outcomes.get(plan.condition.area, ()), *content.outcomes["any"])
    rest = [outcome for outcome in dict.fromkeys(kin) if outcome is not primary]
    chosen = draw.some(rest, draw.between(1, 4))
    return [("PRIMARY", primary), *(("SECONDARY", outcome) for outcome in chosen)]


def _outcomes_module(
    draw: Draw, plan: Plan, outcomes: Sequence[tuple[str, Outcome]]
) -> dict[str, Any] | None:
    if plan.study_type == "EXPANDED_ACCESS":
        return None
    module: dict[str, Any] = {}
    for role, outcome in outcomes:
        entry = {"measure": outcome.measure}
        if draw.chance(0.7):
            entry["description"] = f"{outcome.measure} ({outcome.unit})."
        entry["timeFrame"] = outcome.time_frame
        module.setdefault(f"{role.lower()}Outcomes", []).append(entry)
    return module


def _derived(draw: Draw, plan: Plan, design: Design) -> dict[str, Any]:
    conditions = [condition.mesh_id for condition in plan.conditions]
    modules = {
        "miscInfoModule": {"versionHolder": DATA_DATE},
        "conditionBrowseModule": browse_module(conditions) if draw.chance(0.92) else None,
        "interventionBrowseModule": browse_module(item.remedy.mesh_id for item in design.items),
    }
    return _present(modules)
