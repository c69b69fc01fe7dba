"""Exact statistics over every record: study sizes, values of fields, sizes of lists.

One scan answers for several pieces and builds only those; answers are kept until the registry
has another generation. Says nothing about a subset: filtered counts are the engine's.
"""

from __future__ import annotations

import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import msgspec

from trialyst.ctgov.query import TrialQuery
from trialyst.essie import build
from trialyst.essie.pieces import Kind, Piece, pieces
from trialyst.registry.extract import extract_study, values_at
from trialyst.registry.schema import listed_by, size_field
from trialyst.registry.slices import Slice
from trialyst.registry.tallies import FieldValues, start_tally

__all__ = ["ListSizes", "Records", "Statistics", "StudySizes"]

LARGEST_STUDIES = 10
RANGE_BYTES = 10 * 1024
RANGES = 20
"""Studies above the last range are counted together."""
PERCENTILES = (*range(5, 100, 5), 99)

PIECES_PER_SCAN = 64
"""Distinct values are counted in memory; a scan of all pieces at once would need gigabytes."""

Result = TypeVar("Result")


class Records(Protocol):
    """What is counted."""

    @property
    def generation(self) -> str: ...

    def iter_raw(self) -> Iterator[tuple[int, bytes]]: ...

    def count(self, query: TrialQuery) -> int: ...

    def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]: ...


@dataclass(frozen=True, slots=True)
class StudySizes:
    """How large the studies are as JSON, in bytes."""

    total: int
    average: int
    percentiles: Mapping[int, int]
    ranges: tuple[int, ...]
    """Studies per range of `RANGE_BYTES`; the last entry has no upper bound."""
    largest: tuple[tuple[int, int], ...]
    """Pairs of NCT number and size."""


@dataclass(frozen=True, slots=True)
class ListSizes:
    """In how many studies a list has how many items; an absent list has none."""

    piece: Piece
    studies: tuple[tuple[int, int], ...]
    """Pairs of size and number of studies, the most frequent size first."""


class Statistics:
    """Counts over a registry, made when first asked for. Safe to share between threads."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._lock = threading.Lock()
        self._generation = records.generation
        self._kept: dict[tuple[str, str], Any] = {}

    def study_sizes(self) -> StudySizes:
        """Measure every study."""
        key = ("studies", "")
        with self._lock:
            self._forget_old()
            if key not in self._kept:
                self._kept[key] = self._measure()
            found: StudySizes = self._kept[key]
            return found

    def field_values(self, chosen: Sequence[Piece]) -> list[FieldValues]:
        """Count the values of leaf pieces, in the order given."""
        indexed = [piece for piece in chosen if piece.kind in (Kind.ENUM, Kind.BOOLEAN)]
        self._keep("values", indexed, self._look_up)
        return self._keep("values", chosen, self._count_values)

    def list_sizes(self, chosen: Sequence[Piece]) -> list[ListSizes]:
        """Count the sizes of list pieces, in the order given."""
        return self._keep("lists", chosen, self._count_lists)

    def _forget_old(self) -> None:
        if self._generation != self._records.generation:
            self._generation = self._records.generation
            self._kept.clear()

    def _keep(
        self, what: str, chosen: Sequence[Piece], count: Callable[[list[Piece]], list[Result]]
    ) -> list[Result]:
        with self._lock:
            self._forget_old()
            absent = [piece for piece in chosen if (what, piece.name) not in self._kept]
            # Derived pieces need the whole study: apart, they slow only their own scans.
            absent.sort(key=lambda piece: piece.indexed_only)
            for start in range(0, len(absent), PIECES_PER_SCAN):
                batch = absent[start : start + PIECES_PER_SCAN]
                for piece, answer in zip(batch, count(batch), strict=True):
                    self._kept[what, piece.name] = answer
            return [self._kept[what, piece.name] for piece in chosen]

    def _measure(self) -> StudySizes:
        numbers, sizes = array("q"), array("q")
        for number, raw in self._records.iter_raw():
            numbers.append(number)
            sizes.append(len(raw))
        ranges = [0] * (RANGES + 1)
        for size in sizes:
            ranges[min(size // RANGE_BYTES, RANGES)] += 1
        ascending = sorted(sizes)
        order = sorted(range(len(sizes)), key=lambda index: (-sizes[index], numbers[index]))
        return StudySizes(
            total=len(sizes),
            average=round(sum(sizes) / len(sizes)) if sizes else 0,
            percentiles={share: _percentile(ascending, share) for share in PERCENTILES},
            ranges=tuple(ranges),
            largest=tuple((numbers[i], sizes[i]) for i in order[:LARGEST_STUDIES]),
        )

    def _look_up(self, chosen: list[Piece]) -> list[FieldValues]:
        """Take from the index what it counts faster than a scan would."""
        everything = TrialQuery()
        found = []
        for piece in chosen:
            missing = self._records.count(TrialQuery(filters=(build.missing(piece.name),)))
            counts = self._records.count_by(everything, piece.name)
            found.append(FieldValues.of_counts(piece, counts, missing=missing))
        return found

    def _count_values(self, chosen: list[Piece]) -> list[FieldValues]:
        tallies = [start_tally(piece) for piece in chosen]
        derived = any(piece.indexed_only for piece in chosen)
        counts = [(tally.add, _reader(tally.piece)) for tally in tallies]
        for number, study in self._iter_studies(chosen):
            index = msgspec.json.decode(extract_study(study, number).document) if derived else {}
            for add, read in counts:
                add(number, read(study, index))
        return [tally.result() for tally in tallies]

    def _count_lists(self, chosen: list[Piece]) -> list[ListSizes]:
        counters: list[Counter[int]] = [Counter() for _ in chosen]
        for _, study in self._iter_studies(chosen):
            for counter, piece in zip(counters, chosen, strict=True):
                counter.update(set(_list_sizes(study, piece)))
        return [
            ListSizes(piece, tuple(sorted(counter.items(), key=lambda item: (-item[1], item[0]))))
            for counter, piece in zip(counters, chosen, strict=True)
        ]

    def _iter_studies(self, chosen: Sequence[Piece]) -> Iterator[tuple[int, Any]]:
        """Yield the studies, reduced to what the pieces need."""
        part = None if any(piece.indexed_only for piece in chosen) else Slice(chosen)
        for number, raw in self._records.iter_raw():
            yield number, msgspec.json.decode(part.cut(raw) if part else raw)


def _percentile(ascending: Sequence[int], share: int) -> int:
    if not ascending:
        return 0
    return ascending[max(0, -(-len(ascending) * share // 100) - 1)]


def _reader(piece: Piece) -> Callable[[Any, Mapping[str, Any]], Iterable[Any]]:
    """Give how a piece is read off a study, or off what the index holds of the study."""
    if not piece.indexed_only:
        return lambda study, _: values_at(study, piece)
    counted = listed_by().get(piece.name)
    column = size_field(pieces()[counted]) if counted else piece.name
    return lambda _, index: index.get(column, ())


def _list_sizes(study: Any, piece: Piece) -> list[int]:
    parents = [study] if piece.parent is None else values_at(study, pieces()[piece.parent])
    key = piece.path[-1]
    lists = [parent.get(key) for parent in parents if isinstance(parent, dict)]
    sizes = [len(found) if isinstance(found, list) else 0 for found in lists]
    return sizes or ([0] if piece.list_depth == 1 else [])
