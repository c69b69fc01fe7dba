"""Posted results in brief: who took part, the primary outcomes, the harms in total."""

from __future__ import annotations

from trialyst.ctgov.model import Known, Part
from trialyst.ctgov.vocab import OutcomeMeasureType

__all__ = [
    "Analysis",
    "EventTotals",
    "FlowCount",
    "FlowGroup",
    "FlowPeriod",
    "Measurement",
    "OutcomeCategory",
    "OutcomeClass",
    "OutcomeGroup",
    "OutcomeResult",
    "ResultsSummary",
]


class FlowGroup(Part):
    """One group of the participant flow."""

    id: str
    title: str | None = None
    description: str | None = None
    started: int | None = None
    """People who started the period; of a flow of several periods only the periods have numbers."""
    completed: int | None = None


class FlowCount(Part):
    """How one group of the participant flow fared in a period."""

    group_id: str
    started: int | None = None
    completed: int | None = None


class FlowPeriod(Part):
    """One period of a participant flow that has several, with the groups that took part in it."""

    title: str | None = None
    counts: tuple[FlowCount, ...] = ()


class OutcomeGroup(Part):
    """A group an outcome was measured in."""

    id: str
    title: str | None = None
    description: str | None = None


class Measurement(Part):
    """One measured value, as text, since the registry allows `NA` and `<0.001`."""

    group_id: str | None = None
    value: str | None = None
    spread: str | None = None
    lower_limit: str | None = None
    upper_limit: str | None = None
    comment: str | None = None


class OutcomeCategory(Part):
    """A row of measured values, one a group."""

    title: str | None = None
    measurements: tuple[Measurement, ...] = ()


class OutcomeClass(Part):
    """Rows that belong together, such as one time point."""

    title: str | None = None
    categories: tuple[OutcomeCategory, ...] = ()


class Analysis(Part):
    """A statistical comparison, as text."""

    group_ids: tuple[str, ...] = ()
    statistical_method: str | None = None
    p_value: str | None = None
    param_type: str | None = None
    param_value: str | None = None
    ci_pct_value: str | None = None
    ci_lower_limit: str | None = None
    ci_upper_limit: str | None = None


class OutcomeResult(Part):
    """One reported outcome measure."""

    type: Known[OutcomeMeasureType] | None = None
    title: str | None = None
    description: str | None = None
    population_description: str | None = None
    time_frame: str | None = None
    param_type: str | None = None
    dispersion_type: str | None = None
    unit_of_measure: str | None = None
    groups: tuple[OutcomeGroup, ...] = ()
    classes: tuple[OutcomeClass, ...] = ()
    analyses: tuple[Analysis, ...] = ()


class EventTotals(Part):
    """Deaths and adverse events of one group, in people."""

    id: str
    title: str | None = None
    deaths_num_affected: int | None = None
    deaths_num_at_risk: int | None = None
    serious_num_affected: int | None = None
    serious_num_at_risk: int | None = None
    other_num_affected: int | None = None
    other_num_at_risk: int | None = None


class ResultsSummary(Part):
    """The results section in brief."""

    flow_groups: tuple[FlowGroup, ...] = ()
    flow_periods: tuple[FlowPeriod, ...] = ()
    """The periods, where there are several."""
    baseline_participants: int | None = None
    """People analyzed at baseline, over all groups."""
    primary_outcomes: tuple[OutcomeResult, ...] = ()
    event_groups: tuple[EventTotals, ...] = ()
    event_time_frame: str | None = None
    limitations: str | None = None
