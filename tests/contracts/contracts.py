"""The contracts of the tools, as files say them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from referencing import Registry, Resource

from tests.discovery.asking import Tools
from trialyst.interfaces.mcp.tools import TOOLS as DECLARED

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "contracts"
TOOLS = tuple(tool.name for tool in DECLARED)
TOLD = {"understood", "provenance", "next"}
"""What every answer has beside its own keys."""
NULLABLE = {("pagination", "cursor"), ("pagination", "total_count"), ("error", "invalid_input")}


@cache
def contracts() -> dict[str, Any]:
    """Give every contract by name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}


@cache
def _registry() -> Registry[Any]:
    resources = ((each["$id"], Resource.from_contents(each)) for each in contracts().values())
    return Registry[Any]().with_resources(resources)


def check(name: str, value: Any) -> None:
    """Fail unless a value keeps the contract, or its part such as `search_trials#arguments`."""
    name, _, part = name.partition("#")
    contract = contracts()[name]
    schema = {"$ref": f"{contract['$id']}#/$defs/{part}"} if part else contract
    Draft202012Validator(schema, registry=_registry()).validate(value)


def nulls(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Give where a value holds a null it may not hold."""
    if value is None:
        return [] if path[-2:] in NULLABLE else [path]
    if isinstance(value, dict):
        return [found for key, each in value.items() for found in nulls(each, (*path, key))]
    if isinstance(value, list):
        return [found for each in value for found in nulls(each, path)]
    return []


def check_answer(starter: Tools, tool: str, arguments: dict[str, Any], keys: list[str]) -> None:
    """Fail unless the answer to a call keeps its contract, with exactly these keys and no nulls."""
    answer = starter.wire(tool, **arguments)
    check(tool, answer)
    assert set(answer) == {*keys, *TOLD}
    assert nulls(answer) == []


def without_origin(answer: dict[str, Any]) -> dict[str, Any]:
    """Leave out what says where an answer comes from: provenance, and the tokens of a source."""
    kept: dict[str, Any] = _without_cursors(answer)
    kept.pop("provenance")
    return kept


def _without_cursors(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_cursors(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: bool(each) if name == "cursor" else _without_cursors(each)
        for name, each in value.items()
    }


def check_error(starter: Tools, tool: str, arguments: dict[str, Any], code: str) -> None:
    """Fail unless a call is refused in the one envelope, with this code."""
    failed = starter.wire(tool, **arguments)
    check("error", failed)
    assert failed["error"]["code"] == code
