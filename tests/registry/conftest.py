"""What the registry's tests stand on: real records, and registries built of them."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from tests.registry.oracle.corpus import iter_studies, load_sample
from tests.registry.oracle.records import Record

if TYPE_CHECKING:
    from trialyst.registry import Registry

SAMPLE_SIZE = 2000
HITS = "oracle hits"


@pytest.fixture(scope="session")
def sample(data_dir: Path) -> list[Record]:
    """Two thousand real records of every kind."""
    return [Record(study) for study in load_sample(data_dir, SAMPLE_SIZE)]


@pytest.fixture(scope="session")
def engine(sample: list[Record], tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The registry of the sample."""
    pytest.importorskip(
        "trialyst.registry", reason="the registry is not whole yet", exc_type=ImportError
    )
    from trialyst.registry import Registry, build_from_studies

    directory = tmp_path_factory.mktemp("sample")
    studies = (dict(record.study) for record in sample)
    build_from_studies(studies, directory, synthetic=False, data_timestamp=None)
    return Registry.open(directory)


@pytest.fixture(scope="session")
def whole_engine(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The registry of every real record."""
    from trialyst.registry import Registry, build_from_studies

    directory = tmp_path_factory.mktemp("whole")
    build_from_studies(iter_studies(data_dir), directory, synthetic=False, data_timestamp=None)
    return Registry.open(directory)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    hits = [
        count
        for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
        for name, counts in report.user_properties
        if name == HITS
        for count in counts
    ]
    if hits:
        empty = sum(not count for count in hits) / len(hits)
        terminalreporter.write_line(
            f"oracle: {len(hits)} queries, {empty:.0%} find nothing, median {median(hits)} hits"
        )
