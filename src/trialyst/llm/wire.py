"""Between our values and those of the library that speaks to providers.

Imported only once a model is really used, because the library takes seconds to load.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trialyst.llm.adapter import (
    Message,
    ModelRequest,
    ModelResponse,
    ToolAnswers,
    ToolCall,
    UserText,
)

if TYPE_CHECKING:
    from pydantic_ai import messages as wire
    from pydantic_ai.models import ModelRequestParameters

__all__ = ["dump_original", "estimate_tokens", "load_original", "parse_calls", "to_wire"]

_BYTES_PER_TOKEN = 3
"""English has about four; fewer are assumed so that a budget is not overdrawn."""
_OVERHEAD = 64


def to_wire(
    request: ModelRequest, *, with_schema: bool = True
) -> tuple[list[wire.ModelMessage], ModelRequestParameters]:
    """Give a request as the library takes it."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=dict(tool.parameters),
            strict=False,
        )
        for tool in request.tools
    ]
    parameters = ModelRequestParameters(function_tools=tools)
    if request.schema is not None and with_schema:
        answer = OutputObjectDefinition(json_schema=dict(request.schema), name="answer")
        parameters = ModelRequestParameters(
            function_tools=tools, output_mode="native", output_object=answer
        )
    return list(_messages(request)), parameters


def _messages(request: ModelRequest) -> Iterator[wire.ModelMessage]:
    for message in request.messages:
        yield _message(message, request.system)


def _message(message: Message, system: str) -> wire.ModelMessage:
    from pydantic_ai import messages as wire

    if isinstance(message, ModelResponse):
        return message.original if message.original is not None else _rebuilt(message)
    if isinstance(message, UserText):
        return wire.ModelRequest(
            parts=[wire.UserPromptPart(content=message.text)], instructions=system
        )
    returned = [
        wire.ToolReturnPart(
            tool_name=answer.call.name,
            content=dict(answer.content),
            tool_call_id=answer.call.id,
        )
        for answer in message.answers
    ]
    return wire.ModelRequest(parts=returned, instructions=system)


def _rebuilt(response: ModelResponse) -> wire.ModelResponse:
    from pydantic_ai import messages as wire

    parts: list[Any] = [wire.TextPart(content=response.text)] if response.text else []
    parts += [
        wire.ToolCallPart(
            tool_name=call.name, args=dict(call.arguments or {}), tool_call_id=call.id
        )
        for call in response.tool_calls
    ]
    return wire.ModelResponse(parts=parts)


def parse_calls(original: wire.ModelResponse) -> tuple[ToolCall, ...]:
    """Read the tool calls of a response."""
    return tuple(
        ToolCall(part.tool_call_id, part.tool_name, _arguments(part.args))
        for part in original.tool_calls
    )


def _arguments(given: str | Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else {}
        except (ValueError, RecursionError):
            return None
    if given is None:
        return {}
    return given if isinstance(given, Mapping) else None


def dump_original(response: ModelResponse) -> Any:
    """Give what the provider needs to see again as JSON values."""
    if response.original is None:
        return None
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    return ModelMessagesTypeAdapter.dump_python([response.original], mode="json")[0]


def load_original(kept: Any) -> Any:
    """Give back what `dump_original` gave away."""
    if kept is None:
        return None
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    return ModelMessagesTypeAdapter.validate_python([kept])[0]


def estimate_tokens(request: ModelRequest) -> int:
    """Give about how many tokens a request has, rather too many than too few."""
    texts = [request.system]
    texts += [f"{tool.name}{tool.description}{tool.parameters}" for tool in request.tools]
    texts += [_shown(message) for message in request.messages]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return size // _BYTES_PER_TOKEN + _OVERHEAD * (1 + len(request.messages))


def _shown(message: Message) -> str:
    if isinstance(message, UserText):
        return message.text
    if isinstance(message, ToolAnswers):
        return "".join(json.dumps(dict(answer.content)) for answer in message.answers)
    return message.text + "".join(f"{call.name}{call.arguments}" for call in message.tool_calls)
