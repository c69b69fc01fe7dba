"""A program that does what a recovery hint says, and sees nothing but the answer.

It knows how tools word their advice: calls as `tool with name=value`, arguments in backticks,
nearest values as `Did you mean X?`, the valid values behind `Must be one of`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from tests.interfaces.mcp.connecting import WireTools

__all__ = ["follow"]

_VALUE = r"(?:'[^']*'|\"[^\"]*\"|\[[^\]]*\]|-?[\w.]+)"
_CALL = re.compile(rf"\b([a-z]+(?:_[a-z]+)+) with ((?:\w+={_VALUE}(?:, )?)+)")
_NAMED_TOOL = re.compile(r"\b((?:search|get|count|explore)_[a-z_]+)\b")
_GIVEN = re.compile(rf"(\w+)=({_VALUE})")
_EXAMPLE = re.compile(rf"`(\w+)=({_VALUE})`")
_MEANT = re.compile(r"Did you mean ([^?]+)\?")
_ANY_OF = "Must be one of: "
_LEAVE_OUT = re.compile(r"[Ll]eave out ((?:`\w+`(?:, | and | or )?)+)")
_RANGE = re.compile(r"(?:(\d+)|up) to (\d+)")
_COLUMN = re.compile(r"Column (\d+)")
_FOUND_BY = {"search_trials": {"condition": "asthma"}, "search_pathways": {"query": "glycolysis"}}
"""What is looked for where the advice is to look for something."""

Arguments = dict[str, Any]


def follow(agent: WireTools, tool: str, arguments: Arguments) -> list[str]:
    """Do what the hints of a failing call say, until it succeeds; give the hints.

    Raises:
        AssertionError: nothing that the hint says leads to success.
    """
    error = agent.error(tool, **arguments)
    for called, given in _attempts(agent, tool, arguments, error):
        answer = agent.wire(called, **given)
        if answer.get("success", True):
            return [error["recovery_hint"]]
    raise AssertionError((tool, arguments, error))


def _attempts(
    agent: WireTools, tool: str, arguments: Arguments, error: Arguments
) -> Iterator[tuple[str, Arguments]]:
    hint: str = error["recovery_hint"]
    for found in _CALL.finditer(hint):
        given = {name: ast.literal_eval(value) for name, value in _GIVEN.findall(found[2])}
        yield from _with_its_id(agent, tool, arguments, found[1], given)
    for name, value in _EXAMPLE.findall(hint):
        yield tool, {**arguments, name: _literal(value)}
    for text in _valid(error):
        yield from _instead(tool, arguments, error, text)
    if column := _COLUMN.search(hint):
        yield from _mended(tool, arguments, error, int(column[1]))
    yield from _without(tool, arguments, error)
    if limits := _RANGE.search(hint):
        yield from _within(tool, arguments, error, limits)
    for name in _NAMED_TOOL.findall(hint):
        if name in _FOUND_BY:
            yield from _with_its_id(agent, tool, arguments, name, _FOUND_BY[name])
        elif "nct_id" in arguments:
            yield name, {"nct_id": arguments["nct_id"]}


def _valid(error: Arguments) -> Iterator[str]:
    """Give the names and values that would do, the nearest first."""
    if meant := _MEANT.search(error["recovery_hint"]):
        yield from (text.strip("`' ") for text in re.split(r" or |, ", meant[1]))
    if _ANY_OF in error["message"]:
        yield from error["message"].partition(_ANY_OF)[2].split(", ")


def _without(tool: str, arguments: Arguments, error: Arguments) -> Iterator[tuple[str, Arguments]]:
    """Leave out what the hint says may go; a cursor may go alone."""
    hint, wrong = error["recovery_hint"], error["invalid_input"]
    if left := _LEAVE_OUT.search(hint):
        names = re.findall(r"`(\w+)`", left[1])
        yield tool, {name: value for name, value in arguments.items() if name not in names}
    if re.search(r"[Ll]eave it out|omit|Give one of the two", hint):
        yield tool, {n: v for n, v in arguments.items() if wrong not in (n, v)}
    if "alone" in hint and "cursor" in arguments:
        yield tool, {"cursor": arguments["cursor"]}


def _literal(value: str) -> Any:
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


def _with_its_id(
    agent: WireTools, tool: str, arguments: Arguments, called: str, given: Arguments
) -> Iterator[tuple[str, Arguments]]:
    """Make a call; if it finds something, give its id to the tool that wanted one."""
    if called == tool:
        yield tool, {**arguments, **given}
        return
    found = agent.wire(called, **given)
    for item in found.get("items", ())[:1]:
        ids: Arguments = {n: item["id"] for n in ("nct_id", "pathway_id") if n in arguments}
        if "nct_ids" in arguments:
            ids["nct_ids"] = [each["id"] for each in found["items"][:2]]
        if ids:
            yield tool, {**arguments, **ids}
    if found.get("success", True):
        yield called, given


def _instead(
    tool: str, arguments: Arguments, error: Arguments, text: str
) -> Iterator[tuple[str, Arguments]]:
    """Put a valid name or value in the place of the one that was refused."""
    wrong = error["invalid_input"]
    if wrong in arguments:
        yield tool, {text if n == wrong else n: v for n, v in arguments.items()}
    for name, value in arguments.items():
        if wrong is not None and str(wrong) in str(value):
            yield tool, {**arguments, name: text}


def _mended(
    tool: str, arguments: Arguments, error: Arguments, column: int
) -> Iterator[tuple[str, Arguments]]:
    """Close, or cut, an expression where it fails."""
    for name, value in arguments.items():
        if isinstance(value, str) and value in error["message"]:
            for text in (f"{value[: column - 1]})", value[: column - 1].rstrip(" AND")):
                yield tool, {**arguments, name: text}


def _within(
    tool: str, arguments: Arguments, error: Arguments, limits: re.Match[str]
) -> Iterator[tuple[str, Arguments]]:
    """Take a number, or as many values, as the hint allows."""
    for name, value in arguments.items():
        for limit in map(int, filter(None, limits.groups())):
            if isinstance(value, list):
                yield tool, {**arguments, name: value[:limit]}
            elif str(value) == str(error["invalid_input"]):
                yield tool, {**arguments, name: limit}
