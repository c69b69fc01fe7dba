"""Matches in the order of a query; equals come by their number, so equal records answer alike.

The engine leaves equals in the order of its segments, which differs from build to build.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.ctgov.query import RELEVANCE, SortKey, TrialQuery
from trialyst.essie.pieces import Piece, find_piece
from trialyst.registry.leafquery import column_of
from trialyst.registry.phrases import Queries
from trialyst.registry.ranking import decayed_by_distance
from trialyst.registry.records import RecordReader
from trialyst.registry.schema import NUMBER

if TYPE_CHECKING:
    import tantivy

__all__ = ["Ordering", "is_ranked"]

# Above this the service ignores distance in the ranking, and so do we.
DECAY_LIMIT = 10_000
# More than the window, so that the end of a run of equal scores is nearly always seen.
_BEYOND = 200


def is_ranked(query: TrialQuery) -> bool:
    """Whether scores play a part in the order."""
    return any(key.piece == RELEVANCE for key in query.sort)


class Ordering:
    """Orders the matches of compiled queries."""

    def __init__(self, searcher: tantivy.Searcher, make: Queries, records: RecordReader) -> None:
        self._searcher = searcher
        self._make = make
        self._records = records

    def window(
        self, query: TrialQuery, compiled: tantivy.Query, *, total: int, offset: int, size: int
    ) -> list[int]:
        """Give the numbers of a window of the matches, of which there are `total`."""
        end = min(offset + size, total)
        if end <= offset:
            return []
        return self._first(query, compiled, total, end)[offset:end]

    def numbers(self, addresses: list[tantivy.DocAddress]) -> list[int]:
        """Give the numbers of studies."""
        return [int(n or 0) for n in self._searcher.fast_field_values(NUMBER, addresses)]

    def _first(self, query: TrialQuery, compiled: tantivy.Query, total: int, end: int) -> list[int]:
        keys = query.sort
        if len(keys) > 1 or any(_is_repeated(key) for key in keys):
            return self._by_keys(query, compiled, total)
        if keys and keys[0].piece != RELEVANCE:
            return self._by_column(keys[0], compiled, end)
        if keys and query.circle and total <= DECAY_LIMIT:
            return self._by_distance(query, compiled, total)
        if keys and query.queries:
            return self._by_score(compiled, total, end if keys[0].descending else total, keys[0])
        return self._by_number(compiled, end)

    def _by_number(self, compiled: tantivy.Query, end: int) -> list[int]:
        hits = self._sorted(compiled, NUMBER, end, descending=False)
        return [int(number) for number, _ in hits]

    def _sorted(
        self, compiled: tantivy.Query, column: str, limit: int, *, descending: bool
    ) -> list[tuple[Any, tantivy.DocAddress]]:
        import tantivy

        order = tantivy.Order.Desc if descending else tantivy.Order.Asc
        found = self._searcher.search(
            compiled, limit=limit, count=False, order_by_field=column, order=order
        )
        return list(found.hits)

    def _by_column(self, key: SortKey, compiled: tantivy.Query, end: int) -> list[int]:
        """Order by a column; which of the equals at the end of the window belong is asked anew."""
        column = column_of(_piece_of(key))
        hits = self._sorted(compiled, column, end, descending=key.descending)
        last = hits[-1][0]
        better = [(value, address) for value, address in hits if value != last]
        numbers = self.numbers([address for _, address in better])
        sign = -1 if key.descending else 1
        ranked = sorted(
            (sign * value, number) for (value, _), number in zip(better, numbers, strict=True)
        )
        equal = (
            self._make.none_of(self._make.exists(column))
            if last is None
            else self._make.integers(column, int(last), int(last))
        )
        equals = self._by_number(self._make.all_of([compiled, equal]), end - len(better))
        return [number for _, number in ranked] + equals

    def _scored(self, compiled: tantivy.Query, limit: int) -> list[tuple[float, int]]:
        hits = self._searcher.search(compiled, limit=limit, count=False).hits
        numbers = self.numbers([address for _, address in hits])
        return [(_steady(hit[0]), number) for hit, number in zip(hits, numbers, strict=True)]

    def _by_score(self, compiled: tantivy.Query, total: int, end: int, key: SortKey) -> list[int]:
        scored = self._scored(compiled, min(end + _BEYOND, total))
        if len(scored) < total and scored[-1][0] == scored[end - 1][0]:
            scored = self._scored(compiled, total)
        sign = -1 if key.descending else 1
        scored.sort(key=lambda row: (sign * row[0], row[1]))
        return [number for _, number in scored]

    def _by_distance(self, query: TrialQuery, compiled: tantivy.Query, total: int) -> list[int]:
        scored = sorted(self._scored(compiled, total), key=lambda row: row[1])
        studies = self._records.get([number for _, number in scored])
        rows = [
            # A query of filters alone scores nothing; then only the distance counts.
            (score if query.queries else 1.0, number, msgspec.json.decode(studies[number]))
            for score, number in scored
        ]
        return decayed_by_distance(rows, query)

    def _by_keys(self, query: TrialQuery, compiled: tantivy.Query, total: int) -> list[int]:
        """Sort by the last key first: Python's sort keeps the order of equals."""
        hits = self._searcher.search(compiled, limit=total, count=False).hits
        numbers = self.numbers([address for _, address in hits])
        rows = sorted(
            ((number, *hit) for number, hit in zip(numbers, hits, strict=True)),
            key=lambda row: row[0],
        )
        for key in reversed(query.sort):
            if key.piece == RELEVANCE:
                rows.sort(key=lambda row: _steady(row[1]), reverse=key.descending)
                continue
            column = column_of(_piece_of(key))
            values = self._searcher.fast_field_values(column, [row[2] for row in rows])
            stated = [(row, v) for row, v in zip(rows, values, strict=True) if v is not None]
            silent = [row for row, v in zip(rows, values, strict=True) if v is None]
            stated.sort(key=lambda pair: pair[1], reverse=key.descending)
            rows = [row for row, _ in stated] + silent
        return [row[0] for row in rows]


def _piece_of(key: SortKey) -> Piece:
    piece = find_piece(key.piece)
    assert piece is not None, key.piece
    return piece


def _is_repeated(key: SortKey) -> bool:
    return key.piece != RELEVANCE and _piece_of(key).list_depth > 0


def _steady(score: Any) -> float:
    """Round away what the order of a sum changes, which depends on the segments."""
    value = float(score or 0)
    return value if value == 0 else round(value, 4 - math.floor(math.log10(abs(value))))
