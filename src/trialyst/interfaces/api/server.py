"""Running the API on this machine until interrupted."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import sys
from collections.abc import Callable

from starlette.types import ASGIApp

from trialyst.errors import InvalidInput
from trialyst.hints import Hint
from trialyst.interfaces.access import Access, choose_token
from trialyst.interfaces.api.app import API_PREFIX, create_app
from trialyst.interfaces.api.holdings import Newest, ServedRegistry

__all__ = ["listen", "serve"]

GRACE_SECONDS = 5
"""How long the end waits for requests under way: a client may have stopped in the middle of one."""


def serve(
    registry: ServedRegistry | Newest,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    token: str | None = None,
    announce: Callable[[str], None] | None = None,
    compose: Callable[[ASGIApp], ASGIApp] | None = None,
) -> None:
    """Serve a registry until Ctrl-C; requests under way get some seconds to finish.

    On any other host than loopback everybody needs a token.

    Args:
        port: 0 takes a free one.
        token: What requests have to bring; off loopback one is made up if none is given.
        announce: Is given the API's address once it can be reached; by default the address is
            written to standard error.
        compose: Puts another app around the API's, which then has a lifespan.
    """
    import uvicorn

    app: ASGIApp = create_app(registry)
    needed = choose_token(host, token)
    config = uvicorn.Config(
        Access(compose(app) if compose else app, host=host, token=needed),
        log_level="warning",
        access_log=False,
        lifespan="on" if compose else "off",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_worth_a_log)
    with listen(host, port) as bound:
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{bound.getsockname()[1]}{API_PREFIX}"
        if needed and needed != token:
            _tell(f"Other machines can reach {host}: requests need the token {needed}")
        (announce or (lambda url: _tell(f"Serving at {url}; Ctrl-C stops it.")))(url)
        # The server ends in order on the first Ctrl-C and then raises it again.
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[bound])


def _is_worth_a_log(record: logging.LogRecord) -> bool:
    """Say whether a log record is more than a request that the end did not wait for."""
    return not (record.exc_info and record.exc_info[0] is asyncio.CancelledError)


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
