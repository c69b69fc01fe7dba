"""Advice as a value: a sentence with slots for arguments and calls, which each interface words.

A tool speaks of `near`, a command of `--near`; the sentence is written once. `str(hint)` words it
for whoever calls tools, which is also how the library names its arguments. What can only be done
at the shell is a `Command` or an `Option`: whoever calls tools is told whom to ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Protocol

__all__ = [
    "Argument",
    "Call",
    "Command",
    "Hint",
    "Option",
    "Slot",
    "ToolWording",
    "Wording",
    "word",
]


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


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the shell that no tool stands for; worded as what to do: "run `...`"."""

    line: str


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the running program that no argument stands for; worded as what to do."""

    text: str


Slot = Argument | Call | Command | Option | tuple[Argument, ...] | str


class Wording(Protocol):
    """How an interface names arguments and calls."""

    def argument(self, argument: Argument) -> str:
        """Name an argument, with its value if it has one."""
        ...

    def call(self, call: Call) -> str:
        """Name a call with its arguments."""
        ...

    def command(self, command: Command) -> str:
        """Say to run a command of the shell."""
        ...

    def option(self, option: Option) -> str:
        """Say to use an option of the program."""
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

    def command(self, command: Command) -> str:
        """Say whom to ask to run a command: nobody runs one through a tool."""
        return f"ask the person who runs this server to run `{command.line}`"

    def option(self, option: Option) -> str:
        """Say whom to ask to start the server otherwise."""
        return f"ask the person who runs this server to start it with `{option.text}`"


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
    slots: Mapping[str, Slot]

    def __init__(self, sentence: str, /, **slots: Slot) -> None:
        object.__setattr__(self, "sentence", sentence)
        object.__setattr__(self, "slots", slots)

    def worded(self, wording: Wording) -> str:
        """Give the sentence in the words of an interface."""
        said = ""
        for text, name, _, _ in Formatter().parse(self.sentence):
            said += text
            if name is not None:
                slot = self.slots.get(name, Argument(name))
                filled = _fill(slot, wording)
                begins = isinstance(slot, Command | Option) and (not said or said.endswith(". "))
                said += filled[:1].upper() + filled[1:] if begins else filled
        return said

    def __str__(self) -> str:
        return self.worded(_TOOLS)


def word(text: Hint | str, wording: Wording) -> str:
    """Give a hint, or what is a plain text in any interface, in the words of one."""
    return text.worded(wording) if isinstance(text, Hint) else text


def _fill(slot: Slot, wording: Wording) -> str:
    match slot:
        case Argument():
            return wording.argument(slot)
        case Call():
            return wording.call(slot)
        case Command():
            return wording.command(slot)
        case Option():
            return wording.option(slot)
        case tuple():
            return ", ".join(map(wording.argument, slot))
        case _:
            return slot
