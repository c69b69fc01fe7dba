"""What a compiled query matches: counted, listed, counted by value, checked on stored records."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.deadlines import check_deadline
from trialyst.essie.pieces import Piece
from trialyst.registry.compile import Check
from trialyst.registry.gate import Gate
from trialyst.registry.index import Searcher, all_addresses, count_matches
from trialyst.registry.numbers import Numbers
from trialyst.registry.phrases import Queries
from trialyst.registry.records import RecordReader
from trialyst.registry.schema import columns_from_zero
from trialyst.registry.slices import slice_of

if TYPE_CHECKING:
    import tantivy

__all__ = ["BATCH", "Matches", "by_frequency"]

BATCH = 500
"""Records in memory at a time."""
CHECKED_AT_ONCE = 100
"""Records read between two looks at the deadline."""
FEW = 1_000
"""Records that are checked at once, without waiting for others to be done."""


class Matches:
    """Carries compiled queries out; order plays no part."""

    def __init__(
        self, searcher: Searcher, make: Queries, records: RecordReader, numbers: Numbers
    ) -> None:
        self._searcher = searcher
        self._make = make
        self._records = records
        self._numbers = numbers
        self._gate = Gate()

    def count(self, compiled: tantivy.Query) -> int:
        return count_matches(self._searcher, self._make.constant(compiled))

    def numbers(self, compiled: tantivy.Query) -> list[int]:
        """Give the numbers of all matches."""
        return self._numbers.at(all_addresses(self._searcher, self._make.constant(compiled)))

    def verify(
        self, candidates: tantivy.Query, check: Check, searched: Sequence[Piece]
    ) -> list[int]:
        """Give the matches whose stored record passes a check that looks at these pieces only."""
        numbers = sorted(self.numbers(candidates))
        with self._gate.passed() if len(numbers) > FEW else contextlib.nullcontext():
            return self._check(numbers, check, searched)

    def _check(self, numbers: Sequence[int], check: Check, searched: Sequence[Piece]) -> list[int]:
        cut = slice_of(frozenset(piece.name for piece in searched)).cut
        held: list[int] = []
        for start in range(0, len(numbers), CHECKED_AT_ONCE):
            check_deadline()
            records = self._records.get(numbers[start : start + CHECKED_AT_ONCE])
            held.extend(n for n, data in records.items() if check(msgspec.json.decode(cut(data))))
        return held

    def count_column(self, compiled: tantivy.Query, column: str) -> Mapping[str, int]:
        """Count the matches by the values of a column, the most frequent first."""
        terms = {"terms": {"field": column, "size": 65_000}}
        result = self._searcher.aggregate(compiled, {"counts": terms})
        buckets = result["counts"]["buckets"]
        counts = {_bucket_name(bucket["key"]): bucket["doc_count"] for bucket in buckets}
        if column in columns_from_zero():
            empty = self._make.integers(column, 0, 0)
            counts["0"] = self.count(self._make.all_of([compiled, empty]))
        return by_frequency(counts)

    def quantiles(self, column: str) -> tuple[int, ...]:
        """Give values that cut a column into ten parts of equal size."""
        # Not the engine's percentiles: they are right to one part in a hundred, of a date 20 years.
        counts = self.count_column(self._make.everything(), column)
        ordered = sorted((int(value), count) for value, count in counts.items())
        total = sum(counts.values())
        steps: set[int] = set()
        below = 0
        for value, count in ordered:
            if below * 10 // max(total, 1) < (below + count) * 10 // max(total, 1):
                steps.add(value)
            below += count
        return tuple(sorted(steps))


def by_frequency(counts: Mapping[str, int]) -> Mapping[str, int]:
    """Give the counts that are not 0, the largest first."""
    found = [(value, count) for value, count in counts.items() if count]
    return dict(sorted(found, key=lambda item: (-item[1], item[0])))


def _bucket_name(key: Any) -> str:
    return str(int(key)) if isinstance(key, float) else str(key)
