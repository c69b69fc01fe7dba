"""The transport: values by URL, from the service or from the cache, and files by download.

What is kept on disk is asked for again with its tag, so an answer is as new as the service's.
When the service cannot be reached, the kept answer is given, marked stale and with its age.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, cast
from urllib.parse import quote, urlencode

from trialyst import __version__
from trialyst.clock import Clock, SystemClock
from trialyst.errors import RateLimited, UpstreamError
from trialyst.settings import PUBMED_URL, Settings
from trialyst.transport.allowance import current_allowance
from trialyst.transport.cache import Cache, Kept
from trialyst.transport.download import Downloaded, DownloadProgress, Half
from trialyst.transport.errors import Refused
from trialyst.transport.exchange import MAX_HOPS, Exchange, Failure, is_redirect, next_hop
from trialyst.transport.hosts import Hosts, shared_hosts
from trialyst.transport.limits import Limits, host_of

if TYPE_CHECKING:
    import httpx2

__all__ = ["USER_AGENT", "Answer", "CacheUse", "Transport", "open_transport"]

USER_AGENT = f"trialyst/{__version__} (clinical-trial search on your own machine)"
PUBMED_RATE_WITH_KEY = 10.0
"""Requests a second that the E-utilities allow whoever has a key."""

_KEPT_STATUSES = frozenset({200, 301, 308})
_MAX_AGE = re.compile(r"\bmax-age\s*=\s*\"?(\d+)")

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class CacheUse:
    """How one request uses the cache on disk."""

    private: bool = False
    """Leave no trace: neither read it nor write it."""
    fresh_for: float = 0.0
    """Take an answer that is younger than so many seconds without asking."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """What a service said. An age of 0 means that it stands by it now."""

    url: str
    """The address that answered, after redirects."""
    value: Value
    headers: Mapping[str, str]
    age: float = 0.0
    """Seconds since the service last stood by it."""
    problem: str | None = None
    """Why an older answer was taken from the cache although the service was asked."""

    @property
    def stale(self) -> bool:
        """Whether this is an older answer because the service could not be reached."""
        return self.problem is not None


@dataclass(frozen=True, slots=True)
class _Raw(Generic[Value]):
    """An answer as it came; a redirect has no value, only a `location` among its headers."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    value: Value | None


@dataclass(frozen=True, slots=True)
class _Held(Generic[Value]):
    """A kept answer and its value; a kept redirect has none."""

    kept: Kept
    value: Value | None

    def age(self, now: float) -> float:
        return max(now - self.kept.checked_at, 0.0)

    @property
    def lifetime(self) -> float:
        """How long the answer may be used unasked; without the service's word not at all."""
        control = self.kept.headers.get("cache-control", "").lower()
        stated = _MAX_AGE.search(control)
        return float(stated.group(1)) if stated and "no-cache" not in control else 0.0


