"""The app over a registry of the invented studies, served on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import httpx2
import pytest

from tests.interfaces.api.invented import studies, to_bytes
from tests.serving import serving
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import Registry, build_from_studies

DATA_TIMESTAMP = "2026-08-14T09:00:05"

Build = Callable[[Iterable[bytes]], Registry]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Make a registry of some records."""

    def make(records: Iterable[bytes]) -> Registry:
        directory = tmp_path_factory.mktemp("registry")
        build_from_studies(records, directory, synthetic=True, data_timestamp=DATA_TIMESTAMP)
        return Registry.open(directory)

    return make


@pytest.fixture(scope="session")
def registry(build: Build) -> Iterator[Registry]:
    """A registry of the invented studies."""
    with build(map(to_bytes, studies())) as opened:
        yield opened


@pytest.fixture(scope="session")
def base_url(registry: Registry) -> Iterator[str]:
    """The address of the API, as a v2 client would be given it."""
    with serving(create_app(registry)) as address:
        yield address + API_PREFIX


@pytest.fixture(scope="session")
def api(base_url: str) -> Iterator[httpx2.Client]:
    """An HTTP client with the API as its base."""
    with httpx2.Client(base_url=base_url, follow_redirects=False) as client:
        yield client
