"""How tests put a question to the tools: blocking, answers as plain values."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from trialyst.ctgov.source import TrialSource
from trialyst.discovery import Discovery, to_error_envelope
from trialyst.discovery.bridging import Bridge
from trialyst.discovery.envelope import Answer
from trialyst.discovery.pathways import Pathways
from trialyst.errors import TrialystError
from trialyst.interfaces.mcp.declared import Sendable
from trialyst.interfaces.mcp.tools import TOOLS
from trialyst.interfaces.runtime import open_matching
from trialyst.pathways import PathwaySource, open_starter
from trialyst.questions.values import take_arguments
from trialyst.repurposing import RepurposingClient
from trialyst.settings import Settings

TODAY = datetime(2026, 11, 16, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools on one source of trials and one of pathways, on a fixed day."""

    source: TrialSource
    today: datetime = TODAY
    pathways: PathwaySource = field(default_factory=open_starter)

    def ask(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool of discovery; errors are raised."""
        facade: Discovery | Pathways = Discovery(self.source, clock=lambda: self.today)
        if hasattr(Pathways, tool):
            facade = Pathways(self.pathways, clock=lambda: self.today)
        answer: Answer = asyncio.run(getattr(facade, tool)(**arguments))
        return answer

    def _answer(self, tool: str, arguments: dict[str, Any]) -> Sendable:
        """Call a tool as the server does."""
        declared = next(each for each in TOOLS if each.name == tool)
        take_arguments(arguments, [each.name for each in declared.parameters])
        return asyncio.run(_waited(declared.call(self._facade(declared.facade), **arguments)))

    def _facade(self, kind: type) -> object:
        now = partial(_identity, self.today)
        if kind is Discovery:
            return Discovery(self.source, clock=now)
        if kind is Pathways:
            return Pathways(self.pathways, clock=now)
        if kind is RepurposingClient:
            return RepurposingClient(self.source, clock=now)
        if kind is Bridge:
            return Bridge(self.source, self.pathways, clock=now)
        return open_matching(Settings.from_environment(), self.source)

    def wire(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and give what an interface would send, errors among it."""
        try:
            answer = self._answer(tool, arguments).to_dict()
        except TrialystError as error:
            answer = to_error_envelope(error)
        sent: dict[str, Any] = json.loads(json.dumps(answer))
        return sent

    def error(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that fails and give the error."""
        sent = self.wire(tool, **arguments)
        assert sent.get("success") is False, sent
        failed: dict[str, Any] = sent["error"]
        return failed


def _identity(moment: datetime) -> datetime:
    return moment


async def _waited(asked: Awaitable[Sendable]) -> Sendable:
    return await asked
