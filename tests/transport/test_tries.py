"""Faults of a scripted upstream: the right error, the right waits, the right number of requests."""

from __future__ import annotations

import asyncio
import json
import logging
from email.utils import formatdate

import pytest

import trialyst
from tests.transport.asking import ask, with_transport
from tests.transport.scripted import (
    EPOCH,
    ScriptedClock,
    Upstream,
    dripping,
    dropped,
    reply,
    silent,
    truncated,
    unsized,
)
from trialyst.errors import RateLimited, UpstreamError
from trialyst.transport import Hosts, Limits, Refused, Transport


def test_an_answer_is_given_as_it_came(server: Upstream, clock: ScriptedClock) -> None:
    server.script(reply("hello", ETag='"1"'))
    answer = ask(server.url + "/x", clock=clock)
    assert (answer.value, answer.age, answer.stale) == ("hello", 0.0, False)
    assert answer.headers["etag"] == '"1"'
    assert clock.waits == []


def test_the_user_agent_is_honest(server: Upstream, clock: ScriptedClock) -> None:
    server.script(reply())
    ask(server.url, clock=clock)
    told = server.requests[0].headers["user-agent"]
    assert told.startswith(f"trialyst/{trialyst.__version__} ")
    assert "Mozilla" not in told


def test_500s_are_tried_again_until_one_succeeds(server: Upstream, clock: ScriptedClock) -> None:
    server.script(reply(status=500), reply(status=503), reply("well"))
    assert ask(server.url, clock=clock).value == "well"
    assert clock.waits == [1.0, 2.0]


def test_four_500s_are_the_end(server: Upstream, clock: ScriptedClock) -> None:
    server.script(*[reply(status=502)] * 5)
    with pytest.raises(UpstreamError, match=r"failed \(502\); tried 4 times"):
        ask(server.url, clock=clock)
    assert len(server.requests) == 4
    assert clock.waits == [1.0, 2.0, 4.0]


def test_waits_have_jitter(server: Upstream) -> None:
    clock = ScriptedClock(jitter=1.0)
    server.script(*[reply(status=500)] * 3, reply("well"))
    ask(server.url, clock=clock)
    assert clock.waits == [1.25, 2.5, 5.0]


def test_429_without_a_time_is_backed_off_from(server: Upstream, clock: ScriptedClock) -> None:
    server.script(*[reply(status=429)] * 4)
    with pytest.raises(RateLimited):
        ask(server.url, clock=clock)
    assert clock.waits == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds_is_obeyed(
    server: Upstream, clock: ScriptedClock, status: int
) -> None:
    server.script(reply(status=status, Retry_After="7"), reply("well"))
    assert ask(server.url, clock=clock).value == "well"
    assert clock.waits == [7.0]


def test_retry_after_as_a_date_is_obeyed(server: Upstream, clock: ScriptedClock) -> None:
    server.script(reply(status=429, Retry_After=formatdate(EPOCH + 9, usegmt=True)), reply("well"))
    assert ask(server.url, clock=clock).value == "well"
    assert clock.waits == [9.0]


def test_a_long_retry_after_is_told_at_once_and_heeded(
    server: Upstream, clock: ScriptedClock
) -> None:
    hosts = Hosts()
    server.script(reply(status=429, Retry_After="3600"), reply("well"))
    with pytest.raises(RateLimited, match="asks to wait 3600 s"):
        ask(server.url, clock=clock, hosts=hosts)
    clock.elapsed += 3000
    with pytest.raises(RateLimited, match="asks to wait 600 s"):
        ask(server.url, clock=clock, hosts=hosts)
    assert (len(server.requests), clock.waits) == (1, [])
    clock.elapsed += 600
    assert ask(server.url, clock=clock, hosts=hosts).value == "well"


@pytest.mark.parametrize(
    "fault",
    [dropped, truncated("[1, 2", length=50), unsized("[1, 2")],
    ids=["dropped", "truncated", "cut short without a length"],
)
def test_a_broken_answer_is_asked_for_again(
    server: Upstream, clock: ScriptedClock, fault: object
) -> None:
    server.script(fault, reply("[1, 2, 3]"))  # type: ignore[arg-type]
    answer = with_transport(lambda transport: transport.get(server.url, json.loads), clock=clock)
    assert answer.value == [1, 2, 3]
    assert clock.waits == [1.0]


def test_wrong_json_every_time_is_an_upstream_error(server: Upstream, clock: ScriptedClock) -> None:
    server.script(*[reply("{wrong", Content_Type="application/json")] * 4)
    with pytest.raises(UpstreamError, match="unreadable answer"):
        with_transport(lambda transport: transport.get(server.url, json.loads), clock=clock)
    assert len(server.requests) == 4


def test_a_web_page_in_place_of_data_is_not_asked_for_again(
    server: Upstream, clock: ScriptedClock
) -> None:
    server.script(reply("<html>", Content_Type="text/html"))
    with pytest.raises(UpstreamError, match="a web page in place of data"):
        with_transport(lambda transport: transport.get(server.url, json.loads), clock=clock)
    assert len(server.requests) == 1


def test_a_silent_service_is_given_up_on(server: Upstream, clock: ScriptedClock) -> None:
    server.script(silent, silent)
    with pytest.raises(UpstreamError, match="did not answer in time; tried 2 times"):
        ask(server.url, clock=clock, limits=Limits(read=0.05, tries=2))


