"""Statistics, index and records say the same, on real records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.values import values_at
from trialyst.essie import build
from trialyst.essie.pieces import Kind, pieces
from trialyst.registry import Registry, build_from_studies
from trialyst.registry.stats import Statistics
from trialyst.registry.tallies import field_type

pytestmark = pytest.mark.slow

RETRIEVABLE = [piece for piece in pieces().values() if not piece.indexed_only]


@pytest.fixture(scope="module")
def registry(facts_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    directory = tmp_path_factory.mktemp("facts")
    lines = (facts_dir / "ctgov" / "sample_studies.jsonl").read_bytes().splitlines()
    build_from_studies(lines, directory)
    with Registry.open(directory) as opened:
        yield opened


def count_missing(registry: Registry, name: str) -> int:
    return registry.count(TrialQuery(filters=(build.missing(name),)))


def test_missing_studies_are_those_the_index_finds_missing(registry: Registry) -> None:
    leaves = [piece for piece in RETRIEVABLE if field_type(piece)]
    found = Statistics(registry).field_values(leaves)
    stated = {values.piece.name: values.missing for values in found}
    assert stated == {name: count_missing(registry, name) for name in stated}


def test_enumerated_values_are_those_of_the_records(registry: Registry) -> None:
    enumerated = [piece for piece in RETRIEVABLE if piece.kind is Kind.ENUM]
    studies = [msgspec.json.decode(raw) for _, raw in registry.iter_raw()]
    for values in Statistics(registry).field_values(enumerated):
        counted = Counter(
            value for study in studies for value in set(values_at(study, values.piece))
        )
        assert dict(values.top) == counted


def test_sizes_of_lists_are_those_the_index_finds(registry: Registry) -> None:
    lists = [piece for piece in RETRIEVABLE if piece.is_list]
    for sizes in Statistics(registry).list_sizes(lists):
        for size, studies in sizes.studies[:3]:
            node = build.size_between(sizes.piece.name, size, size)
            assert registry.count(TrialQuery(filters=(node,))) == studies


def test_studies_with_and_without_results_are_all(registry: Registry) -> None:
    found = Statistics(registry).field_values([pieces()["HasResults"]])[0]
    assert found.flags is not None
    assert sum(found.flags.values()) == Statistics(registry).study_sizes().total == len(registry)
