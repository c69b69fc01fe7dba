"""Competitors: trials grouped by sponsor and drug, whatever the case, dose, salt or punctuation.

Only drugs and biologicals count; placebo, sham and standard of care are left out, the drugs of a
combination counted each. Prevention and vaccines are a group of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.vocab import InterventionType
from trialyst.folding import fold_phrase
from trialyst.repurposing.models import CompetitorEntry
from trialyst.repurposing.views import DRUG_TYPES

if TYPE_CHECKING:
    from trialyst.repurposing.drugs import Drug, DrugNames
    from trialyst.repurposing.rows import TrialRow

__all__ = ["DrugTrial", "Given", "group_competitors", "is_prevention", "read_drugs", "sponsor_key"]

_VACCINE = re.compile(r"vaccin|immuni[sz]ation|toxoid", re.IGNORECASE)
_LEGAL_FORM = re.compile(
    r"[\s,]+(?:inc|incorporated|ltd|limited|llc|llp|lp|corp|corporation|co|company|gmbh|ag|plc|sa|sas"
    r"|spa|srl|sl|bv|nv|ab|as|a s|oy|kg|kgaa|pty|pvt|kk|s a|n v|b v|co ltd)$"
)


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


def read_drugs(
    row: TrialRow, names: DrugNames, interventions: Sequence[tuple[str, str]] | None = None
) -> DrugTrial:
    """Give a trial with its drugs, each once."""
    given: dict[str, Given] = {}
    for kind, name in row.interventions if interventions is None else interventions:
        if kind in DRUG_TYPES:
            for drug in names.read(name):
                if drug.key not in given:
                    given[drug.key] = Given(drug, kind, name)
    return DrugTrial(row, tuple(given.values()))


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


@dataclass(slots=True)
class _Group:
    drug: Drug
    rank: int = -1
    phase: str = ""
    enrollment: int = 0
    newest: str | None = None
    ids: list[str] = field(default_factory=list)
    statuses: set[str] = field(default_factory=set)
    sponsors: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    written: Counter[str] = field(default_factory=Counter)

    def add(self, row: TrialRow, given: Given) -> None:
        self.ids.append(row.nct_id)
        self.sponsors[row.sponsor] += 1
        self.types[given.type] += 1
        self.written[given.written] += 1
        if row.rank > self.rank:
            self.rank, self.phase = row.rank, row.phase
        if row.status:
            self.statuses.add(row.status)
        self.enrollment += row.enrollment or 0
        start = row.start
        if start and (self.newest is None or start > self.newest):
            self.newest = start

    def to_entry(self) -> CompetitorEntry:
        name = self.drug.name
        return CompetitorEntry(
            sponsor=_commonest(self.sponsors),
            drug_name=name,
            drug_type=InterventionType(_commonest(self.types)).label,
            max_phase=self.phase,
            trial_count=len(self.ids),
            statuses=frozenset(self.statuses),
            total_enrollment=self.enrollment,
            most_recent_start=self.newest,
            nct_ids=tuple(self.ids),
            spellings=tuple(sorted(each for each in self.written if each != name)),
        )


def group_competitors(trials: Iterable[DrugTrial], top: int) -> tuple[list[CompetitorEntry], int]:
    """Give the first competitors by phase and then enrollment, and how many there are."""
    groups: dict[tuple[str, str], _Group] = {}
    for row, given in trials:
        sponsor = sponsor_key(row.sponsor)
        for each in given:
            key = (sponsor, each.drug.key)
            group = groups.get(key)
            if group is None:
                group = groups[key] = _Group(each.drug)
            group.add(row, each)
    ranked = sorted(groups.items(), key=lambda item: (*_standing(item[1]), item[0]))
    return [group.to_entry() for _, group in ranked[:top]], len(ranked)


def _standing(group: _Group) -> tuple[int, int, int]:
    return -group.rank, -group.enrollment, -len(group.ids)


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda value: (-counts[value], value))
