"""What `get_results` answers: the tables of posted results, long ones in parts."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from trialyst.ctgov.answers import Count, DateText, Pagination, Told, TrialId, Words

__all__ = [
    "BaselineTable",
    "EffectTable",
    "EventGroupTable",
    "EventRow",
    "EventTable",
    "FlowCounts",
    "FlowTable",
    "GroupTable",
    "MeasureTable",
    "OutcomeTable",
    "ResultContents",
    "ResultsAnswer",
    "ValueCell",
]

OutcomeSection = Literal["primary_outcomes", "secondary_outcomes", "other_outcomes"]
EventSection = Literal["serious_events", "other_events"]


class GroupTable(TypedDict):
    """A group of participants; numbers refer to it by `id`."""

    id: str
    title: NotRequired[Words]
    description: NotRequired[Words]
    analyzed: NotRequired[Annotated[Words, Field(description="How many were analyzed.")]]


class EventGroupTable(GroupTable):
    """A group whose events were collected."""

    deaths: NotRequired[Count]
    deaths_at_risk: NotRequired[Count]
    serious: NotRequired[Annotated[Count, Field(description="People with a serious event.")]]
    serious_at_risk: NotRequired[Count]
    other: NotRequired[Annotated[Count, Field(description="People with another event.")]]
    other_at_risk: NotRequired[Count]


class FlowCounts(TypedDict):
    """A milestone or a reason, and how many of each group."""

    title: str
    counts: Annotated[dict[str, str], Field(description="By group id.")]
    comments: NotRequired[Annotated[list[Words], Field(description="What is said of the numbers.")]]


class FlowTable(TypedDict):
    """A period of the participant flow."""

    section: Literal["participants"]
    title: NotRequired[Words]
    recruitment: NotRequired[Words]
    before_assignment: NotRequired[Words]
    groups: list[GroupTable]
    milestones: list[FlowCounts]
    not_completed: Annotated[list[FlowCounts], Field(description="Why people did not complete.")]


class ValueCell(TypedDict, total=False):
    """A measured value, as written: the registry allows `NA` and `<0.001`."""

    group: str
    category: Words
    value: Words
    spread: Words
    lower_limit: Words
    upper_limit: Words
    comment: Words


class EffectTable(TypedDict, total=False):
    """A statistical comparison of groups, as written."""

    groups: list[str]
    description: Words
    method: Words
    method_comment: Words
    p_value: Words
    p_value_comment: Words
    estimate_type: Annotated[Words, Field(description="What is estimated, such as Hazard Ratio.")]
    estimate: Words
    estimate_comment: Words
    dispersion_type: Words
    dispersion: Words
    ci_percent: Words
    ci_sides: Words
    ci_lower: Words
    ci_upper: Words
    test_type: Words
    test_comment: Words


class MeasureTable(TypedDict):
    """What every measure has."""

    number: Annotated[int, Field(ge=1, description="Its place within the section.")]
    part: NotRequired[
        Annotated[int, Field(ge=1, description="Of a long measure: which part of its values.")]
    ]
    parts: NotRequired[Annotated[int, Field(ge=2)]]
    title: NotRequired[Words]
    description: NotRequired[Words]
    population: NotRequired[Words]
    measure_type: NotRequired[Words]
    dispersion_type: NotRequired[Words]
    unit: NotRequired[Words]
    analyzed_units: NotRequired[
        Annotated[Words, Field(description="What was counted, if not participants.")]
    ]
    groups: NotRequired[list[GroupTable]]
    values: list[ValueCell]


class BaselineTable(MeasureTable):
    """A baseline characteristic."""

    section: Literal["baseline"]


class OutcomeTable(MeasureTable):
    """An outcome measure with its analyses."""

    section: OutcomeSection
    time_frame: NotRequired[Words]
    status: NotRequired[
        Annotated[Words, Field(description="Where its data are not posted: NOT_POSTED.")]
    ]
    type: NotRequired[Words]
    analyses: NotRequired[list[EffectTable]]


class EventRow(TypedDict):
    """An adverse event; counts by group id: affected, at risk, and events where told."""

    term: str
    organ_system: NotRequired[Words]
    vocabulary: NotRequired[Words]
    assessment: NotRequired[Words]
    notes: NotRequired[Words]
    counts: dict[str, dict[Literal["affected", "at_risk", "events"], Count]]


class EventTable(TypedDict):
    """Some of the adverse events."""

    section: EventSection
    first: Annotated[int, Field(ge=1, description="The place of the first within the section.")]
    groups: list[EventGroupTable]
    time_frame: NotRequired[Words]
    description: NotRequired[Words]
    threshold: NotRequired[
        Annotated[Words, Field(description="Percentage above which other events are listed.")]
    ]
    events: list[EventRow]


class ResultContents(TypedDict):
    """How much there is of each section, on all pages."""

    participants: Annotated[Count, Field(description="Periods.")]
    baseline: Annotated[Count, Field(description="Characteristics.")]
    primary_outcomes: Count
    secondary_outcomes: Count
    other_outcomes: Count
    serious_events: Count
    other_events: Count


class ResultsAnswer(Told):
    """Posted results of a trial."""

    id: TrialId
    title: NotRequired[Words]
    has_results: bool
    first_posted: NotRequired[
        Annotated[DateText, Field(description="When results were first posted.")]
    ]
    contents: NotRequired[ResultContents]
    limitations: NotRequired[Words]
    items: list[FlowTable | BaselineTable | OutcomeTable | EventTable]
    pagination: Pagination
