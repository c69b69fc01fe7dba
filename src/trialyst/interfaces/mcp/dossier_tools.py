"""The dossier as an MCP tool: text only, nothing is written to disk.

A tool's docstring is its description.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trialyst.agents.supervisor import run_supervisor
from trialyst.agents.writing import read_question, to_answer
from trialyst.discovery import Answer
from trialyst.interfaces.mcp.tools import Call
from trialyst.repurposing.client import RepurposingClient

__all__ = ["DOSSIER_TOOLS", "write_dossier"]


async def write_dossier(client: RepurposingClient, given: dict[str, Any]) -> Answer:
    """Write up a drug in a condition: trials, failures, rivals, each sentence with its source."""
    return to_answer(await run_supervisor(client, read_question(given)))


DOSSIER_TOOLS: Mapping[Call[RepurposingClient], str] = {write_dossier: "Write a dossier"}
"""Every tool with its title."""
