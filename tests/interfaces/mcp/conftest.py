from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interfaces.mcp.connecting import WireTools, connected, over_stdio, serve_command


@pytest.fixture(scope="session")
def home(starter_home: Path) -> Path:
    """A home with the starter registry in it."""
    return starter_home


@pytest.fixture(scope="session")
def stdio(home: Path) -> Iterator[WireTools]:
    """A client of `trialyst mcp` on the starter registry."""
    with over_stdio(home, source="starter") as tools:
        yield tools


@pytest.fixture(scope="session")
def mcp_url(home: Path) -> Iterator[str]:
    """The address at which `trialyst serve` serves MCP."""
    with serve_command(home) as (_, url):
        yield url


@pytest.fixture(scope="session")
def http(mcp_url: str) -> Iterator[WireTools]:
    """A client of `trialyst serve` on the starter registry."""
    with connected(mcp_url) as tools:
        yield tools


@pytest.fixture(params=["stdio", "http"])
def starter(request: pytest.FixtureRequest) -> WireTools:
    """The tools on the starter registry, over each transport."""
    tools: WireTools = request.getfixturevalue(request.param)
    return tools
