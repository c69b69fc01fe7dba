"""The command line run in process: what it prints and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

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


@pytest.fixture
def trialyst(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Run the program with arguments."""

    def call(*arguments: str) -> Ended:
        code = run(arguments)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return call
