"""Limits of a server, over real connections: silence, length, number, time, clients that leave."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx2
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tests.serving import serving
from trialyst.deadlines import check_deadline
from trialyst.errors import DeadlinePassed
from trialyst.interfaces.serving.connections import LimitedProtocol
from trialyst.interfaces.serving.requests import Requests

PATIENCE = 30.0


class Slow:
    """An app of which one address works until it is called off, in a thread."""

    def __init__(self) -> None:
        self.called_off = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)
        routes = [Route("/slow", self._slow), Route("/quick", self._quick)]
        self.app = Starlette(routes=routes)

    def _work(self) -> None:
        self.begun.release()
        try:
            for _ in range(int(PATIENCE * 100)):
                check_deadline()
                threading.Event().wait(0.01)
        except DeadlinePassed:
            self.called_off.release()
            raise

    async def _slow(self, request: Request) -> Response:
        try:
            await run_in_threadpool(self._work)
        except DeadlinePassed:
            return PlainTextResponse("late", 503)
        return PlainTextResponse("done")

    async def _quick(self, request: Request) -> Response:
        return PlainTextResponse(await run_in_threadpool(lambda: "quick"))


def ask(url: str, path: str) -> socket.socket:
    """Send a request, and do not wait for its answer."""
    address = urlsplit(url)
    asking = socket.create_connection((address.hostname, address.port), timeout=PATIENCE)
    asking.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return asking


@contextmanager
def slow(*, seconds: float = PATIENCE, most: int = 1_000) -> Iterator[tuple[Slow, str]]:
    """Serve a slow app under a deadline."""
    served = Slow()
    with serving(Requests(served.app, seconds=seconds, most=most)) as url:
        yield served, url


def test_requests_whose_clients_left_hold_up_nobody() -> None:
    with slow() as (served, url):
        # More than there are threads: not called off, they would leave none.
        asking = [ask(url, "/slow") for _ in range(60)]
        assert served.begun.acquire(timeout=PATIENCE)
        for each in asking:
            each.close()
        assert httpx2.get(f"{url}/quick", timeout=PATIENCE / 2).text == "quick"
        assert served.called_off.acquire(timeout=PATIENCE)


def test_what_takes_too_long_ends_and_too_many_are_refused() -> None:
    with slow(seconds=0.1) as (_, url):
        assert httpx2.get(f"{url}/slow", timeout=PATIENCE).status_code == 503
    with slow(most=1) as (served, url):
        first = ask(url, "/slow")
        assert served.begun.acquire(timeout=PATIENCE)
        refused = httpx2.get(f"{url}/quick", timeout=PATIENCE)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
        first.close()
        assert served.called_off.acquire(timeout=PATIENCE)


def test_a_long_address_is_told_so_and_not_reset() -> None:
    with slow() as (_, url):
        for length, status in ((90_000, 200), (110_000, 414), (400_000, 414), (2_000_000, 414)):
            with ask(url, f"/quick?{'a' * length}") as asking:
                assert asking.recv(12) == f"HTTP/1.1 {status}".encode(), length


def test_the_connection_that_rested_longest_makes_room() -> None:
    class Narrow(LimitedProtocol):
        most_connections = 5

    with serving(Slow().app, protocol=Narrow) as url:
        address = urlsplit(url)
        idle = [
            socket.create_connection((address.hostname, address.port), timeout=PATIENCE)
            for _ in range(12)
        ]
        assert httpx2.get(f"{url}/quick", timeout=PATIENCE).text == "quick"
        assert not idle[0].recv(1), "the first is closed"
        for each in idle:
            each.close()


def test_a_head_that_never_ends_is_not_waited_for() -> None:
    class Hasty(LimitedProtocol):
        head_seconds = 0.2

    with serving(Slow().app, protocol=Hasty) as url:
        address = urlsplit(url)
        for beginning in (b"", b"GET / HTTP/1.1\r\nHost:"):
            with socket.create_connection((address.hostname, address.port), PATIENCE) as half:
                half.sendall(beginning)
                assert half.recv(100) == b""
        with httpx2.Client(base_url=url) as client:
            assert client.get("/quick").text == "quick"
            threading.Event().wait(0.4)
            assert client.get("/quick").text == "quick", "an idle connection may rest"
