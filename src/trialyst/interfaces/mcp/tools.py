"""The discovery tools as MCP tools: arguments pass through, answers and errors become results.

A tool's docstring is its description. Arguments are not validated by the SDK, because
`trialyst.discovery` understands more than a schema can say, and refuses with a way out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ConfigDict

from trialyst.discovery import Answer, Discovery, to_error_envelope
from trialyst.errors import TrialystError
from trialyst.interfaces.mcp.progress import reporting
from trialyst.interfaces.mcp.schemas import argument_names, input_schema, output_schema
from trialyst.questions.values import check_names

__all__ = [
    "TOOLS",
    "Sendable",
    "build_tool",
    "compare_trials",
    "count_trials",
    "get_trial",
    "get_trial_locations",
    "search_trials",
]

Facade = TypeVar("Facade")


class Sendable(Protocol):
    """An answer that is ready to be sent."""

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON value of the tool."""
        ...


Call = Callable[[Facade, dict[str, Any]], Awaitable[Sendable]]


async def search_trials(discovery: Discovery, given: dict[str, Any]) -> Answer:
    """Find clinical trials by words and filters, best first. Its ids go to the other tools."""
    return await discovery.search_trials(**given)


async def get_trial(discovery: Discovery, given: dict[str, Any]) -> Answer:
    """Give trials by id, whole or in chosen sections. Takes ids only: search first."""
    return await discovery.get_trial(**given)


async def get_trial_locations(discovery: Discovery, given: dict[str, Any]) -> Answer:
    """Give the sites of one trial, nearest first with near."""
    return await discovery.get_trial_locations(**given)


async def count_trials(discovery: Discovery, given: dict[str, Any]) -> Answer:
    """Count trials exactly, without records. Filters as in search_trials; none counts all."""
    return await discovery.count_trials(**given)


async def compare_trials(discovery: Discovery, given: dict[str, Any]) -> Answer:
    """Put trials side by side, one row an aspect."""
    return await discovery.compare_trials(**given)


TOOLS: Mapping[Call[Discovery], str] = {
    search_trials: "Search trials",
    get_trial: "Get trials",
    get_trial_locations: "Trial sites",
    count_trials: "Count trials",
    compare_trials: "Compare trials",
}
"""Every tool of trials with its title."""


class _Given(ArgModelBase):
    """Whatever the client sent, as it sent it."""

    model_config = ConfigDict(extra="allow")

    def model_dump_one_level(self) -> dict[str, Any]:
        return {"given": dict(self.model_extra or {})}


def build_tool(
    call: Call[Facade], title: str, newest: Callable[[], Facade], *, seconds: float
) -> Tool:
    """Give a tool on a facade, of which each call takes the newest and keeps it to its end.

    Args:
        seconds: How long a call may ask a remote service.
    """
    name = call.__name__
    known, schema = argument_names(name), input_schema(name)
    absent: dict[str, Any] = dict.fromkeys(schema.get("required", ()))

    async def run(given: dict[str, Any], context: Context[Any, Any]) -> CallToolResult:
        try:
            check_names(given, known)
            async with reporting(context, seconds):
                facade = await asyncio.to_thread(newest)
                return _to_result(await call(facade, absent | given))
        except TrialystError as error:
            return _to_failure(error)

    return Tool(
        fn=run,
        name=name,
        title=title,
        description=call.__doc__ or "",
        parameters=schema,
        fn_metadata=FuncMetadata(arg_model=_Given, output_schema=output_schema(name)),
        is_async=True,
        context_kwarg="context",
        annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True),
    )


def _to_result(answer: Sendable) -> CallToolResult:
    body = answer.to_dict()
    return CallToolResult(content=[_as_text(body)], structured_content=body)


def _to_failure(error: TrialystError) -> CallToolResult:
    envelope = to_error_envelope(error)
    return CallToolResult(content=[_as_text(envelope)], structured_content=envelope, is_error=True)


def _as_text(value: dict[str, Any]) -> TextContent:
    """Say the same for clients that read only text."""
    return TextContent(text=msgspec.json.encode(value).decode())
