"""The command line run in process: what it prints and how it ends."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.mcp.connecting import WireTools, over_stdio
from trialyst.interfaces.cli.program import run


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """The one JSON value it printed."""
        return json.loads(self.out)


Run = Callable[..., Ended]
"""Runs the program with arguments."""


def rows(text: str) -> list[dict[str, str]]:
    """Read CSV."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture
def trialyst(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Run the program with arguments."""

    def call(*arguments: str) -> Ended:
        code = run(arguments)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return call


@pytest.fixture
def starter(starter_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the starter registry what the program asks."""
    monkeypatch.setenv("TRIALYST_HOME", str(starter_home))
    monkeypatch.setenv("TRIALYST_SOURCE", "starter")


@pytest.fixture(scope="session")
def mcp(starter_home: Path) -> Iterator[WireTools]:
    """A client of `trialyst mcp` on the starter registry."""
    with over_stdio(starter_home, source="starter") as tools:
        yield tools
