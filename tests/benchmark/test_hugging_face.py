"""Annotations of a data set are read page by page, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs

import pytest
from starlette.types import Receive, Scope, Send

from tests.benchmark.rows import row
from tests.serving import serving
from tests.transport.scripted import ScriptedClock
from trialyst.benchmark.annotations import Annotations
from trialyst.benchmark.hugging_face import load_annotations
from trialyst.errors import InvalidInput, UpstreamError
from trialyst.transport import Transport

Rows = list[dict[str, Any]]
NAME = "ncbi/TrialGPT-Criterion-Annotations"


@contextmanager
def served(rows: Rows, give: Callable[[int], Rows] | None = None) -> Iterator[str]:
    """Serve rows as the data set server does, a page at a time."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        asked = {key: each[0] for key, each in parse_qs(scope["query_string"].decode()).items()}
        start = int(asked["offset"])
        page = rows[start : start + int(asked["length"])] if give is None else give(start)
        listed = [{"row_idx": start + place, "row": each} for place, each in enumerate(page)]
        told = {"rows": listed, "num_rows_total": len(rows)}
        known = asked["dataset"] == NAME and scope["path"] == "/rows"
        headers = [(b"content-type", b"application/json")]
        await send(
            {"type": "http.response.start", "status": 200 if known else 404, "headers": headers}
        )
        body = json.dumps(told if known else {"error": "The dataset does not exist."})
        await send({"type": "http.response.body", "body": body.encode()})

    with serving(app) as address:
        yield address


def load(url: str, name: str = NAME) -> Annotations:
    async def run() -> Annotations:
        transport = Transport(clock=ScriptedClock())
        try:
            return await load_annotations(name, transport, url=url)
        finally:
            await transport.aclose()

    return asyncio.run(run())


def test_every_page_is_read() -> None:
    rows = [row(annotation_id=place) for place in range(230)]
    rows[7]["criterion_text"] = None
    with served(rows) as url:
        found = load(url)
    assert [each.annotation_id for each in found.rows[-2:]] == ["228", "229"]
    assert (len(found.rows), found.without_criterion) == (229, 1)


def test_a_data_set_that_does_not_exist_is_told() -> None:
    with served([row()]) as url, pytest.raises(InvalidInput, match="gives no rows of 'a/b'"):
        load(url, "a/b")


def test_a_service_that_stops_midway_is_told() -> None:
    rows = [row(annotation_id=place) for place in range(150)]
    with (
        served(rows, lambda start: rows[start:100]) as url,
        pytest.raises(UpstreamError, match="gave 100 of 150 rows"),
    ):
        load(url)


def test_rows_of_another_kind_are_told() -> None:
    with served([{"criterion_text": "x"}]) as url, pytest.raises(InvalidInput, match="Line 1 of"):
        load(url)
