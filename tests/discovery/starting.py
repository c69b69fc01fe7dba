"""The starter registry as a source, built once for all tests that ask it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trialyst.registry import Registry, RegistrySource
from trialyst.starter import ensure_starter
from trialyst.vocabulary import open_vocabulary


def open_starter(home: Path) -> Iterator[RegistrySource]:
    """Give the starter registry under a home, and close it afterwards."""
    vocabulary = open_vocabulary(home)
    registry = Registry.open(ensure_starter(home), vocabulary=vocabulary)
    yield RegistrySource(registry, name="starter")
    registry.close()
