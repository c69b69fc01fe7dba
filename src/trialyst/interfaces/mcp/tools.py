"""Every tool there is, in the order of the list."""

from __future__ import annotations

from trialyst.interfaces.mcp.agent_tools import AGENT_TOOLS
from trialyst.interfaces.mcp.declared import DeclaredTool, declare
from trialyst.interfaces.mcp.matching_tools import MATCHING_TOOLS
from trialyst.interfaces.mcp.pathway_tools import PATHWAY_TOOLS
from trialyst.interfaces.mcp.repurposing_tools import REPURPOSING_TOOLS
from trialyst.interfaces.mcp.trial_tools import TRIAL_TOOLS

__all__ = ["TOOLS"]

TOOLS: tuple[DeclaredTool, ...] = declare(
    {**TRIAL_TOOLS, **REPURPOSING_TOOLS, **PATHWAY_TOOLS, **AGENT_TOOLS, **MATCHING_TOOLS}
)
