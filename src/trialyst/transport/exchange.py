"""One paced request and its repeats: turns, tries, waits, and the meaning of a status.

The pool of connections lives here. What is done with a body is the caller's; a caller that finds
a body wrong raises `Failure`, and the request is made again.
"""

from __future__ import annotations

import asyncio
import logging
import math
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import httpx2

from trialyst.clock import Clock
from trialyst.errors import RateLimited, UpstreamError
from trialyst.transport.allowance import current_allowance, rank_request
from trialyst.transport.errors import Refused, TurnTooLate
from trialyst.transport.hosts import Hosts
from trialyst.transport.limits import Limits, host_of, parse_retry_after
from trialyst.transport.watchers import tell_watcher

__all__ = ["MAX_HOPS", "Exchange", "Failure", "is_redirect", "next_hop"]

MAX_HOPS = 5

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_CONNECTIONS = 8
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_LONGEST_QUOTE = 500
_FORBIDDEN_HINT = (
    "Ask again in 60 s. If it still refuses, this network is turned away, as some cloud addresses "
    "and proxies are: use another one or no proxy, or a local registry, which needs no service."
)

Value = TypeVar("Value")


class Failure(Exception):
    """A try that came to nothing; another may succeed unless it is `final`."""

    def __init__(
        self,
        message: str,
        *,
        retry_after: float | None = None,
        rate_limited: bool = False,
        final: bool = False,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after = retry_after
        self.rate_limited = rate_limited
        self.final = final
        self.hint = hint


class Exchange:
    """Sends requests at the pace of each host, again where that can help."""

    def __init__(self, *, user_agent: str, limits: Limits, hosts: Hosts, clock: Clock) -> None:
        self.limits = limits
        self.clock = clock
        self._user_agent = user_agent
        self._hosts = hosts
        self._client: httpx2.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def run(
        self,
        url: str,
        attempt: Callable[[], Awaitable[Value]],
        *,
        progressed: Callable[[], bool] = lambda: False,
        urgent: bool = False,
    ) -> Value:
        """Make tries until one succeeds; after one that `progressed` the count begins again.

        Args:
            urgent: Go before other requests that wait for their turn.

        Raises:
            Refused: the service says no, so no second try was made.
            RateLimited: it asks for a longer wait than allowed, or for patience every time.
            TurnTooLate: the turn would come when the time of the call is up.
            UpstreamError: all tries failed, or the host is being left alone.
        """
        host = host_of(url)
        self._heed_pause(host)
        made = 0
        while True:
            await self._take_turn(host, urgent=urgent)
            try:
                value = await attempt()
            except Failure as failure:
                made = 1 if progressed() else made + 1
                if failure.final or made >= self.limits.tries:
                    self._hosts.note_failure(host, now=self.clock.monotonic())
                    raise _to_error(failure, host, made) from failure
                await tell_watcher(f"{failure.message}; try {made} of {self.limits.tries}")
                await self._back_off(host, failure, made)
            except Refused:
                self._hosts.note_success(host)
                raise
            else:
                self._hosts.note_success(host)
                if allowance := current_allowance():
                    allowance.answered += 1
                await tell_watcher(f"{host} answered")
                return value

    @asynccontextmanager
    async def open(self, url: str, headers: Mapping[str, str]) -> AsyncIterator[httpx2.Response]:
        """Send one request; gives an answer whose body is still to be read.

        Raises:
            Failure: a try that came to nothing, also while the body is read.
            Refused: a 4xx.
        """
        host = host_of(url)
        try:
            async with self._pool().stream("GET", url, headers=dict(headers)) as response:
                if response.status_code >= 400:
                    await self._raise_for(response, host)
                yield response
        except httpx2.TimeoutException as problem:
            raise Failure(f"{host} did not answer in time") from problem
        except (httpx2.TransportError, httpx2.DecodingError) as problem:
            detail = str(problem) or type(problem).__name__
            raise Failure(f"The connection to {host} failed: {detail}") from problem
        except httpx2.InvalidURL as problem:
            raise Failure(f"{url!r} is not a usable URL: {problem}", final=True) from problem

    async def read_body(self, response: httpx2.Response) -> bytes:
        """Read a body that may not take longer than the limit in all."""
        start = self.clock.monotonic()
        parts: list[bytes] = []
        async for part in response.aiter_bytes():
            parts.append(part)
            if self.clock.monotonic() - start > self.limits.total:
                host = host_of(str(response.url))
                raise Failure(f"{host} sends too slowly: no whole answer in {self.limits.total} s")
        return b"".join(parts)

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    def _heed_pause(self, host: str) -> None:
        pause = self._hosts.pause_of(host, now=self.clock.monotonic())
        if pause is None:
            return
        seconds = max(round(pause.seconds), 1)
        if pause.asked_for:
            raise _asked_to_wait(host, seconds)
        raise UpstreamError(
            f"{host} failed several times in a row and is left alone for {seconds} s",
            hint=f"Ask again in {seconds} s, or use a local registry, which needs no service.",
        )

    async def _take_turn(self, host: str, *, urgent: bool) -> None:
        interval = self.limits.interval(host)
        turn = self._hosts.join_line(host, rank_request(urgent=urgent))
        if allowance := current_allowance():
            allowance.note_request(host)
        try:
            while wait := self._hosts.take_turn(
                turn, now=self.clock.monotonic(), interval=interval
            ):
                self._check_time(host, wait)
                # Looks again after every turn of others: who stood before may have left.
                await self.clock.sleep(min(wait, interval or wait))
        finally:
            self._hosts.leave_line(turn)

    def _check_time(self, host: str, wait: float) -> None:
        """Refuse to wait for a turn that comes when the time of the call is up."""
        allowance = current_allowance()
        left = allowance.until - self.clock.monotonic() if allowance else math.inf
        if wait > left:
            seconds = math.ceil(wait)
            raise TurnTooLate(
                f"Many requests wait for {host}: this one could be sent in {seconds} s, and the "
                f"call has {max(math.floor(left), 0)} s left",
                hint=f"Call again in {seconds} s, or ask for fewer things at once.",
                seconds=seconds,
            )

    async def _back_off(self, host: str, failure: Failure, made: int) -> None:
        wait = failure.retry_after or self.limits.backoff(made, self.clock.random())
        if wait > self.limits.longest_wait:
            self._hosts.pause(host, until=self.clock.monotonic() + wait)
            raise _asked_to_wait(host, max(round(wait), 1)) from failure
        await self.clock.sleep(wait)

    async def _raise_for(self, response: httpx2.Response, host: str) -> None:
        status = response.status_code
        body = await self.read_body(response)
        retry_after = parse_retry_after(response.headers.get("retry-after"), self.clock.time())
        if status == 403:
            message = f"{host} refuses this client (403)"
            raise Failure(message, final=True, hint=_FORBIDDEN_HINT)
        if status == 429:
            message = f"{host} receives too many requests (429)"
            raise Failure(message, retry_after=retry_after, rate_limited=True)
        if status == 408 or status >= 500:
            raise Failure(f"{host} failed ({status})", retry_after=retry_after)
        is_text = "html" not in response.headers.get("content-type", "")
        text = body.decode("utf-8", "replace").strip() if is_text else response.reason_phrase
        raise Refused(status, text[:_LONGEST_QUOTE], host=host)

    def _pool(self) -> httpx2.AsyncClient:
        """Give the client of the running loop; connections cannot move between loops."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self._create_client(), loop
        return self._client

    def _create_client(self) -> httpx2.AsyncClient:
        # The library logs whole URLs, and with them what people search for.
        log = logging.getLogger("httpx2")
        if log.level == logging.NOTSET:
            log.setLevel(logging.WARNING)
        # As urllib sets it up: ClinicalTrials.gov turns some other client hellos away with a 403.
        context = ssl.create_default_context()
        context.post_handshake_auth = True
        return httpx2.AsyncClient(
            headers={"User-Agent": self._user_agent, "Accept-Encoding": "gzip"},
            verify=context,
            timeout=httpx2.Timeout(self.limits.read, connect=self.limits.connect, pool=None),
            limits=httpx2.Limits(max_connections=_MAX_CONNECTIONS),
            # A proxy in the environment is for the world outside.
            mounts={f"all://{name}": None for name in _LOOPBACK},
        )


def is_redirect(response: httpx2.Response) -> bool:
    """Whether an answer only names another address."""
    return response.status_code in _REDIRECTS


def next_hop(url: str, location: str) -> str:
    """Give the address a redirect leads to; encryption is never given up on the way."""
    following = urljoin(url, location)
    if not location or (urlsplit(url).scheme == "https" != urlsplit(following).scheme):
        raise UpstreamError(f"{host_of(url)} redirects to an unusable address: {location!r}")
    return following


def _asked_to_wait(host: str, seconds: int) -> RateLimited:
    return RateLimited(
        f"{host} asks to wait {seconds} s before the next request",
        hint=f"Wait {seconds} s, then ask again.",
    )


def _to_error(failure: Failure, host: str, made: int) -> RateLimited | UpstreamError:
    tried = "" if failure.final else f"; tried {made} times"
    kind = RateLimited if failure.rate_limited else UpstreamError
    return kind(f"{failure.message}{tried}", hint=failure.hint)
