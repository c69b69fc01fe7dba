"""Rows to what a backtest needs of a trial: what was known at the cutoff, and what came after.

A `Sighting` is read from a row of which the later knowledge has been hidden, and from nothing else.
A `Sequel` is read from the row as it is today.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.dates import PartialDate
from trialyst.repurposing.holdout import hold_row
from trialyst.repurposing.rows import PIECES, TrialRow
from trialyst.repurposing.stop_reasons import StopCategory, classify_stop_reason
from trialyst.repurposing.views import DRUG_TYPES, STOPPED
from trialyst.vocabulary.classes import narrowest_classes

if TYPE_CHECKING:
    from trialyst.annotation.drugs import Drug, DrugNames
    from trialyst.repurposing.backtest.conditions import Conditions

__all__ = ["BACKTEST_PIECES", "Reader", "Sequel", "Sighting", "is_recognized", "posted_on"]

BACKTEST_PIECES = (*PIECES, "ConditionMeshTerm")
_MESH_TERMS = len(PIECES)
_GRAVE = frozenset({StopCategory.SAFETY, StopCategory.EFFICACY})

Interventions = Sequence[tuple[str, str]]


class Sighting(NamedTuple):
    """A trial as it was known at the cutoff."""

    drugs: tuple[Drug, ...]
    conditions: tuple[str, ...]
    status: str | None
    phases: tuple[str, ...]
    posted: date
    grave: bool
    """Known to have stopped for safety or for want of efficacy."""


class Sequel(NamedTuple):
    """What a trial brought after the cutoff; `False, False, False` for most of those before it."""

    drugs: tuple[Drug, ...]
    conditions: tuple[str, ...]
    new_trial: bool
    phase_3: bool
    stop: bool


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads rows for one cutoff."""

    names: DrugNames
    conditions: Conditions
    cutoff: date
    until: date
    """The last day that counts as what followed."""

    def sighting(self, row: TrialRow, pairs: Interventions | None = None) -> Sighting | None:
        """Give a trial as it was known at the cutoff; None if it was not first posted by then."""
        posted = posted_on(row)
        if posted is None or posted > self.cutoff:
            return None
        held = hold_row(row, self.cutoff)
        status = held.status
        reason = held.first("WhyStopped") if status in STOPPED else None
        grave = bool(reason) and not _GRAVE.isdisjoint(classify_stop_reason(reason).categories)
        return Sighting(
            self._drugs(held, pairs), self._conditions(held), status, held.phases, posted, grave
        )

    def sequel(
        self, row: TrialRow, seen: Sighting | None, pairs: Interventions | None = None
    ) -> Sequel | None:
        """Give what a trial brought after the cutoff and by the end, or None."""
        posted = posted_on(row)
        if posted is None:
            return None
        is_new = self.cutoff < posted <= self.until
        known = seen is not None and seen.status in STOPPED
        stop = row.status in STOPPED and not known and self._stopped_on(row, posted) <= self.until
        if not (is_new or stop):
            return None
        drugs = seen.drugs if seen else self._drugs(row, pairs)
        conditions = seen.conditions if seen else self._conditions(row)
        return Sequel(drugs, conditions, is_new, is_new and "PHASE3" in row.phases, stop)

    def classes(self, drug: Drug) -> tuple[str, ...]:
        """Give the narrowest classes of a drug, by any of its names."""
        concept = self.names.vocabulary.get(drug.key) if is_recognized(drug.key) else None
        found = narrowest_classes(drug.name, *(concept.names if concept else ()))
        return tuple(each.name for each in found)

    def _stopped_on(self, row: TrialRow, posted: date) -> date:
        """Date a stop that was not known at the cutoff: by its completion, else the last update."""
        day = None
        for piece in ("CompletionDate", "PrimaryCompletionDate"):
            if day is None and row.first(f"{piece}Type") == "ACTUAL":
                day = _day(row.first(piece))
        day = day or _day(row.first("LastUpdatePostDate")) or date.max
        return max(day, posted, self.cutoff + timedelta(days=1))

    def _drugs(self, row: TrialRow, pairs: Interventions | None) -> tuple[Drug, ...]:
        found: dict[str, Drug] = {}
        for kind, name in row.interventions if pairs is None else pairs:
            if kind in DRUG_TYPES:
                for drug in self.names.read(name):
                    found.setdefault(drug.key, drug)
        return tuple(found.values())

    def _conditions(self, row: TrialRow) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(self.conditions.read, row.values[_MESH_TERMS])))


def is_recognized(key: str) -> bool:
    """Whether the vocabulary knows the drug with this key; the others stand under their words."""
    # The id of a concept has a colon; folded words have no punctuation.
    return ":" in key


def posted_on(row: TrialRow) -> date | None:
    """Give the day a trial was first posted; of a month or year the last, as the cutoff counts."""
    return _day(row.first("StudyFirstPostDate"))


@lru_cache(50_000)
def _day(written: str | None) -> date | None:
    try:
        return PartialDate.parse(written).last_day if written else None
    except ValueError:
        return None
