from __future__ import annotations

import pytest

from tests.discovery.asking import Tools
from trialyst.registry import RegistrySource


@pytest.fixture(scope="session")
def starter(starter_source: RegistrySource) -> Tools:
    """The tools on the starter registry."""
    tools = Tools(starter_source)
    # Importing scipy is not the time of the first test that needs it.
    tools.ask("enrich_pathways", genes="TNF")
    return tools
