"""Competitors: trials grouped by sponsor and drug, whatever the case, dose, salt or punctuation.

Only drugs and biologicals that a trial tests count, the drugs of a combination each; where a record
has no arms, those that it gives. Branches count with their company. Diagnosis, supportive care,
prevention and vaccines are lists of their own.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trialyst.annotation import Role
from trialyst.annotation.interventions import is_support
from trialyst.annotation.sponsors import read_sponsor
from trialyst.ctgov.vocab import InterventionType
from trialyst.repurposing.models import CompetitorEntry
from trialyst.repurposing.views import DRUG_TYPES

if TYPE_CHECKING:
    from trialyst.annotation import Drug
    from trialyst.repurposing.annotated import AnnotatedTrial
    from trialyst.repurposing.rows import TrialRow

__all__ = [
    "PHASE",
    "DrugTrial",
    "Given",
    "group_competitors",
    "purpose_of",
    "read_given",
    "without_probes",
]

PHASE = "phase"
TREATMENT, PREVENTION, SUPPORTIVE_CARE = "treatment", "prevention", "supportive_care"
DIAGNOSTICS, OTHER = "diagnostics", "other_purposes"
_PURPOSES = {
    "PREVENTION": PREVENTION,
    "SUPPORTIVE_CARE": SUPPORTIVE_CARE,
    "DIAGNOSTIC": DIAGNOSTICS,
    "SCREENING": DIAGNOSTICS,
}
_VACCINE = re.compile(r"vaccin|immuni[sz]ation|toxoid", re.IGNORECASE)
_AGAINST_INFECTION = re.compile(
    r"covid|sars-cov|influenza|\bflu\b|pneumococ|zoster|varicella|mening|tetanus|diphtheria|measles"
    r"|rabies|typhoid|yellow fever|rotavirus|polio",
    re.IGNORECASE,
)
"""Infections of which vaccines only prevent."""
_COMPETING = (Role.TESTED, Role.UNSTATED, Role.DIAGNOSTIC)


class Given(NamedTuple):
    """A drug as one trial gives it."""

    drug: Drug
    type: str
    """`DRUG` or `BIOLOGICAL`."""
    written: str
    role: Role


class DrugTrial(NamedTuple):
    """A trial with the drugs it gives."""

    row: TrialRow
    given: tuple[Given, ...]


_Group: TypeAlias = "list[tuple[TrialRow, Given]]"


def read_given(trial: AnnotatedTrial) -> DrugTrial:
    """Give a trial with the drugs it tests, each once; where it has no arms, all it gives."""
    found: dict[str, Given] = {}
    for intervention in trial.annotation.interventions:
        if intervention.type not in DRUG_TYPES:
            continue
        for drug, role in ((each.drug, each.role) for each in intervention.drugs):
            if role in _COMPETING and drug.key not in (*found, *trial.annotation.compared):
                found[drug.key] = Given(drug, intervention.type, intervention.name, role)
    # Without arms a growth factor beside what it makes bearable is no competitor.
    serves = [
        each for each in found.values() if each.role is Role.UNSTATED and is_support(each.drug)
    ]
    if len(serves) < len(found):
        for each in serves:
            del found[each.drug.key]
    return DrugTrial(trial.row, tuple(found.values()))


def without_probes(trial: DrugTrial) -> DrugTrial:
    """Give a trial that treats without what it gives only to see or to challenge."""
    given = tuple(each for each in trial.given if each.role is not Role.DIAGNOSTIC)
    return trial if len(given) == len(trial.given) else DrugTrial(trial.row, given)


def purpose_of(trial: DrugTrial, *, is_care: bool = False, is_interaction: bool = False) -> str:
    """Give which list a trial belongs to: treatment, or one of those kept apart from it.

    Args:
        is_care: whether it is about care around a treatment, whatever the record calls it.
        is_interaction: whether it measures what drugs do to each other.
    """
    purpose = trial.row.purpose
    if purpose in _PURPOSES:
        return _PURPOSES[purpose]
    if all(each.role is Role.DIAGNOSTIC for each in trial.given):
        return DIAGNOSTICS
    if is_interaction:
        return OTHER
    if is_care:
        return SUPPORTIVE_CARE
    if all(
        _VACCINE.search(each.written) and _AGAINST_INFECTION.search(each.written)
        for each in trial.given
    ):
        return PREVENTION
    if purpose == "TREATMENT":
        return TREATMENT
    if any(_VACCINE.search(each.written) for each in trial.given):
        return PREVENTION
    return TREATMENT if purpose is None else OTHER


def group_competitors(
    trials: Iterable[DrugTrial], top: int, *, order: str = PHASE, until: str | None = None
) -> tuple[list[CompetitorEntry], int]:
    """Give the first competitors in an order, and how many there are.

    Args:
        until: starts after this day do not make a trial the most recent one.
    """
    groups: dict[tuple[str, str], _Group] = {}
    for row, given in trials:
        if not given:
            continue
        sponsor = read_sponsor(row.sponsor).key
        for each in given:
            groups.setdefault((sponsor, each.drug.key), []).append((row, each))
    rank = _RANKS[order]
    first = heapq.nsmallest(top, groups, key=lambda key: (rank(groups[key], until), key))
    return [_to_entry(groups[key], until) for key in first], len(groups)


def _by_phase(group: _Group, until: str | None) -> tuple[int, ...]:
    return -max(row.rank for row, _ in group), -_enrollment(group), -len(group)


def _by_enrollment(group: _Group, until: str | None) -> tuple[int, ...]:
    return -_enrollment(group), -max(row.rank for row, _ in group)


def _by_trials(group: _Group, until: str | None) -> tuple[int, ...]:
    return -len(group), *_by_phase(group, until)


def _by_start(group: _Group, until: str | None) -> tuple[int, ...]:
    newest = max(_starts(group, until), default="0000")
    padded = (newest + "-00-00")[:10].replace("-", "")
    return -int(padded), *_by_phase(group, until)


_RANKS: Mapping[str, Callable[[_Group, str | None], tuple[int, ...]]] = {
    PHASE: _by_phase,
    "enrollment": _by_enrollment,
    "trials": _by_trials,
    "recent": _by_start,
}


def _enrollment(group: _Group) -> int:
    return sum(row.enrollment or 0 for row, _ in group)


def _starts(group: _Group, until: str | None) -> list[str]:
    return [row.start for row, _ in group if row.start and (until is None or row.start <= until)]


def _to_entry(group: _Group, until: str | None) -> CompetitorEntry:
    rows = [row for row, _ in group]
    drug = group[0][1].drug
    written = {each.written for _, each in group}
    sponsors = Counter(row.sponsor for row in rows)
    return CompetitorEntry(
        sponsor=read_sponsor(rows[0].sponsor).name,
        drug_name=drug.name,
        drug_type=InterventionType(_commonest(Counter(each.type for _, each in group))).label,
        max_phase=max(rows, key=lambda row: row.rank).phase,
        trial_count=len(rows),
        statuses={row.status for row in rows if row.status},
        total_enrollment=_enrollment(group),
        most_recent_start=max(_starts(group, until), default=None),
        nct_ids=tuple(row.nct_id for row in rows),
        spellings=tuple(sorted(written - {drug.name})),
        sponsor_names=tuple(sorted(sponsors)),
        resolved=drug.known,
        tested_count=sum(each.role is Role.TESTED for _, each in group),
    )


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda value: (-counts[value], value))
