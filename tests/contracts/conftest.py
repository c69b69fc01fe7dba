from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.discovery.asking import Tools
from tests.discovery.starting import open_starter
from trialyst.registry import RegistrySource


@pytest.fixture(scope="session")
def starter_source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistrySource]:
    """The starter registry."""
    yield from open_starter(tmp_path_factory.getbasetemp() / "home")


@pytest.fixture(scope="session")
def starter(starter_source: RegistrySource) -> Tools:
    """The tools on the starter registry."""
    tools = Tools(starter_source)
    # Importing scipy is not the time of the first test that needs it.
    tools.ask("enrich_pathways", genes="TNF")
    return tools
