"""What a language model is to the rest of the project: a request, a response, an adapter.

The values are ours alone. `ModelResponse.original` holds what the provider needs to see again when
a conversation goes on; nobody else looks into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from trialyst.llm.endpoint import Endpoint
    from trialyst.llm.pricing import Price

__all__ = [
    "DEFAULT_MAX_TOKENS",
    "Adapter",
    "Message",
    "ModelRequest",
    "ModelResponse",
    "ToolAnswer",
    "ToolAnswers",
    "ToolCall",
    "ToolSpec",
    "UserText",
]

DEFAULT_MAX_TOKENS = 2048
"""Thinking counts as output with most providers, so this is more than an answer needs."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool a model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """The JSON schema of its arguments."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call a model asks for."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    """None where the model did not give a JSON object."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool call came to."""

    call: ToolCall
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class UserText:
    """What is asked."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ToolAnswers:
    """The answers to every call of the response before."""

    answers: tuple[ToolAnswer, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """What a model answered, and what that took."""

    text: str = field(repr=False)
    tool_calls: tuple[ToolCall, ...] = field(default=(), repr=False)
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """None where the price of the model is not known."""
    latency_seconds: float = 0.0
    replayed: bool = False
    """Whether it was read from a recording and cost nothing."""
    original: Any = field(default=None, repr=False, compare=False)


Message = UserText | ModelResponse | ToolAnswers


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything one answer depends on, apart from the model."""

    system: str = field(repr=False)
    messages: tuple[Message, ...] = field(repr=False)
    tools: tuple[ToolSpec, ...] = ()
    schema: Mapping[str, Any] | None = field(default=None, repr=False)
    """The JSON schema the answer should follow, where the provider can hold a model to it."""
    max_tokens: int = DEFAULT_MAX_TOKENS
    prompt: str = ""
    """Name and version of the prompt file it was made from."""


class Adapter(Protocol):
    """A language model behind our protocol."""

    @property
    def name(self) -> str:
        """What to call it in reports: `provider:model`."""
        ...

    @property
    def endpoint(self) -> Endpoint:
        """Where it answers."""
        ...

    @property
    def price(self) -> Price | None:
        """What it costs, or None where that is not known."""
        ...

    async def generate(self, request: ModelRequest) -> ModelResponse:
        """Ask once, again where that can help.

        Raises:
            BudgetExhausted: a limit is spent; nothing was sent.
            ModelError: the model failed, or answered with something unusable.
        """
        ...

    async def aclose(self) -> None:
        """Let go of its connections."""
        ...
