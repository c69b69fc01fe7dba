"""The part of a trial by which one chooses it: what a page of search results shows.

An outline holds all a record says in its fields, and has no other fields: what it leaves out is
absent as an attribute, never empty. A `Trial` is an outline and everything else.
"""

from __future__ import annotations

from pydantic import Field

from trialyst.ctgov.model import Known, Part
from trialyst.ctgov.phases import phase_code, phase_label, phase_rank
from trialyst.ctgov.vocab import InterventionType, Phase, Status

__all__ = ["Intervention", "TrialOutline"]


class Intervention(Part):
    """Something given to participants or observed in them."""

    name: str
    type: Known[InterventionType] | None = None
    description: str | None = None
    other_names: tuple[str, ...] = ()
    arm_group_labels: tuple[str, ...] = ()
    """The labels of the arms that receive it."""


class TrialOutline(Part):
    """A clinical trial in outline."""

    nct_id: str = Field(pattern=r"^NCT[0-9]{8}$")
    """`NCT` and eight digits."""
    brief_title: str | None = None
    official_title: str | None = None
    status: Known[Status] | None = None
    brief_summary: str | None = None
    conditions: tuple[str, ...] = ()
    phases: tuple[Known[Phase], ...] = ()
    """Empty for observational studies; NA alone means a study outside the phases."""
    interventions: tuple[Intervention, ...] = ()

    @property
    def title(self) -> str:
        """The brief title, else the official one, else the id."""
        return self.brief_title or self.official_title or self.nct_id

    @property
    def phase_code(self) -> str | None:
        """`PHASE1/PHASE2`, or None without a phase."""
        return phase_code(self.phases)

    @property
    def phase_label(self) -> str:
        """`Phase 1/Phase 2`, or `Not Applicable` without a phase."""
        return phase_label(self.phases)

    @property
    def phase_rank(self) -> int:
        """0 without a phase, 8 for phase 4."""
        return phase_rank(self.phases)
