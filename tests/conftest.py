"""What every test may count on: no network, a clean environment, a home of its own.

Real records and API facts live outside the repository; tests that need them skip where they are
absent. `TRIALYST_DATA` names the data directory, the facts stand beside it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import is_hypothesis_test, settings

from tests.registry.oracle.corpus import load_sample
from tests.shipped import shipped_vocabulary
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.vocabulary import Vocabulary

REPOSITORY = Path(__file__).resolve().parent.parent
SLOW_SECONDS = 600
SAMPLE_SIZE = 2000

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

# Read before the autouse fixture clears the variables for the code under test.
_DATA = Path(os.environ.get("TRIALYST_DATA") or REPOSITORY.parent / "shared" / "data")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        many_examples = is_hypothesis_test(getattr(item, "obj", None))
        if many_examples or item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))
        if item.get_closest_marker("oracle"):
            item.add_marker(pytest.mark.timeout(0))
        if item.get_closest_marker("live"):
            item.add_marker(pytest.mark.enable_socket)


@pytest.fixture(scope="session", autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Fixtures that outlive a test have the home of the tests too."""
    os.environ["TRIALYST_HOME"] = str(tmp_path_factory.getbasetemp() / "home")


@pytest.fixture(autouse=True)
def _clean_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name in list(os.environ):
        if name.startswith("TRIALYST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TRIALYST_HOME", str(tmp_path_factory.getbasetemp() / "home"))
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The directory of real records, or a skip."""
    return _present(_DATA, "real records")


@pytest.fixture(scope="session")
def facts_dir() -> Path:
    """The directory of facts about the live APIs, or a skip."""
    return _present(_DATA.parent / "facts", "facts about the live APIs")


def _present(path: Path, what: str) -> Path:
    if not path.is_dir():
        pytest.skip(f"no {what} here: set TRIALYST_DATA to the directory that holds them")
    return path


MakeOnce = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MakeOnce:
    """Make what tests only read, once for all processes of the tests; gives its path."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make(name: str, write: Callable[[Path], object]) -> Path:
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (shared / name).exists():
                write(shared / f"{name}.part")
                (shared / f"{name}.part").rename(shared / name)
        return shared / name

    return make


@pytest.fixture(scope="session")
def real_studies_of_every_kind(data_dir: Path, made_once: MakeOnce) -> list[dict[str, Any]]:
    """Two thousand real records of every kind, always the same; not to be changed."""

    def write(path: Path) -> None:
        lines = map(msgspec.json.encode, load_sample(data_dir, SAMPLE_SIZE))
        path.write_bytes(b"\n".join(lines))

    path = made_once("real_studies.jsonl", write)
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="session")
def real_registry(
    real_studies_of_every_kind: list[dict[str, Any]], made_once: MakeOnce, vocabulary: Vocabulary
) -> Path:
    """The registry of those records, not to be changed."""

    def write(directory: Path) -> None:
        build_from_studies(
            real_studies_of_every_kind, directory, synthetic=False, vocabulary=vocabulary
        )

    return made_once("real_registry", write)


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    """The shipped names."""
    return shipped_vocabulary()


@pytest.fixture(scope="session")
def starter_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the starter registry in it, built once for each process of the tests."""
    from trialyst.starter import ensure_starter

    home = tmp_path_factory.getbasetemp() / "home"
    ensure_starter(home)
    return home


@pytest.fixture(scope="session")
def starter_source(starter_home: Path, vocabulary: Vocabulary) -> Iterator[RegistrySource]:
    """The starter registry."""
    from trialyst.starter import ensure_starter

    registry = Registry.open(ensure_starter(starter_home), vocabulary=vocabulary)
    yield RegistrySource(registry, name="starter")
    registry.close()
