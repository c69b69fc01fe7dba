"""A tool as its function declares it: name, words, arguments and answer, read off once.

A tool is an async function of a facade and of arguments, `**given: Unpack[SomeArguments]`. The
first paragraph of its docstring is what hosts read, the rest goes to the reference page, and a line
that begins with `Example:` shows arguments. It returns `Answer[SomeShape]` or a model.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, get_args, get_origin, get_type_hints

from trialyst.discovery.envelope import Answer
from trialyst.signatures import Parameter, parameters_of

__all__ = ["Call", "DeclaredTool", "Sendable", "declare"]

_EXAMPLE = "Example:"


class Sendable(Protocol):
    """An answer that is ready to be sent."""

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON value of the tool."""
        ...


Call = Callable[..., Awaitable[Sendable]]


@dataclass(frozen=True)
class DeclaredTool:
    """A function that agents can call."""

    call: Call
    title: str

    @property
    def name(self) -> str:
        """What it is called by."""
        return self.call.__name__

    @cached_property
    def paragraphs(self) -> tuple[str, ...]:
        """What its docstring says, without the examples."""
        whole = inspect.cleandoc(self.call.__doc__ or "")
        return tuple(each for each in whole.split("\n\n") if not each.startswith(_EXAMPLE))

    @property
    def description(self) -> str:
        """What hosts read, as one line."""
        return " ".join(self.paragraphs[0].split())

    @property
    def examples(self) -> tuple[Mapping[str, Any], ...]:
        """Arguments that show what can be asked."""
        whole = inspect.cleandoc(self.call.__doc__ or "")
        shown = (each for each in whole.split("\n\n") if each.startswith(_EXAMPLE))
        return tuple(json.loads(each.removeprefix(_EXAMPLE)) for each in shown)

    @cached_property
    def _types(self) -> Mapping[str, Any]:
        return get_type_hints(self.call)

    @property
    def facade(self) -> type:
        """What it asks."""
        kind: type = self._types[next(iter(inspect.signature(self.call).parameters))]
        return kind

    @property
    def arguments(self) -> type:
        """The TypedDict of what it takes."""
        (taken,) = get_args(self._types["given"])
        kind: type = taken
        return kind

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it takes, required arguments first."""
        return tuple(sorted(parameters_of(self.arguments), key=lambda each: not each.required))

    @property
    def answer(self) -> Any:
        """The type of what it answers, whose contract is its own."""
        given = self._types["return"]
        return get_args(given)[0] if get_origin(given) is Answer else given


def declare(tools: Mapping[Call, str]) -> tuple[DeclaredTool, ...]:
    """Give tools by their functions, each with its title."""
    return tuple(DeclaredTool(call, title) for call, title in tools.items())
