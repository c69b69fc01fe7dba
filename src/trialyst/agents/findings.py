"""What is asked of the agents and what each of them finds."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from trialyst.agents.sentences import Sentence
from trialyst.pubmed.paper import Paper
from trialyst.repurposing.answers import Part, StopSummary
from trialyst.repurposing.models import (
    CompetitorEntry,
    ConditionLandscape,
    Trial,
    WhitespaceResult,
)
from trialyst.repurposing.severity import ScoreTerm

__all__ = [
    "CitedPaper",
    "Concern",
    "CritiqueFinding",
    "Finding",
    "LandscapeFinding",
    "LiteratureFinding",
    "Maturity",
    "PivotalTrial",
    "Question",
    "StopOverview",
    "TrialEvidence",
    "TrialFinding",
]


class Question(Part):
    """A drug for a condition, as of today or of a cutoff."""

    drug: str
    condition: str
    date_before: str | None = None
    """Only trials first posted by this day, included."""
    point_in_time: bool = False
    """Hide also what was not yet known on that day."""

    @property
    def time(self) -> dict[str, Any]:
        """The cutoff, as the client takes it."""
        return {"date_before": self.date_before, "point_in_time": self.point_in_time}


class Finding(Part):
    """What every agent gives beside its own: sentences with their sources, and notes."""

    sentences: tuple[Sentence, ...] = ()
    notes: tuple[str, ...] = ()
    """What was truncated, expanded, guessed or out of date."""


class Maturity(StrEnum):
    """How mature the clinical evidence is; by the furthest trial that completed."""

    NONE = "none"
    """No trial."""
    REGISTERED = "registered"
    """Trials, none of them completed."""
    EARLY = "early"
    """Completed up to phase 1/2, or outside the phases."""
    MID = "mid"
    """Completed phase 2 or 2/3."""
    LATE = "late"
    """Completed phase 3 or 4."""


class PivotalTrial(Part):
    """A trial of the pair that weighs most, with what it posted."""

    nct_id: str
    phase: str
    status: str | None = None
    design: str = ""
    enrollment: int | None = None
    end_point: str = ""
    """The primary outcome that decided, or the first that was registered."""
    outcome: str | None = None
    """`met`, `not_met` or `unclear`; None where no results are posted."""
    reason: str | None = None
    effect: str | None = None
    p_value: str | None = None
    serious_events: str | None = None
    """People with a serious adverse event, by arm."""
    place: str | None = None
    """Where effect and p-value stand in the record."""


class TrialEvidence(Part):
    """The trials that test the drug in the condition, and how far they have come.

    A trial whose record does not say its role counts as one that tests it.
    """

    maturity: Maturity
    total_count: int
    """How many there are; `trials` holds the first of them."""
    trials: tuple[Trial, ...] = ()
    otherwise: tuple[Trial, ...] = ()
    """Trials that give the drug only as comparator, as background or to diagnose."""
    completed: tuple[str, ...] = ()
    ongoing: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    """Ids of trials whose status is unknown, or was not known at the cutoff."""
    reported: tuple[str, ...] = ()
    """Ids of trials with results on the registry or a paper on them."""
    highest_phase: str | None = None
    enrollment: int = 0
    """People in all of the trials, planned or enrolled."""
    pmids: tuple[str, ...] = ()
    """Papers on these trials, of types RESULT and DERIVED."""


class TrialFinding(Finding):
    """What the Trial agent found."""

    trial_evidence: TrialEvidence
    whitespace_signal: WhitespaceResult
    pivotal: tuple[PivotalTrial, ...] = ()
    """The trials that weigh most, by phase, posted results, design and size."""


class LandscapeFinding(Finding):
    """What the Landscape agent found."""

    competitive_map: ConditionLandscape
    phase_distribution: dict[str, int]
    own: tuple[CompetitorEntry, ...] = ()
    """The entries of the drug itself among the competitors."""


class Concern(Part):
    """A trial that stopped and speaks against the drug, its class or the condition."""

    what_failed: str
    why: str
    """The record's own words, or that it gives none."""
    category: str
    severity: int
    """0 to 100; the formula is in docs/guide/dossier.md."""
    severity_terms: tuple[ScoreTerm, ...]
    nct_id: str
    pmids: tuple[str, ...] = ()
    """Papers on the trial, of types RESULT and DERIVED."""

    def term(self, name: str) -> ScoreTerm:
        """Give a term of the severity by its name."""
        return next(term for term in self.severity_terms if term.name == name)


class StopOverview(Part):
    """All that stopped for one name."""

    kind: str
    """`drug`, `class` or `condition`."""
    name: str
    summary: StopSummary


class CritiqueFinding(Finding):
    """What the Critique agent found, the gravest first."""

    concerns: tuple[Concern, ...] = ()
    overviews: tuple[StopOverview, ...] = ()
    classes: tuple[str, ...] = ()
    """The classes of the drug that were looked at."""


class CitedPaper(Part):
    """A paper on one of the trials; its text is there only if PubMed was asked."""

    pmid: str
    nct_ids: tuple[str, ...] = ()
    paper: Paper | None = None


class LiteratureFinding(Finding):
    """What the Literature agent found."""

    papers: tuple[CitedPaper, ...] = ()
    asked_pubmed: bool = False
    missing: tuple[str, ...] = ()
    """PMIDs that PubMed does not know."""
    unasked: tuple[str, ...] = ()
    """PMIDs that PubMed could not be asked about."""
