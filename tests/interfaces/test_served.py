"""What a server answers from: one generation for one call, the newest for the next."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.registry.invented import FIRST, many, study
from tests.registry.older import make_older
from trialyst.errors import InvalidInput, RegistryMissing, RegistryOutdated
from trialyst.interfaces.served import (
    Current,
    Served,
    follow_pathways,
    follow_registry,
    follow_source,
)
from trialyst.registry import add_studies, build_from_studies
from trialyst.settings import Settings

pytestmark = pytest.mark.usefixtures("vocabulary")


@pytest.fixture
def settings(starter_home: Path, tmp_path: Path) -> Settings:
    """A home with the starter, and a registry that is still to be built."""
    for found in starter_home.iterdir():
        (tmp_path / found.name).symlink_to(found)
    return Settings(home=tmp_path, registry=tmp_path / "registry")


def count(served: Served) -> int:
    answer = asyncio.run(served.discovery().count_trials())
    return int(answer.to_dict()["total_count"])


def test_it_is_opened_once_for_each_version_however_many_ask() -> None:
    opened: list[int] = []
    version = 1

    def open_newest(before: int | None) -> int:
        opened.append(version)
        return version

    current = Current(open_newest, lambda: version)
    start = threading.Barrier(8)

    def ask(_: int) -> int:
        start.wait()
        return current.get()

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(ask, range(8))) == {1}
        version = 2
        assert set(threads.map(ask, range(8))) == {2}
    assert opened == [1, 2]


def test_what_could_not_be_opened_is_tried_again_with_the_next_call() -> None:
    outcomes = ["first", None, "second"]

    def open_newest(before: str | None) -> str:
        opened = outcomes.pop(0) or before
        assert opened
        return opened

    versions = iter([1, 2, 2, 2])
    current = Current(open_newest, lambda: next(versions))
    assert [current.get() for _ in range(4)] == ["first", "first", "second", "second"]


def test_a_facade_keeps_its_generation_and_the_next_is_of_the_newest(settings: Settings) -> None:
    build_from_studies(many(10), settings.registry)
    source = follow_source(settings, source="local")
    served = Served(settings, source, follow_pathways(settings))
    held = served.discovery()
    assert served.discovery() is held
    add_studies([study(FIRST + 500)], settings.registry)
    assert count(served) == 11
    again = asyncio.run(held.count_trials()).to_dict()
    assert (again["total_count"], again["provenance"]["records"]) == (10, 10)
    assert served.repurposing().source is source.get()
    asyncio.run(served.aclose())


def test_there_must_be_a_named_registry_from_the_start(settings: Settings) -> None:
    with pytest.raises(RegistryMissing):
        follow_source(settings, source="local")
    with pytest.raises(InvalidInput, match="no registry"):
        follow_registry(settings, source="live")


def test_a_registry_that_cannot_be_opened_does_not_hide_behind_the_starter(
    settings: Settings,
) -> None:
    source = follow_registry(settings)
    assert source.get().is_fallback
    build_from_studies(many(3), settings.registry)
    make_older(settings.registry)
    for _ in range(2):
        with pytest.raises(RegistryOutdated):
            source.get()
    build_from_studies(many(3), settings.registry)
    assert not source.get().is_fallback
    source.get().close()
