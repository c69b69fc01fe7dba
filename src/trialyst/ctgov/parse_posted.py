"""The results section of a study, the API's raw JSON, to `PostedResults`; raw JSON dies here.

Parsing is total: what is not of its type is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from trialyst.ctgov.posted import (
    AdverseEvent,
    EventCount,
    FlowStep,
    GroupNumber,
    MeasuredRow,
    Period,
    PostedAnalysis,
    PostedMeasure,
    PostedResults,
    ResultGroup,
)

__all__ = ["parse_posted_results"]

Raw = Mapping[str, Any]


def parse_posted_results(data: bytes | Raw) -> PostedResults | None:
    """Give the results that a study posts, None where it posts none."""
    study = data if isinstance(data, Mapping) else msgspec.json.decode(data)
    section = _object(study, "resultsSection") if isinstance(study, Mapping) else {}
    if not section:
        return None
    flow = _object(section, "participantFlowModule")
    baseline = _object(section, "baselineCharacteristicsModule")
    events = _object(section, "adverseEventsModule")
    limitations = _object(_object(section, "moreInfoModule"), "limitationsAndCaveats")
    design = _object(_object(study, "protocolSection"), "designModule")
    return PostedResults(
        allocation=_text(_object(design, "designInfo"), "allocation"),
        recruitment=_text(flow, "recruitmentDetails"),
        before_assignment=_text(flow, "preAssignmentDetails"),
        flow_groups=_groups(flow, "groups"),
        periods=tuple(map(_period, _objects(flow, "periods"))),
        baseline_population=_text(baseline, "populationDescription"),
        baseline=tuple(_baseline(baseline)),
        outcomes=tuple(
            map(_outcome, _objects(_object(section, "outcomeMeasuresModule"), "outcomeMeasures"))
        ),
        event_groups=_groups(events, "eventGroups"),
        event_time_frame=_text(events, "timeFrame"),
        event_description=_text(events, "description"),
        event_threshold=_text(events, "frequencyThreshold"),
        serious_events=tuple(map(_event, _objects(events, "seriousEvents"))),
        other_events=tuple(map(_event, _objects(events, "otherEvents"))),
        limitations=_text(limitations, "description"),
    )


def _object(parent: Raw, key: str) -> Raw:
    value = parent.get(key)
    return value if isinstance(value, Mapping) else {}


def _objects(parent: Raw, key: str) -> Iterator[Raw]:
    value = parent.get(key)
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, Mapping))


def _text(parent: Raw, key: str) -> str | None:
    """Give a text that says something; numbers are written out."""
    value = parent.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def _number(parent: Raw, key: str) -> int | None:
    text = _text(parent, key) or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None


def _groups(parent: Raw, key: str) -> tuple[ResultGroup, ...]:
    return tuple(
        ResultGroup(
            id=_text(group, "id") or "",
            title=_text(group, "title"),
            description=_text(group, "description"),
            deaths_affected=_number(group, "deathsNumAffected"),
            deaths_at_risk=_number(group, "deathsNumAtRisk"),
            serious_affected=_number(group, "seriousNumAffected"),
            serious_at_risk=_number(group, "seriousNumAtRisk"),
            other_affected=_number(group, "otherNumAffected"),
            other_at_risk=_number(group, "otherNumAtRisk"),
        )
        for group in _objects(parent, key)
    )


def _period(period: Raw) -> Period:
    return Period(
        title=_text(period, "title"),
        milestones=tuple(_steps(period, "milestones", "achievements")),
        not_completed=tuple(_steps(period, "dropWithdraws", "reasons")),
    )


def _steps(period: Raw, key: str, counted: str) -> Iterator[FlowStep]:
    for step in _objects(period, key):
        counts = (
            GroupNumber(
                _text(each, "groupId") or "",
                _text(each, "numSubjects") or _text(each, "numUnits") or "",
                _text(each, "comment"),
            )
            for each in _objects(step, counted)
        )
        told = tuple(each for each in counts if each.number or each.comment)
        yield FlowStep(_text(step, "type") or "", told, _text(step, "comment"))


def _baseline(module: Raw) -> Iterator[PostedMeasure]:
    """Give the measures of the baseline, each with the groups and numbers of all of them."""
    groups = _groups(module, "groups")
    for measure in _objects(module, "measures"):
        own = measure if list(_objects(measure, "denoms")) else module
        units, analyzed = _analyzed(own)
        yield PostedMeasure(
            title=_text(measure, "title"),
            description=_text(measure, "description"),
            population=_text(measure, "populationDescription"),
            measure_type=_text(measure, "paramType"),
            dispersion_type=_text(measure, "dispersionType"),
            unit=_text(measure, "unitOfMeasure"),
            groups=groups,
            analyzed=analyzed,
            analyzed_units=units,
            rows=tuple(_rows(measure)),
        )


def _outcome(measure: Raw) -> PostedMeasure:
    units, analyzed = _analyzed(measure)
    return PostedMeasure(
        title=_text(measure, "title"),
        type=_text(measure, "type"),
        description=_text(measure, "description"),
        population=_text(measure, "populationDescription"),
        time_frame=_text(measure, "timeFrame"),
        status=_text(measure, "reportingStatus"),
        measure_type=_text(measure, "paramType"),
        dispersion_type=_text(measure, "dispersionType"),
        unit=_text(measure, "unitOfMeasure"),
        groups=_groups(measure, "groups"),
        analyzed=analyzed,
        analyzed_units=units,
        rows=tuple(_rows(measure)),
        analyses=tuple(map(_analysis, _objects(measure, "analyses"))),
    )


def _analyzed(parent: Raw) -> tuple[str | None, tuple[GroupNumber, ...]]:
    """Give what was counted and how many of each group; participants before other units."""
    denominators = sorted(
        _objects(parent, "denoms"), key=lambda each: _text(each, "units") != "Participants"
    )
    for denominator in denominators[:1]:
        units = _text(denominator, "units")
        counts = tuple(
            GroupNumber(_text(each, "groupId") or "", _text(each, "value") or "")
            for each in _objects(denominator, "counts")
        )
        return (None if units == "Participants" else units), counts
    return None, ()


def _rows(measure: Raw) -> Iterator[MeasuredRow]:
    for block in _objects(measure, "classes"):
        for category in _objects(block, "categories"):
            titles = (_text(block, "title"), _text(category, "title"))
            row = ", ".join(filter(None, titles)) or None
            for value in _objects(category, "measurements"):
                yield MeasuredRow(
                    group_id=_text(value, "groupId"),
                    category=row,
                    value=_text(value, "value"),
                    spread=_text(value, "spread"),
                    lower_limit=_text(value, "lowerLimit"),
                    upper_limit=_text(value, "upperLimit"),
                    comment=_text(value, "comment"),
                )


def _analysis(analysis: Raw) -> PostedAnalysis:
    ids = analysis.get("groupIds")
    described = (_text(analysis, "groupDescription"), _text(analysis, "otherAnalysisDescription"))
    return PostedAnalysis(
        group_ids=tuple(each for each in ids if isinstance(each, str))
        if isinstance(ids, list)
        else (),
        description=" ".join(filter(None, described)) or None,
        method=_text(analysis, "statisticalMethod"),
        method_comment=_text(analysis, "statisticalComment"),
        p_value=_text(analysis, "pValue"),
        p_value_comment=_text(analysis, "pValueComment"),
        estimate_type=_text(analysis, "paramType"),
        estimate=_text(analysis, "paramValue"),
        estimate_comment=_text(analysis, "estimateComment"),
        dispersion_type=_text(analysis, "dispersionType"),
        dispersion=_text(analysis, "dispersionValue"),
        ci_percent=_text(analysis, "ciPctValue"),
        ci_sides=_text(analysis, "ciNumSides"),
        ci_lower=_text(analysis, "ciLowerLimit"),
        ci_upper=_text(analysis, "ciUpperLimit"),
        test_type=_text(analysis, "nonInferiorityType"),
        test_comment=_text(analysis, "nonInferiorityComment"),
    )


def _event(event: Raw) -> AdverseEvent:
    return AdverseEvent(
        term=_text(event, "term") or "",
        organ_system=_text(event, "organSystem"),
        vocabulary=_text(event, "sourceVocabulary"),
        assessment=_text(event, "assessmentType"),
        notes=_text(event, "notes"),
        counts=tuple(
            EventCount(
                group_id=_text(each, "groupId") or "",
                affected=_number(each, "numAffected"),
                at_risk=_number(each, "numAtRisk"),
                events=_number(each, "numEvents"),
            )
            for each in _objects(event, "stats")
        ),
    )
