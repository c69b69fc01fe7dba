"""The command that serves the registry to other programs."""

from __future__ import annotations

import asyncio
import webbrowser
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import note, show_json, to_values, warn_if_synthetic
from trialyst.interfaces.cli.starting import INTERRUPTED
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.ctgov.source import Provenance

__all__ = ["add_to", "serve"]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst serve --open",
            "trialyst serve --port 9000 --registry my-registry",
            "curl 'http://127.0.0.1:8080/api/v2/studies?query.cond=asthma&pageSize=2'",
        )
    )(serve)


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="PORT", help="Port to listen on.")
    ] = 8080,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the site in your browser.")
    ] = False,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Serve the web site, the ClinicalTrials.gov v2 API under /api/v2, and MCP at /mcp.

    Only programs on this machine can reach it unless --host names another address: then every
    request needs the token that is printed, or that TRIALYST_TOKEN sets. With --json the addresses
    are printed as one JSON value before serving begins. Stop it with Ctrl-C.
    """
    from trialyst.interfaces.access import choose_token
    from trialyst.interfaces.api import serve as serve_registry
    from trialyst.interfaces.mcp import beside
    from trialyst.interfaces.served import Served, follow_pathways, follow_registry
    from trialyst.interfaces.web import create_site

    settings = Settings.from_environment()
    if registry is not None:
        settings = replace(settings, registry=registry.expanduser().absolute())
    token = choose_token(host, settings.token)
    current = follow_registry(settings, source=source, registry=registry)
    served = Served(settings, current, follow_pathways(settings, source=source))
    try:
        provenance = asyncio.run(current.get().provenance())
        warn_if_synthetic(provenance)

        def announce(url: str) -> None:
            page_url = _announce(url, token, provenance, as_json=json)
            if open_page:
                webbrowser.open(page_url)

        serve_registry(
            lambda: current.get().registry,
            host=host,
            port=port,
            token=token,
            announce=announce,
            compose=lambda app: create_site(served, settings, below=beside(app, served, host=host)),
        )
    finally:
        asyncio.run(served.aclose())
    raise typer.Exit(INTERRUPTED)


def _announce(url: str, token: str | None, provenance: Provenance, *, as_json: bool) -> str:
    """Say where things are served, and give the address of the site."""
    from trialyst.interfaces.api import API_PREFIX
    from trialyst.interfaces.mcp import MCP_PATH

    site_url = url.removesuffix(API_PREFIX)
    mcp_url = site_url + MCP_PATH
    page_url = f"{site_url}/?token={token}" if token else f"{site_url}/"
    note(f"Serving {provenance.records or 0:,} studies at {url}; Ctrl-C stops it.")
    note(f"Agents connect to {mcp_url}.")
    if token:
        note("Other machines can reach it: requests need `Authorization: Bearer TOKEN`.")
    note(f"Open the site at {page_url}")
    if as_json:
        urls = {"url": url, "mcp_url": mcp_url, "site_url": page_url}
        show_json({**urls, "provenance": to_values(provenance)})
    return page_url
