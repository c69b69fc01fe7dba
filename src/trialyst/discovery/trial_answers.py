"""What `get_trial` answers: a trial in sections."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from trialyst.ctgov.answers import (
    Count,
    DateText,
    Pagination,
    PhaseCode,
    Told,
    TrialId,
    Words,
)
from trialyst.discovery.answers import Contact

__all__ = [
    "AnalysisInBrief",
    "Arm",
    "ArmsSection",
    "AvailableData",
    "CriterionText",
    "CrossReferencesSection",
    "DatedStep",
    "DatesSection",
    "Document",
    "EligibilitySection",
    "Enrollment",
    "EventNumbers",
    "FlowNumbers",
    "FlowPeriodNumbers",
    "GivenIntervention",
    "Link",
    "MeasuredValue",
    "MeshName",
    "OutcomeInBrief",
    "OutcomeMeasure",
    "OutcomesSection",
    "Paper",
    "Participants",
    "ProtocolSection",
    "ReferencesSection",
    "RegistryName",
    "ResultsSection",
    "SponsorsSection",
    "SummariesSection",
    "TrialAnswer",
    "TrialSections",
    "TrialsAnswer",
]


class SummariesSection(TypedDict, total=False):
    """What the trial is about."""

    brief_summary: Words
    detailed_description: Words


class Enrollment(TypedDict, total=False):
    """How many people take part."""

    count: Count
    type: Words


class ProtocolSection(TypedDict):
    """What kind of trial it is, of what, and how far."""

    study_type: NotRequired[Words]
    phase: NotRequired[PhaseCode]
    status: NotRequired[Words]
    last_known_status: NotRequired[Words]
    why_stopped: NotRequired[Words]
    conditions: list[Words]
    keywords: NotRequired[list[Words]]
    design: NotRequired[dict[str, bool | str | list[str]]]
    enrollment: NotRequired[Enrollment]
    has_results: bool
    site_count: Count
    countries: list[Words]
    oversight: NotRequired[dict[str, bool]]
    expanded_access: NotRequired[dict[str, bool | str]]


class CriterionText(TypedDict):
    """One eligibility criterion."""

    text: Words
    group: NotRequired[
        Annotated[Words, Field(description="The sub-heading it stands under, such as a cohort.")]
    ]
    depth: NotRequired[
        Annotated[int, Field(ge=1, description="How deep it stands in a list of lists.")]
    ]


class EligibilitySection(TypedDict):
    """Who may take part."""

    inclusion: list[CriterionText]
    exclusion: list[CriterionText]
    other: NotRequired[
        Annotated[
            list[CriterionText],
            Field(description="Statements that are neither, such as notes."),
        ]
    ]
    minimum_age: NotRequired[Words]
    maximum_age: NotRequired[Words]
    sex: NotRequired[Words]
    gender_based: NotRequired[bool]
    gender_description: NotRequired[Words]
    healthy_volunteers: NotRequired[bool]
    age_groups: NotRequired[list[Words]]
    study_population: NotRequired[Words]
    sampling_method: NotRequired[Words]


class OutcomeMeasure(TypedDict):
    """What is measured."""

    measure: Words
    time_frame: NotRequired[Words]
    description: NotRequired[Words]


class OutcomesSection(TypedDict):
    """What the trial measures."""

    primary: list[OutcomeMeasure]
    secondary: list[OutcomeMeasure]
    other: NotRequired[list[OutcomeMeasure]]


_Sponsor = TypedDict("_Sponsor", {"name": Words, "class": NotRequired[Words]})
"""`class` is no name of Python's."""


class SponsorsSection(TypedDict):
    """Who runs the trial."""

    lead: NotRequired[_Sponsor]
    collaborators: list[_Sponsor]
    organization: NotRequired[_Sponsor]
    responsible_party: NotRequired[dict[str, Words]]
    officials: NotRequired[list[Contact]]
    contacts: NotRequired[list[Contact]]


class DatedStep(TypedDict):
    """When something happened, or is to happen."""

    date: DateText
    type: NotRequired[Words]


class DatesSection(TypedDict, total=False):
    """When."""

    start: DatedStep
    primary_completion: DatedStep
    completion: DatedStep
    first_submitted: DatedStep
    first_posted: DatedStep
    results_first_submitted: DatedStep
    results_first_posted: DatedStep
    last_update_submitted: DatedStep
    last_update_posted: DatedStep
    verified: DatedStep


class Arm(TypedDict):
    """A group of participants."""

    label: Words
    type: NotRequired[Words]
    description: NotRequired[Words]
    intervention_names: NotRequired[list[Words]]


class GivenIntervention(TypedDict):
    """Something given to participants."""

    name: Words
    type: NotRequired[Words]
    description: NotRequired[Words]
    other_names: NotRequired[list[Words]]
    arm_group_labels: NotRequired[list[Words]]


