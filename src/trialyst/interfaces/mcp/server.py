"""The MCP server: tools, resources, prompts and completions put together."""

from __future__ import annotations

from functools import partial
from typing import Any

from mcp.server.mcpserver import MCPServer

from trialyst import __version__
from trialyst.interfaces.mcp.completions import add_completions
from trialyst.interfaces.mcp.dossier_tools import DOSSIER_TOOLS
from trialyst.interfaces.mcp.matching_tools import MATCHING_TOOLS
from trialyst.interfaces.mcp.pathway_tools import PATHWAY_TOOLS
from trialyst.interfaces.mcp.prompts import add_prompts
from trialyst.interfaces.mcp.repurposing_tools import REPURPOSING_TOOLS
from trialyst.interfaces.mcp.resources import add_resources
from trialyst.interfaces.mcp.tools import TOOLS, build_tool
from trialyst.interfaces.served import Served

__all__ = ["create_server"]

_INSTRUCTIONS = (
    "Clinical trials, fuzzy to fact: search_trials turns words into candidates with ids; the other "
    "tools take ids and answer facts. Filters are codes or labels in any case. A failure has "
    "`error.recovery_hint`: doing what it says leads to success. `provenance` says where the data "
    "comes from, how old it is, whether the records are synthetic, and what was cut. Full schemas: "
    "trialyst://contracts/{tool}. Query language of `advanced`: trialyst://guide/essie. "
    "Drugs and conditions, by name: search_drug_trials, detect_whitespace, get_landscape, "
    "get_terminated. Pathways of genes and metabolites: search_pathways, then get_pathway by id. "
    "Patient notes: profile_patient, match_patient, evaluate_criterion; for research use only."
)


def create_server(served: Served) -> MCPServer[Any]:
    """Give a server that answers every call from the newest there is then."""
    build = partial(build_tool, seconds=served.call_seconds)
    server: MCPServer[Any] = MCPServer(
        "trialyst",
        title="Trialyst",
        description="Search, look up, locate, count and compare clinical trials; gene pathways.",
        instructions=_INSTRUCTIONS,
        version=__version__,
        tools=[
            *(build(call, title, served.discovery) for call, title in TOOLS.items()),
            *(build(call, title, served.repurposing) for call, title in REPURPOSING_TOOLS.items()),
            *(build(call, title, served.pathways) for call, title in PATHWAY_TOOLS.items()),
            *(build(call, title, served.repurposing) for call, title in DOSSIER_TOOLS.items()),
            *(build(call, title, served.matching) for call, title in MATCHING_TOOLS.items()),
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
