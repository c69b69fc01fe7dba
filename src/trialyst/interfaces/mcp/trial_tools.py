"""The tools of trials, on `trialyst.discovery`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from trialyst.discovery.answers import (
    CompareAnswer,
    CountAnswer,
    LocationsAnswer,
    SearchAnswer,
)
from trialyst.discovery.arguments import (
    CompareArguments,
    CountArguments,
    GetArguments,
    LocationArguments,
    ResultsArguments,
    SearchArguments,
)
from trialyst.discovery.changes import ChangesAnswer, ChangesAsked
from trialyst.discovery.envelope import Answer
from trialyst.discovery.facade import Discovery
from trialyst.discovery.fields import FieldsAnswer, FieldsArguments
from trialyst.discovery.result_answers import ResultsAnswer
from trialyst.discovery.trial_answers import TrialAnswer, TrialsAnswer
from trialyst.interfaces.mcp.declared import Call
from trialyst.questions.given import read_given

__all__ = [
    "TRIAL_TOOLS",
    "compare_trials",
    "count_trials",
    "explore_fields",
    "get_changes",
    "get_results",
    "get_trial",
    "get_trial_locations",
    "search_trials",
]


async def search_trials(
    discovery: Discovery, **given: Unpack[SearchArguments]
) -> Answer[SearchAnswer]:
    """Find clinical trials by words and filters, best first. Its ids go to the other tools.

    Everything given must hold; of several values of one argument any will do. The total is exact.
    An empty page is an answer; no query and no filter is `INVALID_INPUT`.

    Ages: a trial that states no bound stays in. Bounds count completed units, so `75 Years` admits
    until the 76th birthday, and someone of 18 months is admitted by `1 Year`. Where a bound is
    finer than the age given (a two-year-old and `30 Months`) the trial stays in.

    Sites without a recorded point count by their city; the live service knows points only, and
    `location` finds the others by name.

    Example: {"condition": "asthma", "status": "RECRUITING", "phase": "PHASE2|PHASE3"}

    Example: {"query": "breast cancer immunotherapy", "near": "Boston, MA", "age": "63"}
    """
    return await discovery.search_trials(**given)


async def get_trial(
    discovery: Discovery, **given: Unpack[GetArguments]
) -> Answer[TrialAnswer | TrialsAnswer]:
    """Give trials by id, whole or in chosen sections. Takes ids only: search first.

    One id is answered with the trial's own keys; several with `items`, in the order asked for, and
    `not_found`, which names the ids that are not here. Without `sections` one trial comes in all of
    them with long lists cut, several trials in brief; the notes say what was left out. A section
    asked for by name is always whole.

    Sections: `title` (brief title and acronym), `summaries`, `protocol` (type, phase, status,
    conditions, design, enrollment, countries), `eligibility` (criteria one by one, ages, sex),
    `criteria_text` (the same as one text), `outcomes`, `sponsors`, `dates`, `arms`, `references`,
    `cross_references` (PubMed, MeSH, other registries), `results` (in brief; get_results has all).

    Example: {"nct_id": "NCT90000001", "sections": "eligibility,dates"}

    Example: {"nct_id": "NCT:90000001,NCT:90000002"}
    """
    return await discovery.get_trial(**given)


async def get_results(
    discovery: Discovery, **given: Unpack[ResultsArguments]
) -> Answer[ResultsAnswer]:
    """Give a trial's posted results in full: flow, baseline, outcomes with effects, events.

    A page has tables: a period of the flow, a baseline characteristic, an outcome with its groups,
    values and analyses (estimate, confidence interval, p-value), or adverse events by term. Long
    ones come in parts. Values are as written, so `NA` and `<0.001` occur; they name groups by the
    ids of `groups`. `contents` counts what there is of each section. A trial that posts no results
    is answered with `has_results` false.

    Sections: `participants`, `baseline`, `primary_outcomes`, `secondary_outcomes`,
    `other_outcomes` (the three: `outcomes`), `serious_events`, `other_events` (both: `events`).

    Example: {"nct_id": "NCT90001530", "sections": "primary_outcomes"}
    """
    return await discovery.get_results(**given)


async def get_trial_locations(
    discovery: Discovery, **given: Unpack[LocationArguments]
) -> Answer[LocationsAnswer]:
    """Give the sites of one trial, nearest first with near.

    With `near` the answer has `nearest_recruiting`, the nearest site that takes patients, even
    where a filter hides it. A site without a point is measured from its city and marked
    `approximate`; one whose city is not known comes last, or is left out by `within`.

    Example: {"nct_id": "NCT90000003", "near": "Boston, MA", "page_size": 5}
    """
    return await discovery.get_trial_locations(**given)


async def count_trials(
    discovery: Discovery, **given: Unpack[CountArguments]
) -> Answer[CountAnswer]:
    """Count trials exactly, without records. Filters as in search_trials; none counts all.

    For each breakdown `counts` has the trials per value and `without_value` those that have none. A
    trial with two phases or several countries counts once for each. A live source cannot count by
    `country` or `start_year`, which are `INVALID_INPUT` there.

    Example: {"condition": "asthma", "by": "phase|start_year"}
    """
    return await discovery.count_trials(**given)


async def compare_trials(
    discovery: Discovery, **given: Unpack[CompareArguments]
) -> Answer[CompareAnswer]:
    """Put trials side by side, one row an aspect.

    A row has an `aspect`, its `values` by id (a trial without a value is left out) and whether it
    `differs`. Ids that are not here are in `not_found`.

    Example: {"nct_ids": ["NCT90000001", "NCT90000002"]}
    """
    return await discovery.compare_trials(**read_given(CompareArguments, given))


async def get_changes(discovery: Discovery, **given: Unpack[ChangesAsked]) -> Answer[ChangesAnswer]:
    """Tell which trials are new, changed (in words) or gone since a day. Filters as search_trials.

    The registry keeps what every sync, build and change replaced. Two of its states are compared,
    the one before `since` and that of `until` or the newest; `counts` are exact. A question counts
    for either state: a trial that it no longer finds is `left`, one that it finds only since is
    `entered`. All filters of search_trials are taken. Dates are those of the data, `seen` is when a
    trial last changed. The live service keeps no history, which is `INVALID_INPUT`.

    Example: {"condition": "asthma", "since": "2025-01-01"}
    """
    return await discovery.get_changes(**given)


async def explore_fields(
    discovery: Discovery, **given: Unpack[FieldsArguments]
) -> Answer[FieldsAnswer]:
    """Learn to write `advanced`: search areas, pieces with meaning, values with counts.

    Without `field` every search area and piece is listed, or those whose name or meaning has the
    words of `query`; an area is answered with the pieces it searches and their weights, a piece
    with its values and how many trials have each, within `condition` and `advanced` if given.
    `example` is an expression for `advanced` of the other tools. Values of free text are counted
    among up to 20,000 trials, and not on a live source.

    Example: {"query": "masking"}

    Example: {"field": "InterventionType", "condition": "asthma"}
    """
    return await discovery.explore_fields(**given)


TRIAL_TOOLS: Mapping[Call, str] = {
    search_trials: "Search trials",
    get_trial: "Get trials",
    get_results: "Posted results",
    get_trial_locations: "Trial sites",
    count_trials: "Count trials",
    compare_trials: "Compare trials",
    get_changes: "Changes",
    explore_fields: "Explore fields",
}
"""Every tool of trials with its title."""
