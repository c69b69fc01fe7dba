from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.transport.scripted import ScriptedClock, Upstream, upstream


@pytest.fixture
def server() -> Iterator[Upstream]:
    """An upstream without a script yet."""
    with upstream() as started:
        yield started


@pytest.fixture
def clock() -> ScriptedClock:
    """A clock that stands still."""
    return ScriptedClock()