class Transport:
    """HTTP for one event loop at a time; close it when done."""

    def __init__(
        self,
        *,
        cache: Cache | None = None,
        limits: Limits | None = None,
        hosts: Hosts | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._cache = cache
        self.clock = clock or SystemClock()
        self.limits = limits or Limits()
        self.hosts = hosts or shared_hosts()
        self._exchange = Exchange(
            user_agent=USER_AGENT, limits=self.limits, hosts=self.hosts, clock=self.clock
        )

    async def get(
        self,
        url: str,
        read: Callable[[bytes], Value],
        *,
        params: Mapping[str, str] | None = None,
        use: CacheUse | None = None,
        urgent: bool = False,
    ) -> Answer[Value]:
        """Give what a URL holds, following redirects.

        Args:
            read: Makes a value of a whole body; a ValueError from it means a damaged body, which
                is asked for again.
            use: How the cache on disk may be used; by default every answer is kept, and asked for
                again with its tag.
            urgent: Go before other requests that wait for their turn.

        Raises:
            Refused: a 4xx, with the service's words.
            RateLimited: the service asks for a longer wait than allowed.
            UpstreamError: every try failed.
        """
        if params:
            url = f"{url}?{urlencode(params, quote_via=quote)}"
        for _ in range(MAX_HOPS):
            found = await self._fetch(url, read, use or CacheUse(), urgent=urgent)
            if not isinstance(found, str):
                return found
            url = next_hop(url, found)
        raise UpstreamError(f"{host_of(url)} redirects too many times")

    async def download(
        self,
        url: str,
        target: Path,
        *,
        progress: Callable[[DownloadProgress], None] | None = None,
    ) -> Downloaded:
        """Fetch a file, going on where an earlier call was cut off.

        The target appears only when it is whole; until then the bytes stand beside it in
        `<target>.part`. Tries are counted anew whenever one brought the file further.

        Raises:
            Refused, RateLimited, UpstreamError: as for `get`; what was fetched stays.
        """
        half = Half.find(url, target)
        best = half.done

        def progressed() -> bool:
            nonlocal best
            further, best = half.done > best, max(half.done, best)
            return further

        address = url
        for _ in range(MAX_HOPS):
            location = await self._exchange.run(
                address,
                lambda here=address: self._fetch_part(here, half, progress),  # type: ignore[misc]
                progressed=progressed,
            )
            if location is None:
                await asyncio.to_thread(half.finish)
                return Downloaded(
                    path=target,
                    size=half.done,
                    size_checked=half.total is not None,
                    resumed_from=half.resumed_from,
                    etag=half.etag,
                    last_modified=half.last_modified,
                )
            address = next_hop(address, location)
        raise UpstreamError(f"{host_of(address)} redirects too many times")

    async def _fetch(
        self, url: str, read: Callable[[bytes], Value], use: CacheUse, *, urgent: bool
    ) -> Answer[Value] | str:
        """Give the answer of one address, or where it sends us."""
        cache = None if use.private else self._cache
        held = await self._load(cache, url, read)
        now = self.clock.time()
        if held and held.age(now) < max(use.fresh_for, held.lifetime):
            return _from_cache(url, held, now=now)
        kept = held.kept if held else None
        try:
            raw = await self._exchange.run(
                url, lambda: self._request(url, read, kept), urgent=urgent
            )
        except Refused:
            raise
        except (RateLimited, UpstreamError) as error:
            if held is None:
                raise
            return _from_cache(url, held, now=self.clock.time(), problem=error.message)
        now = self.clock.time()
        if raw.status == 304 and held and cache:
            await asyncio.to_thread(cache.confirm, url, now=now)
            confirmed = replace(held, kept=replace(held.kept, checked_at=now))
            return _from_cache(url, confirmed, now=now)
        if cache and raw.status in _KEPT_STATUSES and not _is_secret(raw.headers):
            await asyncio.to_thread(
                cache.save, url, Kept(raw.status, raw.headers, raw.body, checked_at=now)
            )
        elif allowance := current_allowance():
            allowance.lost += 1
        if raw.status != 200:
            return raw.headers.get("location", "")
        return Answer(url, cast("Value", raw.value), raw.headers)

    async def _load(
        self, cache: Cache | None, url: str, read: Callable[[bytes], Value]
    ) -> _Held[Value] | None:
        """Give what is kept, unless it cannot be read any more."""
        if cache is None:
            return None
        kept = await asyncio.to_thread(cache.load, url, now=self.clock.time())
        if kept is None:
            return None
        try:
            return _Held(kept, read(kept.body) if kept.status == 200 else None)
        except ValueError:
            return None

    async def _request(
        self, url: str, read: Callable[[bytes], Value], kept: Kept | None
    ) -> _Raw[Value]:
        async with self._exchange.open(url, _conditions(kept)) as response:
            status = response.status_code
            headers = dict(response.headers)
            if is_redirect(response) or (status == 304 and kept):
                return _Raw(status, headers, b"", None)
            body = await self._exchange.read_body(response)
        return _Raw(status, headers, body, _read(body, read, status, headers, host_of(url)))

    async def _fetch_part(
        self, url: str, half: Half, progress: Callable[[DownloadProgress], None] | None
    ) -> str | None:
        """Bring a file one try further; gives an address if the file is elsewhere."""
        try:
            async with self._exchange.open(url, half.headers()) as response:
                if is_redirect(response):
                    return response.headers.get("location", "")
                if not half.begin(response.status_code, response.headers):
                    raise Failure(
                        f"{host_of(url)} sent another part of the file than was asked for"
                    )
                await self._write(half, response, progress)
        except Refused as refusal:
            if refusal.status != 416 or not half.done:
                raise
            half.restart()
            raise Failure(f"{host_of(url)} has no more of the file than there is here") from refusal
        if half.total is not None and half.done != half.total:
            raise Failure(f"{host_of(url)} sent {half.done} of {half.total} bytes")
        return None

    async def _write(
        self,
        half: Half,
        response: httpx2.Response,
        progress: Callable[[DownloadProgress], None] | None,
    ) -> None:
        with half.open() as file:
            # As they come: parts gathered to a size would be lost when the connection is cut.
            async for part in response.aiter_raw():
                file.write(part)
                half.done += len(part)
                if progress:
                    progress(DownloadProgress(half.done, half.total))

    async def aclose(self) -> None:
        """Close connections and the cache."""
        await self._exchange.aclose()
        if self._cache is not None:
            await asyncio.to_thread(self._cache.close)


def open_transport(settings: Settings, *, clock: Clock | None = None) -> Transport:
    """Give a transport that keeps answers under the home directory, at the pace that is set."""
    cache = None
    if settings.cache_bytes:
        path = settings.home / "cache" / "http.sqlite"
        cache = Cache(path, max_bytes=settings.cache_bytes)
    return Transport(cache=cache, limits=Limits(rates=_rates(settings)), clock=clock)


def _rates(settings: Settings) -> dict[str, float]:
    rates = {}
    if settings.ctgov_rate is not None:
        rates[host_of(settings.ctgov_url)] = settings.ctgov_rate
    if settings.pubmed_key and settings.pubmed_url == PUBMED_URL:
        rates[host_of(PUBMED_URL)] = PUBMED_RATE_WITH_KEY
    return rates


def _from_cache(
    url: str, held: _Held[Value], *, now: float, problem: str | None = None
) -> Answer[Value] | str:
    headers = held.kept.headers
    if held.kept.status != 200:
        return headers.get("location", "")
    return Answer(url, cast("Value", held.value), headers, held.age(now), problem)


def _conditions(kept: Kept | None) -> dict[str, str]:
    """Ask only for what is newer than what is kept."""
    held = kept.headers if kept and kept.status == 200 else {}
    asked = {"If-None-Match": held.get("etag"), "If-Modified-Since": held.get("last-modified")}
    return {name: value for name, value in asked.items() if value}


def _read(
    body: bytes,
    read: Callable[[bytes], Value],
    status: int,
    headers: Mapping[str, str],
    host: str,
) -> Value:
    if status != 200:
        raise Failure(f"{host} answered with an unexpected status ({status})", final=True)
    try:
        return read(body)
    except ValueError as problem:
        # A page of a proxy or of the service's edge comes whole; anything else may be cut short.
        is_page = "html" in headers.get("content-type", "")
        what = "a web page in place of data" if is_page else f"an unreadable answer: {problem}"
        raise Failure(f"{host} sent {what}", final=is_page) from problem


def _is_secret(headers: Mapping[str, str]) -> bool:
    return "no-store" in headers.get("cache-control", "").lower()
