"""Clients for the agents: on the starter registry, and on real records of some drugs."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.discovery.starting import open_starter
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.repurposing import RepurposingClient
from trialyst.vocabulary import Vocabulary, open_vocabulary

TODAY = datetime(2026, 11, 16, tzinfo=UTC)
MENTIONED = ("pembrolizumab", "tislelizumab", "semaglutide", "empagliflozin")


def client_on(source: RegistrySource, vocabulary: Vocabulary | None = None) -> RepurposingClient:
    """Give a client on a source, on a fixed day."""
    known = vocabulary or source.names
    assert known is not None
    return RepurposingClient(source, vocabulary=known, clock=lambda: TODAY)


@pytest.fixture(scope="session")
def starter_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RepurposingClient]:
    """The client on the starter registry."""
    for source in open_starter(tmp_path_factory.getbasetemp() / "home"):
        yield client_on(source)


@pytest.fixture(scope="session")
def real_studies(data_dir: Path) -> list[dict[str, Any]]:
    """Real studies that mention one of a few drugs."""
    chosen = []
    for path in sorted((data_dir / "ctgov_v2_native").glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            chosen += [
                json.loads(line)
                for line in lines
                if any(name in line or name.title() in line for name in MENTIONED)
            ]
    return chosen


@pytest.fixture(scope="session")
def real_client(
    real_studies: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RepurposingClient]:
    """The client on those studies."""
    directory = tmp_path_factory.mktemp("real") / "registry"
    build_from_studies(real_studies, directory)
    vocabulary = open_vocabulary(tmp_path_factory.getbasetemp() / "home")
    registry = Registry.open(directory, vocabulary=vocabulary)
    yield client_on(RegistrySource(registry), vocabulary)
    registry.close()
