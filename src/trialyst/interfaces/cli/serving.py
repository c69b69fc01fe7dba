"""The command that serves the registry to other programs."""

from __future__ import annotations

import asyncio
import secrets
import webbrowser
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import note, show_json, to_values, warn_if_synthetic
from trialyst.interfaces.cli.starting import INTERRUPTED
from trialyst.settings import Settings

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp

    from trialyst.ctgov.source import Provenance
    from trialyst.interfaces.served import Current, Served
    from trialyst.registry import RegistrySource

__all__ = ["ServingPlan", "add_to", "create_worker", "serve"]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst serve --open",
            "trialyst serve --port 9000 --registry my-registry",
            "trialyst serve --workers 4",
            "curl 'http://127.0.0.1:8080/api/v2/studies?query.cond=asthma&pageSize=2'",
        )
    )(serve)


@dataclass(frozen=True, slots=True)
class ServingPlan:
    """What a process needs to know to serve; the same in all of a server."""

    settings: Settings
    source: str | None
    registry: Path | None
    host: str
    token: str | None
    secret: bytes

    def open(self) -> tuple[Current[RegistrySource], Served]:
        """Open what is served."""
        from trialyst.interfaces.served import Served, follow_pathways, follow_registry

        current = follow_registry(self.settings, source=self.source, registry=self.registry)
        pathways = follow_pathways(self.settings, source=self.source)
        return current, Served(self.settings, current, pathways)

    def create(self, current: Current[RegistrySource], served: Served) -> Starlette:
        """Give the site with the API and MCP below it."""
        from trialyst.interfaces.api import create_app
        from trialyst.interfaces.mcp import beside
        from trialyst.interfaces.web import create_site

        counts = self.settings.home / "field-counts"
        api = create_app(lambda: current.get().registry, counts=counts)
        below = beside(api, served, host=self.host)
        return create_site(served, self.settings, below=below, secret=self.secret)

    def guard(self, app: ASGIApp) -> ASGIApp:
        """Hold an app to who may ask, how many, and how long."""
        from trialyst.interfaces.serving import create_guarded

        seconds = self.settings.serve_seconds
        return create_guarded(app, host=self.host, token=self.token, seconds=seconds)


def create_worker(plan: ServingPlan, owner: Path) -> ASGIApp:
    """Give what a worker answers with: sessions and syncs are the owner's."""
    from trialyst.interfaces.serving.owner import Forward
    from trialyst.interfaces.web import OWNED

    return plan.guard(Forward(plan.create(*plan.open()), owner=owner, paths=OWNED))


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
    workers: Annotated[
        int,
        typer.Option(
            min=1, max=64, metavar="N", help="Processes that answer; sessions are shared."
        ),
    ] = 1,
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
    from trialyst.interfaces.api.server import address_of, listen
    from trialyst.interfaces.serving import run_server
    from trialyst.interfaces.serving.workers import run_workers

    settings = Settings.from_environment()
    if registry is not None:
        settings = replace(settings, registry=registry.expanduser().absolute())
    token = choose_token(host, settings.token)
    plan = ServingPlan(settings, source, registry, host, token, secrets.token_bytes(32))
    current, served = plan.open()
    try:
        provenance = asyncio.run(current.get().provenance())
        warn_if_synthetic(provenance)
        with listen(host, port) as bound:

            def announce() -> None:
                url = address_of(bound, host)
                page_url = _announce(url, token, provenance, as_json=json)
                if open_page:
                    webbrowser.open(page_url)

            app = plan.create(current, served)
            if workers == 1:
                run_server(plan.guard(app), bound, ready=announce)
            else:
                run_workers(app, create_worker, plan, bound, count=workers, announce=announce)
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
