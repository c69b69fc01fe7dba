"""A look at an address of this machine: one short request, no redirects and no repeats."""

from __future__ import annotations

import asyncio

import httpx2

__all__ = ["probe"]

_SECONDS = 1.0
_LONGEST = 1_000_000


async def probe(url: str) -> bytes | None:
    """Give what an address answers within a second, None where it answers nothing of use."""
    # A proxy of the environment has no business with loopback, nor has a redirect.
    try:
        async with (
            asyncio.timeout(_SECONDS * 2),
            httpx2.AsyncClient(trust_env=False, follow_redirects=False, timeout=_SECONDS) as client,
            client.stream("GET", url) as response,
        ):
            body = b""
            async for part in response.aiter_bytes():
                body += part
                if len(body) > _LONGEST:
                    return None
            return body if response.status_code == httpx2.codes.OK else None
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError):
        return None
