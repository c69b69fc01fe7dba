"""The command that an agent's host starts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import warn_if_synthetic
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.ctgov.source import OpenSource

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
    from trialyst.interfaces.served import Served, follow_pathways, follow_source

    settings = Settings.from_environment()
    current = follow_source(settings, source=source, registry=registry)
    _warn(current.get())
    pathways = follow_pathways(settings, source=source)
    asyncio.run(serve_stdio(Served(settings, current, pathways)))


def _warn(opened: OpenSource) -> None:
    """Warn of invented records; the live service is not asked before the agent asks."""
    from trialyst.registry import RegistrySource

    if isinstance(opened, RegistrySource):
        warn_if_synthetic(asyncio.run(opened.provenance()))