def test_a_slow_drip_is_given_up_on(server: Upstream) -> None:
    """Every reading of the clock is three minutes later: the second byte would be too late."""
    server.script(dripping, dripping)
    with pytest.raises(UpstreamError, match=r"too slowly.*tried 2 times"):
        ask(server.url, clock=ScriptedClock(tick=180), limits=Limits(tries=2))


def test_an_unreachable_service_is_an_upstream_error(clock: ScriptedClock) -> None:
    with pytest.raises(UpstreamError, match="connection"):
        ask("http://127.0.0.1:9/nothing", clock=clock)
    assert clock.waits == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("status", [400, 404, 410, 414])
def test_a_refusal_is_not_tried_again(server: Upstream, clock: ScriptedClock, status: int) -> None:
    server.script(reply("`x` is unknown parameter", status=status, Content_Type="text/plain"))
    with pytest.raises(Refused) as caught:
        ask(server.url, clock=clock)
    assert (caught.value.status, caught.value.text) == (status, "`x` is unknown parameter")
    assert len(server.requests) == 1


def test_403_has_a_message_and_a_hint_of_its_own(server: Upstream, clock: ScriptedClock) -> None:
    server.script(reply("<html>Forbidden</html>", status=403, Content_Type="text/html"))
    with pytest.raises(UpstreamError, match="refuses this client") as caught:
        ask(server.url, clock=clock)
    assert "Ask again in 60 s" in str(caught.value.hint)
    assert "local registry" in str(caught.value.hint)
    assert "<html>" not in caught.value.message
    assert len(server.requests) == 1


def test_a_redirect_is_followed(server: Upstream, clock: ScriptedClock) -> None:
    server.script(reply(status=301, Location="/there"), reply("here"))
    answer = ask(server.url + "/first", clock=clock)
    assert (answer.value, answer.url) == ("here", server.url + "/there")


def test_endless_redirects_end(server: Upstream, clock: ScriptedClock) -> None:
    server.script(*[reply(status=302, Location="/round")] * 20)
    with pytest.raises(UpstreamError, match="too many times"):
        ask(server.url, clock=clock)


def test_parameters_are_encoded(server: Upstream, clock: ScriptedClock) -> None:
    server.script(reply("found"))
    params = {"query.cond": "HER2+ & others", "filter.ids": "NCT1,NCT2"}
    with_transport(
        lambda transport: transport.get(server.url + "/s", bytes.decode, params=params), clock=clock
    )
    assert server.targets() == ["/s?query.cond=HER2%2B%20%26%20others&filter.ids=NCT1%2CNCT2"]


def test_three_failed_requests_leave_the_host_alone_until_a_probe_succeeds(
    server: Upstream, clock: ScriptedClock
) -> None:
    hosts = Hosts()
    once = Limits(tries=1)
    server.script(*[reply(status=500)] * 4, reply("back"), reply("again"))
    for _ in range(3):
        with pytest.raises(UpstreamError, match="500"):
            ask(server.url, clock=clock, hosts=hosts, limits=once)
    with pytest.raises(UpstreamError, match="left alone for 30 s"):
        ask(server.url, clock=clock, hosts=hosts, limits=once)
    assert len(server.requests) == 3
    clock.elapsed += 31
    with pytest.raises(UpstreamError, match="500"):
        ask(server.url, clock=clock, hosts=hosts, limits=once)
    with pytest.raises(UpstreamError, match="left alone"):
        ask(server.url, clock=clock, hosts=hosts, limits=once)
    clock.elapsed += 31
    assert ask(server.url, clock=clock, hosts=hosts, limits=once).value == "back"
    assert ask(server.url, clock=clock, hosts=hosts, limits=once).value == "again"


def test_a_refusal_is_no_failure_of_the_host(server: Upstream, clock: ScriptedClock) -> None:
    hosts = Hosts()
    server.script(*[reply("no", status=404)] * 5, reply("well"))
    for _ in range(5):
        with pytest.raises(Refused):
            ask(server.url, clock=clock, hosts=hosts)
    assert ask(server.url, clock=clock, hosts=hosts).value == "well"


def test_what_is_asked_is_not_logged(
    server: Upstream, clock: ScriptedClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server.script(reply("found"))
    ask(server.url + "/?query.cond=secret", clock=clock)
    assert "secret" not in caplog.text


def test_nobody_waits_while_another_backs_off(server: Upstream) -> None:
    """The first request sleeps for its second try; the second one is answered meanwhile."""

    class HeldClock(ScriptedClock):
        async def sleep(self, seconds: float) -> None:
            self.waits.append(seconds)
            asleep.set()
            await woken.wait()

    asleep, woken = asyncio.Event(), asyncio.Event()
    server.script(reply(status=429, Retry_After="10"), reply("second"), reply("first"))

    async def run() -> tuple[str, str]:
        transport = Transport(clock=HeldClock(), hosts=Hosts())
        first = asyncio.create_task(transport.get(server.url + "/1", bytes.decode))
        await asleep.wait()
        second = await transport.get(server.url + "/2", bytes.decode)
        woken.set()
        answers = (await first).value, second.value
        await transport.aclose()
        return answers

    assert asyncio.run(run()) == ("first", "second")
