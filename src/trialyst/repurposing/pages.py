"""What the tools answer about a drug and a condition: lists as one page each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from trialyst.ctgov.answers import Count, Pagination
from trialyst.questions.readings import ArgumentReading
from trialyst.repurposing.answers import Answer, StopSummary
from trialyst.repurposing.models import (
    CompetitorEntry,
    ConditionLandscape,
    TerminatedTrial,
    Trial,
)

__all__ = ["CompetitorsPage", "DrugTrialsPage", "LandscapePage", "StoppedPage"]


class _Page(Answer):
    """An answer that goes on."""

    pagination: Pagination

    def to_wire(self) -> dict[str, Any]:
        """Give the JSON value of the tool; a cursor may be null."""
        return super().to_wire() | {"pagination": dict(self.pagination)}


class DrugTrialsPage(_Page):
    """Trials of a drug, best matches first."""

    items: tuple[Trial, ...] = ()
    names: tuple[ArgumentReading, ...] = Field(min_length=1)
    """What was asked for, as it was understood."""

    def rows(self) -> Sequence[BaseModel]:
        """Give the trials."""
        return self.items


class StoppedPage(_Page):
    """Trials that stopped early, best matches first."""

    items: tuple[TerminatedTrial, ...] = ()
    names: tuple[ArgumentReading, ...] = Field(min_length=1)
    """What was asked for, as it was understood."""
    summary: StopSummary

    def rows(self) -> Sequence[BaseModel]:
        """Give the trials."""
        return self.items


class LandscapePage(ConditionLandscape, _Page):
    """The first page of a landscape: the survey, and the first competitors."""


class CompetitorsPage(_Page):
    """A later page of a landscape: more competitors."""

    condition: ArgumentReading
    total_trial_count: Count
    competitor_count: Count
    competitors: tuple[CompetitorEntry, ...] = ()

    def rows(self) -> Sequence[BaseModel]:
        """Give the competitors."""
        return self.competitors
