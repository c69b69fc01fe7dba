"""Prompts for the three kinds of user: who surveys a field, who repurposes drugs, who matches
patients. They say which tools to use in which order, and what not to conclude.
"""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.prompts import Prompt
from pydantic import Field

__all__ = ["add_prompts", "assess_repurposing", "match_patient", "survey_trials"]

_HONESTY = (
    "Cite every trial by its NCT id. Say what `provenance` says of the data: its source, its date, "
    "whether the records are synthetic, and the notes that matter. Report counts as the tools give "
    "them; never estimate one. Say so where the records do not answer."
)

Condition = Annotated[str, Field(description="Disease or condition.")]
Intervention = Annotated[str, Field(description="Drug or other treatment.")]


def add_prompts(server: MCPServer[Any]) -> None:
    """Give a server its prompts."""
    for prompt, title in (
        (survey_trials, "Survey the trials of a condition"),
        (assess_repurposing, "Assess a drug for another condition"),
        (match_patient, "Find trials for a patient"),
    ):
        server.add_prompt(Prompt.from_function(prompt, title=title))


def survey_trials(
    condition: Condition,
    phase: Annotated[str, Field(description="Phase, such as PHASE3 or 2+.")] = "",
    status: Annotated[str, Field(description="Recruitment status, such as RECRUITING.")] = "",
) -> str:
    """For researchers and builders of agents: what is being studied, how and by whom."""
    filters = _filters(phase=phase, status=status)
    return (
        f"Survey the clinical trials on {condition}{filters}.\n"
        "1. count_trials with these filters, by phase, status and sponsor_class; by start_year and "
        "country too where the source can.\n"
        "2. search_trials with the same filters and slim=true; follow the cursor only as far as "
        "needed.\n"
        "3. get_trial for the trials that matter most, with the sections protocol, arms, outcomes "
        "and dates; compare_trials for those that rival each other.\n"
        "Describe the field, its main designs and end points, and its gaps. " + _HONESTY
    )


def assess_repurposing(intervention: Intervention, condition: Condition) -> str:
    """For analysts of drug repurposing: what has been tried, what stopped and why."""
    return (
        f"Assess {intervention} for {condition} from registered trials.\n"
        "1. detect_whitespace with both: the grade, the counts, and how the names were read. "
        "For a name it does not know try the nearest ones it gives.\n"
        "2. search_drug_trials with both, then get_landscape of the condition for its rivals.\n"
        "3. get_terminated three times, with the drug, its class and the condition: what failed "
        "before, and why.\n"
        "4. get_results for the trials that decide, get_trial with the section references for "
        "their papers; write_dossier gives all of it as one text.\n"
        "Separate what was shown from what was only registered. No trial found is no proof that "
        "none was done: try other names of both first. Approvals are not in these records. "
        + _HONESTY
    )


def match_patient(
    condition: Condition,
    age: Annotated[str, Field(description="Age: 63 (years) or 6 months.")] = "",
    sex: Annotated[str, Field(description="FEMALE or MALE.")] = "",
    near: Annotated[str, Field(description="City, or a point lat,lon.")] = "",
    facts: Annotated[str, Field(description="Other facts; no names, no identifiers.")] = "",
) -> str:
    """For clinicians who match patients to trials: candidates with reasons, never a decision."""
    filters = _filters(age=age, sex=sex, near=near)
    known = f"Known besides: {facts}\n" if facts else ""
    return (
        f"Find trials for a patient with {condition}{filters}.\n{known}"
        "1. search_trials with these filters and status RECRUITING, NOT_YET_RECRUITING. Send no "
        "name or identifier of the patient.\n"
        "2. get_trial with the section eligibility for the candidates. Go through each criterion: "
        "met, not met, or unknown, with the patient's fact beside it. A fact that is not given is "
        "unknown.\n"
        "3. get_trial_locations with near for what remains.\n"
        "List candidates with the criteria still to confirm, then those excluded, each with the "
        "deciding criterion quoted. The trial's staff decide on eligibility. " + _HONESTY
    )


def _filters(**given: str) -> str:
    told = ", ".join(f"{name}={text}" for name, text in given.items() if text.strip())
    return f" ({told})" if told else ""
