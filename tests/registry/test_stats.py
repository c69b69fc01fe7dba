from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from trialyst.ctgov.query import TrialQuery
from trialyst.essie.pieces import Piece, pieces
from trialyst.registry.stats import PIECES_PER_SCAN, Statistics
from trialyst.registry.tallies import TOP_VALUES, field_type


class Records:
    """Studies in memory that count how often they are read through."""

    def __init__(self, studies: list[Any]) -> None:
        self.studies = studies
        self.generation = "g1"
        self.scans = 0

    def iter_raw(self) -> Iterator[tuple[int, bytes]]:
        self.scans += 1
        for number, study in enumerate(self.studies, start=1):
            yield number, json.dumps(study).encode()

    def count(self, query: TrialQuery) -> int:
        return 0

    def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        return {"PHASE1": 3}


def with_conditions(*conditions: str) -> Any:
    return {"protocolSection": {"conditionsModule": {"conditions": list(conditions)}}}


def piece(name: str) -> Piece:
    return pieces()[name]


def test_a_value_twice_in_a_study_counts_once() -> None:
    found = Statistics(Records([with_conditions("Gout", "Gout")])).field_values(
        [piece("Condition")]
    )
    assert found[0].top == (("Gout", 1),)


def test_more_values_than_are_listed_are_still_counted() -> None:
    names = [f"c{index:04d}" for index in range(TOP_VALUES + 50)]
    records = Records([with_conditions(name) for name in [*names, names[-1]]])
    found = Statistics(records).field_values([piece("Condition")])[0]
    assert (found.unique, len(found.top)) == (len(names), TOP_VALUES)
    assert found.top[0] == (names[-1], 2)


def test_fields_are_counted_in_one_scan() -> None:
    records = Records([with_conditions("Gout")])
    Statistics(records).field_values([piece("Condition"), piece("Keyword"), piece("StartDate")])
    assert records.scans == 1


def test_an_answer_is_kept_until_the_generation_changes() -> None:
    records = Records([with_conditions("Gout")])
    statistics = Statistics(records)
    for _ in range(3):
        statistics.field_values([piece("Condition")])
        statistics.study_sizes()
    assert records.scans == 2
    records.generation = "g2"
    statistics.field_values([piece("Condition")])
    assert records.scans == 3


def test_enumerations_come_from_the_index_without_a_scan() -> None:
    records = Records([])
    found = Statistics(records).field_values([piece("Phase")])[0]
    assert (found.top, records.scans) == ((("PHASE1", 3),), 0)


def test_many_fields_take_several_scans() -> None:
    records = Records([with_conditions("Gout")])
    texts = [p for p in pieces().values() if field_type(p) == "STRING" and not p.indexed_only]
    found = Statistics(records).field_values(texts)
    assert [values.piece for values in found] == texts
    assert 1 < records.scans <= len(texts) // PIECES_PER_SCAN + 1


def test_an_empty_registry_has_statistics() -> None:
    sizes = Statistics(Records([])).study_sizes()
    assert (sizes.total, sizes.average, sizes.largest) == (0, 0, ())


def test_values_of_the_wrong_type_are_no_values() -> None:
    odd = {"protocolSection": {"designModule": {"enrollmentInfo": {"count": "many"}}}}
    found = Statistics(Records([odd])).field_values([piece("EnrollmentCount")])[0]
    assert (found.missing, found.low, found.average) == (1, None, None)
