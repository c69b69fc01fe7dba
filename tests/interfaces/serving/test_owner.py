"""A worker answers for the owner of sessions where the owner cannot."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trialyst.interfaces.serving.owner import Forward, answer_workers

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/match",
    "raw_path": b"/match",
    "query_string": b"",
    "headers": [],
}


async def ends_early(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer nothing, as a process does that is ended."""


@pytest.mark.parametrize(
    ("owner", "status"), [(PlainTextResponse("Hello"), 200), (ends_early, 503), (None, 503)]
)
def test_who_asks_is_answered_whatever_becomes_of_the_owner(
    tmp_path: Path, owner: ASGIApp | None, status: int
) -> None:
    sent: list[Message] = []

    asked: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if not asked:
            await asyncio.Event().wait()
        return asked.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    async def ask() -> None:
        path = tmp_path / "owner"
        server = await answer_workers(owner, path) if owner else None
        forward = Forward(ends_early, owner=path, paths=["/match"])
        await asyncio.wait_for(forward(dict(SCOPE), receive, send), 30)
        if server is not None:
            server.close()

    asyncio.run(ask())
    assert sent[0]["status"] == status
    assert ((b"retry-after", b"2") in sent[0]["headers"]) is (status == 503)
