"""The models of the contracts, each a view of trials: exactly the agreed fields, and what explains
them. The agreed lists and sets are lists and sets.

A point-in-time answer holds None where a value was not yet known.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel, Field

from trialyst.ctgov.answers import Count
from trialyst.questions.readings import ArgumentReading
from trialyst.repurposing.answers import (
    Answer,
    Found,
    HowMatched,
    Match,
    Part,
    PointInTime,
    StopSummary,
)
from trialyst.repurposing.wire import WireId

__all__ = [
    "CompetitorEntry",
    "ConditionDrug",
    "ConditionLandscape",
    "EndPoint",
    "Found",
    "Grade",
    "HowMatched",
    "Intervention",
    "Match",
    "MechanismClass",
    "PhaseTransition",
    "Pipeline",
    "PipelineDrug",
    "PointInTime",
    "PrimaryOutcome",
    "ReadOut",
    "RecentStart",
    "StopSummary",
    "TerminatedTrial",
    "Trend",
    "Trial",
    "WhitespaceHit",
    "WhitespaceResult",
]


class Intervention(Part):
    """Something given to participants."""

    intervention_type: str
    """A label: `Drug`, `Biological`, `Device`, ..."""
    intervention_name: str
    description: str | None = None


class PrimaryOutcome(Part):
    """What the trial measures first of all."""

    measure: str
    time_frame: str | None = None


class Trial(Part):
    """A trial of a drug."""

    nct_id: WireId
    title: str
    brief_summary: str | None = None
    phase: str
    """A label: `Phase 2`, `Phase 1/Phase 2`, `Not Applicable`."""
    overall_status: str | None = None
    """A code; None only where it was not known at the cutoff, or the record has none."""
    why_stopped: str | None = None
    conditions: list[str] = Field(default_factory=list)
    interventions: list[Intervention] = Field(default_factory=list)
    sponsor: str = ""
    collaborators: list[str] = Field(default_factory=list)
    enrollment: Count | None = None
    start_date: str | None = None
    completion_date: str | None = None
    """The primary completion date, actual or estimated."""
    study_type: str = "INTERVENTIONAL"
    primary_outcomes: list[PrimaryOutcome] = Field(default_factory=list)
    results_posted: bool = False
    references: list[str] = Field(default_factory=list)
    """Every PMID of the record, most of them background."""
    reporting_references: tuple[str, ...] = ()
    """The PMIDs of types RESULT and DERIVED: papers on this trial."""
    stop_category: str | None = None
    """Why it stopped, of a trial that stopped: safety, efficacy, enrollment, business, other,
    unknown."""
    stop_categories: tuple[str, ...] = ()
    success: bool = False
    """Stopped because it had reached its goal."""
    first_posted: str | None = None
    first_posted_inferred: bool = False
    """The record states no such day: it is the day of the first submission."""
    enrollment_type: str | None = None
    """ACTUAL or ESTIMATED."""
    primary_purpose: str | None = None
    role: str | None = None
    """What the drug asked for is in it: tested, comparator, background, diagnostic, unstated (the
    record has no arms), or mentioned, where it is not given."""
    matched_by: tuple[Match, ...] = ()
    point_in_time: PointInTime | None = None


class ConditionDrug(Part):
    """A drug tested for the condition, by its most advanced trial."""

    nct_id: WireId
    drug_name: str
    condition: str
    phase: str
    status: str | None = None


class WhitespaceHit(Part):
    """A trial of the drug for the condition, or for a narrower one."""

    nct_id: WireId
    title: str
    phase: str
    status: str | None = None
    enrollment: Count | None = None
    start_date: str | None = None
    narrower: bool
    """It studies a narrower condition."""
    role: str
    """What the drug is in it: tested, comparator, background, diagnostic or unstated."""
    outcome: str | None = None
    """Of a completed late trial that tests it: positive, negative, unclear, or unread where no
    results are posted."""
    matched_by: tuple[Match, ...] = ()


class Grade(StrEnum):
    """How far a drug has come for a condition; the first that holds."""

    UNKNOWN_NAME = "unknown_name"
    UNTESTED = "untested"
    UNKNOWN_COVERAGE = "unknown_coverage"
    """No trial here, in a part of the registry: there may be one elsewhere."""
    ESTABLISHED = "established"
    ACTIVE = "active"
    STOPPED = "stopped"
    EARLY = "early"


class WhitespaceResult(Answer):
    """Whether a drug has been tried for a condition, and what stands around the gap."""

    is_whitespace: bool
    """True only if no trial gives the drug, in any role, for the condition or a narrower one."""
    exact_match_count: Count
    """Trials that give the drug, in any role, and are about the condition."""
    drug_only_trials: Count
    condition_only_trials: Count
    condition_drugs: list[ConditionDrug] = Field(default_factory=list)
    narrower_match_count: Count = 0
    """Trials that give the drug, in any role, for a narrower condition."""
    tested_count: Count = 0
    """Of the exact matches, those that test it; the next four likewise, by its other roles."""
    comparator_count: Count = 0
    background_count: Count = 0
    diagnostic_count: Count = 0
    unstated_count: Count = 0
    """The record has no arms, so that it does not say what the drug is in the trial."""
    mentioned_count: Count = 0
    """Trials about the condition that name the drug but do not give it; no matches."""
    grade: Grade
    """It rests on trials that test the drug, or whose records do not say its role."""
    outcome: str | None = None
    """Of an established pair, what the completed late trials found: positive, negative, unclear,
    or unread where none posts results."""
    highest_phase: str | None = None
    total_enrollment: Count = 0
    hits: tuple[WhitespaceHit, ...] = ()
    """The most advanced matches, at most 50; the counts are of all."""
    drug: ArgumentReading
    condition: ArgumentReading
    approvals_consulted: bool = False
    """Always false: a drug may be approved for the condition without a trial here."""
    grade_certain: bool = True
    """False where a past grade rests on records updated since, whose lists of interventions may
    have been others then."""

    def rows(self) -> Sequence[BaseModel]:
        """Give the trials of the pair, or the drugs tested instead."""
        return self.hits or self.condition_drugs


class CompetitorEntry(Part):
    """A sponsor's trials of a drug for the condition."""

    sponsor: str
    drug_name: str
    drug_type: str | None = None
    """`Drug` or `Biological`."""
    max_phase: str
    trial_count: Count
    statuses: set[str]
    total_enrollment: Count = 0
    most_recent_start: str | None = None
    nct_ids: tuple[WireId, ...] = ()
    spellings: tuple[str, ...] = ()
    """How the records write the drug, where not only as `drug_name`."""
    sponsor_names: tuple[str, ...] = ()
    """How the records write the sponsor: a company and its branches."""
    resolved: bool = True
    """Whether the vocabulary knows the drug; else its name is as the records write it."""
    tested_count: Count = 0
    """Trials that test it; the records of the others have no arms and do not say."""


