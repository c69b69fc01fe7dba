"""A field over time and by kind: starts and stops a year, trend, transitions, mechanisms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from trialyst.ctgov.phases import phase_rank
from trialyst.repurposing.models import MechanismClass, PhaseTransition, RecentStart, Trend
from trialyst.repurposing.rows import label_phases
from trialyst.repurposing.views import STOPPED

if TYPE_CHECKING:
    from trialyst.annotation.drugs import Drug
    from trialyst.repurposing.competitors import DrugTrial
    from trialyst.repurposing.rows import Columns, TrialRow

__all__ = [
    "count_phases",
    "count_starts",
    "count_stops",
    "find_recent_starts",
    "find_transitions",
    "find_trend",
    "group_mechanisms",
    "rows_by_drug",
]

YEARS = 3
"""How many whole years are compared with as many before them."""
CHANGE = 1.2
"""From a fifth more, or its inverse, on a field is said to rise or fall."""
FEWEST = 10
"""With fewer starts chance decides."""
RECENT_YEARS = 2
UNDATED = "unknown"
_STEPS = (
    ("PHASE1", "Phase 1"),
    ("PHASE2", "Phase 2"),
    ("PHASE3", "Phase 3"),
    ("PHASE4", "Phase 4"),
)


def count_phases(columns: Columns) -> dict[str, int]:
    """Count trials by the label of their phases, each once, the earliest phase first."""
    counts: Counter[tuple[int, str]] = Counter()
    for phases, count in columns.count("Phase").items():
        counts[phase_rank(phases), label_phases(phases)] += count
    return {label: count for (_, label), count in sorted(counts.items())}


def count_starts(columns: Columns, today: date) -> dict[str, int]:
    """Count trials by the year they started in; planned starts do not count."""
    until = today.isoformat()
    years: Counter[str] = Counter()
    for start, count in columns.count("StartDate").items():
        if start and start[0] <= until:
            years[start[0][:4]] += count
    return dict(sorted(years.items()))


def count_stops(columns: Columns, today: date) -> dict[str, int]:
    """Count stopped trials by the year of their primary completion; `unknown` without one."""
    until = today.isoformat()
    years = Counter(
        ended[0][:4] if ended and ended[0] <= until else UNDATED
        for status, ended in columns.pairs("OverallStatus", "PrimaryCompletionDate")
        if status and status[0] in STOPPED
    )
    return dict(sorted(years.items()))


def find_trend(starts: Mapping[str, int], today: date) -> Trend:
    """Compare the starts of the last whole years with those of as many before."""
    recent = range(today.year - YEARS, today.year)
    earlier = range(today.year - 2 * YEARS, today.year - YEARS)
    late, early = (sum(starts.get(str(year), 0) for year in years) for years in (recent, earlier))
    ratio = late / early if early else None
    return Trend(
        direction=_direction(late, early),
        recent_years=tuple(recent),
        recent_starts=late,
        earlier_starts=early,
        ratio=None if ratio is None else round(ratio, 3),
    )


def _direction(late: int, early: int) -> str:
    if late + early < FEWEST:
        return "unclear"
    if late >= early * CHANGE:
        return "rising"
    return "falling" if late * CHANGE <= early else "steady"


def find_recent_starts(trials: Iterable[DrugTrial], today: date) -> tuple[RecentStart, ...]:
    """Give trials started since 1 January two years ago, the newest first."""
    since, until = f"{today.year - RECENT_YEARS:04d}", today.isoformat()
    found = []
    for trial in trials:
        # A date to the month or year counts from its first day, and sorts so as text.
        start = trial.row.start
        if start is not None and since <= start <= until and trial.given:
            found.append((start, trial.row.nct_id, trial))
    found.sort(key=lambda item: item[1])
    found.sort(key=lambda item: item[0], reverse=True)
    return tuple(
        RecentStart(
            nct_id=nct_id,
            sponsor=trial.row.sponsor,
            drug=" + ".join(each.drug.name for each in trial.given),
            phase=trial.row.phase,
        )
        for _, nct_id, trial in found
    )


def rows_by_drug(trials: Iterable[DrugTrial]) -> dict[Drug, list[TrialRow]]:
    """Give the trials of each drug."""
    found: dict[str, tuple[Drug, list[TrialRow]]] = {}
    for row, given in trials:
        for each in given:
            drug = each.drug
            if drug.key in found:
                found[drug.key][1].append(row)
            else:
                found[drug.key] = (drug, [row])
    return dict(found.values())


def find_transitions(trials_of: Mapping[Drug, Sequence[TrialRow]]) -> tuple[PhaseTransition, ...]:
    """Say of the drugs seen in a phase how many were seen in a later one."""
    reached = Counter(map(_phases_of, trials_of.values()))
    found = []
    for at in range(len(_STEPS) - 1):
        code, label = _STEPS[at]
        later = {step for step, _ in _STEPS[at + 1 :]}
        here = [(phases, count) for phases, count in reached.items() if code in phases]
        drugs = sum(count for _, count in here)
        advanced = sum(count for phases, count in here if not later.isdisjoint(phases))
        found.append(
            PhaseTransition(
                from_phase=label,
                to_phase=_STEPS[at + 1][1],
                drugs=drugs,
                advanced=advanced,
                share=round(advanced / drugs, 4) if drugs else None,
            )
        )
    return tuple(found)


def _phases_of(rows: Sequence[TrialRow]) -> frozenset[str]:
    if len(rows) == 1:
        return _distinct(rows[0].phases)
    return frozenset(chain.from_iterable({row.phases for row in rows}))


_distinct = lru_cache(256)(frozenset[str])


def group_mechanisms(
    trials_of: Mapping[Drug, Sequence[TrialRow]], classes_of: Callable[[str], Sequence[str]]
) -> tuple[MechanismClass, ...]:
    """Group trials by the classes of their drugs, the most studied class first."""
    members: dict[str, list[tuple[Drug, Sequence[TrialRow]]]] = {}
    for drug, rows in trials_of.items():
        for name in classes_of(drug.name):
            members.setdefault(name, []).append((drug, rows))
    classes = [_mechanism(name, drugs) for name, drugs in members.items()]
    return tuple(sorted(classes, key=lambda each: (-each.trial_count, each.name)))


def _mechanism(name: str, drugs: Sequence[tuple[Drug, Sequence[TrialRow]]]) -> MechanismClass:
    # Every trial is one row, so rows are told apart without reading their ids.
    rows = {id(row): row for _, each in drugs for row in each}
    ranked = sorted(drugs, key=lambda item: (-len(item[1]), item[0].name))
    return MechanismClass(
        name=name,
        trial_count=len(rows),
        drugs=tuple(drug.name for drug, _ in ranked),
        max_phase=max(rows.values(), key=lambda row: row.rank).phase,
    )
