"""Running the API on this machine until interrupted."""

from __future__ import annotations

import ipaddress
import socket
import sys
from typing import TYPE_CHECKING

from trialyst.errors import InvalidInput

if TYPE_CHECKING:
    from starlette.types import ASGIApp

__all__ = ["listen", "serve"]


def serve(app: ASGIApp, *, host: str = "127.0.0.1", port: int = 8080, path: str = "") -> None:
    """Serve an app until Ctrl-C; requests under way are finished first.

    Any other host than loopback is served with a warning: there is no access control.

    Args:
        port: 0 takes a free one; the address is written to standard error.
        path: What to show after the address.
    """
    import uvicorn

    if not _is_loopback(host):
        sys.stderr.write(
            f"Warning: {host} can be reached from other machines, and nothing asks who they are.\n"
        )
    with listen(host, port) as bound:
        number = bound.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"Serving on http://{shown}:{number}{path} (Ctrl-C to stop)\n")
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        try:
            uvicorn.Server(config).run(sockets=[bound])
        except KeyboardInterrupt:
            sys.stderr.write("Stopped.\n")


def listen(host: str, port: int) -> socket.socket:
    """Open the port, or say why not as InvalidInput."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as problem:
        raise InvalidInput(
            f"Cannot listen on {host}, port {port}: {problem}",
            hint="Choose another port with --port; 0 takes a free one.",
        ) from problem


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
