"""An upstream that follows a script over real HTTP, and a clock that only moves when told.

Each request takes the next step of the script; what was asked is kept. Steps write bytes to a
plain socket, so they can do what no well-behaved server does.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

__all__ = [
    "Request",
    "ScriptedClock",
    "Upstream",
    "dripping",
    "dropped",
    "reply",
    "silent",
    "truncated",
    "upstream",
]

Step = Callable[[socket.socket, "Request"], None]

EPOCH = 1_800_000_000.0


@dataclass
class ScriptedClock:
    """A clock that stands still; a sleep moves it and is kept in `waits`."""

    jitter: float = 0.0
    tick: float = 0.0
    """How far every reading moves it."""
    elapsed: float = 0.0
    waits: list[float] = field(default_factory=list)

    def time(self) -> float:
        return EPOCH + self.elapsed

    def monotonic(self) -> float:
        self.elapsed += self.tick
        return self.elapsed

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.elapsed += seconds
        await asyncio.sleep(0)

    def random(self) -> float:
        return self.jitter


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asked: the target as sent, and its headers by lower-case name."""

    target: str
    headers: dict[str, str]


class Upstream:
    """A server on loopback that follows a script."""

    def __init__(self, listener: socket.socket) -> None:
        self.steps: list[Step] = []
        self.requests: list[Request] = []
        self._listener = listener

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def script(self, *steps: Step) -> None:
        """Add steps; a request that finds none is refused with a 400."""
        self.steps.extend(steps)

    def targets(self) -> list[str]:
        return [request.target for request in self.requests]

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            received = connection.recv(65536)
            if not received:
                return
            head += received
        first, *lines = head.decode("latin-1").partition("\r\n\r\n")[0].split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        request = Request(
            first.split(" ")[1], {name.lower(): text for name, text in headers.items()}
        )
        self.requests.append(request)
        step = self.steps.pop(0) if self.steps else reply("The script has ended", status=400)
        with suppress(OSError):
            step(connection, request)


@contextmanager
def upstream() -> Iterator[Upstream]:
    """Serve a script on a free port of loopback."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Upstream(listener)
        thread = threading.Thread(target=server.serve, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(timeout=4)


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Told", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {text}" for name, text in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def reply(body: str | bytes = b"", *, status: int = 200, **headers: str) -> Step:
    """Answer whole; an underscore in a header's name is a hyphen."""
    data = body.encode() if isinstance(body, str) else body

    def step(connection: socket.socket, request: Request) -> None:
        length = {} if status == 304 else {"Content-Length": str(len(data))}
        connection.sendall(_head(status, {**length, **headers}) + data)

    return step


def unsized(body: str | bytes, **headers: str) -> Step:
    """Answer without a length: the end of the connection is the end of the body."""
    data = body.encode() if isinstance(body, str) else body

    def step(connection: socket.socket, request: Request) -> None:
        connection.sendall(_head(200, headers) + data)

    return step


def truncated(body: str | bytes, *, length: int, status: int = 200, **headers: str) -> Step:
    """Announce a length and close before it is reached."""
    data = body.encode() if isinstance(body, str) else body

    def step(connection: socket.socket, request: Request) -> None:
        connection.sendall(_head(status, {"Content-Length": str(length), **headers}) + data)

    return step


def dropped(connection: socket.socket, request: Request) -> None:
    """Close without a word."""


def silent(connection: socket.socket, request: Request) -> None:
    """Say nothing until the client gives up."""
    connection.recv(1)


def dripping(connection: socket.socket, request: Request) -> None:
    """Send a first byte of many, and no more until the client gives up."""
    connection.sendall(_head(200, {"Content-Length": "1000"}) + b"{")
    connection.recv(1)
