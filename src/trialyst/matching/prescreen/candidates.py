"""What PRESCREEN gives: candidates with why they were found, and the trace of how."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["PresearchResult", "ToolCallRecord", "TrialCandidate"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TrialCandidate(_Model):
    """A trial that may fit the patient."""

    nct_id: str
    brief_title: str
    phase: str | None = None
    """`PHASE1/PHASE2`, absent without a phase."""
    conditions: tuple[str, ...] = ()
    interventions: tuple[str, ...] = ()
    status: str | None = None
    sponsor: str | None = None
    enrollment: int | None = None
    study_type: str | None = None
    minimum_age: str | None = None
    maximum_age: str | None = None
    sex: str | None = None
    eligibility_criteria: str | None = None
    found_by_query: tuple[str, ...] = ()
    """Every query that found it."""
    score: float = 0.0
    """Higher is better; comparable within one result only."""
    matched_terms: tuple[str, ...] = ()
    """The patient's terms that its title, conditions or keywords name."""
    age_fits: bool | None = None
    """None where the trial states no bound or the note no age."""
    sex_fits: bool | None = None


class ToolCallRecord(_Model):
    """One search or look-up, as it was done."""

    call_index: int
    tool_name: str
    args: dict[str, Any] = Field(default_factory=dict)
    result_summary: str = ""
    result_count: int = 0
    latency_ms: float = 0.0
    from_memory: bool = False
    """Whether the same call had been made before and was answered without asking again."""
    error: str | None = None


class PresearchResult(_Model):
    """Candidates in their order, with the trace and what it cost."""

    candidates: tuple[TrialCandidate, ...] = ()
    agent_reasoning: str = ""
    """What was searched for and why, in words."""
    tool_call_trace: tuple[ToolCallRecord, ...] = ()
    total_found: int = 0
    """Distinct trials before the list was cut."""
    left_out: dict[str, int] = Field(default_factory=dict)
    """How many trials of the conditions searched for the scope kept out, by what kept them out."""
    gemini_cost_usd: float = 0.0
    medgemma_cost_usd: float = 0.0
    total_cost_usd: float = 0.0
    cost_known: bool = True
    """False where the price of a model is not known: its cost is not in the figures above."""
    notes: tuple[str, ...] = ()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Give each candidate as plain values, absent ones left out."""
        return [item.model_dump(mode="json", exclude_none=True) for item in self.candidates]

    @property
    def nct_ids(self) -> tuple[str, ...]:
        """The ids of the candidates in their order."""
        return tuple(item.nct_id for item in self.candidates)
