"""Matches in the order of a query; equals come by their number, so equal records answer alike.

The engine leaves equals in the order of its segments, which differs from build to build.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.ctgov.query import RELEVANCE, SortKey, TrialQuery
from trialyst.essie.pieces import Piece, find_piece
from trialyst.registry.index import Searcher, count_matches
from trialyst.registry.leafquery import column_of
from trialyst.registry.numbers import Numbers
from trialyst.registry.phrases import Queries
from trialyst.registry.ranking import Nearness, build_nearness
from trialyst.registry.schema import NUMBER, columns_from_zero
from trialyst.registry.sites import SiteIndex

if TYPE_CHECKING:
    import tantivy

__all__ = ["Ordering", "Scored", "Window", "is_ranked", "steady"]

# Above this the service ignores distance in the ranking, and so do we.
DECAY_LIMIT = 10_000
# Matches looked at beyond the window, where distance may bring some of them into it.
_FIRST_LOOK = 200
_NEXT_LOOK_FACTOR = 4
_FEW = 20
# More than the window, so that the end of a run of equal scores is seen: first what nearly always
# is enough, then what nearly always is for such runs.
_BEYOND = (20, 1_000)


def is_ranked(query: TrialQuery) -> bool:
    """Whether scores play a part in the order."""
    return any(key.piece == RELEVANCE for key in query.sort)


class Window(NamedTuple):
    """Some of the matches in order, as NCT numbers, and the exact number of all."""

    numbers: list[int]
    total: int


class Scored(NamedTuple):
    """The best matches with their scores as the engine gives them, and the number of all."""

    hits: list[tuple[float, int]]
    total: int


class _Found(NamedTuple):
    hits: list[tuple[Any, tantivy.DocAddress]]
    total: int


class Ordering:
    """Orders the matches of compiled queries."""

    def __init__(
        self, searcher: Searcher, make: Queries, sites: SiteIndex, numbers: Numbers
    ) -> None:
        self._searcher = searcher
        self._make = make
        self._sites = sites
        self._numbers = numbers

    def window(
        self, query: TrialQuery, compiled: tantivy.Query, *, offset: int, size: int
    ) -> Window:
        """Give the numbers of a window of the matches, and how many matches there are."""
        if size <= 0:
            return Window([], count_matches(self._searcher, compiled))
        first, total = self._first(query, compiled, offset + size)
        return Window(first[offset : offset + size], total)

    def numbers(self, addresses: list[tantivy.DocAddress]) -> list[int]:
        """Give the numbers of studies."""
        return self._numbers.at(addresses)

    def _first(self, query: TrialQuery, compiled: tantivy.Query, end: int) -> Window:
        """Give at least the first matches up to `end`."""
        keys = query.sort
        if len(keys) > 1 or any(_is_repeated(key) for key in keys):
            return self._by_keys(query, compiled)
        if keys and keys[0].piece != RELEVANCE:
            return self._by_column(keys[0], compiled, end)
        if keys and query.circle:
            near = self._by_nearness(query, compiled, end)
            if near is not None:
                return near
        if keys and query.queries:
            return self._by_score(compiled, end, keys[0])
        return self._by_number(compiled, end)

    def best_scored(self, compiled: tantivy.Query, limit: int) -> Scored:
        """Give the best matches; who joins several such lists makes the scores `steady` then."""
        hits, total = self._search(compiled, limit)
        numbers = self.numbers([address for _, address in hits])
        scores = (float(score or 0.0) for score, _ in hits)
        return Scored(list(zip(scores, numbers, strict=True)), total)

    def _by_number(self, compiled: tantivy.Query, end: int) -> Window:
        hits, total = self._sorted(compiled, NUMBER, end, descending=False)
        return Window([int(number) for number, _ in hits], total)

    def _search(self, compiled: tantivy.Query, limit: int, **order: Any) -> _Found:
        # Counting in the same pass: it costs little, a second pass would cost as much again.
        found: Any = self._searcher.search(compiled, limit=max(limit, 1), count=True, **order)
        return _Found(list(found.hits), int(found.count))

    def _sorted(
        self, compiled: tantivy.Query, column: str, limit: int, *, descending: bool
    ) -> _Found:
        import tantivy

        order = tantivy.Order.Desc if descending else tantivy.Order.Asc
        return self._search(compiled, limit, order_by_field=column, order=order)

    def _by_column(self, key: SortKey, compiled: tantivy.Query, end: int) -> Window:
        column = column_of(_piece_of(key))
        if column not in columns_from_zero() or key.descending:
            return self._by_written(column, compiled, end, descending=key.descending)
        # Of the smallest size nothing is written, which the engine takes for the largest.
        zero, more = (self._make.integers(column, *bounds) for bounds in ((0, 0), (1, None)))
        empty = self._by_number(self._make.all_of([compiled, zero]), end)
        filled = self._by_written(
            column, self._make.all_of([compiled, more]), max(end - empty.total, 1), descending=False
        )
        return Window([*empty.numbers, *filled.numbers], empty.total + filled.total)

    def _by_written(
        self, column: str, compiled: tantivy.Query, end: int, *, descending: bool
    ) -> Window:
        """Order by a column; which of the equals at the end of the window belong is asked anew."""
        hits, total = self._sorted(compiled, column, end, descending=descending)
        if not hits:
            return Window([], total)
        last = hits[-1][0]
        better = [(value, address) for value, address in hits if value != last]
        numbers = self.numbers([address for _, address in better])
        sign = -1 if descending else 1
        ranked = sorted(
            (sign * value, number) for (value, _), number in zip(better, numbers, strict=True)
        )
        if last is None and column in columns_from_zero():
            last = 0
        equal = (
            self._make.none_of(self._make.exists(column))
            if last is None
            else self._make.integers(column, int(last), int(last))
        )
        equals, _ = self._by_number(self._make.all_of([compiled, equal]), end - len(better))
        return Window([number for _, number in ranked] + equals, total)

    def _scored(self, compiled: tantivy.Query, limit: int) -> tuple[list[tuple[float, int]], int]:
        hits, total = self._search(compiled, limit)
        numbers = self.numbers([address for _, address in hits])
        scores = steady([score for score, _ in hits])
        return list(zip(scores, numbers, strict=True)), total

    def _by_score(self, compiled: tantivy.Query, end: int, key: SortKey) -> Window:
        scored, total = self._best(compiled, end)
        if len(scored) < total and not key.descending:
            scored, total = self._scored(compiled, total)
        sign = -1 if key.descending else 1
        scored.sort(key=lambda row: (sign * row[0], row[1]))
        return Window([number for _, number in scored], total)

    def _best(self, compiled: tantivy.Query, end: int) -> tuple[list[tuple[float, int]], int]:
        """Give the best up to `end` and all that score as the last of them."""
        for beyond in _BEYOND:
            scored, total = self._scored(compiled, end + beyond)
            if len(scored) == total or scored[-1][0] != scored[end - 1][0]:
                return scored, total
        return self._scored(compiled, total)

    def _by_nearness(self, query: TrialQuery, compiled: tantivy.Query, end: int) -> Window | None:
        """Order by relevance that falls with distance; None where the service ignores distance."""
        assert query.circle
        key = query.sort[0]
        near = build_nearness(
            self._make, self._sites.distances(query.circle), query.circle, query.geo_decay
        )
        if query.queries:
            return self._decayed(compiled, near, key, end)
        # A query of filters alone scores nothing; then only the distance counts.
        nearest = self._make.preferring(self._make.constant(compiled), [near.query])
        window = self._by_score(nearest, end, key)
        return window if window.total <= DECAY_LIMIT else None

    def _decayed(
        self, compiled: tantivy.Query, near: Nearness, key: SortKey, end: int
    ) -> Window | None:
        """Look at more and more of the best until no other can come before the end."""
        sign = -1 if key.descending else 1
        limit = end + _FIRST_LOOK if key.descending else DECAY_LIMIT
        while True:
            scored, total = self._scored(compiled, limit)
            if total > DECAY_LIMIT:
                return None
            factors = self._factors(compiled, near, scored, whole=len(scored) == total)
            ranked = sorted(
                (sign * score * factors.get(number, near.factors[0]), number)
                for score, number in scored
            )
            if len(scored) == total or -ranked[end - 1][0] > scored[-1][0] * near.factors[-1]:
                return Window([number for _, number in ranked], total)
            limit *= _NEXT_LOOK_FACTOR

    def _factors(
        self,
        compiled: tantivy.Query,
        near: Nearness,
        scored: Sequence[tuple[float, int]],
        *,
        whole: bool,
    ) -> dict[int, float]:
        """Give the factor of each study that has a point inside the circle, by number."""
        if not scored:
            return {}
        # A few are looked up by their numbers faster than what was asked is asked again.
        by_number = not whole or len(scored) <= _FEW
        numbered = [number for _, number in scored]
        among = self._make.terms(NUMBER, numbered) if by_number else compiled
        placed = self._make.all_of([self._make.constant(among), near.query])
        hits = self._searcher.search(placed, limit=len(scored), count=False).hits
        numbers = self.numbers([address for _, address in hits])
        ranks = (int(rank) for rank, _ in hits)
        return {n: near.factors[rank] for n, rank in zip(numbers, ranks, strict=True)}

    def _by_keys(self, query: TrialQuery, compiled: tantivy.Query) -> Window:
        """Sort by the last key first: Python's sort keeps the order of equals."""
        hits, total = self._search(compiled, count_matches(self._searcher, compiled))
        numbers = self.numbers([address for _, address in hits])
        rows = sorted(
            ((number, *hit) for number, hit in zip(numbers, hits, strict=True)),
            key=lambda row: row[0],
        )
        for key in reversed(query.sort):
            if key.piece == RELEVANCE:
                scores = steady([row[1] for row in rows])
                ranks = sorted(range(len(rows)), key=scores.__getitem__, reverse=key.descending)
                rows = [rows[rank] for rank in ranks]
                continue
            column = column_of(_piece_of(key))
            values = self._searcher.column(column, [row[2] for row in rows])
            if column in columns_from_zero():
                values = [value or 0 for value in values]
            stated = [(row, v) for row, v in zip(rows, values, strict=True) if v is not None]
            silent = [row for row, v in zip(rows, values, strict=True) if v is None]
            stated.sort(key=lambda pair: pair[1], reverse=key.descending)
            rows = [row for row, _ in stated] + silent
        return Window([row[0] for row in rows], total)


def _piece_of(key: SortKey) -> Piece:
    piece = find_piece(key.piece)
    assert piece is not None, key.piece
    return piece


def _is_repeated(key: SortKey) -> bool:
    return key.piece != RELEVANCE and _piece_of(key).list_depth > 0


def steady(scores: Sequence[float | None]) -> list[float]:
    """Round away what the order of a sum changes, which depends on the segments.

    Five digits of the best score are left of each.
    """
    best = max((score for score in scores if score), default=0.0)
    unit = 2.0 ** (math.frexp(best)[1] - 17)
    return [round(score / unit) * unit if score else 0.0 for score in scores]
