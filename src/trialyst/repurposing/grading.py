"""The grade of a drug and a condition, and the order of the drugs tested instead: pure rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from trialyst.annotation import Role
from trialyst.repurposing.competitors import read_given
from trialyst.repurposing.models import ConditionDrug, Grade
from trialyst.repurposing.views import STOPPED

if TYPE_CHECKING:
    from trialyst.repurposing.annotated import AnnotatedTrial
    from trialyst.repurposing.rows import TrialRow

__all__ = [
    "ONGOING",
    "grade_trials",
    "is_late_and_complete",
    "rank_condition_drugs",
    "rank_hits",
]

ONGOING = ("RECRUITING", "ENROLLING_BY_INVITATION", "ACTIVE_NOT_RECRUITING", "NOT_YET_RECRUITING")
"""Statuses of trials under way or about to be, those that take patients first."""
PHASE_2 = 3
"""The rank of phase 1/2, which counts as phase 2 and later."""
LATE = frozenset({"PHASE3", "PHASE4"})
_TESTED = (Role.TESTED, Role.UNSTATED)


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
    if any(map(is_late_and_complete, rows)):
        return Grade.ESTABLISHED
    if any(row.status in ONGOING and row.rank >= PHASE_2 for row in rows):
        return Grade.ACTIVE
    if all(row.status in STOPPED for row in rows):
        return Grade.STOPPED
    return Grade.EARLY


def is_late_and_complete(row: TrialRow) -> bool:
    """Whether a trial of phase 3 or 4 came to its end."""
    return row.status == "COMPLETED" and bool(LATE.intersection(row.phases))


def rank_hits(rows: Iterable[TrialRow]) -> list[TrialRow]:
    """Order trials: the most advanced first, then those under way, then the newest."""
    newest = sorted(rows, key=lambda row: (row.start or "", row.nct_id), reverse=True)
    return sorted(newest, key=lambda row: (-row.rank, _activity(row.status)))


def rank_condition_drugs(
    trials: Iterable[AnnotatedTrial],
    *,
    top: int,
    names_condition: Callable[[str], bool] = lambda _: False,
) -> tuple[ConditionDrug, ...]:
    """Give the drugs tested in phase 2 and later, each once by its most advanced, active trial."""
    found: dict[str, ConditionDrug] = {}
    later = {id(each.row): each for each in trials if each.row.rank >= PHASE_2}
    for row in rank_hits(each.row for each in later.values()):
        for given in read_given(later[id(row)]).given:
            if given.role in _TESTED and given.drug.key not in found:
                found[given.drug.key] = _condition_drug(row, given.drug.name, names_condition)
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
