"""What the registry's tests stand on: real records, and registries built of them."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.registry.oracle.corpus import iter_studies, load_sample
from tests.registry.oracle.records import Record
from tests.shipped import shipped_vocabulary
from trialyst.registry import Registry, build_from_studies
from trialyst.registry.generation import CURRENT

SAMPLE_SIZE = 2000
HITS = "oracle hits"


@pytest.fixture(scope="session")
def sample(data_dir: Path) -> list[Record]:
    """Two thousand real records of every kind."""
    return [Record(study) for study in load_sample(data_dir, SAMPLE_SIZE)]


@pytest.fixture(scope="session")
def engine(sample: list[Record], tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The registry of the sample."""
    return _build((dict(record.study) for record in sample), tmp_path_factory)


@pytest.fixture(scope="session")
def whole_engine(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The registry of every real record; one of several processes builds it for all."""
    is_one_of_several = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    directory = (base.parent if is_one_of_several else base) / "whole"
    with directory.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (directory / CURRENT).exists():
            _build_in(directory, iter_studies(data_dir))
    return Registry.open(directory, vocabulary=shipped_vocabulary())


def _build(studies: Iterable[dict[str, Any]], temporary: pytest.TempPathFactory) -> Registry:
    directory = temporary.mktemp("registry")
    _build_in(directory, studies)
    return Registry.open(directory, vocabulary=shipped_vocabulary())


def _build_in(directory: Path, studies: Iterable[dict[str, Any]]) -> None:
    build_from_studies(
        studies,
        directory,
        synthetic=False,
        data_timestamp=None,
        vocabulary=shipped_vocabulary(),
    )


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
