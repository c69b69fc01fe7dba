"""Posted results in full: who took part, baseline, outcomes with their analyses, adverse events.

A trial carries its results in brief (`ResultsSummary`); these are read on their own, when asked
for. Numbers stay as they are written where the registry allows text: `NA`, `<0.001`.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "AdverseEvent",
    "EventCount",
    "FlowStep",
    "GroupNumber",
    "MeasuredRow",
    "Period",
    "PostedAnalysis",
    "PostedMeasure",
    "PostedResults",
    "ResultGroup",
]


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """A group of participants, by the id that numbers refer to."""

    id: str
    title: str | None = None
    description: str | None = None
    deaths_affected: int | None = None
    deaths_at_risk: int | None = None
    serious_affected: int | None = None
    serious_at_risk: int | None = None
    other_affected: int | None = None
    other_at_risk: int | None = None


@dataclass(frozen=True, slots=True)
class GroupNumber:
    """A number of one group."""

    group_id: str
    number: str
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class FlowStep:
    """A milestone that people reached, or a reason for which they did not complete."""

    title: str
    counts: tuple[GroupNumber, ...] = ()
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Period:
    """A period of the participant flow."""

    title: str | None
    milestones: tuple[FlowStep, ...] = ()
    not_completed: tuple[FlowStep, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One measured value of one group."""

    group_id: str | None
    category: str | None = None
    """The row and the column it stands in, such as `Week 12, Responder`."""
    value: str | None = None
    spread: str | None = None
    lower_limit: str | None = None
    upper_limit: str | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class PostedAnalysis:
    """A statistical comparison of groups."""

    group_ids: tuple[str, ...] = ()
    description: str | None = None
    method: str | None = None
    method_comment: str | None = None
    p_value: str | None = None
    p_value_comment: str | None = None
    estimate_type: str | None = None
    estimate: str | None = None
    estimate_comment: str | None = None
    dispersion_type: str | None = None
    dispersion: str | None = None
    ci_percent: str | None = None
    ci_sides: str | None = None
    ci_lower: str | None = None
    ci_upper: str | None = None
    test_type: str | None = None
    """Whether superiority, non-inferiority or equivalence was tested."""
    test_comment: str | None = None


@dataclass(frozen=True, slots=True)
class PostedMeasure:
    """A measure of the baseline or of an outcome."""

    title: str | None = None
    type: str | None = None
    """Of an outcome: PRIMARY, SECONDARY, OTHER_PRE_SPECIFIED or POST_HOC."""
    description: str | None = None
    population: str | None = None
    time_frame: str | None = None
    status: str | None = None
    """Whether the data of an outcome are posted."""
    measure_type: str | None = None
    dispersion_type: str | None = None
    unit: str | None = None
    groups: tuple[ResultGroup, ...] = ()
    analyzed: tuple[GroupNumber, ...] = ()
    """How many of each group were analyzed."""
    analyzed_units: str | None = None
    """What was counted, if not participants."""
    rows: tuple[MeasuredRow, ...] = ()
    analyses: tuple[PostedAnalysis, ...] = ()


@dataclass(frozen=True, slots=True)
class EventCount:
    """How many of a group had an adverse event."""

    group_id: str
    affected: int | None = None
    at_risk: int | None = None
    events: int | None = None


@dataclass(frozen=True, slots=True)
class AdverseEvent:
    """An adverse event."""

    term: str
    organ_system: str | None = None
    vocabulary: str | None = None
    assessment: str | None = None
    notes: str | None = None
    counts: tuple[EventCount, ...] = ()


@dataclass(frozen=True, slots=True)
class PostedResults:
    """The results section of a record."""

    allocation: str | None = None
    """How people came to their groups, from the design: RANDOMIZED, NON_RANDOMIZED or NA."""
    recruitment: str | None = None
    before_assignment: str | None = None
    flow_groups: tuple[ResultGroup, ...] = ()
    periods: tuple[Period, ...] = ()
    baseline_population: str | None = None
    baseline: tuple[PostedMeasure, ...] = ()
    outcomes: tuple[PostedMeasure, ...] = ()
    event_groups: tuple[ResultGroup, ...] = ()
    event_time_frame: str | None = None
    event_description: str | None = None
    event_threshold: str | None = None
    """The percentage above which other events are listed."""
    serious_events: tuple[AdverseEvent, ...] = ()
    other_events: tuple[AdverseEvent, ...] = ()
    limitations: str | None = None
