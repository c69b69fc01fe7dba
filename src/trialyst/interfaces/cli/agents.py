"""The command that an agent's host starts."""

from __future__ import annotations

import asyncio

import typer

from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import warn_if_synthetic
from trialyst.settings import Settings

__all__ = ["add_to", "mcp"]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst mcp",
            "trialyst mcp --source live",
            "claude mcp add trialyst -- trialyst mcp",
        )
    )(mcp)


def mcp(
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Serve trials and pathways to an agent over MCP, on standard input and output.

    The agent's host starts this command and ends it by closing its input. Standard output
    carries the protocol only; with --json an error before that is one JSON value.
    """
    from trialyst.interfaces.mcp import serve_stdio
    from trialyst.interfaces.runtime import open_pathways, open_source
    from trialyst.registry import RegistrySource

    settings = Settings.from_environment()
    opened = open_source(settings, source=source, registry=registry)

    # The live service is not asked before the agent asks.
    if isinstance(opened, RegistrySource):
        warn_if_synthetic(asyncio.run(opened.provenance()))
    asyncio.run(serve_stdio(opened, open_pathways(settings, source=source)))
