"""Results sections: participant flow, baseline, outcomes and adverse events that add up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trialyst.starter.arms import Arm, Design
from trialyst.starter.draw import Draw
from trialyst.starter.plan import Plan
from trialyst.starter.tables import Event, Outcome, Tables

__all__ = ["results_section"]

_REASONS = ("Adverse Event", "Lost to Follow-up", "Withdrawal by Subject", "Lack of Efficacy")


def results_section(
    draw: Draw,
    plan: Plan,
    *,
    design: Design,
    outcomes: Sequence[tuple[str, Outcome]],
    sizes: Sequence[int],
    content: Tables,
) -> dict[str, Any]:
    """Render the results of a study whose arms started with `sizes` participants."""
    return {
        "participantFlowModule": _flow(draw, design.arms, sizes),
        "baselineCharacteristicsModule": _baseline(draw, plan, design.arms, sizes),
        "outcomeMeasuresModule": {
            "outcomeMeasures": [
                _measure(draw, role, outcome, design.arms, sizes) for role, outcome in outcomes
            ]
        },
        "adverseEventsModule": _events(draw, design.arms, sizes, content),
        "moreInfoModule": _more(draw, plan),
    }


def _groups(prefix: str, arms: Sequence[Arm]) -> list[dict[str, str]]:
    return [
        {"id": f"{prefix}{i:03d}", "title": arm.label, "description": arm.description[:1500]}
        for i, arm in enumerate(arms)
    ]


def _counts(prefix: str, key: str, values: Sequence[int]) -> list[dict[str, str]]:
    return [{"groupId": f"{prefix}{i:03d}", key: str(v)} for i, v in enumerate(values)]


def _flow(draw: Draw, arms: Sequence[Arm], sizes: Sequence[int]) -> dict[str, Any]:
    lost = [[draw.between(0, max(0, size // 12)) for _ in _REASONS] for size in sizes]
    gone = [sum(reasons) for reasons in lost]
    milestones = (
        ("STARTED", sizes),
        ("COMPLETED", [size - out for size, out in zip(sizes, gone, strict=True)]),
        ("NOT COMPLETED", gone),
    )
    period: dict[str, Any] = {
        "title": "Overall Study",
        "milestones": [
            {"type": name, "achievements": _counts("FG", "numSubjects", values)}
            for name, values in milestones
        ],
    }
    if any(gone):
        period["dropWithdraws"] = [
            {"type": reason, "reasons": _counts("FG", "numSubjects", [row[i] for row in lost])}
            for i, reason in enumerate(_REASONS)
            if any(row[i] for row in lost)
        ]
    module: dict[str, Any] = {}
    if draw.chance(0.4):
        module["recruitmentDetails"] = "Synthetic participants; nobody was recruited."
    return {**module, "groups": _groups("FG", arms), "periods": [period]}


def _baseline(draw: Draw, plan: Plan, arms: Sequence[Arm], sizes: Sequence[int]) -> dict[str, Any]:
    groups = _groups("BG", arms)
    several = len(arms) > 1
    if several:
        title = "Total of all reporting groups"
        groups.append({"id": f"BG{len(arms):03d}", "title": "Total", "description": title})
    totalled = [*sizes, sum(sizes)] if several else list(sizes)
    return {
        "groups": groups,
        "denoms": [{"units": "Participants", "counts": _counts("BG", "value", totalled)}],
        "measures": [
            _age_measure(draw, plan, len(totalled)),
            _sex_measure(draw, plan, sizes, several=several),
        ],
    }


def _age_measure(draw: Draw, plan: Plan, groups: int) -> dict[str, Any]:
    middle = (plan.ages.low + min(plan.ages.high, 85)) / 2
    rows = [
        {
            "groupId": f"BG{i:03d}",
            "value": f"{middle + draw.real(-2, 2):.1f}",
            "spread": f"{draw.real(3, 12):.1f}",
        }
        for i in range(groups)
    ]
    return {
        "title": "Age, Continuous",
        "paramType": "MEAN",
        "dispersionType": "STANDARD_DEVIATION",
        "unitOfMeasure": "years",
        "classes": [{"categories": [{"measurements": rows}]}],
    }


def _sex_measure(draw: Draw, plan: Plan, sizes: Sequence[int], *, several: bool) -> dict[str, Any]:
    share = {"FEMALE": 1.0, "MALE": 0.0}.get(plan.sex, draw.real(0.3, 0.7))
    women = [round(size * share) for size in sizes]
    men = [size - w for size, w in zip(sizes, women, strict=True)]
    if several:
        women, men = [*women, sum(women)], [*men, sum(men)]
    categories = [
        {"title": title, "measurements": _counts("BG", "value", values)}
        for title, values in (("Female", women), ("Male", men))
    ]
    return {
        "title": "Sex: Female, Male",
        "paramType": "COUNT_OF_PARTICIPANTS",
        "unitOfMeasure": "Participants",
        "classes": [{"categories": categories}],
    }


def _measure(
    draw: Draw, role: str, outcome: Outcome, arms: Sequence[Arm], sizes: Sequence[int]
) -> dict[str, Any]:
    measure: dict[str, Any] = {
        "type": role,
        "title": outcome.measure,
        "description": f"{outcome.measure}, as analysed in this synthetic study.",
        "populationDescription": "All participants who started.",
        "reportingStatus": "POSTED",
        **_param(outcome),
        "timeFrame": outcome.time_frame,
        "groups": _groups("OG", arms),
        "denoms": [{"units": "Participants", "counts": _counts("OG", "value", sizes)}],
    }
    rows = [
        {"groupId": f"OG{i:03d}", **_value(draw, outcome, size)} for i, size in enumerate(sizes)
    ]
    measure["classes"] = [{"categories": [{"measurements": rows}]}]
    if len(arms) > 1 and role == "PRIMARY":
        measure["analyses"] = [_analysis(draw, len(arms))]
    return measure


def _param(outcome: Outcome) -> dict[str, str]:
    if outcome.kind == "COUNT":
        return {"paramType": "COUNT_OF_PARTICIPANTS", "unitOfMeasure": "Participants"}
    spread = {"MEAN": "Standard Deviation", "MEDIAN": "95% Confidence Interval"}.get(outcome.kind)
    param = {"paramType": outcome.kind}
    if spread:
        param["dispersionType"] = spread
    return {**param, "unitOfMeasure": outcome.unit}


def _value(draw: Draw, outcome: Outcome, size: int) -> dict[str, str]:
    value = draw.real(outcome.low, outcome.high)
    if outcome.kind == "COUNT":
        return {"value": str(round(size * value / 100))}
    if outcome.kind == "MEAN":
        return {"value": f"{value:.2f}", "spread": f"{abs(value) * draw.real(0.2, 0.9):.2f}"}
    if outcome.kind == "MEDIAN":
        low, high = value * draw.real(0.6, 0.95), value * draw.real(1.05, 1.6)
        return {"value": f"{value:.1f}", "lowerLimit": f"{low:.1f}", "upperLimit": f"{high:.1f}"}
    return {"value": f"{value:.1f}"}


def _analysis(draw: Draw, arms: int) -> dict[str, Any]:
    ratio = draw.real(0.5, 1.2)
    return {
        "paramType": "Hazard Ratio (HR)",
        "paramValue": f"{ratio:.2f}",
        "statisticalMethod": "Log Rank",
        "pValue": draw.pick(("<0.001", "0.012", "0.048", "0.21", "0.67")),
        "ciNumSides": "TWO_SIDED",
        "ciPctValue": "95",
        "ciLowerLimit": f"{ratio * 0.8:.2f}",
        "ciUpperLimit": f"{ratio * 1.25:.2f}",
        "testedNonInferiority": False,
        "nonInferiorityType": "SUPERIORITY",
        "groupIds": [f"OG{i:03d}" for i in range(arms)],
    }


def _events(
    draw: Draw, arms: Sequence[Arm], sizes: Sequence[int], content: Tables
) -> dict[str, Any]:
    tables = {
        kind: [
            (event, [draw.between(0, max(0, size // part)) for size in sizes])
            for event in draw.some(content.events[kind], most)
        ]
        for kind, most, part in (("serious", 3, 20), ("other", 4, 4))
    }
    groups: list[dict[str, Any]] = []
    for i, (arm, size) in enumerate(zip(arms, sizes, strict=True)):
        serious, other = ([row[i] for _, row in tables[kind]] for kind in ("serious", "other"))
        groups.append(
            {
                "id": f"EG{i:03d}",
                "title": arm.label,
                "description": arm.description[:1500],
                "deathsNumAffected": draw.between(0, size // 25),
                "deathsNumAtRisk": size,
                "seriousNumAffected": _affected(draw, serious, size),
                "seriousNumAtRisk": size,
                "otherNumAffected": _affected(draw, other, size),
                "otherNumAtRisk": size,
            }
        )
    return {
        "frequencyThreshold": "5",
        "timeFrame": "From first dose to 30 days after the last",
        "eventGroups": groups,
        **{f"{kind}Events": [_event(e, row, sizes) for e, row in t] for kind, t in tables.items()},
    }


def _affected(draw: Draw, counts: Sequence[int], size: int) -> int:
    """Give a number of people affected: no fewer than the commonest event, no more than all."""
    return draw.between(max(counts), min(size, sum(counts)))


def _event(event: Event, row: Sequence[int], sizes: Sequence[int]) -> dict[str, Any]:
    return {
        "term": event.term,
        "organSystem": event.system,
        "sourceVocabulary": "MedDRA",
        "assessmentType": "SYSTEMATIC_ASSESSMENT",
        "stats": [
            {"groupId": f"EG{i:03d}", "numEvents": n, "numAffected": n, "numAtRisk": size}
            for i, (n, size) in enumerate(zip(row, sizes, strict=True))
        ],
    }


def _more(draw: Draw, plan: Plan) -> dict[str, Any]:
    return {
        "limitationsAndCaveats": {"description": "These results were generated, not measured."},
        "certainAgreement": {"piSponsorEmployee": draw.chance(0.3), "restrictiveAgreement": False},
        "pointOfContact": {
            "title": "Study Director",
            "organization": plan.sponsor.name,
            "email": "results@example.org",
            "phone": "202-555-0100",
        },
    }
