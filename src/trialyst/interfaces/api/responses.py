"""Answers as the live service sends them: headers of the data set, 304, HEAD, plain-text errors."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from trialyst.errors import DeadlinePassed, InvalidInput, NotFound, Overloaded, TrialystError
from trialyst.interfaces.api.holdings import Holdings, holdings_of

__all__ = ["API_VERSION", "Endpoint", "answer", "error_handlers", "json_response"]

API_VERSION = "2.0.5"

Endpoint = Callable[[Request], Awaitable[Response]]

_SYNTHETIC = "x-trialyst-synthetic"
_EXPOSED = f"ETag, x-next-page-token, x-total-count, {_SYNTHETIC}"

RETRY_AFTER = 10.0
"""Seconds after which a question that took too long may be asked once more."""
_log = logging.getLogger(__name__)


def json_response(body: bytes) -> Response:
    """Give a JSON answer from encoded bytes."""
    return Response(body, media_type="application/json")


def answer(endpoint: Endpoint) -> Endpoint:
    """Wrap an endpoint: tag its answer, send 304 to who has the data set, no body to HEAD."""

    async def tagged(request: Request) -> Response:
        # A newer generation may have to be opened, which is no work for the event loop.
        await run_in_threadpool(holdings_of, request)
        response = await endpoint(request)
        tag = _entity_tag(holdings_of(request))
        if response.status_code == 200 and _has_tag(request, tag):
            response = Response(status_code=304)
        elif request.method == "HEAD":
            response = _without_body(response)
        return _with_headers(response, holdings_of(request))

    return tagged


def _without_body(response: Response) -> Response:
    bare = Response(status_code=response.status_code, headers=dict(response.headers))
    if "content-length" not in response.headers:
        # A stream of unknown length must not be announced as empty.
        del bare.headers["content-length"]
    return bare


def _entity_tag(holdings: Holdings) -> str:
    """Name the data set: one tag for every answer of a generation, as the live service has."""
    generation = hashlib.blake2b(holdings.registry.generation.encode(), digest_size=8)
    return f'"{API_VERSION}/{generation.hexdigest()}"'


def _has_tag(request: Request, tag: str) -> bool:
    held = request.headers.get("if-none-match", "")
    tags = [item.strip().removeprefix("W/") for item in held.split(",")]
    return tag in tags or tags == ["*"]


def _with_headers(response: Response, holdings: Holdings) -> Response:
    response.headers.setdefault("ETag", _entity_tag(holdings))
    if holdings.registry.synthetic:
        # Bodies are those of the live service; one without a title would not tell.
        response.headers[_SYNTHETIC] = "true"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = _EXPOSED
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _refuse(request: Request, message: str, status: int) -> Response:
    response = PlainTextResponse(message, status_code=status)
    if request.method == "HEAD":
        response.body = b""
    try:
        return _with_headers(response, holdings_of(request))
    except TrialystError:
        # The registry itself is the trouble, and has been told.
        return response


async def _on_invalid(request: Request, error: Exception) -> Response:
    return _refuse(request, str(error), 400)


async def _on_missing(request: Request, error: Exception) -> Response:
    return _refuse(request, str(error), 404)


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = _refuse(request, error.detail, error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _on_trouble(request: Request, error: Exception) -> Response:
    """Say what is wrong with the registry itself; the request was in order."""
    _log.error("The registry cannot answer: %s", error)
    return _refuse(request, str(error), 500)


async def _on_overload(request: Request, error: Exception) -> Response:
    """Say that it was too much, and when to come again."""
    wait = error.retry_after if isinstance(error, Overloaded) else RETRY_AFTER
    response = _refuse(request, str(error), 503)
    response.headers["Retry-After"] = f"{wait:.0f}"
    return response


async def _on_bug(request: Request, error: Exception) -> Response:
    return _refuse(request, "Internal server error", 500)


error_handlers = {
    InvalidInput: _on_invalid,
    NotFound: _on_missing,
    Overloaded: _on_overload,
    DeadlinePassed: _on_overload,
    TrialystError: _on_trouble,
    HTTPException: _on_http,
    Exception: _on_bug,
}
