"""The MCP server: tools, resources, prompts and completions put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcp.server.mcpserver import MCPServer

from trialyst import __version__
from trialyst.discovery import Discovery
from trialyst.discovery.bridging import Bridge
from trialyst.discovery.pathways import Pathways
from trialyst.interfaces.mcp.building import build_tool
from trialyst.interfaces.mcp.completions import add_completions
from trialyst.interfaces.mcp.prompts import add_prompts
from trialyst.interfaces.mcp.resources import add_resources
from trialyst.interfaces.mcp.tools import TOOLS
from trialyst.interfaces.served import Served
from trialyst.matching.facade import Matching
from trialyst.repurposing.client import RepurposingClient

__all__ = ["create_server"]

_INSTRUCTIONS = (
    "Clinical trials, fuzzy to fact: search_trials turns words into candidates with ids; get_trial "
    "and the other strict tools take ids and answer facts. `understood` says how each argument was "
    "read: check it. `next` has calls to go on with; a cursor alone continues its list. "
    "`provenance` says where the data comes from, how old it is, whether the records are synthetic "
    "or a part of the registry (then absence proves nothing), and what was cut. A failure has "
    "`error.recovery_hint`: doing what it says leads to success. Pieces and values for `advanced`: "
    "explore_fields; its language: trialyst://guide/essie. Full schemas: "
    "trialyst://contracts/{tool}. Drugs and conditions, by name: search_drug_trials, "
    "detect_whitespace, get_landscape, get_terminated, scout_indications, bridge_drug. Pathways of "
    "genes and metabolites: search_pathways, then get_pathway by id. Patient notes: "
    "profile_patient, match_patient, evaluate_criterion; for research use only."
)


def create_server(served: Served) -> MCPServer[Any]:
    """Give a server that answers every call from the newest there is then."""
    newest: Mapping[type, Callable[[], object]] = {
        Discovery: served.discovery,
        RepurposingClient: served.repurposing,
        Pathways: served.pathways,
        Bridge: served.bridge,
        Matching: served.matching,
    }
    server: MCPServer[Any] = MCPServer(
        "trialyst",
        title="Trialyst",
        description="Search, look up, locate, count and compare clinical trials; gene pathways.",
        instructions=_INSTRUCTIONS,
        version=__version__,
        tools=[
            build_tool(tool, newest[tool.facade], seconds=served.call_seconds) for tool in TOOLS
        ],
        # Refusals are answers here, and their text is what somebody asked for: not for a log.
        log_level="WARNING",
        # Nothing on offer ever changes, so there is nothing to subscribe to.
        subscriptions=False,
    )
    add_resources(server, served)
    add_prompts(server)
    add_completions(server)
    return server
