"""`run_backtest`: read every trial once, grade the past, look at what followed, and count."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from trialyst.annotation.drugs import DrugNames
from trialyst.ctgov.dates import PartialDate
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput
from trialyst.essie.build import missing
from trialyst.hints import Command, Hint
from trialyst.repurposing.asking import Asking
from trialyst.repurposing.backtest.conditions import Conditions
from trialyst.repurposing.backtest.models import BacktestReport, Candidates, Scope
from trialyst.repurposing.backtest.past import Past, years_after
from trialyst.repurposing.backtest.reading import (
    BACKTEST_PIECES,
    Interventions,
    Reader,
    Sequel,
    Sighting,
    is_recognized,
    posted_on,
)
from trialyst.repurposing.backtest.tally import Followed, Tally, follow
from trialyst.repurposing.queries import check_limit
from trialyst.repurposing.rows import TrialRow, Values, pair_interventions

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.vocabulary import Vocabulary

__all__ = ["Progress", "run_backtest"]

_POSTED = BACKTEST_PIECES.index("StudyFirstPostDate")
BATCH = 2_000
"""Rows read off the event loop at a time."""
LONGEST = 100
"""Years beyond which a horizon is a typing error."""
DAYS_A_YEAR = 365.25
NOTHING_LEARNED = ""
"""A day before all others. What was learned from records was weighed over all of them, so even a
name seen before the cutoff may owe its meaning to later ones."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a step is."""

    step: str
    done: int
    total: int | None


Watcher = Callable[[Progress], None]


async def run_backtest(
    source: TrialSource,
    *,
    vocabulary: Vocabulary,
    cutoff: str,
    years: int | None = None,
    recognized_only: bool = False,
    on_progress: Watcher | None = None,
) -> BacktestReport:
    """Grade every drug and condition as known at the cutoff, and count what followed.

    Args:
        cutoff: the last day that is known: yyyy-MM-dd, yyyy-MM or yyyy.
        years: how long after it to look; all later data if not given.
        recognized_only: leave out drugs that the vocabulary does not know. It knows more of those
            that had a future.

    Raises:
        InvalidInput: the cutoff is no date, or nothing was posted before or after it.
    """
    day = _read_cutoff(cutoff)
    until = years_after(day, _check_years(years)) if years is not None else date.max
    names = DrugNames(vocabulary.as_of(NOTHING_LEARNED))
    reader = Reader(names, Conditions(names.vocabulary), day, until)
    shelf = _Shelf(reader, recognized_only=recognized_only)
    watch = on_progress or _unwatched
    total = (await source.provenance()).records
    submitted = await _submitted(source)
    async for rows in _batches(source, submitted):
        pairs = await pair_interventions(source, rows)
        await asyncio.to_thread(shelf.add, rows, pairs)
        watch(Progress("reading trials", shelf.read, total))
    shelf.inferred = len(submitted)
    shelf.check()
    body = await asyncio.to_thread(_grade, shelf, watch)
    asking = Asking(source, names, datetime.now(UTC), day, point_in_time=True)
    return BacktestReport(
        cutoff=day.isoformat(),
        years=years,
        recognized_only=recognized_only,
        provenance=await asking.provenance(_notes(shelf, asking)),
        **body,
    )


@dataclass(slots=True)
class _Shelf:
    """What is kept of the rows while they are read."""

    reader: Reader
    recognized_only: bool
    read: int = 0
    undated: int = 0
    inferred: int = 0
    """Trials dated by their first submission."""
    oldest: date = date.max
    newest: date = date.min
    sightings: list[Sighting] = field(default_factory=list)
    sequels: list[Sequel] = field(default_factory=list)

    def add(self, rows: Sequence[TrialRow], pairs: Mapping[str, Interventions]) -> None:
        for row in rows:
            self._add(row, pairs.get(row.nct_id))
        self.read += len(rows)

    def _add(self, row: TrialRow, pairs: Interventions | None) -> None:
        posted = posted_on(row)
        if posted is None:
            self.undated += 1
            return
        self.oldest, self.newest = min(self.oldest, posted), max(self.newest, posted)
        seen = self.reader.sighting(row, pairs)
        sequel = self.reader.sequel(row, seen, pairs)
        if seen is not None:
            self.sightings.append(seen._replace(drugs=self._wanted(seen)))
        if sequel is not None:
            self.sequels.append(sequel._replace(drugs=self._wanted(sequel)))

    def _wanted(self, read: Sighting | Sequel) -> tuple[Any, ...]:
        if not self.recognized_only:
            return read.drugs
        return tuple(drug for drug in read.drugs if is_recognized(drug.key))

    def check(self) -> None:
        """Refuse a cutoff with nothing before or after it."""
        cutoff = self.reader.cutoff
        if self.newest < self.oldest:
            raise InvalidInput(
                f"None of {self.read:,} trials has a day of first posting",
                hint=Hint(
                    "To fetch trials, {sync}; or name another registry.",
                    sync=Command("trialyst registry sync"),
                ),
            )
        if cutoff >= self.newest:
            raise InvalidInput(
                f"Nothing was first posted after {cutoff}: the newest trial is of {self.newest}",
                hint=f"Give a cutoff before {self.newest}, some years before if you can.",
                invalid_input=cutoff.isoformat(),
            )
        if cutoff < self.oldest:
            raise InvalidInput(
                f"Nothing was first posted by {cutoff}: the oldest trial is of {self.oldest}",
                hint=f"Give a cutoff from {self.oldest} on.",
                invalid_input=cutoff.isoformat(),
            )


