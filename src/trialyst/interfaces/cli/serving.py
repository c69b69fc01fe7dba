"""The command that serves the registry to other programs."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Annotated

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import note, show_json, warn_if_synthetic

__all__ = ["add_to", "serve"]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst serve",
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
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Serve the registry as the ClinicalTrials.gov v2 API, under /api/v2.

    Only programs on this machine can reach it unless --host names another address. With --json
    the address is printed as one JSON value before serving begins. Stop it with Ctrl-C.
    """
    listener = _listen(host, port)
    with listener:
        asyncio.run(_serve(listener, source, registry, as_json=json))


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as problem:
        raise InvalidInput(
            f"Cannot listen on {host}:{port}: {problem}",
            hint="Name a free port with --port, and an address of this machine with --host.",
            invalid_input=f"{host}:{port}",
        ) from None


async def _serve(
    listener: socket.socket, source: str | None, registry: Path | None, *, as_json: bool
) -> None:
    import uvicorn

    from trialyst.interfaces.api import create_app
    from trialyst.interfaces.runtime import open_source
    from trialyst.settings import Settings

    opened = open_source(Settings.from_environment(), source=source, registry=registry)
    try:
        provenance = await opened.provenance()
        warn_if_synthetic(provenance)
        address, port = listener.getsockname()[:2]
        host = f"[{address}]" if ":" in address else address
        url = f"http://{host}:{port}/api/v2"
        if as_json:
            show_json({"url": url, "provenance": provenance.model_dump(mode="json")})
        note(f"Serving {provenance.records or 0:,} studies at {url}; Ctrl-C stops it.")
        config = uvicorn.Config(create_app(opened), log_level="warning", access_log=False)
        await uvicorn.Server(config).serve(sockets=[listener])
    finally:
        opened.close()
