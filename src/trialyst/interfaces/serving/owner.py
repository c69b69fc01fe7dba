"""One process that owns what visitors leave, reached by every worker.

A worker passes a request on as the messages of ASGI, over a socket in a directory that only this
account may enter; the owner answers with messages in the same way. A worker that goes away ends
the request.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Forward", "answer_workers"]

_SIZE = 4
_LONGEST = 64 * 2**20
_PASSED = (
    *("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string"),
    *("root_path", "headers", "client", "server"),
)


async def _read(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    """Give the next message, None where the other side is gone."""
    try:
        size = int.from_bytes(await reader.readexactly(_SIZE), "big")
        if size > _LONGEST:
            return None
        message: dict[str, Any] = msgspec.msgpack.decode(await reader.readexactly(size))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    if "headers" in message:
        message["headers"] = [(name, value) for name, value in message["headers"]]
    return message


async def _write(writer: asyncio.StreamWriter, message: object) -> None:
    encoded = msgspec.msgpack.encode(message)
    writer.write(len(encoded).to_bytes(_SIZE, "big") + encoded)
    await writer.drain()


class Forward:
    """Passes requests for some paths on to the owner, and the others to the worker's own app."""

    def __init__(self, app: ASGIApp, *, owner: Path, paths: Sequence[str]) -> None:
        self._app = app
        self._owner = owner
        self._paths = frozenset(paths)
        self._beginnings = tuple(f"{path}/" for path in paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] == "http" and (path in self._paths or path.startswith(self._beginnings)):
            await self._pass_on(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            reader, writer = await asyncio.open_unix_connection(self._owner)
        except OSError:
            await _refusal()(scope, receive, send)
            return

        async def tell() -> None:
            with contextlib.suppress(ConnectionError):
                while (message := await receive())["type"] != "http.disconnect":
                    await _write(writer, message)
            writer.close()

        await _write(writer, {name: scope[name] for name in _PASSED if scope.get(name) is not None})
        telling = asyncio.create_task(tell())
        begun = False
        try:
            while (message := await _read(reader)) is not None:
                begun = True
                await send(message)
            if not begun:
                # The owner ended before it answered.
                await _refusal()(scope, receive, send)
        finally:
            telling.cancel()
            writer.close()


def _refusal() -> PlainTextResponse:
    told = "The process that keeps sessions is not there; ask again in a moment.\n"
    return PlainTextResponse(told, 503, {"Retry-After": "2"})


async def answer_workers(app: ASGIApp, path: Path) -> asyncio.Server:
    """Begin to answer what workers pass on."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        scope = await _read(reader)

        async def receive() -> Message:
            return await _read(reader) or {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            with contextlib.suppress(ConnectionError):
                await _write(writer, message)

        try:
            if scope is not None:
                await app({**scope, "state": {}}, receive, send)
        finally:
            writer.close()

    return await asyncio.start_unix_server(answer, path)
