"""What a record says it is: ids, titles, sponsor and summary, all marked synthetic."""

from __future__ import annotations

from typing import Any

from trialyst.starter.arms import Design
from trialyst.starter.draw import Draw
from trialyst.starter.places import person
from trialyst.starter.plan import Plan, nct_id
from trialyst.starter.tables import Tables

__all__ = [
    "MARK",
    "REDACTED",
    "SUMMARY_NOTE",
    "description_module",
    "identification_module",
    "sponsor_module",
]

MARK = "[SYNTHETIC] "
SUMMARY_NOTE = "This is a synthetic record: no such study exists."
REDACTED = "[Redacted]"
_WITHHELD_TITLE = "[Trial of device that is not approved or cleared by the U.S. FDA]"
_ALIASES_FROM = 99_000_000
"""Aliases come from a range that is never issued either."""


def identification_module(
    draw: Draw, plan: Plan, *, design: Design, content: Tables
) -> dict[str, Any]:
    """Render ids, titles and organisation."""
    module: dict[str, Any] = {"nctId": nct_id(plan.number)}
    if plan.number % 167 == 0:
        module["nctIdAliases"] = [f"NCT{_ALIASES_FROM + plan.number:08d}"]
    if not plan.study_type:
        return {
            **module,
            "orgStudyIdInfo": {"id": REDACTED},
            "organization": {"fullName": REDACTED, "class": "INDUSTRY"},
            "briefTitle": MARK + _WITHHELD_TITLE,
            "officialTitle": MARK + _WITHHELD_TITLE,
        }
    module["orgStudyIdInfo"] = _org_id(draw, plan)
    secondary = _secondary_ids(draw, plan)
    if secondary:
        module["secondaryIdInfos"] = secondary
    module["organization"] = {"fullName": plan.sponsor.name, "class": plan.sponsor.agency}
    acronym = draw.pick(content.names["acronym"]) if draw.chance(0.2) else None
    suffix = f" ({acronym})" if acronym and draw.chance(0.5) else ""
    module["briefTitle"] = f"{MARK}{_brief_title(draw, plan, design)}{suffix}"
    if plan.case or draw.chance(0.96):
        module["officialTitle"] = (MARK + _official_title(plan, design))[:600]
    if acronym:
        module["acronym"] = acronym
    return module


def _org_id(draw: Draw, plan: Plan) -> dict[str, str]:
    letters = "".join(word[0] for word in plan.sponsor.name.split()[:3]).upper()
    info = {"id": f"{letters}-{draw.between(100, 999)}-{plan.number:04d}"}
    if plan.sponsor.agency == "NIH":
        info["type"] = "NIH"
    return info


def _secondary_ids(draw: Draw, plan: Plan) -> list[dict[str, str]]:
    infos: list[dict[str, str]] = []
    if draw.chance(0.15):
        infos.append({"id": f"9999-{plan.number:06d}-00", "type": "EUDRACT_NUMBER"})
    if draw.chance(0.06):
        infos.append({"id": f"2099-{500000 + plan.number}-00-00", "type": "CTIS"})
    if draw.chance(0.1):
        info = {"id": f"SYN-{plan.number:05d}", "type": "REGISTRY", "domain": "Synthetic Registry"}
        infos.append(info)
    if draw.chance(0.06):
        infos.append({"id": f"X00SYN{plan.number:05d}", "type": "NIH"})
    if draw.chance(0.05):
        grant = {"id": f"GRANT-{plan.number}", "type": "OTHER_GRANT"}
        infos.append({**grant, "domain": plan.sponsor.name})
    return infos


def _brief_title(draw: Draw, plan: Plan, design: Design) -> str:
    condition = plan.condition.name
    if plan.case:
        return plan.case.title
    if not design.items:
        return draw.pick(_OBSERVATIONAL_TITLES).replace("{c}", condition)
    names = " Plus ".join(item.name for item in design.items[: len(plan.remedies)])
    if plan.study_type == "OBSERVATIONAL":
        return draw.pick(_USE_TITLES).replace("{c}", condition).replace("{d}", names)
    if plan.study_type == "EXPANDED_ACCESS":
        return f"Expanded Access to {names} for {condition}"
    return draw.pick(_TRIAL_TITLES).replace("{c}", condition).replace("{d}", names)


