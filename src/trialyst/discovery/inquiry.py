"""One call of a tool: its operations on the source, and what the source says of each.

A source may say of an answer that it is older than the data, and forgets that with the next
operation; a tool that asks several times must tell it of all of them.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from trialyst.ctgov.source import Provenance, TrialSource

__all__ = ["Inquiry"]

Value = TypeVar("Value")


class Inquiry:
    """Asks a source and remembers its notes, in the task that asks."""

    def __init__(self, source: TrialSource) -> None:
        self.source = source
        self._notes: dict[str, None] = {}

    async def ask(self, operation: Awaitable[Value]) -> Value:
        """Await an operation of the source and keep what it says of the answer."""
        value = await operation
        self._notes |= dict.fromkeys((await self.source.provenance()).notes)
        return value

    async def provenance(self) -> Provenance:
        """Give what the source is, with the notes on every answer."""
        said = await self.source.provenance()
        return said.model_copy(update={"notes": tuple(self._notes | dict.fromkeys(said.notes))})
