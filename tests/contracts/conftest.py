from __future__ import annotations

import pytest

from tests.discovery.asking import Tools
from trialyst.registry import RegistrySource


@pytest.fixture(scope="session")
def starter(starter_source: RegistrySource) -> Tools:
    """The tools on the starter registry."""
    return Tools(starter_source)
