"""Tools as the SDK serves them: arguments pass through, answers and errors become results.

Arguments are not validated by the SDK, because the facades understand more than a schema can say,
and refuse with a way out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ConfigDict

from trialyst.discovery import to_error_envelope
from trialyst.errors import TrialystError
from trialyst.interfaces.mcp.declared import DeclaredTool, Sendable
from trialyst.interfaces.mcp.progress import reporting
from trialyst.interfaces.mcp.schemas import input_schema, output_schema
from trialyst.questions.values import take_arguments

__all__ = ["build_tool"]


class _Given(ArgModelBase):
    """Whatever the client sent, as it sent it."""

    model_config = ConfigDict(extra="allow")

    def model_dump_one_level(self) -> dict[str, Any]:
        return {"given": dict(self.model_extra or {})}


def build_tool(tool: DeclaredTool, newest: Callable[[], object], *, seconds: float) -> Tool:
    """Give a tool on a facade, of which each call takes the newest and keeps it to its end.

    Args:
        seconds: How long a call may ask a remote service.
    """
    known = [each.name for each in tool.parameters]

    async def run(given: dict[str, Any], context: Context[Any, Any]) -> CallToolResult:
        try:
            # Python would take some names for its own; the facade reads the rest.
            take_arguments(given, known)
            async with reporting(context, seconds):
                facade = await asyncio.to_thread(newest)
                return _to_result(await tool.call(facade, **given))
        except TrialystError as error:
            return _to_failure(error)

    return Tool(
        fn=run,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        parameters=input_schema(tool),
        fn_metadata=FuncMetadata(arg_model=_Given, output_schema=output_schema(tool)),
        is_async=True,
        context_kwarg="context",
        annotations=ToolAnnotations(read_only_hint=True),
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
