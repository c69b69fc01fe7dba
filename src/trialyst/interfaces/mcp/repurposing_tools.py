"""The questions about a drug and a condition as tools, on `trialyst.repurposing`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from trialyst.interfaces.mcp.declared import Call
from trialyst.repurposing import listing
from trialyst.repurposing.arguments import (
    DrugTrialsArguments,
    LandscapeArguments,
    TerminatedArguments,
    WhitespaceArguments,
)
from trialyst.repurposing.client import RepurposingClient
from trialyst.repurposing.models import WhitespaceResult
from trialyst.repurposing.pages import (
    CompetitorsPage,
    DrugTrialsPage,
    LandscapePage,
    StoppedPage,
)

__all__ = [
    "REPURPOSING_TOOLS",
    "detect_whitespace",
    "get_landscape",
    "get_terminated",
    "search_drug_trials",
]


async def search_drug_trials(
    client: RepurposingClient, **given: Unpack[DrugTrialsArguments]
) -> DrugTrialsPage:
    """List the trials of a drug, for a condition or any; each tells how it matched.

    Brand, code, salt and generic name find the same trials, best matches first. `matched_by` of
    each says how: `name`, `synonym`, `mesh_term` or `ancestor` (a narrower condition). `names` says
    how the names were understood. `total_count` is exact and of all; pages go on until
    `max_results`. With `point_in_time` each trial says what was hidden. In the library this is
    `session.repurposing.search_trials`, which gives one list.

    Example: {"drug": "wegovy", "condition": "type 2 diabetes", "page_size": 5}

    Example: {"drug": "metformin", "phase_filter": "PHASE2 OR PHASE3", "date_before": "2023"}
    """
    return await listing.list_drug_trials(client, **given)


async def detect_whitespace(
    client: RepurposingClient, **given: Unpack[WhitespaceArguments]
) -> WhitespaceResult:
    """Grade how far a drug has been tried for a condition; if untested, which other drugs were.

    `exact_match_count` counts the trials of the drug that name the condition, a synonym or its MeSH
    term, `narrower_match_count` those that study a narrower condition; `is_whitespace` is true only
    when both are 0. All counts are exact and by one rule. The grade is the first that holds:
    `unknown_name` (nothing knows the drug or the condition; the nearest names are given),
    `untested` (on a part of the registry `unknown_coverage`), `established` (a completed phase 3 or
    4), `active` (an ongoing phase 2 or later), `stopped` (every trial stopped), else `early`.
    Approvals are not consulted.

    Example: {"drug": "semaglutide", "condition": "asthma"}
    """
    return await listing.read_whitespace(client, **given)


async def get_landscape(
    client: RepurposingClient, **given: Unpack[LandscapeArguments]
) -> LandscapePage | CompetitorsPage:
    """Say who works on a condition with which drug, how far along, and the trend.

    Trials with a phase are counted, narrower conditions among them. Competitors are pairs of
    sponsor and drug, by phase and then enrollment, spellings, salts and doses of a drug taken
    together; vaccines and other prevention stand apart. The first page has the whole survey, later
    ones go on with competitors until `top_n`. Of long lists the first 20 are given, and counts of
    all. docs/guide/repurposing.md tells how drugs are named and grouped.

    Example: {"condition": "asthma", "top_n": 5}
    """
    return await listing.list_competitors(client, **given)


async def get_terminated(
    client: RepurposingClient, **given: Unpack[TerminatedArguments]
) -> StoppedPage:
    """List trials that stopped early, each with why: safety, efficacy, enrollment, business...

    `query` is read as a drug class, a target, a drug or a condition, else as words; `names` says
    which. TERMINATED, WITHDRAWN and SUSPENDED trials count, those that give no drug last. `summary`
    counts the reasons of all, not only of the page. `termination_date` is the primary completion
    date: approximate, or `termination_planned`; `success` marks trials that had reached their goal.
    docs/guide/stop-reasons.md tells how reasons are read.

    Example: {"query": "GLP-1 receptor agonist", "page_size": 5}
    """
    return await listing.list_stopped(client, **given)


REPURPOSING_TOOLS: Mapping[Call, str] = {
    search_drug_trials: "Trials of a drug",
    detect_whitespace: "Whitespace",
    get_landscape: "Landscape",
    get_terminated: "Stopped trials",
}
"""Every tool of repurposing with its title."""
