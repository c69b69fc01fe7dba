"""What `match` gives: the patient in short, and trials in their order with every criterion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from trialyst.ctgov.answers import Words
from trialyst.ctgov.source import Provenance
from trialyst.matching.judging.views import to_result_view
from trialyst.matching.prescreen.candidates import TrialCandidate
from trialyst.matching.verdict import TrialAssessment, TrialVerdict

__all__ = [
    "RESEARCH_USE",
    "Costs",
    "FactToAsk",
    "Fit",
    "MatchReport",
    "MatchedTrial",
    "NearbySite",
]

RESEARCH_USE = (
    "For research use only, not medical advice: verdicts are read from the note and the registry's "
    "text by a program and must be confirmed by a clinician and the trial's own staff."
)


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class NearbySite(_Model):
    """A site of a trial that takes patients, as far away as it is."""

    facility: Words | None = None
    city: Words | None = None
    country: Words | None = None
    distance_km: float = Field(ge=0)
    approximate: bool = False
    """Whether the distance is to the middle of the city."""
    status: Words | None = None
    """Where the trial stands at this site."""
    contact: Words | None = None
    """Whom to call or write to at the site."""


class Fit(_Model):
    """How well a trial fits the patient: the sum of what each measure adds."""

    score: float = 0.0
    """Higher is better; trials of one match compare by it."""
    terms: Mapping[str, float] = Field(default_factory=dict)
    """By measure, the weightiest first."""


class MatchedTrial(_Model):
    """A candidate with its verdict."""

    candidate: TrialCandidate
    assessment: TrialAssessment
    on_topic: bool | None = None
    """Whether it is about something the patient has; None where that cannot be told."""
    primary: bool = False
    """Whether it is about the main problem, a kind of it, or something wider."""
    measures: Mapping[str, float] = Field(default_factory=dict)
    """What its fit is measured by."""
    fit: Fit = Fit()
    """Its place in the order, and why."""
    eligible_from: date | None = None
    """When the last washout ends, where only washouts disqualify and the note is dated."""
    problem: str | None = None
    """Why its criteria could not be judged, if they could not."""
    sites: tuple[NearbySite, ...] = ()
    """The nearest ones that recruit, where a place was given."""
    contacts: tuple[Words, ...] = ()
    """Whom to call or write to about the trial."""

    @property
    def nct_id(self) -> str:
        return self.candidate.nct_id

    @property
    def verdict(self) -> TrialVerdict:
        return self.assessment.verdict

    def to_dict(self) -> dict[str, Any]:
        """Give the trial as plain values, absent ones left out."""
        candidate = self.candidate.model_dump(
            mode="json",
            exclude_none=True,
            include={
                "nct_id", "brief_title", "status", "phase", "conditions", "interventions",
                "sponsor", "score", "found_by_query",
            },
        )  # fmt: skip
        assessment = self.assessment
        return {
            **candidate,
            "verdict": assessment.verdict.value,
            "verdict_words": assessment.verdict.words,
            "confidence": assessment.confidence,
            "fit": self.fit.model_dump(),
            **({} if self.on_topic is None else {"on_topic": self.on_topic}),
            "primary": self.primary,
            "missing": list(assessment.missing),
            **_clearing(self),
            "deciding": [result.criterion for result in assessment.deciding],
            "to_confirm": [result.criterion for result in assessment.to_confirm],
            "criteria": [to_result_view(result) for result in assessment.results],
            **({"problem": self.problem} if self.problem else {}),
            **({"contacts": list(self.contacts)} if self.contacts else {}),
            **({"sites": [site.model_dump(exclude_none=True) for site in self.sites]}
               if self.sites else {}),
        }  # fmt: skip


def _clearing(trial: MatchedTrial) -> dict[str, Any]:
    """Give when washouts end, in days and, where the note is dated, as a day."""
    days, day = trial.assessment.clears_in_days, trial.eligible_from
    told = {} if days is None else {"clears_in_days": days}
    return told if day is None else {**told, "eligible_from": day.isoformat()}


class FactToAsk(_Model):
    """A fact that would decide trials which are open."""

    fact: str
    trials: int
    """How many open trials hang on it, among other facts or alone."""
    alone: int
    """How many hang on nothing else."""


class Costs(_Model):
    """What the judging took."""

    criteria: int = 0
    usd: float | None = 0.0
    """What models cost, 0 where none that is paid was asked; None where a price is not known."""
    failures: int = 0
    """Criteria that the judge was asked and gave no verdict on, unreadable answers among them."""
    fabricated_quotes: int = 0
    """Quotes of a model that do not occur in the note; they were dropped."""


class MatchReport(_Model):
    """Trials for a patient, the fitting ones first."""

    patient: Mapping[str, Any]
    """The key facts."""
    changes: tuple[str, ...] = ()
    """What a person corrected of what was read."""
    trials: tuple[MatchedTrial, ...]
    facts_to_ask: tuple[FactToAsk, ...] = ()
    """What would decide most, the first the most."""
    judge: str
    searched: str
    """What was searched for."""
    found: int
    """Distinct trials found before the list was cut to the candidates."""
    left_out: Mapping[str, int] = Field(default_factory=dict)
    """Trials of the same conditions that were not looked at, by what kept them out."""
    costs: Costs = Costs()
    interrupted: bool = False
    """Whether some candidates were not judged."""
    understood: Mapping[str, Mapping[str, Any]] = Field(default_factory=dict)
    """By argument, how a place was read."""
    provenance: Provenance
    run_directory: str | None = None
    """Where the run is kept, if it is."""

    @property
    def counts(self) -> dict[str, int]:
        """How many trials got each verdict."""
        counted = Counter(trial.verdict for trial in self.trials)
        return {verdict.value: counted[verdict] for verdict in TrialVerdict}

    def with_note(self, note: str | None) -> MatchReport:
        """Give the report with one more thing a reader must know, if there is one."""
        if note is None:
            return self
        told = self.provenance.model_copy(update={"notes": (*self.provenance.notes, note)})
        return self.model_copy(update={"provenance": told})

    def to_dict(self, *, top: int | None = None) -> dict[str, Any]:
        """Give the report as plain values; `top` keeps the first trials only."""
        trials = self.trials if top is None else self.trials[:top]
        return {
            "patient": dict(self.patient),
            **({"changes": list(self.changes)} if self.changes else {}),
            "trials": [
                {"rank": rank, **trial.to_dict()} for rank, trial in enumerate(trials, start=1)
            ],
            "facts_to_ask": [each.model_dump() for each in self.facts_to_ask],
            "counts": self.counts,
            "found": self.found,
            "left_out": dict(self.left_out),
            "judge": self.judge,
            "searched": self.searched,
            "costs": self.costs.model_dump(),
            "interrupted": self.interrupted,
            "research_use": RESEARCH_USE,
            **({} if self.run_directory is None else {"run_directory": self.run_directory}),
            "provenance": self.provenance.model_dump(mode="json", exclude_none=True),
        }

    def to_dicts(self) -> list[dict[str, Any]]:
        """Give each trial as plain values."""
        return [trial.to_dict() for trial in self.trials]
