"""Connections held to limits: how many, how long they may say nothing, how long an address may be.

A server that takes every connection runs out of file handles, and then cannot open its own files.
Here the one that rested longest makes room for a new one; only where all are busy is one refused.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = [
    "BACKLOG",
    "HEAD_BYTES",
    "KEEP_ALIVE_SECONDS",
    "LimitedProtocol",
    "choose_most_connections",
    "raise_file_limit",
]

HEAD_BYTES = 128 * 1024
"""Bytes of a request up to its body; longer addresses are refused as such."""
HEAD_SECONDS = 20.0
"""In which a request must have said what it wants."""
KEEP_ALIVE_SECONDS = 75
"""Longer than clients commonly keep an idle connection: it is they who close it, unsurprised."""
MOST_CONNECTIONS = 4096
BACKLOG = 96
"""Connections that are taken at a time, before the first of them is looked at and may be closed."""
KEPT_HANDLES = 256
"""File handles left for the registry, for a batch of new connections, and for model servers."""
_DRAIN_SECONDS = 2.0
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 27\r\n\r\n"
    b"Too many connections here.\n"
)
_TOO_LONG = (
    b"HTTP/1.1 414 URI Too Long\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 53\r\n\r\n"
    b"The address and headers have more than 128 KB: less.\n"
)


def raise_file_limit() -> int:
    """Allow as many open files as this account may have, and give how many that are."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + KEPT_HANDLES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        ceiling = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if ceiling > soft:
            resource.setrlimit(resource.RLIMIT_NOFILE, (ceiling, hard))
            soft = ceiling
    return wanted if soft == resource.RLIM_INFINITY else int(soft)


def choose_most_connections(handles: int) -> int:
    """Give how many connections fit beside the files that are needed.

    >>> choose_most_connections(1024), choose_most_connections(100)
    (768, 25)
    """
    return max(min(MOST_CONNECTIONS, handles - KEPT_HANDLES), handles // 4)


class LimitedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with limits."""

    most_connections = MOST_CONNECTIONS
    head_seconds = HEAD_SECONDS

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._head_timer: asyncio.TimerHandle | None = None
        self._draining = False
        self._quiet_since: float | None = time.monotonic()

    def connection_made(self, transport: Any) -> None:
        """Take a connection, if need be in place of the one that rested longest."""
        if len(self.connections) >= self.most_connections and not self._make_room():
            transport.write(_BUSY)
            transport.close()
            self._draining = True
            return
        super().connection_made(transport)
        self._await_head()

    def _make_room(self) -> bool:
        resting = [
            each
            for each in self.connections
            if isinstance(each, LimitedProtocol) and each._quiet_since is not None
        ]
        if not resting:
            return False
        oldest = min(resting, key=lambda each: each._quiet_since or 0.0)
        oldest.connections.discard(oldest)
        oldest.transport.abort()
        return True

    def data_received(self, data: bytes) -> None:
        """Read on; a head that never ends is not waited for."""
        if self._draining:
            return
        super().data_received(data)
        self._note_state()

    def on_response_complete(self) -> None:
        """Begin to rest after an answer."""
        super().on_response_complete()
        self._note_state()

    def _note_state(self) -> None:
        waiting = self.conn.their_state is h11.IDLE
        self._quiet_since = time.monotonic() if waiting else None
        has_begun = bool(self.conn.trailing_data[0])
        if waiting and has_begun:
            self._await_head()
        elif not waiting:
            self._forget_head()

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_seconds, self._give_up)

    def _forget_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        self._head_timer = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything."""
        self._forget_head()
        if self.transport is not None:
            super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; of what is too long, say so, and hear the rest out."""
        error = sys.exc_info()[1]
        if not (isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431):
            super().send_400_response(msg)
            return
        # Closed with unread bytes, a connection is reset, and nobody reads why.
        self._draining = True
        self._forget_head()
        self.transport.write(_TOO_LONG)
        self.loop.call_later(_DRAIN_SECONDS, self.transport.close)
