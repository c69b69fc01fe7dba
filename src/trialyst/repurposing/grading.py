"""The grade of a drug and a condition, and the order of the drugs tested instead: pure rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from trialyst.repurposing.models import ConditionDrug, Grade
from trialyst.repurposing.views import DRUG_TYPES, STOPPED

if TYPE_CHECKING:
    from trialyst.repurposing.drugs import Drug
    from trialyst.repurposing.rows import TrialRow

__all__ = ["ONGOING", "grade_trials", "rank_condition_drugs", "rank_hits"]

ONGOING = ("RECRUITING", "ENROLLING_BY_INVITATION", "ACTIVE_NOT_RECRUITING", "NOT_YET_RECRUITING")
"""Statuses of trials under way or about to be, those that take patients first."""
PHASE_2 = 3
"""The rank of phase 1/2, which counts as phase 2 and later."""
LATE = frozenset({"PHASE3", "PHASE4"})


def grade_trials(rows: Sequence[TrialRow], *, known: bool, partial: bool = False) -> Grade:
    """Give the first grade that holds; status UNKNOWN, and one hidden, proves nothing.

    Args:
        known: whether the vocabulary or a record knows both names.
        partial: whether the records are a part of the registry only: absence proves nothing.
    """
    if not known:
        return Grade.UNKNOWN_NAME
    if not rows:
        return Grade.UNKNOWN_COVERAGE if partial else Grade.UNTESTED
    if any(row.status == "COMPLETED" and LATE.intersection(row.phases) for row in rows):
        return Grade.ESTABLISHED
    if any(row.status in ONGOING and row.rank >= PHASE_2 for row in rows):
        return Grade.ACTIVE
    if all(row.status in STOPPED for row in rows):
        return Grade.STOPPED
    return Grade.EARLY


def rank_hits(rows: Iterable[TrialRow]) -> list[TrialRow]:
    """Order trials: the most advanced first, then those under way, then the newest."""
    newest = sorted(rows, key=lambda row: (row.start or "", row.nct_id), reverse=True)
    return sorted(newest, key=lambda row: (-row.rank, _activity(row.status)))


def rank_condition_drugs(
    rows: Iterable[TrialRow],
    *,
    read_drugs: Callable[[str], Sequence[Drug]],
    top: int,
    paired: Mapping[str, Sequence[tuple[str, str]]],
    names_condition: Callable[[str], bool] = lambda _: False,
) -> tuple[ConditionDrug, ...]:
    """Give the drugs of phase 2 and later trials, each once by its most advanced, active trial.

    Args:
        paired: types and names of the interventions of trials whose rows cannot pair them.
    """
    found: dict[str, ConditionDrug] = {}
    for row in rank_hits(row for row in rows if row.rank >= PHASE_2):
        for kind, name in paired.get(row.nct_id) or row.interventions:
            if kind not in DRUG_TYPES:
                continue
            for drug in read_drugs(name):
                if drug.key not in found:
                    found[drug.key] = _condition_drug(row, drug.name, names_condition)
        if len(found) >= top:
            break
    return tuple(found.values())[:top]


def _condition_drug(
    row: TrialRow, drug: str, names_condition: Callable[[str], bool]
) -> ConditionDrug:
    first = row.conditions[0] if row.conditions else ""
    condition = next((each for each in row.conditions if names_condition(each)), first)
    return ConditionDrug(
        nct_id=row.nct_id, drug_name=drug, condition=condition, phase=row.phase, status=row.status
    )


def _activity(status: str | None) -> int:
    return ONGOING.index(status) if status in ONGOING else len(ONGOING)
