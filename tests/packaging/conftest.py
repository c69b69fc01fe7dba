from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.house.sources import named, tracked_files
from tests.packaging.environments import lend_packages


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the project tracks: building leaves things behind."""
    copy = tmp_path_factory.mktemp("checkout")
    for path in tracked_files():
        target = copy / named(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return copy


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that Trialyst depends on, without Trialyst."""
    return lend_packages(tmp_path_factory.mktemp("lent") / "packages")
