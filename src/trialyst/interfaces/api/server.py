"""Running the API on this machine until interrupted."""

from __future__ import annotations

import errno
import socket
import sys

from trialyst.errors import InvalidInput
from trialyst.hints import Hint
from trialyst.interfaces.access import choose_token
from trialyst.interfaces.api.app import API_PREFIX, create_app
from trialyst.interfaces.api.holdings import Newest, ServedRegistry
from trialyst.interfaces.serving import create_guarded, run_server
from trialyst.settings import SERVE_SECONDS

__all__ = ["address_of", "listen", "serve"]


def serve(
    registry: ServedRegistry | Newest,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    token: str | None = None,
) -> None:
    """Serve the API of a registry until Ctrl-C; requests under way get some seconds to finish.

    On any other host than loopback everybody needs a token. Addresses go to standard error.

    Args:
        port: 0 takes a free one.
        token: What requests have to bring; off loopback one is made up if none is given.
    """
    needed = choose_token(host, token)
    app = create_guarded(create_app(registry), host=host, token=needed, seconds=SERVE_SECONDS)
    with listen(host, port) as bound:
        if needed and needed != token:
            _tell(f"Other machines can reach {host}: requests need the token {needed}")
        _tell(f"Serving at {address_of(bound, host)}; Ctrl-C stops it.")
        run_server(app, bound, lifespan=False)


def address_of(bound: socket.socket, host: str) -> str:
    """Give the address of the API on a port that is listened on."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{bound.getsockname()[1]}{API_PREFIX}"


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def listen(host: str, port: int) -> socket.socket:
    """Open the port, or say why not as InvalidInput."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        bound = socket.create_server((host, port), family=family)
    except OSError as problem:
        unknown = problem.errno in (errno.EADDRNOTAVAIL, socket.EAI_NONAME, socket.EAI_AGAIN)
        raise InvalidInput(
            f"Cannot listen on {host}, port {port}: {problem}",
            hint=Hint("Give an address of this machine with {host}, such as 127.0.0.1.")
            if unknown
            else Hint("Choose another port with {port}; 0 takes a free one."),
        ) from problem
    # Connections inherit it. The event loop sets it only on sockets made with an explicit
    # protocol; without it every second small answer waits 40 ms for an acknowledgement.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound
