"""What the registry's tests stand on: real records, and registries built of them."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.conftest import MakeOnce
from tests.registry.oracle.corpus import iter_studies
from tests.registry.oracle.records import Record
from tests.shipped import shipped_vocabulary
from trialyst.registry import Registry, build_from_studies

HITS = "oracle hits"


@pytest.fixture(scope="session")
def sample(real_studies_of_every_kind: list[dict[str, Any]]) -> list[Record]:
    """Two thousand real records of every kind."""
    return [Record(study) for study in real_studies_of_every_kind]


@pytest.fixture(scope="session")
def engine(real_registry: Path) -> Registry:
    """The registry of the sample."""
    return Registry.open(real_registry, vocabulary=shipped_vocabulary())


@pytest.fixture(scope="session")
def whole_engine(data_dir: Path, made_once: MakeOnce) -> Registry:
    """The registry of every real record."""

    def write(directory: Path) -> None:
        studies = iter_studies(data_dir)
        build_from_studies(studies, directory, synthetic=False, vocabulary=shipped_vocabulary())

    return Registry.open(made_once("whole", write), vocabulary=shipped_vocabulary())


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
