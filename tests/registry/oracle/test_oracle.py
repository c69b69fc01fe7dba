"""Engine and oracle agree exactly on what matches, for queries made from the real records."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import pytest

from tests.registry.conftest import HITS
from tests.registry.oracle.corpus import iter_studies, nct_number
from tests.registry.oracle.evaluator import predicate
from tests.registry.oracle.queries import QueryMaker
from tests.registry.oracle.records import Record, searchable_pieces
from trialyst.ctgov.query import TrialQuery
from trialyst.essie.ast import Node
from trialyst.registry import Registry

CHUNKS = 4
QUERIES_PER_CHUNK = 100
# Read here because tests run with the variables of the program cleared.
WHOLE_CHUNKS = -(-int(os.environ.get("TRIALYST_ORACLE_QUERIES", "1000")) // QUERIES_PER_CHUNK)
SHARES = 4
"""Parts of all records that are judged by themselves, each by every query."""
RECORDS_AT_A_TIME = 500
SHOWN = 5


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_finds_what_the_oracle_finds(
    chunk: int,
    sample: list[Record],
    engine: Registry,
    record_property: Callable[[str, object], None],
) -> None:
    maker = QueryMaker(sample, seed=chunk)
    queries = [maker.make() for _ in range(QUERIES_PER_CHUNK)]
    expected = judge(queries, sample)
    record_property(HITS, [len(numbers) for numbers in expected])
    assert_agreement(queries, expected, engine)
    assert sum(map(bool, expected)) >= QUERIES_PER_CHUNK / 2


@pytest.mark.slow
def test_engine_and_oracle_agree_about_every_piece(sample: list[Record], engine: Registry) -> None:
    maker = QueryMaker(sample, seed=CHUNKS)
    queries = [maker.make_about(piece) for piece in searchable_pieces()]
    assert_agreement(queries, judge(queries, sample), engine)


@pytest.mark.oracle
@pytest.mark.parametrize("share", range(SHARES))
def test_engine_finds_what_the_oracle_finds_among_all_records(
    share: int,
    sample: list[Record],
    whole_engine: Registry,
    data_dir: Path,
    record_property: Callable[[str, object], None],
) -> None:
    # None of the queries that are asked of the sample.
    makers = [QueryMaker(sample, seed=CHUNKS + 1 + chunk) for chunk in range(WHOLE_CHUNKS)]
    queries = [maker.make() for maker in makers for _ in range(QUERIES_PER_CHUNK)]
    expected: list[set[int]] = [set() for _ in queries]
    among: set[int] = set()
    studies = islice(iter_studies(data_dir), share, None, SHARES)
    while batch := [Record(study) for study in islice(studies, RECORDS_AT_A_TIME)]:
        among |= {nct_number(dict(record.study)) for record in batch}
        for found, more in zip(expected, judge(queries, batch), strict=True):
            found |= more
    record_property(HITS, [len(numbers) for numbers in expected])
    assert_agreement(queries, expected, whole_engine, among)


def judge(queries: Sequence[Node], records: Sequence[Record]) -> list[set[int]]:
    """Let the oracle say which study numbers each query matches."""
    numbered = [(nct_number(dict(record.study)), record) for record in records]
    tests = [predicate(query) for query in queries]
    return [{number for number, record in numbered if test(record)} for test in tests]


def assert_agreement(
    queries: Sequence[Node],
    expected: Sequence[set[int]],
    engine: Registry,
    among: set[int] | None = None,
) -> None:
    """Fail with the smallest of the queries on which the engine is of another opinion.

    Args:
        among: the studies that were judged, where these are not all.
    """
    differences = []
    for query, right in zip(queries, expected, strict=True):
        found = engine.match_numbers(TrialQuery(filters=(query,)))
        if among is not None:
            found &= among
        if found != right:
            missed, invented = sorted(right - found)[:SHOWN], sorted(found - right)[:SHOWN]
            differences.append(f"{query}\n  missed {missed}\n  invented {invented}")
    report = "\n".join(sorted(differences, key=len)[:SHOWN])
    assert not differences, f"{len(differences)} of {len(queries)} differ:\n{report}"