class RecentStart(Part):
    """A trial that started lately."""

    nct_id: WireId
    sponsor: str
    drug: str
    phase: str


class Trend(Part):
    """Whether the field is heating up: starts of the last three whole years beside the three
    before."""

    direction: str
    """`rising`, `falling`, `steady`, or `unclear` with fewer than ten starts in all six years."""
    recent_years: tuple[int, ...]
    recent_starts: Count
    earlier_starts: Count
    ratio: float | None = None
    """Recent to earlier starts."""


class PhaseTransition(Part):
    """Of the drugs that reached a phase in this condition, how many went on to the next."""

    from_phase: str
    to_phase: str
    drugs: Count
    advanced: Count
    share: float | None = None


class MechanismClass(Part):
    """A class of drugs and its trials in the condition."""

    name: str
    trial_count: Count
    drugs: tuple[str, ...] = ()
    max_phase: str


class PipelineDrug(Part):
    """A drug in a sponsor's pipeline."""

    drug_name: str
    max_phase: str
    trial_count: Count
    active: bool
    """Whether a trial of it is under way or about to start."""


class Pipeline(Part):
    """The drugs of one sponsor for the condition, the furthest first."""

    sponsor: str
    trial_count: Count
    drugs: tuple[PipelineDrug, ...] = ()


