"""One question to a source: what is asked of whom, as of when, and what must be told about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from trialyst.repurposing.holdout import hold_row
from trialyst.repurposing.rows import PIECES, TrialRow, load_rows

if TYPE_CHECKING:
    from trialyst.annotation.drugs import DrugNames
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import Provenance, TrialSource
    from trialyst.vocabulary import Vocabulary

__all__ = ["Asking", "cutoff_notes", "truncation_note"]


@dataclass(frozen=True, slots=True)
class Asking:
    """Whom to ask, with which names, and as of when."""

    source: TrialSource
    drugs: DrugNames
    """Reads the names of interventions with the vocabulary of the question."""
    now: datetime
    cutoff: date | None = None
    """The last day on which a trial may have been first posted."""
    point_in_time: bool = False

    @property
    def vocabulary(self) -> Vocabulary:
        """The names that may be used."""
        return self.drugs.vocabulary

    @property
    def known_at(self) -> date | None:
        """The day whose knowledge may be shown; None for today's."""
        return self.cutoff if self.point_in_time else None

    @property
    def today(self) -> date:
        """The cutoff, or the present day."""
        return self.cutoff or self.now.date()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the cutoff does to the answer."""
        return cutoff_notes(self.cutoff, point_in_time=self.point_in_time)

    async def rows(
        self,
        query: TrialQuery,
        pieces: Sequence[str] = PIECES,
        *,
        beside: Sequence[str] = (),
    ) -> list[TrialRow]:
        """Give every match as a row, without what was not yet known.

        Args:
            pieces: what will be looked at; what is known at a time needs all of them.
            beside: pieces that stand behind them.
        """
        known_at = self.known_at
        needed = PIECES if known_at else pieces
        rows = await load_rows(self.source, query, (*needed, *beside))
        return [hold_row(row, known_at) for row in rows] if known_at else rows

    async def provenance(self, notes: Iterable[str], *, absent: bool = False) -> Provenance:
        """Give what the source is, with what it says of its answers and our own notes.

        Args:
            absent: whether the answer is that there is nothing, which a part cannot prove.
        """
        said = await self.source.provenance()
        stale = said.stale_note(self.now, changing="much")
        absence = said.absence_notes() if absent else ()
        told = dict.fromkeys((*said.notes, *([stale] if stale else []), *absence, *notes))
        return said.model_copy(update={"notes": tuple(told)})


def cutoff_notes(cutoff: date | None, *, point_in_time: bool) -> tuple[str, ...]:
    """Say what a cutoff does to an answer."""
    if cutoff is None:
        return ()
    seen = (
        f"Only trials first posted by {cutoff} are seen; where a record states no such day, the "
        "day of its first submission counts (inferred)."
    )
    if not point_in_time:
        return (seen, "What they say is as of today, and may not have been known then.")
    return (
        seen,
        f"Records updated after {cutoff} are shown without what may not have been known then; "
        "titles, conditions, interventions, phases and MeSH terms are as of today.",
    )


def truncation_note(listed: int, total: int) -> tuple[str, ...]:
    """Say that a list is cut, if it is."""
    if listed >= total:
        return ()
    return (f"{listed} of {total} are listed.",)
