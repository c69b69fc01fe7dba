"""Server-sent events: values as JSON, one an event."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import StreamingResponse

__all__ = ["stream"]


def stream(values: AsyncIterator[Any]) -> StreamingResponse:
    """Give an answer that sends each value when it comes, and `end` after the last."""

    async def written() -> AsyncIterator[str]:
        async for value in values:
            yield f"data: {json.dumps(value, ensure_ascii=False)}\n\n"
        yield "event: end\ndata: {}\n\n"

    headers = {"Cache-Control": "no-store"}
    return StreamingResponse(written(), media_type="text/event-stream", headers=headers)
