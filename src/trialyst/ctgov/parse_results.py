"""The results section of a study in brief, as fields of `ResultsSummary`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["RESULT_PATHS", "to_result_fields"]

RESULT_PATHS: Mapping[tuple[str, ...], str] = {
    ("results",): "resultsSection",
    ("results", "flow_groups"): "resultsSection.participantFlowModule.groups",
    ("results", "flow_periods"): "resultsSection.participantFlowModule.periods",
    ("results", "baseline_participants"): "resultsSection.baselineCharacteristicsModule.denoms",
    ("results", "primary_outcomes"): (
        "resultsSection.outcomeMeasuresModule.outcomeMeasures(PRIMARY)"
    ),
    ("results", "event_groups"): "resultsSection.adverseEventsModule.eventGroups",
    ("results", "event_time_frame"): "resultsSection.adverseEventsModule.timeFrame",
    ("results", "limitations"): "resultsSection.moreInfoModule.limitationsAndCaveats.description",
}


def to_result_fields(section: Mapping[str, Any]) -> dict[str, Any]:
    """Pick the fields of `ResultsSummary` out of a results section."""
    events = _object(section, "adverseEventsModule")
    flow = _object(section, "participantFlowModule")
    periods = list(_objects(flow, "periods"))
    limitations = _object(_object(section, "moreInfoModule"), "limitationsAndCaveats")
    fields = {
        "flow_groups": _flow_groups(flow, periods[0] if len(periods) == 1 else {}),
        "flow_periods": [*map(_flow_period, periods)] if len(periods) > 1 else None,
        "baseline_participants": _baseline_participants(
            _object(section, "baselineCharacteristicsModule")
        ),
        "primary_outcomes": _primary_outcomes(_object(section, "outcomeMeasuresModule")),
        "event_groups": events.get("eventGroups"),
        "event_time_frame": events.get("timeFrame"),
        "limitations": limitations.get("description"),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _object(parent: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def _objects(parent: Mapping[str, Any], key: str) -> Iterator[dict[str, Any]]:
    value = parent.get(key)
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _flow_groups(flow: Mapping[str, Any], period: Mapping[str, Any]) -> Any:
    groups = flow.get("groups")
    if not isinstance(groups, list):
        return groups
    started = _subjects(period, "STARTED")
    completed = _subjects(period, "COMPLETED")
    return [
        {
            **group,
            "started": _lookup(started, group.get("id")),
            "completed": _lookup(completed, group.get("id")),
        }
        if isinstance(group, dict)
        else group
        for group in groups
    ]


def _flow_period(period: Mapping[str, Any]) -> dict[str, Any]:
    started = _subjects(period, "STARTED")
    completed = _subjects(period, "COMPLETED")
    return {
        "title": period.get("title"),
        "counts": [
            {"group_id": group, "started": started.get(group), "completed": completed.get(group)}
            for group in dict.fromkeys([*started, *completed])
        ],
    }


def _subjects(period: Mapping[str, Any], milestone_type: str) -> dict[str, Any]:
    """Give the number of subjects by group at a milestone of a period."""
    return {
        group_id: achievement.get("numSubjects")
        for milestone in _objects(period, "milestones")
        if milestone.get("type") == milestone_type
        for achievement in _objects(milestone, "achievements")
        if isinstance(group_id := achievement.get("groupId"), str)
    }


def _lookup(counts: Mapping[str, Any], group_id: Any) -> Any:
    return counts.get(group_id) if isinstance(group_id, str) else None


def _baseline_participants(baseline: Mapping[str, Any]) -> int | None:
    """Take the count of the group called Total, else add the groups up."""
    totals = [
        group.get("id") for group in _objects(baseline, "groups") if group.get("title") == "Total"
    ]
    for denominator in _objects(baseline, "denoms"):
        if denominator.get("units") != "Participants":
            continue
        counts = list(_objects(denominator, "counts"))
        of_total = [count for count in counts if count.get("groupId") in totals]
        numbers = [_number(count.get("value")) for count in of_total or counts]
        known = [number for number in numbers if number is not None]
        # A sum of some groups is no number of the trial.
        return sum(known) if known and len(known) == len(numbers) else None
    return None


def _number(value: Any) -> int | None:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None


def _primary_outcomes(module: Mapping[str, Any]) -> Any:
    measures = module.get("outcomeMeasures")
    if not isinstance(measures, list):
        return measures
    return [
        measure
        for measure in measures
        if not isinstance(measure, dict) or measure.get("type") == "PRIMARY"
    ]
