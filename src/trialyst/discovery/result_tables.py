"""Posted results as tables of a page: long measures and lists of events in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialyst.discovery.views import present

if TYPE_CHECKING:
    from trialyst.ctgov.posted import (
        AdverseEvent,
        FlowStep,
        Period,
        PostedAnalysis,
        PostedMeasure,
        PostedResults,
        ResultGroup,
    )

__all__ = ["RESULT_SECTIONS", "to_contents", "to_tables", "without_repeats"]

VALUES_SHOWN = 40
"""Values in one table, some 1,000 tokens; the rest follows as further parts."""
CELLS_SHOWN = 60
"""Counts of events in one table, by event and group."""
FEWEST_EVENTS = 5
ANALYSES_SHOWN = 6
"""Analyses in one part of an outcome."""
_OUTCOME_SECTIONS = {"PRIMARY": "primary_outcomes", "SECONDARY": "secondary_outcomes"}
_OTHER_OUTCOMES = "other_outcomes"

Table = dict[str, Any]


def to_contents(posted: PostedResults) -> dict[str, int]:
    """Count what there is of each section."""
    return {
        "participants": len(posted.periods),
        "baseline": len(posted.baseline),
        **{name: len(_outcomes(posted, name)) for name in _outcome_names()},
        "serious_events": len(posted.serious_events),
        "other_events": len(posted.other_events),
    }


def to_tables(posted: PostedResults, sections: Sequence[str]) -> list[Table]:
    """Give the tables of some sections, in their order."""
    return [table for name in sections for table in _SECTIONS[name](posted)]


def without_repeats(tables: Sequence[Table]) -> list[Table]:
    """Describe a group once on a page: most tables have the same arms."""
    described: set[tuple[Any, Any]] = set()
    return [
        {**table, "groups": [_once(each, described) for each in table["groups"]]}
        if "groups" in table
        else table
        for table in tables
    ]


def _once(group: Table, described: set[tuple[Any, Any]]) -> Table:
    key = (group.get("title"), group.get("description"))
    if key not in described:
        described.add(key)
        return group
    return {name: value for name, value in group.items() if name != "description"}


def _outcome_names() -> tuple[str, ...]:
    return (*_OUTCOME_SECTIONS.values(), _OTHER_OUTCOMES)


def _outcomes(posted: PostedResults, section: str) -> list[PostedMeasure]:
    return [
        each
        for each in posted.outcomes
        if _OUTCOME_SECTIONS.get(each.type or "", _OTHER_OUTCOMES) == section
    ]


def _participants(posted: PostedResults) -> Iterator[Table]:
    groups = [_group(each) for each in posted.flow_groups]
    for at, period in enumerate(posted.periods):
        told = {"recruitment": posted.recruitment, "before_assignment": posted.before_assignment}
        yield {
            "section": "participants",
            **present({"title": period.title, **(told if at == 0 else {})}),
            "groups": groups,
            **_steps(period),
        }


def _steps(period: Period) -> Table:
    return {
        "milestones": [_step(each) for each in period.milestones],
        "not_completed": [_step(each) for each in period.not_completed],
    }


def _step(step: FlowStep) -> Table:
    comments = [step.comment, *(each.comment for each in step.counts)]
    told = list(dict.fromkeys(filter(None, comments)))
    return {
        "title": step.title,
        "counts": {each.group_id: each.number for each in step.counts if each.number},
        **({"comments": told} if told else {}),
    }


def _group(group: ResultGroup, analyzed: Mapping[str, str] | None = None) -> Table:
    number = (analyzed or {}).get(group.id)
    told = {"title": group.title, "description": group.description, "analyzed": number}
    return {"id": group.id, **present(told)}


def _baseline(posted: PostedResults) -> Iterator[Table]:
    for number, measure in enumerate(posted.baseline, 1):
        population = measure.population or (posted.baseline_population if number == 1 else None)
        head = {"section": "baseline", "number": number}
        yield from _measure(measure, head, population=population)


def _outcome_tables(section: str) -> Callable[[PostedResults], Iterator[Table]]:
    def tables(posted: PostedResults) -> Iterator[Table]:
        for number, outcome in enumerate(_outcomes(posted, section), 1):
            head = {"section": section, "number": number}
            yield from _measure(outcome, head, population=outcome.population)

    return tables


def _measure(measure: PostedMeasure, head: Table, *, population: str | None) -> Iterator[Table]:
    """Give a measure, in parts if it is long; the first part says what it is."""
    values = [_value(each) for each in measure.rows]
    effects = [_effect(each) for each in measure.analyses]
    parts = max(_parts(len(values), VALUES_SHOWN), _parts(len(effects), ANALYSES_SHOWN), 1)
    analyzed = {each.group_id: each.number for each in measure.analyzed}
    about = {
        "description": measure.description,
        "population": population,
        "type": measure.type if head["section"] == _OTHER_OUTCOMES else None,
        "time_frame": measure.time_frame,
        "status": None if measure.status in (None, "POSTED") else measure.status,
        "measure_type": measure.measure_type,
        "dispersion_type": measure.dispersion_type,
        "unit": measure.unit,
        "analyzed_units": measure.analyzed_units,
        "groups": [_group(each, analyzed) for each in measure.groups],
    }
    for at in range(parts):
        shown = values[at * VALUES_SHOWN : (at + 1) * VALUES_SHOWN]
        compared = effects[at * ANALYSES_SHOWN : (at + 1) * ANALYSES_SHOWN]
        yield {
            **head,
            **({"part": at + 1, "parts": parts} if parts > 1 else {}),
            **present({"title": measure.title, **(about if at == 0 else {})}),
            "values": shown,
            **({"analyses": compared} if compared else {}),
        }


def _parts(number: int, size: int) -> int:
    return -(-number // size)


def _value(row: Any) -> Table:
    return present(
        {
            "group": row.group_id,
            "category": row.category,
            "value": row.value,
            "spread": row.spread,
            "lower_limit": row.lower_limit,
            "upper_limit": row.upper_limit,
            "comment": row.comment,
        }
    )


def _effect(analysis: PostedAnalysis) -> Table:
    names = (name for name in analysis.__slots__ if name != "group_ids")
    told = {name: getattr(analysis, name) for name in names}
    return present({"groups": list(analysis.group_ids) or None, **told})


def _events(section: str) -> Callable[[PostedResults], Iterator[Table]]:
    def tables(posted: PostedResults) -> Iterator[Table]:
        events: Sequence[AdverseEvent] = getattr(posted, section)
        size = max(CELLS_SHOWN // max(len(posted.event_groups), 1), FEWEST_EVENTS)
        for start in range(0, len(events), size):
            about = {
                "time_frame": posted.event_time_frame,
                "description": posted.event_description,
                "threshold": posted.event_threshold if section == "other_events" else None,
            }
            yield {
                "section": section,
                "first": start + 1,
                "groups": [_event_group(each, whole=start == 0) for each in posted.event_groups],
                **(present(about) if start == 0 else {}),
                "events": [_event(each) for each in events[start : start + size]],
            }

    return tables


def _event_group(group: ResultGroup, *, whole: bool) -> Table:
    totals = {
        "description": group.description,
        "deaths": group.deaths_affected,
        "deaths_at_risk": group.deaths_at_risk,
        "serious": group.serious_affected,
        "serious_at_risk": group.serious_at_risk,
        "other": group.other_affected,
        "other_at_risk": group.other_at_risk,
    }
    return {"id": group.id, **present({"title": group.title, **(totals if whole else {})})}


def _event(event: AdverseEvent) -> Table:
    told = {
        "organ_system": event.organ_system,
        "vocabulary": event.vocabulary,
        "assessment": event.assessment,
        "notes": event.notes,
    }
    counts = {
        each.group_id: present(
            {"affected": each.affected, "at_risk": each.at_risk, "events": each.events}
        )
        for each in event.counts
    }
    return {"term": event.term, **present(told), "counts": counts}


_SECTIONS: Mapping[str, Callable[[PostedResults], Iterator[Table]]] = {
    "participants": _participants,
    "baseline": _baseline,
    **{name: _outcome_tables(name) for name in _outcome_names()},
    **{name: _events(name) for name in ("serious_events", "other_events")},
}
RESULT_SECTIONS = tuple(_SECTIONS)
"""The sections, in the order of the pages."""
