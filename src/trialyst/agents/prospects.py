"""Conditions in which drugs near a drug are tested, and what that says of each.

A trial that names many conditions counts once over all of them, so each gets its share.
"""

from __future__ import annotations

import asyncio
import datetime
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from trialyst.agents.conditions import ConditionNames
from trialyst.agents.relatives import Relative
from trialyst.agents.wording import STOPPED, last_day
from trialyst.annotation import Role
from trialyst.questions.names import read_drug
from trialyst.repurposing.annotated import AnnotatedTrial, SoughtDrug, load_annotated
from trialyst.repurposing.asking import Asking
from trialyst.repurposing.queries import build_query
from trialyst.repurposing.rows import TrialRow
from trialyst.repurposing.severity import ScoreTerm
from trialyst.repurposing.stop_reasons import StopCategory, classify_stop_reason

__all__ = [
    "AT_ONCE",
    "Prospect",
    "failed_trials",
    "find_prospects",
    "prospect_score",
    "score_terms",
]

PHASE, BREADTH, DEPTH, ACTIVITY, RECENCY = 30.0, 25.0, 20.0, 15.0, 10.0
"""What the terms weigh; together 100."""
FULL_BREADTH, FULL_DEPTH, FULL_ACTIVITY = 5, 10, 1_000
RECENT_YEARS, OLD_YEARS = 3.0, 12.0
FAILURE_COST = 0.6
"""How much of the score is lost where every trial of the relatives failed."""
AT_ONCE = 4
"""Questions asked side by side: a source on this machine has no use for more."""
_COUNTED = (Role.TESTED, Role.UNSTATED)
_GRAVE = frozenset({StopCategory.SAFETY, StopCategory.EFFICACY})


@dataclass(slots=True)
class Prospect:
    """What is known of a condition before the drug itself is looked up in it."""

    key: str
    name: str
    rows: dict[str, TrialRow] = field(default_factory=dict)
    shares: dict[str, float] = field(default_factory=dict)
    """By trial: one over the conditions it names."""
    drugs: dict[str, Relative] = field(default_factory=dict)


async def _trials(asking: Asking, relative: Relative) -> list[AnnotatedTrial]:
    """Give the trials that test a relative, or whose records do not say in which role it is."""
    term = read_drug(asking.vocabulary, relative.name)
    sought = SoughtDrug(term, asking.drugs)
    found = await load_annotated(asking, build_query(term, cutoff=asking.cutoff))
    return [each for each in found if sought.role_in(each.annotation) in _COUNTED]


async def find_prospects(asking: Asking, relatives: Sequence[Relative]) -> list[Prospect]:
    """Give every condition that trials of the relatives are about."""
    conditions = ConditionNames(asking.vocabulary)
    turns = asyncio.Semaphore(AT_ONCE)

    async def find(relative: Relative) -> list[AnnotatedTrial]:
        async with turns:
            return await _trials(asking, relative)

    found: dict[str, Prospect] = {}
    for relative, trials in zip(
        relatives, await asyncio.gather(*map(find, relatives)), strict=True
    ):
        for row, annotation in trials:
            named = conditions.read_all(annotation.conditions)
            for condition in named:
                prospect = found.setdefault(condition.key, Prospect(condition.key, condition.name))
                prospect.rows[row.nct_id] = row
                prospect.shares[row.nct_id] = 1 / len(named)
                prospect.drugs.setdefault(relative.name, relative)
    return list(found.values())


def prospect_score(prospect: Prospect, as_of: datetime.date) -> float:
    """Give the score without what the drug itself says."""
    terms = score_terms(prospect, as_of, activity=0)
    factor = math.prod(term.value for term in terms if term.weight is None)
    return factor * sum(term.value * term.weight for term in terms if term.weight is not None)


def score_terms(
    prospect: Prospect, as_of: datetime.date, *, activity: int
) -> tuple[ScoreTerm, ...]:
    """Give the factors and terms that the relatives' trials make up.

    Args:
        activity: trials of the condition with any drug.
    """
    rank = max((row.rank for row in prospect.rows.values() if row.status not in STOPPED), default=0)
    return (
        _tie(prospect),
        _cost(len(failed_trials(prospect.rows.values())), len(prospect.rows)),
        ScoreTerm(
            name="phase",
            value=round(min(rank, 6) / 6, 4),
            weight=PHASE,
            given=f"rank {rank} of 8 among relatives",
        ),
        _share("breadth", len(prospect.drugs), FULL_BREADTH, BREADTH),
        _share("depth", sum(prospect.shares.values()), FULL_DEPTH, DEPTH),
        _recency(prospect.rows.values(), as_of),
        _share("activity", activity, FULL_ACTIVITY, ACTIVITY),
    )


def _tie(prospect: Prospect) -> ScoreTerm:
    """Give how near the relatives are whose trials these are, and how many say so."""
    through: defaultdict[str, float] = defaultdict(float)
    for each in prospect.drugs.values():
        through[each.through] = max(through[each.through], each.tie)
    return ScoreTerm(name="tie", value=max(through.values()), given=", ".join(sorted(through)[:4]))


def _share(name: str, number: float, full: int, weight: float) -> ScoreTerm:
    value = min(math.log1p(number) / math.log1p(full), 1.0)
    return ScoreTerm(name=name, value=round(value, 4), weight=weight, given=f"{number:,.4g}")


def _recency(rows: Iterable[TrialRow], as_of: datetime.date) -> ScoreTerm:
    starts = [day for row in rows if (day := last_day(row.start)) and day <= as_of]
    if not starts:
        return ScoreTerm(name="recency", value=0.0, weight=RECENCY, given="unknown")
    years = (as_of - max(starts)).days / 365.25
    value = min(max((OLD_YEARS - years) / (OLD_YEARS - RECENT_YEARS), 0.0), 1.0)
    given = f"newest start {years:.1f} years before {as_of.isoformat()}"
    return ScoreTerm(name="recency", value=round(value, 4), weight=RECENCY, given=given)


def _cost(failed: int, trials: int) -> ScoreTerm:
    value = 1 - FAILURE_COST * failed / max(trials, 1)
    given = f"{failed} of {trials} stopped for safety or lack of efficacy"
    return ScoreTerm(name="failures", value=round(value, 4), given=given)


def failed_trials(rows: Iterable[TrialRow]) -> tuple[str, ...]:
    """Give the ids of trials that stopped for safety or for want of efficacy."""
    return tuple(
        row.nct_id
        for row in rows
        if row.status in STOPPED and _GRAVE & set(_reason(row.first("WhyStopped")))
    )


def _reason(text: str | None) -> tuple[StopCategory, ...]:
    reason = classify_stop_reason(text)
    return () if reason.success else reason.categories
