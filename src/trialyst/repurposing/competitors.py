"""Competitors: trials grouped by sponsor and drug, whatever the case, dose, salt or punctuation.

Only drugs and biologicals count; placebo, sham and standard of care are left out, the drugs of a
combination counted each. Prevention and vaccines are a group of their own.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.vocab import InterventionType
from trialyst.folding import fold_phrase
from trialyst.repurposing.models import CompetitorEntry
from trialyst.repurposing.views import DRUG_TYPES

if TYPE_CHECKING:
    from trialyst.repurposing.drugs import Drug, DrugNames
    from trialyst.repurposing.rows import TrialRow

__all__ = [
    "DrugReader",
    "DrugTrial",
    "Given",
    "Paired",
    "group_competitors",
    "is_prevention",
    "sponsor_key",
]

_VACCINE = re.compile(r"vaccin|immuni[sz]ation|toxoid", re.IGNORECASE)
_LEGAL_FORM = re.compile(
    r"[\s,]+(?:inc|incorporated|ltd|limited|llc|llp|lp|corp|corporation|co|company|gmbh|ag|plc|sa|sas"
    r"|spa|srl|sl|bv|nv|ab|as|a s|oy|kg|kgaa|pty|pvt|kk|s a|n v|b v|co ltd)$"
)


Paired = Mapping[str, Sequence[tuple[str, str]]]
"""The interventions of some trials by id, each a type and a name."""


class Given(NamedTuple):
    """A drug as one trial gives it."""

    drug: Drug
    type: str
    """`DRUG` or `BIOLOGICAL`."""
    written: str


class DrugTrial(NamedTuple):
    """A trial with the drugs it gives."""

    row: TrialRow
    given: tuple[Given, ...]


class DrugReader:
    """Gives trials with their drugs; what a name gives is worked out once."""

    def __init__(self, names: DrugNames) -> None:
        self._names = names
        self._given: dict[tuple[str, str], tuple[Given, ...]] = {}

    def read(self, rows: Iterable[TrialRow], paired: Paired) -> list[DrugTrial]:
        """Give trials with their drugs, each once.

        Args:
            paired: types and names of the interventions of trials whose rows cannot pair them.
        """
        return [
            DrugTrial(
                row,
                self._of(row.interventions if row.is_paired else paired.get(row.nct_id, ())),
            )
            for row in rows
        ]

    def _of(self, interventions: Iterable[tuple[str, str]]) -> tuple[Given, ...]:
        found: tuple[Given, ...] = ()
        known = self._given
        for pair in interventions:
            given = known.get(pair)
            if given is None:
                given = known[pair] = self._read(*pair)
            if given:
                found = found + given if found else given
        if len(found) > 1:
            first = {each.drug.key: each for each in reversed(found)}
            if len(first) < len(found):
                return tuple(first.values())[::-1]
        return found

    def _read(self, kind: str, name: str) -> tuple[Given, ...]:
        if kind not in DRUG_TYPES:
            return ()
        return tuple(Given(drug, kind, name) for drug in self._names.read(name))


def is_prevention(trial: DrugTrial) -> bool:
    """Whether a trial is to prevent: by its purpose, or by a vaccine where it is not treatment."""
    purpose = trial.row.purpose
    if purpose in ("PREVENTION", "TREATMENT"):
        return purpose == "PREVENTION"
    return any(_VACCINE.search(each.written) for each in trial.given)


@lru_cache(50_000)
def sponsor_key(name: str) -> str:
    """Give what is the same for all spellings of a sponsor.

    >>> sponsor_key("Acme Pharma, Inc.") == sponsor_key("ACME PHARMA")
    True
    """
    key = " ".join(re.sub(r"[^\w]+", " ", name.lower()).split())
    while (shorter := _LEGAL_FORM.sub("", key)) != key and shorter:
        key = shorter
    return fold_phrase(key) or key


def group_competitors(
    trials: Iterable[DrugTrial], top: int, *, until: str | None = None
) -> tuple[list[CompetitorEntry], int]:
    """Give the first competitors by phase and then enrollment, and how many there are.

    Args:
        until: starts after this day do not make a trial the most recent one.
    """
    groups: dict[tuple[str, str], _Group] = {}
    for row, given in trials:
        sponsor, rank, enrollment = sponsor_key(row.sponsor), row.rank, row.enrollment or 0
        for each in given:
            key = (sponsor, each.drug.key)
            group = groups.get(key)
            if group is None:
                group = groups[key] = _Group()
            group.members.append((row, each))
            group.enrollment += enrollment
            if rank > group.rank:
                group.rank = rank
    first = heapq.nsmallest(top, _standings(groups, top))
    return [_to_entry(groups[key].members, until) for *_, key in first], len(groups)


def _standings(
    groups: Mapping[tuple[str, str], _Group], top: int
) -> Iterator[tuple[int, int, int, tuple[str, str]]]:
    """Yield what groups are ordered by, of those that can be among the first."""
    ranks = Counter(group.rank for group in groups.values())
    enough, lowest = 0, 0
    for rank, count in sorted(ranks.items(), reverse=True):
        enough, lowest = enough + count, rank
        if enough >= top:
            break
    for key, group in groups.items():
        if group.rank >= lowest:
            yield -group.rank, -group.enrollment, -len(group.members), key


class _Group:
    """The trials of one sponsor and drug, and what they are ranked by."""

    __slots__ = ("enrollment", "members", "rank")

    def __init__(self) -> None:
        self.rank = -1
        self.enrollment = 0
        self.members: list[tuple[TrialRow, Given]] = []


def _to_entry(group: Sequence[tuple[TrialRow, Given]], until: str | None) -> CompetitorEntry:
    rows = [row for row, _ in group]
    name = group[0][1].drug.name
    starts = [row.start for row in rows if row.start and (until is None or row.start <= until)]
    written = {each.written for _, each in group}
    return CompetitorEntry(
        sponsor=_commonest(Counter(row.sponsor for row in rows)),
        drug_name=name,
        drug_type=InterventionType(_commonest(Counter(each.type for _, each in group))).label,
        max_phase=max(rows, key=lambda row: row.rank).phase,
        trial_count=len(rows),
        statuses=frozenset(row.status for row in rows if row.status),
        total_enrollment=sum(row.enrollment or 0 for row in rows),
        most_recent_start=max(starts, default=None),
        nct_ids=tuple(row.nct_id for row in rows),
        spellings=tuple(sorted(written - {name})),
    )


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda value: (-counts[value], value))
