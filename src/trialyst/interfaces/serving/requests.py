"""Every request under a deadline, called off with its client, and never too many at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trialyst.deadlines import Deadline, under_deadline

__all__ = ["MOST_AT_ONCE", "Requests"]

MOST_AT_ONCE = 128
"""Requests under way in one process; an ordinary one takes milliseconds."""
RETRY_AFTER = 2
LONGEST_ADDRESS = 100 * 1024
_BODILESS = frozenset({"GET", "HEAD"})


class Requests:
    """Lets requests through to an app, each under its deadline."""

    def __init__(self, app: ASGIApp, *, seconds: float, most: int = MOST_AT_ONCE) -> None:
        """Wrap an app.

        Args:
            seconds: By when an answer must have begun; what it then sends may take longer.
        """
        self._app = app
        self._seconds = seconds
        self._most = most
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = len(scope.get("raw_path") or b"") + len(scope["query_string"])
        if length > LONGEST_ADDRESS:
            refusal = PlainTextResponse(f"The address has {length:,} bytes, too many.\n", 414)
            await refusal(scope, receive, send)
        elif self._under_way >= self._most:
            headers = {"Retry-After": str(RETRY_AFTER)}
            told = "Too many requests are being answered; ask again in a moment.\n"
            await PlainTextResponse(told, 503, headers)(scope, receive, send)
        else:
            with self._counted():
                await _Watched(self._app, scope, receive, send).run(self._seconds)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1


class _Watched:
    """One request: its work is called off when its client is gone."""

    def __init__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        self._app = app
        self._scope = scope
        self._receive = receive
        self._send = send
        self._first: Message | None = None
        self._heard = asyncio.Event()
        self._gone = asyncio.Event()
        self._left = False
        self._watcher: asyncio.Task[None] | None = None
        self._deadline = Deadline()
        self._work: asyncio.Task[object] | None = None

    async def run(self, seconds: float) -> None:
        """Answer; a client that leaves ends it."""
        self._deadline = Deadline(seconds)
        self._work = asyncio.current_task()
        if self._scope["method"] in _BODILESS:
            self._watch()
        try:
            with under_deadline(self._deadline):
                await self._app(self._scope, self._hear, self._tell)
        except asyncio.CancelledError:
            if not self._left:
                raise
            if self._work is not None:
                self._work.uncancel()
        finally:
            if self._watcher is not None:
                self._watcher.cancel()

    def _watch(self) -> None:
        if self._watcher is None:
            self._watcher = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        """Wait for the client to leave; of a request without a body, take what it is first."""
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                break
            self._first = message
            self._heard.set()
        self._left = True
        self._end()
        self._deadline.cancel()
        if self._work is not None:
            self._work.cancel()

    def _end(self) -> None:
        """Have nothing more to hear from the client."""
        self._gone.set()
        self._heard.set()

    async def _hear(self) -> Message:
        if self._watcher is not None:
            await self._heard.wait()
            first, self._first = self._first, None
            if first is not None:
                return first
            await self._gone.wait()
            return {"type": "http.disconnect"}
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self._gone.set()
            self._deadline.cancel()
        elif not message.get("more_body", False):
            # The whole request is here: what comes now is its end.
            self._heard.set()
            self._watch()
        return message

    async def _tell(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._deadline.lift()
        elif not message.get("more_body", False):
            # A server says that the client is gone as soon as the answer is; what is left to do
            # behind it is not to be called off for that.
            if self._watcher is not None:
                self._watcher.cancel()
            self._end()
        await self._send(message)
