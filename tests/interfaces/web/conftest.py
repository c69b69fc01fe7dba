"""The site on the starter registry, on a port of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.serving import serving
from trialyst.interfaces.access import Access
from trialyst.interfaces.served import Served, follow_pathways, follow_registry
from trialyst.interfaces.web import create_site
from trialyst.settings import Settings


@pytest.fixture(scope="session")
def served(starter_home: Path) -> Served:
    """The facades on the starter registry, which was asked for by name."""
    settings = Settings(home=starter_home, registry=starter_home / "registry")
    registry = follow_registry(settings, source="starter")
    return Served(settings, registry, follow_pathways(settings, source="starter"))


@pytest.fixture(scope="session")
def site_url(served: Served, starter_home: Path) -> Iterator[str]:
    """The address of the site."""
    settings = Settings(home=starter_home, registry=starter_home / "registry")
    app = Access(create_site(served, settings), host="127.0.0.1")
    with serving(app, lifespan="on") as url:
        yield url


@pytest.fixture
def visitor(site_url: str) -> Iterator[httpx2.Client]:
    """Somebody without a browser, who keeps cookies."""
    with httpx2.Client(base_url=site_url, follow_redirects=True, timeout=60) as client:
        yield client