class ReadOut(Part):
    """A trial under way whose primary completion is expected."""

    date: str
    """The expected primary completion."""
    nct_id: WireId
    sponsor: str
    drug: str
    phase: str
    status: str | None = None


class EndPoint(Part):
    """What trials of the condition measure first of all."""

    name: str
    """Without who, when and how it is counted."""
    trial_count: Count


class ConditionLandscape(Answer):
    """Who works on a condition, with what, and how far along."""

    total_trial_count: Count
    """Trials with a phase, whatever they give."""
    competitors: list[CompetitorEntry] = Field(default_factory=list)
    """Sponsors and drugs of treatment, by phase and then enrollment."""
    phase_distribution: dict[str, int] = Field(default_factory=dict)
    recent_starts: list[RecentStart] = Field(default_factory=list)
    recent_start_count: Count = 0
    condition: ArgumentReading
    competitor_count: Count = 0
    """How many there are in all; `competitors` holds the first of them."""
    prevention: tuple[CompetitorEntry, ...] = ()
    """Vaccines and other prevention, kept apart from treatment."""
    prevention_count: Count = 0
    supportive_care: tuple[CompetitorEntry, ...] = ()
    supportive_care_count: Count = 0
    diagnostics: tuple[CompetitorEntry, ...] = ()
    """What is given to see, measure or screen."""
    diagnostics_count: Count = 0
    other_purposes: tuple[CompetitorEntry, ...] = ()
    """Basic science, health services and the like."""
    other_purposes_count: Count = 0
    order: str = "phase"
    """What competitors are ordered by: phase (then enrollment), enrollment, trials or recent."""
    pipelines: tuple[Pipeline, ...] = ()
    """By sponsor, those with most drugs under way first."""
    read_outs: tuple[ReadOut, ...] = ()
    """Expected primary completions of trials under way, the next first."""
    read_out_count: Count = 0
    end_points: tuple[EndPoint, ...] = ()
    """The primary outcomes used most in these trials."""
    starts_by_year: dict[str, int] = Field(default_factory=dict)
    stops_by_year: dict[str, int] = Field(default_factory=dict)
    """Terminated, withdrawn and suspended trials, by the year of their primary completion."""
    trend: Trend | None = None
    sponsor_classes: dict[str, int] = Field(default_factory=dict)
    countries: dict[str, int] = Field(default_factory=dict)
    statuses: dict[str, int] = Field(default_factory=dict)
    phase_transitions: tuple[PhaseTransition, ...] = ()
    mechanism_classes: tuple[MechanismClass, ...] = ()

    def rows(self) -> Sequence[BaseModel]:
        """Give the competitors."""
        return self.competitors


class TerminatedTrial(Part):
    """A trial that stopped early, and why."""

    nct_id: WireId
    title: str
    drug_name: str | None = None
    """The first drug or biological that is not placebo."""
    condition: str | None = None
    phase: str | None = None
    why_stopped: str | None = None
    stop_category: str = "unknown"
    enrollment: Count | None = None
    sponsor: str | None = None
    start_date: str | None = None
    termination_date: str | None = None
    """The primary completion date: approximate."""
    termination_planned: bool = False
    """`termination_date` is a plan: it is estimated, or lies after the day of the answer."""
    gives_drug: bool = True
    """Gives a drug or a biological; trials that do not are listed after all that do."""
    references: list[str] = Field(default_factory=list)
    """Every PMID of the record, most of them background."""
    reporting_references: tuple[str, ...] = ()
    """The PMIDs of types RESULT and DERIVED: papers on this trial."""
    overall_status: str | None = None
    stop_categories: tuple[str, ...] = ()
    success: bool = False
    """Stopped because it had reached its goal; the category is then `other`."""
    usable_reason: bool = False
    """The text names a reason."""
    drugs: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    matched_by: tuple[Match, ...] = ()
    point_in_time: PointInTime | None = None
