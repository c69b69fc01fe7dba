"""The questions about a drug and a condition as MCP tools, on `trialyst.repurposing`.

A tool's docstring is its description. Arguments are read here as they are for the other tools:
numbers and flags may come as text, phases as a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trialyst.errors import InvalidInput
from trialyst.interfaces.mcp.tools import Call
from trialyst.questions.values import read_flag, read_text

if TYPE_CHECKING:
    from trialyst.repurposing import RepurposingClient
    from trialyst.repurposing.answers import Found
    from trialyst.repurposing.models import (
        ConditionLandscape,
        TerminatedTrial,
        Trial,
        WhitespaceResult,
    )

__all__ = [
    "REPURPOSING_TOOLS",
    "detect_whitespace",
    "get_landscape",
    "get_terminated",
    "search_drug_trials",
]

_WHOLE_NUMBER = re.compile(r"\s*[+-]?[0-9]{1,9}(?:\.0*)?\s*")


async def search_drug_trials(client: RepurposingClient, given: dict[str, Any]) -> Found[Trial]:
    """List the trials of a drug, for a condition or any; each tells how it matched."""
    return await client.search_trials(**_read(given, "drug"))


async def detect_whitespace(client: RepurposingClient, given: dict[str, Any]) -> WhitespaceResult:
    """Grade how far a drug has been tried for a condition; if untested, which other drugs were."""
    return await client.detect_whitespace(**_read(given, "drug", "condition"))


async def get_landscape(client: RepurposingClient, given: dict[str, Any]) -> ConditionLandscape:
    """Say who works on a condition with which drug, how far along, and the trend."""
    return await client.get_landscape(**_read(given, "condition"))


async def get_terminated(
    client: RepurposingClient, given: dict[str, Any]
) -> Found[TerminatedTrial]:
    """List trials that stopped early, each with why: safety, efficacy, enrollment, business..."""
    return await client.get_terminated(**_read(given, "query"))


REPURPOSING_TOOLS: Mapping[Call[RepurposingClient], str] = {
    search_drug_trials: "Trials of a drug",
    detect_whitespace: "Whitespace",
    get_landscape: "Landscape",
    get_terminated: "Stopped trials",
}
"""Every tool of repurposing with its title."""


def _read(given: Mapping[str, Any], *required: str) -> dict[str, Any]:
    """Give the arguments as the client takes them; what has no value is left to its default."""
    for name in required:
        if given.get(name) is None:
            raise InvalidInput(f"{name} is missing", hint=f"Give {name} as a text.")
    read = {name: _READERS.get(name, read_text)(name, value) for name, value in given.items()}
    return {name: value for name, value in read.items() if value is not None}


def _number(name: str, value: Any) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if _WHOLE_NUMBER.fullmatch(str(value)):
        return int(float(str(value)))
    raise InvalidInput(
        f"{name} is {value!r}, not a whole number",
        hint=f"Give {name} as a number from 1.",
        invalid_input=str(value),
    )


def _flag(name: str, value: Any) -> bool:
    return read_flag(name, value, default=False)


def _phases(name: str, value: Any) -> str | None:
    if isinstance(value, list | tuple):
        return " OR ".join(f"({read_text(name, each)})" for each in value) or None
    return read_text(name, value)


_READERS: Mapping[str, Any] = {
    "max_results": _number,
    "top_n": _number,
    "point_in_time": _flag,
    "phase_filter": _phases,
}
