"""Servers on loopback: a real port, a real thread, gone at the end of the block."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

import uvicorn
from starlette.types import ASGIApp

from trialyst.interfaces.api.server import listen
from trialyst.interfaces.serving.connections import LimitedProtocol
from trialyst.interfaces.serving.server import configure


@contextmanager
def serving(
    app: ASGIApp,
    *,
    lifespan: Literal["on", "off"] = "off",
    protocol: type[LimitedProtocol] | None = None,
) -> Iterator[str]:
    """Serve an app on a free port, in the way of `trialyst serve`; gives its address."""
    config = configure(app, lifespan=lifespan == "on", protocol=protocol)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    server = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(timeout=4)


class QuietHandler(BaseHTTPRequestHandler):
    """A handler that writes no log."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def handling(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve by a handler of the standard library on a free port; gives its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
