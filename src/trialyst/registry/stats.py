"""Exact statistics over every record: study sizes, values of fields, sizes of lists.

One scan answers for several pieces and builds only those; answers are kept until the registry
has another generation. Says nothing about a subset: filtered counts are the engine's.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

import msgspec

from trialyst.ctgov.query import TrialQuery
from trialyst.deadlines import check_deadline
from trialyst.essie import build
from trialyst.essie.pieces import Kind, Piece, pieces
from trialyst.registry.extract import extract_study
from trialyst.registry.gate import Gate
from trialyst.registry.schema import columns_from_zero, listed_by, size_field
from trialyst.registry.sitebook import SiteBook
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

_INDEXED = (Kind.ENUM, Kind.BOOLEAN)

_Keys: TypeAlias = "dict[str, tuple[str | None, _Keys]]"

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
        # One count at a time; whoever waits for it under a deadline waits no longer than that.
        self._gate = Gate(1)
        self._held: tuple[str, dict[tuple[str, str], Any]] = (records.generation, {})

    def study_sizes(self) -> StudySizes:
        """Measure every study."""
        key = ("studies", "")
        kept = self._current()
        if key not in kept:
            with self._gate.passed():
                if key not in kept:
                    kept[key] = self._measure()
        found: StudySizes = kept[key]
        return found

    def field_values(self, chosen: Sequence[Piece]) -> list[FieldValues]:
        """Count the values of leaf pieces, in the order given."""
        return self._keep("values", chosen, _plan_scans, self._count_values)

    def list_sizes(self, chosen: Sequence[Piece]) -> list[ListSizes]:
        """Count the sizes of list pieces, in the order given."""
        return self._keep("lists", chosen, lambda absent: [absent], self._count_lists)

    def _current(self) -> dict[tuple[str, str], Any]:
        """Give the answers of the generation in use; those of an older one are let go."""
        generation = self._records.generation
        held, kept = self._held
        if held != generation:
            kept = {}
            self._held = (generation, kept)
        return kept

    def _keep(
        self,
        what: str,
        chosen: Sequence[Piece],
        plan: Callable[[list[Piece]], list[list[Piece]]],
        count: Callable[[list[Piece]], list[Result]],
    ) -> list[Result]:
        kept = self._current()
        if any((what, piece.name) not in kept for piece in chosen):
            with self._gate.passed():
                absent = [piece for piece in chosen if (what, piece.name) not in kept]
                for scan in filter(None, plan(absent)):
                    for piece, answer in zip(scan, count(scan), strict=True):
                        kept[what, piece.name] = answer
        return [kept[what, piece.name] for piece in chosen]

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

    def _count_values(self, chosen: list[Piece]) -> list[FieldValues]:
        if chosen[0].kind in _INDEXED:
            return [self._look_up(piece) for piece in chosen]
        tallies = {piece.name: start_tally(piece) for piece in chosen}
        values_of = _derived_values(chosen) if chosen[0].indexed_only else _plain_values(chosen)
        studies = 0
        for number, study in self._iter_studies(chosen):
            studies += 1
            for name, values in values_of(number, study).items():
                tallies[name].add(number, values)
        return [tally.result(studies) for tally in tallies.values()]

    def _look_up(self, piece: Piece) -> FieldValues:
        """Take from the index what it counts faster than a scan would."""
        missing = self._records.count(TrialQuery(filters=(build.missing(piece.name),)))
        counts = self._records.count_by(TrialQuery(), piece.name)
        return FieldValues.of_counts(piece, counts, missing=missing)

    def _count_lists(self, chosen: list[Piece]) -> list[ListSizes]:
        counters: dict[str, Counter[int]] = {piece.name: Counter() for piece in chosen}
        tree = _key_tree(chosen)
        once = [piece.name for piece in chosen if piece.list_depth == 1]
        for _, study in self._iter_studies(chosen):
            sizes: dict[str, set[int]] = {}
            _collect_sizes(study, tree, sizes)
            for name in once:
                sizes.setdefault(name, {0})
            for name, found in sizes.items():
                counters[name].update(found)
        return [
            ListSizes(piece, tuple(sorted(counter.items(), key=lambda item: (-item[1], item[0]))))
            for piece, counter in zip(chosen, counters.values(), strict=True)
        ]

    def _iter_studies(self, chosen: Sequence[Piece]) -> Iterator[tuple[int, Any]]:
        """Yield the studies, reduced to what the pieces need."""
        part = None if any(piece.indexed_only for piece in chosen) else Slice(chosen)
        for number, raw in self._records.iter_raw():
            check_deadline()
            yield number, msgspec.json.decode(part.cut(raw) if part else raw)


def _plan_scans(chosen: list[Piece]) -> list[list[Piece]]:
    """Part the pieces by what they cost: an index look-up, the whole study, memory."""
    indexed = [piece for piece in chosen if piece.kind in _INDEXED]
    scanned = [piece for piece in chosen if piece.kind not in _INDEXED]
    derived = [piece for piece in scanned if piece.indexed_only]
    plain = [piece for piece in scanned if not piece.indexed_only]
    starts = range(0, len(plain), PIECES_PER_SCAN)
    return [indexed, derived, *(plain[start : start + PIECES_PER_SCAN] for start in starts)]


def _plain_values(chosen: Sequence[Piece]) -> Callable[[int, Any], dict[str, list[Any]]]:
    tree = _key_tree(chosen)

    def values_of(_: int, study: Any) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        _collect_values(study, tree, found)
        return found

    return values_of


def _derived_values(chosen: Sequence[Piece]) -> Callable[[int, Any], dict[str, list[Any]]]:
    """Read off what the index holds of a study, so that both always say the same."""
    lists = {name: size_field(pieces()[counted]) for name, counted in listed_by().items()}
    columns = {piece.name: lists.get(piece.name, piece.name) for piece in chosen}

    def values_of(number: int, study: Any) -> dict[str, list[Any]]:
        index = msgspec.json.decode(extract_study(study, number, SiteBook()).document)
        for column in columns_from_zero().intersection(columns.values()):
            index.setdefault(column, 0)
        stated = {name: index[column] for name, column in columns.items() if column in index}
        return {name: v if isinstance(v, list) else [v] for name, v in stated.items()}

    return values_of


def _key_tree(chosen: Sequence[Piece]) -> _Keys:
    """Give the keys that lead to the pieces, and the pieces' names where they stand."""
    root: _Keys = {}
    for piece in chosen:
        level = root
        for key in piece.path[:-1]:
            level = level.setdefault(key, (None, {}))[1]
        below = level.get(piece.path[-1], (None, {}))[1]
        level[piece.path[-1]] = (piece.name, below)
    return root


def _collect_values(node: Any, tree: _Keys, found: dict[str, list[Any]]) -> None:
    for key, value in node.items():
        name, below = tree[key]
        items = value if isinstance(value, list) else [value]
        if name is None:
            for item in items:
                if isinstance(item, dict):
                    _collect_values(item, below, found)
        elif stated := [item for item in items if item not in ("", None)]:
            found.setdefault(name, []).extend(stated)


def _collect_sizes(node: Any, tree: _Keys, found: dict[str, set[int]]) -> None:
    for key, (name, below) in tree.items():
        value = node.get(key)
        items = value if isinstance(value, list) else [value]
        if name is not None:
            found.setdefault(name, set()).add(len(value) if isinstance(value, list) else 0)
        for item in items if below else ():
            if isinstance(item, dict):
                _collect_sizes(item, below, found)


def _percentile(ascending: Sequence[int], share: int) -> int:
    if not ascending:
        return 0
    return ascending[max(0, -(-len(ascending) * share // 100) - 1)]
