"""Pivotal trials of the pair and what they posted: end point, effect, p-value, serious events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trialyst.agents.findings import PivotalTrial
from trialyst.agents.wording import COMPLETED, rank_of, shorten
from trialyst.annotation.comparisons import Outcome
from trialyst.annotation.results import ResultsAnnotation, read_posted
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.annotation.results import Comparison, PrimaryResult
    from trialyst.ctgov import trial as registered
    from trialyst.repurposing.client import RepurposingClient
    from trialyst.repurposing.models import Trial

__all__ = ["read_pivotal_trials"]

MOST_PIVOTAL = 8
_PHASE_2 = 4
_ARMS_SHOWN = 4
_LONGEST = 110
_DESIGNS = {"RANDOMIZED": "randomized", "NON_RANDOMIZED": "not randomized", "NA": "one arm"}
_MASKINGS = {"NONE": "open", "SINGLE": "single-blind"}


async def read_pivotal_trials(
    client: RepurposingClient, trials: Sequence[Trial], outcomes: Mapping[str, str | None]
) -> tuple[PivotalTrial, ...]:
    """Give the trials of phase 2 and later that weigh most: by phase, design and size.

    Trials whose results are posted come before others of their phase.

    Args:
        outcomes: what trials say of the drug; unclear where they compare it with nothing.
    """
    late = [each for each in trials if rank_of(each.phase) >= _PHASE_2]
    if not late:
        return ()
    records = await client.source.get_many([NctId.parse(each.nct_id) for each in late])
    designs = {record.nct_id: _design(record) for record in records}
    ordered = sorted(late, key=lambda each: _weight(each, designs.get(each.nct_id, "")))
    chosen = ordered[:MOST_PIVOTAL]
    read = await asyncio.gather(*(_read(client, each) for each in chosen))
    told = [
        _pivotal(each, designs.get(each.nct_id, ""), results)
        for each, results in zip(chosen, read, strict=True)
    ]
    return tuple(_compared(each, outcomes.get(each.nct_id)) for each in told)


def _compared(trial: PivotalTrial, of_drug: str | None) -> PivotalTrial:
    """Take back what a trial found where that says nothing of the drug."""
    if of_drug != Outcome.UNCLEAR or trial.outcome in (None, Outcome.UNCLEAR):
        return trial
    reason = f"every arm gives the drug; {trial.reason}"
    return trial.model_copy(update={"outcome": str(Outcome.UNCLEAR), "reason": reason})


def _weight(trial: Trial, design: str) -> tuple[int, bool, bool, bool, int, str]:
    return (
        -min(rank_of(trial.phase), 6),
        not trial.results_posted,
        trial.overall_status not in COMPLETED,
        not design.startswith("randomized"),
        -(trial.enrollment or 0),
        trial.nct_id,
    )


def _design(record: registered.Trial) -> str:
    allocation = _DESIGNS.get(str(record.design.allocation), "")
    masking = str(record.design.masking) if record.design.masking else ""
    blind = _MASKINGS.get(masking, "double-blind") if masking else ""
    return ", ".join(filter(None, (allocation, blind)))


async def _read(client: RepurposingClient, trial: Trial) -> ResultsAnnotation | None:
    if not trial.results_posted:
        return None
    posted = await client.source.get_results(NctId.parse(trial.nct_id))
    return None if posted is None else await asyncio.to_thread(read_posted, posted)


def _pivotal(trial: Trial, design: str, results: ResultsAnnotation | None) -> PivotalTrial:
    primary = _telling(results) if results else None
    comparison = _best(primary) if primary else None
    registered_end_point = trial.primary_outcomes[0].measure if trial.primary_outcomes else ""
    return PivotalTrial(
        nct_id=trial.nct_id,
        phase=trial.phase,
        status=trial.overall_status,
        design=design,
        enrollment=trial.enrollment,
        end_point=shorten(primary.title if primary else registered_end_point, _LONGEST),
        outcome=str(results.outcome) if results else None,
        reason=results.judgement.reason if results else None,
        effect=_effect(comparison) if comparison else None,
        p_value=comparison.p_value if comparison else None,
        serious_events=_serious(results) if results else None,
        place=comparison.place if comparison else primary.place if primary else None,
    )


def _telling(results: ResultsAnnotation) -> PrimaryResult | None:
    """Give the primary outcome that decided, else the first."""
    same = [each for each in results.primary if each.judgement.outcome == results.outcome]
    return next(iter(same or results.primary), None)


def _best(primary: PrimaryResult) -> Comparison | None:
    told = [each for each in primary.comparisons if each.effect or each.p_value]
    agreeing = [each for each in told if each.judgement.outcome == primary.judgement.outcome]
    return next(iter(agreeing or told), None)


def _effect(comparison: Comparison) -> str | None:
    if comparison.effect is None:
        return None
    between = ""
    if comparison.ci_lower is not None and comparison.ci_upper is not None:
        percent = comparison.ci_percent or "95"
        between = f" ({percent} % interval {comparison.ci_lower} to {comparison.ci_upper})"
    return f"{comparison.effect_type or 'effect'} {comparison.effect}{between}"


def _serious(results: ResultsAnnotation) -> str | None:
    arms = [
        f"{shorten(each.arm, 40)} {each.affected or 0:,} of {each.at_risk:,}"
        for each in results.serious_events
        if each.at_risk
    ]
    more = f"; {len(arms) - _ARMS_SHOWN} more arms" if len(arms) > _ARMS_SHOWN else ""
    return "; ".join(arms[:_ARMS_SHOWN]) + more or None
