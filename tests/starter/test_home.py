from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from trialyst.registry.generation import current_generation, open_manifest
from trialyst.starter import DATA_TIMESTAMP, ensure_starter, starter_directory


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home where two callers asked for the starter at the same time."""
    folder = tmp_path_factory.mktemp("starter") / "home"
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ensure_starter, [folder, folder])
    assert first == second
    return folder


@pytest.mark.slow
def test_starter_is_built_whole_and_marked_synthetic(home: Path) -> None:
    manifest = open_manifest(current_generation(starter_directory(home)))
    assert manifest.records == 2000
    assert manifest.synthetic
    assert manifest.data_timestamp == DATA_TIMESTAMP


@pytest.mark.slow
def test_a_build_leaves_nothing_aside(home: Path) -> None:
    assert [path.name for path in home.iterdir()] == [starter_directory(home).name]


@pytest.mark.slow
def test_a_built_starter_is_used_again(home: Path) -> None:
    before = current_generation(starter_directory(home))
    assert current_generation(ensure_starter(home)) == before


@pytest.mark.slow
def test_a_damaged_starter_is_built_again(home: Path, tmp_path: Path) -> None:
    directory = starter_directory(tmp_path)
    shutil.copytree(starter_directory(home), directory)
    (current_generation(directory) / "manifest.json").write_text("{")
    ensure_starter(tmp_path)
    assert open_manifest(current_generation(directory)).records == 2000
