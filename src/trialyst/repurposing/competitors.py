"""Competitors: trials grouped by sponsor and drug, whatever the case, dose, salt or punctuation.

Only drugs and biologicals count; placebo, sham and standard of care are left out, the drugs of a
combination counted each. Prevention and vaccines are a group of their own.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
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
_NO_WORD = re.compile(r"\W+")
_LEGAL_FORMS = frozenset(
    "inc incorporated ltd limited llc llp lp corp corporation co company gmbh ag plc sa sas spa srl"
    " sl bv nv ab as oy kg kgaa pty pvt kk".split()
)
_SPELT_FORMS = frozenset({("a", "s"), ("s", "a"), ("n", "v"), ("b", "v")})


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
        self._given: dict[str, dict[str, tuple[Given, ...]]] = {kind: {} for kind in DRUG_TYPES}

    def read(self, rows: Iterable[TrialRow], paired: Paired) -> list[DrugTrial]:
        """Give trials with their drugs, each once.

        Args:
            paired: types and names of the interventions of trials whose rows cannot pair them.
        """
        return [
            DrugTrial(row, self._of((paired and paired.get(row.nct_id)) or row.interventions))
            for row in rows
        ]

    def _of(self, interventions: Iterable[tuple[str, str]]) -> tuple[Given, ...]:
        found: tuple[Given, ...] = ()
        for kind, name in interventions:
            known = self._given.get(kind)
            if known is None:
                continue
            given = known.get(name)
            if given is None:
                given = known[name] = tuple(
                    Given(drug, kind, name) for drug in self._names.read(name)
                )
            if given:
                found = found + given if found else given
        if len(found) > 1:
            first = {each.drug.key: each for each in reversed(found)}
            if len(first) < len(found):
                return tuple(first.values())[::-1]
        return found


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
    words = _NO_WORD.sub(" ", name.lower()).split()
    while len(words) > 1:
        if words[-1] in _LEGAL_FORMS:
            del words[-1]
        elif len(words) > 2 and (words[-2], words[-1]) in _SPELT_FORMS:
            del words[-2:]
        else:
            break
    key = " ".join(words)
    return fold_phrase(key) or key


def group_competitors(
    trials: Iterable[DrugTrial], top: int, *, until: str | None = None
) -> tuple[list[CompetitorEntry], int]:
    """Give the first competitors by phase and then enrollment, and how many there are.

    Args:
        until: starts after this day do not make a trial the most recent one.
    """
    groups: defaultdict[tuple[str, str], _Group] = defaultdict(_Group)
    for row, given in trials:
        if not given:
            continue
        sponsor, rank = sponsor_key(row.sponsor), row.rank
        for each in given:
            group = groups[sponsor, each.drug.key]
            group.append((row, each))
            if rank > group.rank:
                group.rank = rank
    first = heapq.nsmallest(top, _standings(groups, top))
    return [_to_entry(groups[key], until) for *_, key in first], len(groups)


def _standings(
    groups: Mapping[tuple[str, str], _Group], top: int
) -> Iterator[tuple[int, int, int, tuple[str, str]]]:
    """Yield what groups are ordered by, of those that can be among the first."""
    ranks = Counter([group.rank for group in groups.values()])
    enough, lowest = 0, 0
    for rank, count in sorted(ranks.items(), reverse=True):
        enough, lowest = enough + count, rank
        if enough >= top:
            break
    for key, group in groups.items():
        if group.rank >= lowest:
            enrollment = sum(row.enrollment or 0 for row, _ in group)
            yield -group.rank, -enrollment, -len(group), key


class _Group(list[tuple["TrialRow", Given]]):
    """The trials of one sponsor and drug, and the highest rank among them."""

    __slots__ = ("rank",)

    def __init__(self) -> None:
        self.rank = -1


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
        statuses={row.status for row in rows if row.status},
        total_enrollment=sum(row.enrollment or 0 for row in rows),
        most_recent_start=max(starts, default=None),
        nct_ids=tuple(row.nct_id for row in rows),
        spellings=tuple(sorted(written - {name})),
    )


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda value: (-counts[value], value))
