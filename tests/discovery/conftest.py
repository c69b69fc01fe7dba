from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.discovery.asking import Tools
from tests.registry.invented import opened
from trialyst.registry import Registry, RegistrySource


@pytest.fixture(scope="session")
def starter(starter_source: RegistrySource) -> Tools:
    """The tools on the starter registry."""
    return Tools(starter_source)


@pytest.fixture
def invented(tmp_path: Path) -> Iterator[Callable[..., Tools]]:
    """Give the tools on a registry of the studies of one test."""
    open_registries: list[Registry] = []

    def build(*studies: dict[str, Any]) -> Tools:
        registry = opened(tmp_path / f"registry{len(open_registries)}", *studies)
        open_registries.append(registry)
        return Tools(RegistrySource(registry))

    yield build
    for registry in open_registries:
        registry.close()
