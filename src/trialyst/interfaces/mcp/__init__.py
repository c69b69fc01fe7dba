"""Trialyst for agents: the discovery tools over the Model Context Protocol.

Only translation: tools, resources and prompts are declared here, decided in `trialyst.discovery`.
Names are loaded when first used, because the SDK is slow to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.interfaces.mcp.server import create_server
    from trialyst.interfaces.mcp.transports import MCP_PATH, beside, serve_stdio

__all__ = ["MCP_PATH", "beside", "create_server", "serve_stdio"]

_HOMES = {
    "server": ("create_server",),
    "transports": ("MCP_PATH", "beside", "serve_stdio"),
}

__getattr__ = lazy_names(__name__, _HOMES)
