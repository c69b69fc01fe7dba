"""One pace per host for the whole process, and what a host is."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transport.asking import ask
from tests.transport.scripted import ScriptedClock, Upstream, reply
from trialyst.errors import RateLimited, UpstreamError
from trialyst.settings import Settings
from trialyst.transport import Allowance, Hosts, Limits, Transport, allowing, open_transport
from trialyst.transport.allowance import Rank, rank_request
from trialyst.transport.exchange import next_hop
from trialyst.transport.hosts import Turn, shared_hosts
from trialyst.transport.limits import host_of


def _paced(url: str, rate: float) -> Limits:
    return Limits(rates={host_of(url): rate})


def test_requests_keep_their_distance(server: Upstream, clock: ScriptedClock) -> None:
    server.script(*[reply("x")] * 3)

    async def run() -> None:
        transport = Transport(clock=clock, hosts=Hosts(), limits=_paced(server.url, 2.0))
        for _ in range(3):
            await transport.get(server.url, bytes.decode)
        await transport.aclose()

    asyncio.run(run())
    assert clock.waits == [0.5, 0.5]


def test_transports_of_one_process_share_the_pace(server: Upstream, clock: ScriptedClock) -> None:
    hosts = Hosts()
    server.script(*[reply("x")] * 2)
    for _ in range(2):
        ask(server.url, clock=clock, hosts=hosts, limits=_paced(server.url, 1.0))
    assert clock.waits == [1.0]


def test_every_try_takes_a_turn(server: Upstream, clock: ScriptedClock) -> None:
    """Backing off for 1 s is not enough where requests are 5 s apart."""
    server.script(reply(status=500), reply("x"))
    ask(server.url, clock=clock, limits=_paced(server.url, 0.2))
    assert clock.waits == [1.0, 4.0]


def test_loopback_is_unlimited_by_default(server: Upstream, clock: ScriptedClock) -> None:
    hosts = Hosts()
    server.script(*[reply("x")] * 5)
    for _ in range(5):
        ask(server.url, clock=clock, hosts=hosts)
    assert clock.waits == []


@pytest.mark.parametrize(
    ("url", "seconds"),
    [
        ("https://clinicaltrials.gov/api/v2", 1.0),
        ("https://www.wikipathways.org/json", 1.0),
        ("http://localhost:8080", 0.0),
        ("http://[::1]:8080", 0.0),
        ("http://127.9.9.9", 0.0),
    ],
)
def test_default_pace(url: str, seconds: float) -> None:
    assert Limits().interval(host_of(url)) == seconds


def test_a_rate_of_zero_is_no_limit() -> None:
    assert Limits(rates={"clinicaltrials.gov": 0.0}).interval("clinicaltrials.gov") == 0.0


def test_real_transports_share_one_book_of_hosts() -> None:
    settings = Settings.from_environment({})
    first, second = open_transport(settings), open_transport(settings)
    assert first.hosts is second.hosts is shared_hosts()


def test_the_pace_of_the_live_registry_is_a_setting() -> None:
    environ = {"TRIALYST_CTGOV_RATE": "4"}
    limits = open_transport(Settings.from_environment(environ)).limits
    assert limits.interval("clinicaltrials.gov") == 0.25
    assert limits.interval("wikipathways.org") == 1.0


SAME = (1, 0, 0)


def waits(hosts: Hosts, *turns: Turn, now: float = 0.0) -> list[float]:
    return [hosts.take_turn(turn, now=now, interval=1.0) for turn in turns]


@given(
    st.lists(
        st.tuples(st.floats(min_value=0, max_value=3), st.integers(min_value=-1, max_value=3)),
        min_size=1,
        max_size=40,
    )
)
def test_turns_are_never_closer_than_the_interval(steps: list[tuple[float, int]]) -> None:
    hosts, now = Hosts(), 0.0
    line: list[Turn] = []
    sent: list[float] = []
    for gap, rank in steps:
        now += gap
        if rank < 0 and line:
            hosts.leave_line(line.pop(len(line) // 2))
        else:
            line.append(hosts.join_line("h", (1, 0, rank)))
        went = [turn for turn in line if not hosts.take_turn(turn, now=now, interval=1.0)]
        sent += [now] * len(went)
        line = [turn for turn in line if turn not in went]
    assert all(after - before >= 1.0 - 1e-5 for before, after in pairwise(sent))


def test_hosts_do_not_wait_for_each_other() -> None:
    hosts = Hosts()
    turns = [hosts.join_line(name, SAME) for name in "aab"]
    assert waits(hosts, *turns) == [0.0, 1.0, 0.0]


def test_turns_are_taken_by_rank_and_then_in_order() -> None:
    hosts = Hosts()
    first, second, third = (hosts.join_line("h", SAME) for _ in range(3))
    before = [hosts.join_line("h", (0, 0, 0)) for _ in range(2)]
    assert waits(hosts, *before, first, second, third) == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_urgent_requests_go_first_then_calls_in_the_order_they_began_long_ones_last() -> None:
    older, younger = Allowance(until=50.0), Allowance(until=50.0)
    alone = rank_request()

    def rank(allowance: Allowance, *, asked: int = 0, urgent: bool = False) -> Rank:
        with allowing(replace(allowance, asked=asked)):
            return rank_request(urgent=urgent)

    assert (
        rank(younger, urgent=True)
        < rank(older, asked=7)
        < rank(younger)
        < alone
        < rank(older, asked=8)
        < rank(younger, asked=8)
    )


def test_who_leaves_the_line_makes_room() -> None:
    hosts = Hosts()
    first, second, third = (hosts.join_line("h", SAME) for _ in range(3))
    assert waits(hosts, first, second, third) == [0.0, 1.0, 2.0]
    hosts.leave_line(second)
    assert waits(hosts, third, now=0.5) == [0.5]
    hosts.leave_line(first)
    assert waits(hosts, third, now=1.0) == [0.0]


def test_who_does_not_come_in_time_is_not_waited_for() -> None:
    hosts = Hosts()
    gone, late, waiting = (hosts.join_line("h", SAME) for _ in range(3))
    assert waits(hosts, gone) == [0.0]
    assert waits(hosts, waiting, now=1.5) == [0.5]
    assert waits(hosts, waiting, late, now=2.0) == [0.0, 1.0]


def test_a_request_that_is_called_off_leaves_its_turn_to_the_next(server: Upstream) -> None:
    """Of a hundred requests that wait and are called off, none delays the one after them."""
    server.script(*[reply("x")] * 2)

    async def run() -> float:
        transport = Transport(hosts=Hosts(), limits=_paced(server.url, 5.0))
        await transport.get(server.url, bytes.decode)
        waiting = [asyncio.create_task(transport.get(server.url, bytes.decode)) for _ in range(100)]
        await asyncio.sleep(0)
        started = time.monotonic()
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await transport.get(server.url, bytes.decode)
        took = time.monotonic() - started
        await transport.aclose()
        return took

    assert asyncio.run(run()) < 5
    assert len(server.requests) == 2


def test_a_turn_that_comes_too_late_for_the_call_is_refused_at_once(
    server: Upstream, clock: ScriptedClock
) -> None:
    server.script(*[reply("x")] * 2)

    async def run() -> None:
        transport = Transport(clock=clock, hosts=Hosts(), limits=_paced(server.url, 0.1))
        with allowing(Allowance(until=clock.monotonic() + 4)):
            await transport.get(server.url, bytes.decode)
            with pytest.raises(RateLimited, match=r"could be sent in 10 s.* 4 s left") as caught:
                await transport.get(server.url, bytes.decode)
        assert "Call again in 10 s" in caught.value.hint
        assert clock.waits == []
        await transport.get(server.url, bytes.decode)
        await transport.aclose()

    asyncio.run(run())
    assert clock.waits == [10.0]


@pytest.mark.parametrize("location", ["http://clinicaltrials.gov/x", ""])
def test_encryption_is_never_given_up_by_a_redirect(location: str) -> None:
    with pytest.raises(UpstreamError, match="unusable address"):
        next_hop("https://clinicaltrials.gov/x", location)
