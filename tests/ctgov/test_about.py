"""What the live service says of its data is asked once for all, and searches do not wait for it."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.types import Receive, Scope, Send

from tests.registry.invented import many
from tests.serving import serving
from tests.transport.scripted import (
    Request,
    ScriptedClock,
    Step,
    Upstream,
    dropped,
    reply,
    upstream,
)
from trialyst.ctgov.client import LiveSource
from trialyst.ctgov.params import parse_params
from trialyst.ctgov.source import Provenance
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import Registry, build_from_studies
from trialyst.transport import Allowance, Cache, Hosts, Limits, Transport, allowing
from trialyst.transport.limits import host_of

Value = TypeVar("Value")

ASTHMA = parse_params({"query.cond": "asthma", "pageSize": "2"})
TARGETS = ["/api/v2/version", "/api/v2/stats/size"]


def tagged(tag: str) -> Step:
    """Answer as the service does while its data has this tag."""

    def step(connection: socket.socket, request: Request) -> None:
        if request.headers.get("if-none-match") == tag:
            reply(status=304, ETag=tag)(connection, request)
            return
        bodies: dict[str, Any] = {
            "version": {"dataTimestamp": f"2026-08-1{tag[1]}T00:00:00"},
            "size": {"totalStudies": 600000},
        }
        page = {"studies": [], "totalCount": int(tag[1])}
        last = request.target.partition("?")[0].rpartition("/")[2]
        reply(json.dumps(bodies.get(last, page)), ETag=tag)(connection, request)

    return step


DAY_1, DAY_2 = tagged('"1"'), tagged('"2"')


@pytest.fixture
def server() -> Iterator[Upstream]:
    with upstream() as started:
        yield started


def ask(
    server: Upstream,
    action: Callable[[LiveSource], Awaitable[Value]],
    *,
    cache: Path | None = None,
    clock: ScriptedClock | None = None,
) -> Value:
    async def run() -> Value:
        transport = Transport(
            clock=clock or ScriptedClock(),
            hosts=Hosts(),
            limits=Limits(tries=1),
            cache=Cache(cache) if cache else None,
        )
        source = LiveSource(transport, server.url + "/api/v2")
        try:
            return await action(source)
        finally:
            await source.aclose()

    return asyncio.run(run())


def test_those_who_ask_at_the_same_time_ask_once(server: Upstream) -> None:
    server.script(*[DAY_1] * 2)

    async def together(source: LiveSource) -> list[Provenance]:
        sources = [source, source.privately(), source.privately()] * 3
        return await asyncio.gather(*(each.provenance() for each in sources))

    told = ask(server, together)
    assert {each.records for each in told} == {600000}
    assert server.targets() == TARGETS


def test_a_private_copy_knows_what_its_source_knows(server: Upstream) -> None:
    server.script(*[DAY_1] * 2)

    async def one_after_the_other(source: LiveSource) -> Provenance:
        await source.provenance()
        return await source.privately().provenance()

    assert ask(server, one_after_the_other).data_timestamp == "2026-08-11T00:00:00"
    assert server.targets() == TARGETS


def test_what_cannot_be_learned_is_tried_once_for_all_who_wait(server: Upstream) -> None:
    server.script(dropped, *[DAY_1] * 2)

    async def together(source: LiveSource) -> list[Provenance]:
        first = await asyncio.gather(*(source.provenance() for _ in range(5)))
        return [*first, await source.provenance()]

    *failed, later = ask(server, together)
    assert all("could not be learned" in told.notes[0] for told in failed)
    assert later.records == 600000
    assert server.targets() == [TARGETS[0], *TARGETS]


def test_another_asks_where_the_first_is_called_off(server: Upstream) -> None:
    server.script(*[DAY_1] * 3)

    async def called_off(source: LiveSource) -> Provenance:
        first = asyncio.create_task(source.provenance())
        second = asyncio.create_task(source.provenance())
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert ask(server, called_off).records == 600000


@contextmanager
def logged(directory: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve a registry as the live service; gives the address and the paths asked for."""
    asked: list[str] = []
    with Registry.open(directory) as registry:
        app = create_app(registry)

        async def logging(scope: Scope, receive: Receive, send: Send) -> None:
            asked.append(scope["path"].rpartition("/")[2])
            await app(scope, receive, send)

        with serving(logging) as address:
            yield address + API_PREFIX, asked


@pytest.mark.slow
def test_first_searches_side_by_side_go_at_the_pace(tmp_path: Path) -> None:
    """Each is answered as soon as its own turn was, and none asks again what another asked."""
    build_from_studies(many(5), tmp_path)
    count, interval = 4, 0.5

    async def search(source: LiveSource) -> float:
        await source.search(ASTHMA)
        assert (await source.provenance()).records == 5
        return time.monotonic()

    async def run(url: str) -> list[float]:
        limits = Limits(rates={host_of(url): 1 / interval})
        transport = Transport(hosts=Hosts(), limits=limits)
        source = LiveSource(transport, url)
        started = time.monotonic()
        ended = await asyncio.gather(*(search(source) for _ in range(count)))
        await source.aclose()
        return [each - started for each in ended]

    with logged(tmp_path) as (url, asked):
        ended = asyncio.run(run(url))
    assert asked == ["studies", "version", "size", *["studies"] * (count - 1)]
    # The first needs three turns, each of the others one more: 2, 3, 4 and 5 intervals.
    assert all(late > interval * 0.8 for late in map(float.__sub__, ended[1:], ended))
    assert ended[-1] < (count + 3) * interval


def resumable(clock: ScriptedClock) -> Allowance:
    return Allowance(until=clock.monotonic() + 50, fresh_for=600)


def test_a_call_in_haste_uses_answers_of_the_last_minutes_again(
    server: Upstream, tmp_path: Path
) -> None:
    clock = ScriptedClock()
    server.script(*[DAY_1] * 5)

    async def calls(source: LiveSource) -> list[int]:
        counts = [await source.count(ASTHMA)]
        clock.elapsed += 300
        with allowing(resumable(clock)):
            counts.append(await source.count(ASTHMA))
        counts.append(await source.count(ASTHMA))
        clock.elapsed += 601
        with allowing(resumable(clock)):
            counts.append(await source.count(ASTHMA))
        return counts

    assert ask(server, calls, clock=clock, cache=tmp_path / "cache.sqlite") == [1] * 4
    assert len(server.requests) == 3


def test_answers_of_older_data_are_not_used_again_once_that_is_known(
    server: Upstream, tmp_path: Path
) -> None:
    clock = ScriptedClock()
    server.script(*[DAY_1] * 1, *[DAY_2] * 9)
    other = parse_params({"query.cond": "gout"})

    async def calls(source: LiveSource) -> list[int]:
        counts = [await source.count(ASTHMA)]
        clock.elapsed += 60
        with allowing(resumable(clock)):
            counts += [await source.count(ASTHMA), await source.count(other)]
            counts += [await source.count(ASTHMA), await source.count(ASTHMA)]
        return counts

    assert ask(server, calls, clock=clock, cache=tmp_path / "cache.sqlite") == [1, 1, 2, 2, 2]
