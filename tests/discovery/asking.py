"""How tests put a question to the tools: blocking, answers as plain values."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from trialyst.ctgov.source import TrialSource
from trialyst.discovery import Discovery, to_error_envelope
from trialyst.discovery.envelope import Answer
from trialyst.discovery.pathways import Pathways
from trialyst.errors import TrialystError
from trialyst.interfaces.mcp.dossier_tools import DOSSIER_TOOLS
from trialyst.interfaces.mcp.matching_tools import MATCHING_TOOLS
from trialyst.interfaces.mcp.repurposing_tools import REPURPOSING_TOOLS
from trialyst.interfaces.mcp.tools import Sendable
from trialyst.interfaces.runtime import open_matching, open_repurposing
from trialyst.pathways import PathwaySource, open_starter
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
        for call in (*REPURPOSING_TOOLS, *DOSSIER_TOOLS):
            if call.__name__ == tool:
                return asyncio.run(_waited(call(self._repurposing(), arguments)))
        for match in MATCHING_TOOLS:
            if match.__name__ == tool:
                matching = open_matching(Settings.from_environment(), self.source)
                return asyncio.run(_waited(match(matching, {"note": None, **arguments})))
        return self.ask(tool, **arguments)

    def _repurposing(self) -> RepurposingClient:
        client = open_repurposing(Settings.from_environment(), self.source)
        return RepurposingClient(
            self.source, vocabulary=client.vocabulary, clock=lambda: self.today
        )

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


async def _waited(asked: Awaitable[Sendable]) -> Sendable:
    return await asked