def _grade(shelf: _Shelf, watch: Watcher) -> dict[str, Any]:
    cutoff = shelf.reader.cutoff
    past = Past(shelf.sightings, shelf.reader)
    drugs = past.drugs
    if not drugs or not past.places:
        raise InvalidInput(
            f"No trial first posted by {cutoff} has a drug, or none a MeSH term for its condition",
            hint="Give a later cutoff, or a registry with more trials.",
            invalid_input=cutoff.isoformat(),
        )
    followed = follow(shelf.sequels, past)
    tally = Tally()
    for done, drug in enumerate(past.iter_drugs(), 1):
        tally.add(drug, followed.get(drug.key, Followed()))
        if done % BATCH == 0 or done == len(drugs):
            watch(Progress("grading drugs", done, len(drugs)))
    until = min(shelf.reader.until, shelf.newest)
    return {
        "until": until.isoformat(),
        "follow_up_years": round((until - cutoff).days / DAYS_A_YEAR, 2),
        "candidates": _candidates(shelf, past, tally),
        "lines": tally.lines(),
    }


def _candidates(shelf: _Shelf, past: Past, tally: Tally) -> Candidates:
    drugs = set(past.drugs)
    later = [each for each in shelf.sequels if each.new_trial and each.drugs and each.conditions]
    return Candidates(
        trials=len(shelf.sightings),
        drug_trials=sum(bool(seen.drugs and seen.conditions) for seen in shelf.sightings),
        drugs=len(drugs),
        recognized_drugs=sum(map(is_recognized, drugs)),
        conditions=len(past.places),
        pairs=tally.pairs(Scope.ALL),
        tested_pairs=tally.pairs(Scope.TESTED),
        later_trials=len(later),
        later_trials_of_pairs=sum(
            bool(past.reach(each.conditions)) and any(drug.key in drugs for drug in each.drugs)
            for each in later
        ),
        undated_trials=shelf.undated,
        inferred_trials=shelf.inferred,
    )


def _notes(shelf: _Shelf, asking: Asking) -> list[str]:
    wanted, newest = shelf.reader.until, shelf.newest
    notes = [
        *asking.notes,
        "Pairs are every drug with every MeSH condition seen by then; a trial counts for the "
        "conditions its MeSH terms name and for broader ones. No name learned from records is "
        "used.",
        "Pairs are not independent of each other: intervals are narrower than they should be.",
    ]
    if shelf.inferred:
        notes.append(
            f"{shelf.inferred:,} of {shelf.read:,} trials state no day of first posting; the day "
            "of their first submission stands in for it."
        )
    if shelf.undated:
        notes.append(f"{shelf.undated:,} of {shelf.read:,} trials state neither and are left out.")
    if wanted != date.max and wanted > newest:
        notes.append(
            f"The horizon ends {wanted}, but the newest trial is of {newest}: what comes after "
            "that is not counted."
        )
    return notes


async def _submitted(source: TrialSource) -> dict[str, tuple[Any, ...]]:
    """Give when trials were first submitted, of those that state no day of first posting."""
    query = TrialQuery(filters=(missing("StudyFirstPostDate"),))
    rows = source.iter_rows(query, ("NCTId", "StudyFirstSubmitDate"))
    return {found[0]: days async for found, days in rows if days}


async def _batches(
    source: TrialSource, submitted: Mapping[str, tuple[Any, ...]]
) -> AsyncIterator[list[TrialRow]]:
    """Yield all trials; the day of submission stands in for one of posting that is missing."""
    batch: list[TrialRow] = []
    async for values in source.iter_rows(TrialQuery(), BACKTEST_PIECES):
        day = submitted.get(values[0][0])
        batch.append(TrialRow(values if day is None else _with_posted(values, day)))
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _with_posted(values: Values, day: tuple[Any, ...]) -> Values:
    return (*values[:_POSTED], day, *values[_POSTED + 1 :])


def _read_cutoff(cutoff: str) -> date:
    try:
        return PartialDate.parse(cutoff.strip()).last_day
    except ValueError:
        raise InvalidInput(
            f"The cutoff is {cutoff!r}, not a date",
            hint="Write it as yyyy-MM-dd, yyyy-MM or yyyy.",
            invalid_input=cutoff,
        ) from None


def _check_years(years: int) -> int:
    if check_limit("years", years) > LONGEST:
        raise InvalidInput(
            f"A horizon of {years} years is more than {LONGEST}",
            hint="Give fewer years, or none for all later data.",
            invalid_input=str(years),
        )
    return years


def _unwatched(_: Progress) -> None:
    """Nobody looks."""