_OBSERVATIONAL_TITLES = (
    "Natural History of {c}",
    "Registry of People Living With {c}",
    "Quality of Life in {c}: a Cohort Study",
    "Biomarkers in {c}",
)
_USE_TITLES = ("{d} in Routine Care of {c}", "Outcomes of {d} in {c}: an Observational Study")
_TRIAL_TITLES = (
    "{d} for {c}",
    "{d} in Participants With {c}",
    "Study of {d} in Patients With {c}",
    "Efficacy and Safety of {d} in {c}",
    "A Trial of {d} for the Treatment of {c}",
)
_DESIGN_WORDS = {
    "single": "Open-label, Single-arm",
    "placebo": "Randomized, Double-blind, Placebo-controlled",
    "active": "Randomized, Active-controlled",
    "usual": "Randomized",
    "sham": "Randomized, Sham-controlled",
    "doses": "Randomized, Dose-ranging",
    "cohorts": "Dose Escalation and Expansion",
    "crossover": "Randomized Crossover",
    "untreated": "Randomized",
}


def _official_title(plan: Plan, design: Design) -> str:
    condition = plan.condition.name
    names = " Plus ".join(item.name for item in design.items[: len(plan.remedies)])
    if plan.study_type == "OBSERVATIONAL":
        return f"A Prospective Observational Study of {names or 'Outcomes'} in {condition}"
    if plan.study_type == "EXPANDED_ACCESS":
        return f"An Expanded Access Program of {names} for Patients With {condition}"
    phase = _phase_words(plan.phases)
    control = f" Versus {design.items[-1].name}" if design.kind in _VERSUS else ""
    kind = _DESIGN_WORDS[design.kind]
    return f"A {phase}{kind} Study of {names}{control} in Participants With {condition}"


_VERSUS = frozenset({"placebo", "active", "usual", "sham"})


def _phase_words(phases: tuple[str, ...]) -> str:
    """Write phases as titles do, with a trailing space; nothing for NA."""
    words = [p.replace("EARLY_PHASE1", "Early 1").replace("PHASE", "") for p in phases if p != "NA"]
    return f"Phase {'/'.join(words)} " if words else ""


def sponsor_module(draw: Draw, plan: Plan, content: Tables) -> dict[str, Any]:
    """Render the sponsor and collaborators."""
    if not plan.study_type:
        return {"leadSponsor": {"name": REDACTED, "class": "INDUSTRY"}}
    module: dict[str, Any] = {"responsibleParty": {"type": "SPONSOR"}}
    if plan.sponsor.agency == "OTHER" and draw.chance(0.5):
        module["responsibleParty"] = {
            "type": draw.pick(("PRINCIPAL_INVESTIGATOR", "SPONSOR_INVESTIGATOR")),
            "investigatorFullName": person(draw, content).split(",")[0],
            "investigatorTitle": draw.pick(content.names["title"]),
            "investigatorAffiliation": plan.sponsor.name,
        }
    module["leadSponsor"] = {"name": plan.sponsor.name, "class": plan.sponsor.agency}
    if draw.chance(0.25):
        agencies = draw.some(("INDUSTRY", "OTHER", "NETWORK", "NIH"), draw.between(1, 2))
        module["collaborators"] = [
            {"name": draw.pick(content.sponsors[agency]), "class": agency} for agency in agencies
        ]
    return module


def description_module(draw: Draw, plan: Plan, design: Design) -> dict[str, str]:
    """Render summary and description; the first sentence says that nothing here is real."""
    condition = plan.condition.name
    names = " and ".join(item.name for item in design.items[: len(plan.remedies)]) or "usual care"
    module = {
        "briefSummary": f"{SUMMARY_NOTE} {draw.pick(_PURPOSES)}".format(c=condition, d=names),
    }
    if draw.chance(0.6):
        detail = [draw.pick(_DETAILS).format(c=condition, d=names, n=draw.pick((2, 4, 8, 12)))]
        groups = dict.fromkeys(remedy.group for remedy in plan.remedies)
        detail += [f"Kind of treatment: {group}." for group in groups]
        module["detailedDescription"] = "\n\n".join(detail)
    return module


_PURPOSES = (
    "The purpose of the study it imitates is to learn whether {d} helps people with {c}.",
    "It describes an evaluation of the safety and efficacy of {d} in {c}.",
    "It describes how people with {c} do over time when they receive {d}.",
    "The question is whether {d} is better than what is given today for {c}.",
)
_DETAILS = (
    "Participants with {c} are seen every {n} weeks. {d} is continued until the end of treatment.",
    "After a screening period of {n} weeks, participants receive {d} and are followed for safety.",
    "The study has a screening, a treatment and a follow-up part with visits every {n} weeks.",
)
