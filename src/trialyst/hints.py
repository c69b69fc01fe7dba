"""Advice as a value: a sentence with slots for arguments and calls, which each interface words.

A tool speaks of `near`, a command of `--near`; the sentence is written once. `str(hint)` words it
for whoever calls tools, which is also how the library names its arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Protocol

__all__ = ["Argument", "Call", "Hint", "ToolWording", "Wording"]


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the tool that was called, alone or with a value to give it."""

    name: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the caller can make as it stands."""

    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    why: str = ""
    """What it would bring, as the end of a list of next steps says it."""

    def to_dict(self) -> dict[str, Any]:
        """Give the call as an answer sends it."""
        sent: dict[str, Any] = {"tool": self.tool, "arguments": dict(self.arguments)}
        return {**sent, "why": self.why} if self.why else sent


class Wording(Protocol):
    """How an interface names arguments and calls."""

    def argument(self, argument: Argument) -> str:
        """Name an argument, with its value if it has one."""
        ...

    def call(self, call: Call) -> str:
        """Name a call with its arguments."""
        ...


class ToolWording:
    """For agents and programs: tools and arguments by their own names."""

    def argument(self, argument: Argument) -> str:
        """Name an argument, with its value if it has one."""
        if argument.value is None:
            return f"`{argument.name}`"
        return f"`{argument.name}={argument.value!r}`"

    def call(self, call: Call) -> str:
        """Name a tool and what to give it."""
        given = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
        return f"{call.tool} with {given}" if given else call.tool


_TOOLS = ToolWording()


@dataclass(frozen=True, slots=True, init=False)
class Hint:
    """A sentence such as "Give {near} too, or leave out {within}."

    A slot that is not filled is the argument of its name; braces are doubled to stand for
    themselves. What users wrote goes into slots, never into the sentence.

    >>> str(Hint("Give {near} too, such as {example}.", example=Argument("near", "Boston")))
    "Give `near` too, such as `near='Boston'`."
    """

    sentence: str
    slots: Mapping[str, Argument | Call | str]

    def __init__(self, sentence: str, /, **slots: Argument | Call | str) -> None:
        object.__setattr__(self, "sentence", sentence)
        object.__setattr__(self, "slots", slots)

    def worded(self, wording: Wording) -> str:
        """Give the sentence in the words of an interface."""
        parts = []
        for text, name, _, _ in Formatter().parse(self.sentence):
            parts.append(text)
            if name is not None:
                parts.append(_fill(self.slots.get(name, Argument(name)), wording))
        return "".join(parts)

    def __str__(self) -> str:
        return self.worded(_TOOLS)


def _fill(slot: Argument | Call | str, wording: Wording) -> str:
    match slot:
        case Argument():
            return wording.argument(slot)
        case Call():
            return wording.call(slot)
        case _:
            return slot
