"""Words to index queries: the smallest pieces every compiled query is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from trialyst.registry.schema import columns_from_zero

if TYPE_CHECKING:
    import tantivy

__all__ = ["Queries"]

Tokens = tuple[str, ...]
MOST_IN_UNION = 1_500
"""Values of a field looked up one by one."""
_FREQUENCIES = "freq"


class Queries:
    """Builds queries for one index."""

    def __init__(self, schema: tantivy.Schema) -> None:
        import tantivy

        self._schema = schema
        self._query = tantivy.Query
        self._occur = tantivy.Occur
        self._field_type = tantivy.FieldType

    def everything(self) -> tantivy.Query:
        return self._query.all_query()

    def nothing(self) -> tantivy.Query:
        return self._query.empty_query()

    def all_of(self, queries: Sequence[tantivy.Query]) -> tantivy.Query:
        if len(queries) == 1:
            return queries[0]
        return self._query.boolean_query([(self._occur.Must, query) for query in queries])

    def any_of(self, queries: Sequence[tantivy.Query]) -> tantivy.Query:
        if not queries:
            return self.nothing()
        if len(queries) == 1:
            return queries[0]
        return self._query.boolean_query([(self._occur.Should, query) for query in queries])

    def best_of(self, queries: Sequence[tantivy.Query]) -> tantivy.Query:
        """Match any, scored by the best with a little from the others."""
        if not queries:
            return self.nothing()
        if len(queries) == 1:
            return queries[0]
        return self._query.disjunction_max_query(queries, tie_breaker=0.1)

    def highest_of(self, queries: Sequence[tantivy.Query]) -> tantivy.Query:
        """Match any, scored by the best alone."""
        if not queries:
            return self.nothing()
        return self._query.disjunction_max_query(queries, tie_breaker=0.0)

    def none_of(self, *queries: tantivy.Query) -> tantivy.Query:
        """Match what none matches; each is asked only about what else is wanted."""
        return self._query.boolean_query(
            [
                (self._occur.Must, self.everything()),
                *((self._occur.MustNot, query) for query in queries),
            ]
        )

    def but_not(self, query: tantivy.Query, other: tantivy.Query) -> tantivy.Query:
        """Match what one matches and the other does not."""
        return self._query.boolean_query([(self._occur.Must, query), (self._occur.MustNot, other)])

    def preferring(self, query: tantivy.Query, bonuses: Sequence[tantivy.Query]) -> tantivy.Query:
        """Match what `query` matches, ranked higher where a bonus matches too."""
        # One around the other: together the engine would walk through all that any bonus matches,
        # alone it asks each only about what `query` matches.
        for bonus in bonuses:
            query = self._query.boolean_query(
                [(self._occur.Must, query), (self._occur.Should, bonus)]
            )
        return query

    def boosted(self, query: tantivy.Query, weight: float) -> tantivy.Query:
        return self._query.boost_query(query, weight)

    def constant(self, query: tantivy.Query, score: float = 0.0) -> tantivy.Query:
        return self._query.const_score_query(query, score)

    def scoring(self, bonuses: Sequence[tantivy.Query]) -> tantivy.Query:
        """Match everything, scored by what matches of the bonuses.

        Beside what must match, each is asked only about studies that all of it matches.
        """
        return self.preferring(self.constant(self.everything()), bonuses)

    def term(self, field: str, value: str | int) -> tantivy.Query:
        # Unless told, the engine opens the positions too, which only phrases need.
        return self._query.term_query(self._schema, field, value, _FREQUENCIES)

    def terms(self, field: str, values: Iterable[str | int]) -> tantivy.Query:
        """Match any of many values."""
        known = list(values)
        # Up to here a union of terms is faster than an automaton over the field, ten times at 400.
        if len(known) <= MOST_IN_UNION:
            return self.any_of([self.term(field, value) for value in known])
        return self._query.term_set_query(self._schema, field, known)

    def phrases(self, field: str, spelt: Iterable[Tokens], weight: float) -> list[tantivy.Query]:
        """Give a query for each of some phrases, all of one weight."""
        query, schema = self._query, self._schema
        # A search makes hundreds of these: nothing here is called that need not be.
        found = [
            query.term_query(schema, field, tokens[0], _FREQUENCIES)
            if len(tokens) == 1
            else query.phrase_query(schema, field, list(tokens))
            for tokens in spelt
            if tokens
        ]
        return found if weight == 1 else [query.boost_query(each, weight) for each in found]

    def placed(self, field: str, words: Sequence[tuple[int, str]]) -> tantivy.Query:
        """Match where each word stands at its distance from the others."""
        if len(words) == 1:
            return self.term(field, words[0][1])
        return self._query.phrase_query(self._schema, field, list(words))

    def apart(self, field: str, words: Sequence[Tokens], slop: int) -> tantivy.Query:
        """Match where each word, or another for it, stands near every other: with up to `slop`
        words between them, or before it with two fewer between.

        Near the next alone, the words of a longer name could stand in values that have two each.
        """
        phrase, schema = self._query.phrase_query, self._schema
        if len(words) == 2:
            first, second = words
            near = [phrase(schema, field, [a, b], slop) for a in first for b in second]
            return near[0] if len(near) == 1 else self.any_of(near)
        return self.all_of([self.apart(field, pair, slop) for pair in combinations(words, 2)])

    def together(self, field: str, words: Sequence[Tokens]) -> tantivy.Query:
        """Match where each word, or another for it, stands somewhere in a field."""
        return self.all_of(
            [self.any_of([self.term(field, word) for word in either]) for either in words]
        )

    def integers(self, field: str, low: int | None, high: int | None) -> tantivy.Query:
        if low is None and high is None:
            return self.exists(field)
        if low is not None and high is not None and low > high:
            return self.nothing()
        stated = self._query.range_query(
            self._schema, field, self._field_type.Integer, lower_bound=low, upper_bound=high
        )
        if field in columns_from_zero() and (low or 0) <= 0 <= (high or 0):
            return self.any_of([stated, self.none_of(self._query.exists_query(field))])
        return stated

    def floats(self, field: str, low: float, high: float) -> tantivy.Query:
        return self._query.range_query(
            self._schema, field, self._field_type.Float, lower_bound=low, upper_bound=high
        )

    def exists(self, column: str) -> tantivy.Query:
        if column in columns_from_zero():
            return self.everything()
        return self._query.exists_query(column)
