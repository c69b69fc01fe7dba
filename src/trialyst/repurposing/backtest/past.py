"""The past as it was known at the cutoff: every drug with the grades and signals of its pairs.

A pure function of sightings, whatever their order; nothing here ever sees what came later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from trialyst.repurposing.backtest.signals import (
    MANY_TRIALS,
    RECENT_YEARS,
    ClassMates,
    Field,
    Signal,
    Standing,
    Track,
    read_signals,
)
from trialyst.repurposing.grading import grade_trials
from trialyst.repurposing.models import Grade
from trialyst.repurposing.rows import PIECES, TrialRow

if TYPE_CHECKING:
    from trialyst.annotation.drugs import Drug
    from trialyst.repurposing.backtest.conditions import Conditions
    from trialyst.repurposing.backtest.reading import Reader, Sighting

__all__ = ["DrugPast", "Past", "bits", "years_after"]

_STATUS, _PHASES = PIECES.index("OverallStatus"), PIECES.index("Phase")


class DrugPast(NamedTuple):
    """One drug at the cutoff: the conditions of each grade and of each signal."""

    key: str
    grades: dict[Grade, int]
    """Every condition is in one of them."""
    signals: dict[Signal, int]


class Past:
    """What was known at a cutoff; drugs are graded one at a time, so that memory stays small."""

    def __init__(self, sightings: Sequence[Sighting], reader: Reader) -> None:
        named = sorted({key for seen in sightings for key in seen.conditions})
        self.places = {key: place for place, key in enumerate(named)}
        self._reader = reader
        self._reach: dict[str, int] = {}
        self._sisters = _relate(named, self.places, reader.conditions)
        self._since = years_after(reader.cutoff, -RECENT_YEARS)
        self._trials: dict[str, list[Sighting]] = defaultdict(list)
        self._drugs: dict[str, Drug] = {}
        for seen in sightings:
            for drug in seen.drugs:
                self._trials[drug.key].append(seen)
                self._drugs[drug.key] = drug
        self._field = self._survey(sightings)
        self._grades = _Grades()

    @property
    def drugs(self) -> Sequence[str]:
        """The keys of all drugs, sorted."""
        return sorted(self._trials)

    def reach(self, conditions: Iterable[str]) -> int:
        """Give the conditions that a trial counts for: those it names, and the broader ones."""
        found = 0
        for key in conditions:
            if key not in self._reach:
                counted = (key, *self._reader.conditions.above(key))
                self._reach[key] = _joined(
                    self.places[each] for each in counted if each in self.places
                )
            found |= self._reach[key]
        return found

    def iter_drugs(self) -> Iterator[DrugPast]:
        """Yield every drug, by its key."""
        mates = self._find_mates()
        for key in self.drugs:
            track = self._track(key)
            grades = self._grades.of(track)
            grades[Grade.UNTESTED] = self._field.everything & ~track.tested
            signals = read_signals(track, self._field, mates.get(key, ClassMates()))
            yield DrugPast(key, grades, signals)

    def _survey(self, sightings: Iterable[Sighting]) -> Field:
        counts: dict[int, int] = defaultdict(int)
        recent = 0
        for seen in sightings:
            if seen.drugs:
                reached = self.reach(seen.conditions)
                for place in bits(reached):
                    counts[place] += 1
                if seen.posted > self._since:
                    recent |= reached
        busy = _joined(place for place, count in counts.items() if count >= MANY_TRIALS)
        return Field((1 << len(self.places)) - 1, busy, recent)

    def _track(self, key: str) -> Track:
        track = Track()
        for seen in self._trials[key]:
            sisters = 0
            for condition in seen.conditions:
                sisters |= self._sisters[condition]
            track.add(
                seen,
                conditions=self.reach(seen.conditions),
                sisters=sisters,
                is_recent=seen.posted > self._since,
            )
        return track

    def _find_mates(self) -> dict[str, ClassMates]:
        """Give, for each drug of a known class, where the others of its classes had been."""
        members: dict[str, list[str]] = defaultdict(list)
        groups: dict[str, tuple[str, ...]] = {}
        for key in self.drugs:
            names = self._reader.classes(self._drugs[key])
            if names:
                groups[key] = names
            for name in names:
                members[name].append(key)
        tracks = {key: self._track(key) for key in groups}
        return {
            key: _unite(
                {
                    other: tracks[other]
                    for name in names
                    for other in members[name]
                    if other != key
                }.values()
            )
            for key, names in groups.items()
        }


class _Grades:
    """Grades by the rule of `whitespace`, asked once for each set of standings."""

    def __init__(self) -> None:
        self._places: dict[Standing, int] = {}
        self._rows: list[TrialRow] = []
        self._known: dict[int, Grade] = {}

    def of(self, track: Track) -> dict[Grade, int]:
        """Give the conditions of each grade in which a drug was tested."""
        groups = {0: track.tested} if track.tested else {}
        for standing, conditions in track.standings.items():
            mark = self._mark(standing)
            split = {}
            for marks, group in groups.items():
                inside = group & conditions
                if inside:
                    split[marks | mark] = inside
                if inside != group:
                    split[marks] = group ^ inside
            groups = split
        grades: dict[Grade, int] = defaultdict(int)
        for marks, group in groups.items():
            grades[self._grade(marks)] |= group
        return dict(grades)

    def _mark(self, standing: Standing) -> int:
        place = self._places.get(standing)
        if place is None:
            place = self._places[standing] = len(self._rows)
            self._rows.append(_to_row(standing))
        return 1 << place

    def _grade(self, marks: int) -> Grade:
        if marks not in self._known:
            rows = [self._rows[place] for place in bits(marks)]
            self._known[marks] = grade_trials(rows, known=True)
        return self._known[marks]


def bits(number: int) -> Iterator[int]:
    """Yield the places of the bits that are set.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def years_after(day: date, years: int) -> date:
    """Give the same day some years later, or earlier; 29 February becomes the 28th.

    >>> years_after(date(2020, 2, 29), -1).isoformat()
    '2019-02-28'
    """
    year = min(max(day.year + years, date.min.year), date.max.year)
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def _relate(named: Sequence[str], places: dict[str, int], conditions: Conditions) -> dict[str, int]:
    """Give the sisters of each condition."""
    families: dict[str, int] = defaultdict(int)
    for key in named:
        for family in conditions.families(key):
            families[family] |= 1 << places[key]
    sisters: dict[str, int] = defaultdict(int)
    for key in named:
        for family in conditions.families(key):
            sisters[key] |= families[family] & ~(1 << places[key])
    return sisters


def _joined(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def _to_row(standing: Standing) -> TrialRow:
    status, phases = standing
    values: list[tuple[str, ...]] = [()] * len(PIECES)
    values[_STATUS] = (status,) if status else ()
    values[_PHASES] = phases
    return TrialRow(tuple(values))


def _unite(tracks: Iterable[Track]) -> ClassMates:
    tested = late = stopped = 0
    for track in tracks:
        tested |= track.tested
        late |= track.late
        stopped |= track.stopped
    return ClassMates(tested, late, stopped)