class ArmsSection(TypedDict):
    """Who is given what."""

    arms: list[Arm]
    interventions: list[GivenIntervention]


class Paper(TypedDict, total=False):
    """A paper that the record names."""

    pmid: Words
    type: Words
    citation: Words
    retracted: Literal[True]


class Link(TypedDict):
    """A page that the record names."""

    url: Words
    label: NotRequired[Words]


class Document(TypedDict, total=False):
    """A document of the trial."""

    label: Words
    date: DateText
    url: Words


class AvailableData(TypedDict, total=False):
    """Data of participants that can be had."""

    id: Words
    type: Words
    url: Words
    comment: Words


class ReferencesSection(TypedDict):
    """Papers, links and documents."""

    papers: list[Paper]
    links: list[Link]
    documents: NotRequired[list[Document]]
    data_sharing: NotRequired[dict[str, str | list[str]]]
    available_data: NotRequired[list[AvailableData]]


class MeshName(TypedDict):
    """A MeSH term."""

    id: NotRequired[Annotated[str, Field(pattern="^MESH:")]]
    term: Words


class RegistryName(TypedDict):
    """An id of the trial elsewhere."""

    id: Words
    type: NotRequired[Words]
    domain: NotRequired[Words]
    link: NotRequired[Words]


class CrossReferencesSection(TypedDict):
    """The trial in other databases."""

    url: Annotated[str, Field(json_schema_extra={"format": "uri"})]
    pubmed: list[Annotated[str, Field(pattern="^PMID:[0-9]+$")]]
    mesh_conditions: list[MeshName]
    mesh_interventions: list[MeshName]
    registry_ids: list[RegistryName]
    aliases: NotRequired[list[TrialId]]


class FlowNumbers(TypedDict, total=False):
    """A group of the participant flow."""

    title: Words
    started: Count
    completed: Count


class FlowPeriodNumbers(TypedDict):
    """A period of the participant flow."""

    title: str
    groups: list[FlowNumbers]


class Participants(TypedDict):
    """Who took part."""

    started: NotRequired[Count]
    completed: NotRequired[Count]
    analyzed_at_baseline: NotRequired[Count]
    groups: list[FlowNumbers]
    periods: NotRequired[
        Annotated[
            list[FlowPeriodNumbers],
            Field(description="Where there are several; numbers then stand here only."),
        ]
    ]


class MeasuredValue(TypedDict, total=False):
    """A measured value, as text: the registry allows `NA` and `<0.001`."""

    group: Words
    category: Words
    value: Words
    spread: Words
    lower_limit: Words
    upper_limit: Words
    comment: Words


class AnalysisInBrief(TypedDict, total=False):
    """A statistical comparison, as text."""

    groups: list[Words]
    method: Words
    p_value: Words
    estimate_type: Words
    estimate: Words
    ci_percent: Words
    ci_lower: Words
    ci_upper: Words


class OutcomeInBrief(TypedDict):
    """A reported outcome measure."""

    title: NotRequired[Words]
    time_frame: NotRequired[Words]
    unit: NotRequired[Words]
    measure_type: NotRequired[Words]
    dispersion: NotRequired[Words]
    population: NotRequired[Words]
    values: list[MeasuredValue]
    analyses: NotRequired[list[AnalysisInBrief]]


class EventNumbers(TypedDict, total=False):
    """How many of a group were affected."""

    group: Words
    affected: Count
    at_risk: Count


class ResultsSection(TypedDict):
    """Posted results in brief; `get_results` has them in full."""

    participants: Participants
    primary_outcomes: list[OutcomeInBrief]
    serious_events: list[EventNumbers]
    deaths: list[EventNumbers]
    event_time_frame: NotRequired[Words]
    limitations: NotRequired[Words]


class TrialSections(TypedDict):
    """A trial; sections that it has nothing for are absent, as are those not asked for."""

    id: TrialId
    title: NotRequired[Words]
    brief_title: NotRequired[Words]
    acronym: NotRequired[Words]
    summaries: NotRequired[SummariesSection]
    protocol: NotRequired[ProtocolSection]
    eligibility: NotRequired[EligibilitySection]
    criteria_text: NotRequired[
        Annotated[Words, Field(description="Who may take part, as the record writes it.")]
    ]
    outcomes: NotRequired[OutcomesSection]
    sponsors: NotRequired[SponsorsSection]
    dates: NotRequired[DatesSection]
    arms: NotRequired[ArmsSection]
    references: NotRequired[ReferencesSection]
    cross_references: NotRequired[CrossReferencesSection]
    results: NotRequired[ResultsSection]


class TrialAnswer(Told, TrialSections):
    """One trial."""


class TrialsAnswer(Told):
    """Several trials, in the order asked for."""

    items: list[TrialSections]
    not_found: Annotated[list[TrialId], Field(description="Ids asked for that name no trial here.")]
    pagination: Pagination
