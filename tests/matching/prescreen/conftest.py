from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.discovery.starting import open_starter
from trialyst.registry import RegistrySource
from trialyst.vocabulary import Vocabulary, open_vocabulary


@pytest.fixture(scope="session")
def starter_source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistrySource]:
    """The starter registry."""
    yield from open_starter(tmp_path_factory.getbasetemp() / "home")


@pytest.fixture(scope="session")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    """The shipped names."""
    return open_vocabulary(tmp_path_factory.getbasetemp() / "home")
