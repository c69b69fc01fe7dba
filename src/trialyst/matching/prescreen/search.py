"""PRESCREEN without a model: run a query plan on a source and order what it finds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.phases import phase_code
from trialyst.ctgov.suggest import enum_value
from trialyst.errors import InvalidInput
from trialyst.matching.prescreen.candidates import PresearchResult, TrialCandidate
from trialyst.matching.prescreen.features import Fit, Lookup, measure_fit
from trialyst.matching.prescreen.feedback import LOOKED_AT, similar_terms
from trialyst.matching.prescreen.gathering import Budget, Gathered, gather
from trialyst.matching.prescreen.inquiry import read_inquiry, score_inquiry
from trialyst.matching.prescreen.planning import (
    WORDS,
    PlannedQuery,
    QueryPlan,
    Scope,
    plan,
    to_trial_query,
    with_similar,
)
from trialyst.matching.prescreen.rows import TrialRow
from trialyst.matching.prescreen.scoring import (
    level_words,
    score_measures,
    search_weights,
)
from trialyst.matching.prescreen.term import STATED

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.matching.patient import PatientProfile
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "DEFAULT_CANDIDATES",
    "DEFAULT_SCOPE",
    "check_scope",
    "measure_gathered",
    "order_gathered",
    "prescreen",
    "run_plan",
    "search_inquiry",
]

DEFAULT_SCOPE = Scope(("RECRUITING", "NOT_YET_RECRUITING"), ("INTERVENTIONAL",))
"""What a patient can still join."""
DEFAULT_CANDIDATES = 200
"""As many as `match` validates."""
COUNTED = ("conditions", "named")
"""The lists whose trials are counted to tell what a scope leaves out."""


class _Ranked(NamedTuple):
    row: TrialRow
    score: float
    fit: Fit | None = None


async def prescreen(
    source: TrialSource,
    profile: PatientProfile | QueryPlan,
    *,
    vocabulary: Vocabulary,
    scope: Scope = DEFAULT_SCOPE,
    limit: int = DEFAULT_CANDIDATES,
    budget: Budget | None = None,
) -> PresearchResult:
    """Find the trials a patient may fit, the likeliest first.

    Args:
        profile: the patient, or what was planned for one.
        scope: which trials may come in; what it keeps out is counted in the answer.
        limit: how many candidates to give.

    Raises:
        InvalidInput: a status or study type is unknown, or the limit is below 1.
    """
    within = check_scope(scope, limit)
    made = profile
    if not isinstance(made, QueryPlan):
        made = await asyncio.to_thread(plan, made, vocabulary=vocabulary)
    widened, gathered = await run_plan(
        source, made, vocabulary=vocabulary, scope=within, budget=budget or Budget()
    )
    ordered = await asyncio.to_thread(_order, widened, gathered)
    return await _result(
        source, widened.queries, gathered, ordered[:limit], scope=within, told=_told(widened)
    )


async def run_plan(
    source: TrialSource,
    made: QueryPlan,
    *,
    vocabulary: Vocabulary,
    scope: Scope,
    budget: Budget,
) -> tuple[QueryPlan, Gathered]:
    """Ask a source for the lists of a plan, then for what the nearest trials study."""
    gathered = await gather(source, made.queries, scope=scope, budget=budget)
    nearest = gathered.listed(WORDS, most=LOOKED_AT)
    known = {term.concept for term in made.terms}
    similar = await asyncio.to_thread(similar_terms, nearest, known, vocabulary)
    if not similar:
        return made, gathered
    widened = with_similar(made, similar)
    asked = widened.queries[len(made.queries) :]
    await gather(source, asked, scope=scope, budget=budget, gathered=gathered)
    return widened, gathered


async def search_inquiry(
    source: TrialSource,
    text: str,
    *,
    vocabulary: Vocabulary,
    scope: Scope = DEFAULT_SCOPE,
    limit: int = DEFAULT_CANDIDATES,
    budget: Budget | None = None,
) -> PresearchResult:
    """Find trials for a few words typed by a person, the best answers first.

    Raises:
        InvalidInput: there is no word in the text, or the scope or limit is wrong.
    """
    within = check_scope(scope, limit)
    inquiry = await asyncio.to_thread(read_inquiry, text, vocabulary)
    gathered = await gather(source, inquiry.queries, scope=within, budget=budget or Budget())

    def order() -> list[_Ranked]:
        rows = gathered.rows.values()
        return _sorted(_Ranked(row, score_inquiry(inquiry, row)) for row in rows)

    ordered = await asyncio.to_thread(order)
    told = f"Trials were searched for what {text!r} means."
    return await _result(
        source, inquiry.queries, gathered, ordered[:limit], scope=within, told=told
    )


def measure_gathered(
    made: QueryPlan, gathered: Gathered
) -> dict[str, tuple[Fit, dict[str, float]]]:
    """Give how each trial fits, and its measures made comparable within the list."""
    lookup = Lookup(made.patient)
    fits = {
        row.nct_id: measure_fit(row, lookup, gathered.ranks[row.nct_id])
        for row in gathered.rows.values()
    }
    levelled = level_words([fit.measures for fit in fits.values()])
    return {
        nct_id: (fit, measures)
        for (nct_id, fit), measures in zip(fits.items(), levelled, strict=True)
    }


def _order(made: QueryPlan, gathered: Gathered) -> list[_Ranked]:
    weights = search_weights().weights if made.weights is None else made.weights
    measured = measure_gathered(made, gathered)
    return _sorted(
        _Ranked(gathered.rows[nct_id], score_measures(measures, weights), fit)
        for nct_id, (fit, measures) in measured.items()
    )


def order_gathered(made: QueryPlan, gathered: Gathered) -> list[TrialCandidate]:
    """Give every trial that was gathered as a candidate, the likeliest first."""
    return [_candidate(item, made.queries, gathered) for item in _order(made, gathered)]


def _sorted(ranked: Iterator[_Ranked]) -> list[_Ranked]:
    # By the score that is shown: the last digits of a sum depend on the order of its parts, which
    # differs from process to process.
    return sorted(ranked, key=lambda item: (-round(item.score, 4), item.row.nct_id))


def check_scope(scope: Scope, limit: int) -> Scope:
    """Give a scope in the registry's own codes; raise InvalidInput for what cannot be asked."""
    if limit < 1:
        raise InvalidInput(
            f"The number of candidates is {limit}",
            hint="Ask for at least one candidate.",
            invalid_input=str(limit),
        )
    return replace(
        scope,
        statuses=tuple(enum_value("Status", text) for text in scope.statuses),
        study_types=tuple(enum_value("StudyType", text) for text in scope.study_types),
    )


