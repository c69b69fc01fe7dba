from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.llm.providers import ModelServer, serve
from tests.transport.scripted import ScriptedClock


@pytest.fixture(scope="session")
def libraries() -> None:
    """The libraries that speak to models, loaded before a test's time runs."""
    pytest.importorskip("pydantic_ai.models.openai", reason="the extra `llm` is not installed")
    pytest.importorskip("pydantic_ai.models.google", reason="the extra `llm` is not installed")
    pytest.importorskip("pydantic_ai.models.anthropic", reason="the extra `llm` is not installed")


@pytest.fixture
def server(libraries: None) -> Iterator[ModelServer]:
    """A server of models without a script yet."""
    with serve() as started:
        yield started


@pytest.fixture
def clock() -> ScriptedClock:
    """A clock that stands still."""
    return ScriptedClock()
