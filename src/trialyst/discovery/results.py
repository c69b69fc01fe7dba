"""Posted results in brief: who took part, the primary outcomes, the serious events and deaths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trialyst.discovery.views import present

if TYPE_CHECKING:
    from trialyst.ctgov.results import (
        Analysis,
        EventTotals,
        FlowPeriod,
        OutcomeResult,
        ResultsSummary,
    )
    from trialyst.ctgov.trial import Trial

__all__ = ["to_results"]


def to_results(trial: Trial) -> dict[str, Any]:
    """Give the results section; empty where none are posted."""
    posted = trial.results
    if posted is None:
        return {}
    return present(
        {
            "participants": _participants(posted),
            "primary_outcomes": [_outcome(each) for each in posted.primary_outcomes],
            "serious_events": [_events(each, "serious") for each in posted.event_groups],
            "deaths": [_events(each, "deaths") for each in posted.event_groups],
            "event_time_frame": posted.event_time_frame,
            "limitations": posted.limitations,
        }
    )


def _participants(posted: ResultsSummary) -> dict[str, Any]:
    groups = posted.flow_groups
    titles = {group.id: group.title or group.id for group in groups}
    return present(
        {
            "started": _sum([group.started for group in groups]),
            "completed": _sum([group.completed for group in groups]),
            "analyzed_at_baseline": posted.baseline_participants,
            "groups": [
                present({"title": each.title, "started": each.started, "completed": each.completed})
                for each in groups
            ],
            "periods": [_period(each, titles) for each in posted.flow_periods] or None,
        }
    )


def _period(period: FlowPeriod, titles: Mapping[str, str]) -> dict[str, Any]:
    groups = [
        present(
            {
                "title": titles.get(count.group_id, count.group_id),
                "started": count.started,
                "completed": count.completed,
            }
        )
        for count in period.counts
    ]
    return {"title": period.title or "", "groups": groups}


def _sum(numbers: list[int | None]) -> int | None:
    """Add up, unless a number is missing: a sum of some groups is no number of the trial."""
    known = [number for number in numbers if number is not None]
    return sum(known) if known and len(known) == len(numbers) else None


def _outcome(outcome: OutcomeResult) -> dict[str, Any]:
    groups = {group.id: group.title or group.id for group in outcome.groups}
    return present(
        {
            "title": outcome.title,
            "time_frame": outcome.time_frame,
            "unit": outcome.unit_of_measure,
            "measure_type": outcome.param_type,
            "dispersion": outcome.dispersion_type,
            "population": outcome.population_description,
            "values": list(_values(outcome, groups)),
            "analyses": [_analysis(each, groups) for each in outcome.analyses] or None,
        }
    )


def _values(outcome: OutcomeResult, groups: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for block in outcome.classes:
        for category in block.categories:
            titles = (title for title in (block.title, category.title) if title)
            row = ", ".join(titles)
            for measured in category.measurements:
                values = measured.model_dump(mode="json", exclude={"group_id"})
                group = measured.group_id and groups.get(measured.group_id, measured.group_id)
                yield present({"group": group, "category": row, **values})


def _analysis(analysis: Analysis, groups: Mapping[str, str]) -> dict[str, Any]:
    return present(
        {
            "groups": [groups.get(group, group) for group in analysis.group_ids],
            "method": analysis.statistical_method,
            "p_value": analysis.p_value,
            "estimate_type": analysis.param_type,
            "estimate": analysis.param_value,
            "ci_percent": analysis.ci_pct_value,
            "ci_lower": analysis.ci_lower_limit,
            "ci_upper": analysis.ci_upper_limit,
        }
    )


def _events(group: EventTotals, kind: str) -> dict[str, Any]:
    return present(
        {
            "group": group.title or group.id,
            "affected": getattr(group, f"{kind}_num_affected"),
            "at_risk": getattr(group, f"{kind}_num_at_risk"),
        }
    )
