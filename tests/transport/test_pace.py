"""One pace per host for the whole process, and what a host is."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transport.asking import ask
from tests.transport.scripted import ScriptedClock, Upstream, reply
from trialyst.errors import UpstreamError
from trialyst.settings import Settings
from trialyst.transport import Hosts, Limits, Transport, open_transport
from trialyst.transport.exchange import next_hop
from trialyst.transport.hosts import shared_hosts
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


@given(st.lists(st.floats(min_value=0, max_value=3), min_size=1, max_size=40))
def test_turns_are_never_closer_than_the_interval(gaps: list[float]) -> None:
    hosts, now, turns = Hosts(), 0.0, []
    for gap in gaps:
        now += gap
        turns.append(now + hosts.take_turn("h", now=now, interval=1.0))
    assert all(after - before >= 1.0 - 1e-9 for before, after in pairwise(turns))


def test_hosts_do_not_wait_for_each_other() -> None:
    hosts = Hosts()
    assert [hosts.take_turn(name, now=0.0, interval=1.0) for name in "aab"] == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("location", ["http://clinicaltrials.gov/x", ""])
def test_encryption_is_never_given_up_by_a_redirect(location: str) -> None:
    with pytest.raises(UpstreamError, match="unusable address"):
        next_hop("https://clinicaltrials.gov/x", location)