async def _result(
    source: TrialSource,
    queries: Sequence[PlannedQuery],
    gathered: Gathered,
    best: Sequence[_Ranked],
    *,
    scope: Scope,
    told: str,
) -> PresearchResult:
    left_out = await _count_left_out(source, queries, scope)
    return PresearchResult(
        candidates=tuple(_candidate(item, queries, gathered) for item in best),
        agent_reasoning=told,
        tool_call_trace=tuple(gathered.trace),
        total_found=len(gathered.rows),
        left_out=left_out,
        notes=tuple(_notes(left_out, len(gathered.rows), len(best))),
    )


def _candidate(
    item: _Ranked, queries: Sequence[PlannedQuery], gathered: Gathered
) -> TrialCandidate:
    row, fit = item.row, item.fit
    found = gathered.ranks[row.nct_id]
    return TrialCandidate(
        nct_id=row.nct_id,
        brief_title=row.brief_title or row.official_title or row.nct_id,
        phase=phase_code(row.phases),
        conditions=row.conditions,
        interventions=row.interventions,
        status=row.status,
        sponsor=row.sponsor,
        enrollment=row.enrollment,
        study_type=row.study_type,
        minimum_age=row.minimum_age,
        maximum_age=row.maximum_age,
        sex=row.sex,
        eligibility_criteria=row.criteria or None,
        found_by_query=tuple(query.text for query in queries if query.label in found),
        score=round(item.score, 4),
        matched_terms=tuple(term.name for term in fit.found) if fit else (),
        age_fits=fit.age_fits if fit else None,
        sex_fits=fit.sex_fits if fit else None,
    )


async def _count_left_out(
    source: TrialSource, queries: Sequence[PlannedQuery], scope: Scope
) -> dict[str, int]:
    """Count the trials of the named conditions that only the status, or the type, keeps out."""
    asked = next((query for query in queries if query.label in COUNTED), None)
    wider = {
        "status": replace(scope, statuses=()),
        "study_type": replace(scope, study_types=()),
    }
    open_to = {name: other for name, other in wider.items() if other != scope}
    if asked is None or not open_to:
        return {}
    within = await source.count(to_trial_query(asked, scope))
    return {
        name: await source.count(to_trial_query(asked, other)) - within
        for name, other in open_to.items()
    }


def _told(made: QueryPlan) -> str:
    stated = [term.name for term in made.terms if term.why == STATED]
    guessed = [term.name for term in made.terms if term.why.startswith("guessed")]
    parts = []
    if stated:
        parts.append(f"The note names {', '.join(stated[:10])}.")
    if guessed:
        parts.append(f"Its findings point to {', '.join(guessed[:6])}; that is no diagnosis.")
    return " ".join([*parts, f"{len(made.queries)} lists of trials were asked for."])


def _notes(left_out: dict[str, int], found: int, given: int) -> Iterator[str]:
    if left_out.get("status"):
        yield f"{left_out['status']:,} trials of these conditions are in other statuses."
    if left_out.get("study_type"):
        yield f"{left_out['study_type']:,} studies of these conditions are of other types."
    if found > given:
        yield f"{found:,} trials were found; the best {given:,} are listed."
