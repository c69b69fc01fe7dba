"""Serving the site, the API and MCP to many: limits, deadlines, workers, an orderly end."""

from trialyst.interfaces.serving.server import create_guarded, run_server

__all__ = ["create_guarded", "run_server"]
