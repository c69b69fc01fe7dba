"""The server on the live source: faults of a scripted upstream, their hints, and progress."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from tests.contracts.contracts import check
from tests.ctgov.studies import load_study
from tests.interfaces.mcp.connecting import WireTools, connected, over_stdio
from tests.serving import serving
from tests.transport.scripted import Request, ScriptedClock, Upstream, reply, upstream
from trialyst.ctgov.client import LiveSource
from trialyst.discovery.pathways import Pathways
from trialyst.interfaces.mcp import MCP_PATH, beside
from trialyst.pathways import open_starter
from trialyst.transport import Hosts, Transport

CALLS: dict[str, dict[str, Any]] = {
    "search_trials": {"condition": "asthma"},
    "get_trial": {"nct_id": "NCT00461032"},
    "get_trial_locations": {"nct_id": "NCT00461032"},
    "count_trials": {"condition": "asthma"},
    "compare_trials": {"nct_ids": ["NCT00461032", "NCT00461033"]},
}
FORBIDDEN = reply("<html>No</html>", status=403, content_type="text/html")
ASKS_TO_WAIT = reply("Slow down", status=429, retry_after="100")
FAILS = reply("Sorry", status=500)


def answers(connection: socket.socket, request: Request) -> None:
    """Answer as the service does, with one study that matches everything."""
    if request.target.startswith("/version"):
        body: Any = {"apiVersion": "2.0.5", "dataTimestamp": "2026-11-13T09:00:05"}
    elif request.target.startswith("/stats/size"):
        body = {"totalStudies": 1, "averageSizeBytes": 1, "largestStudies": [], "ranges": []}
    else:
        body = {"totalCount": 1, "studies": [load_study("ordinary")]}
    reply(json.dumps(body), content_type="application/json")(connection, request)


@dataclass(frozen=True, slots=True)
class Live:
    """A client of a server whose service follows a script."""

    tools: WireTools
    service: Upstream
    clock: ScriptedClock | None = None


@contextmanager
def live_over_http(mode: str = "auto") -> Iterator[Live]:
    clock = ScriptedClock()
    with upstream() as service:
        transport = Transport(hosts=Hosts(), clock=clock)
        app = beside(
            Starlette(),
            LiveSource(transport, service.url),
            Pathways(open_starter()),
            host="127.0.0.1",
        )
        with (
            serving(app, lifespan="on") as address,
            connected(address + MCP_PATH, mode=mode) as tools,
        ):
            yield Live(tools, service, clock)


@contextmanager
def live_over_stdio(home: Path, mode: str = "auto") -> Iterator[Live]:
    with upstream() as service:
        variables = {"TRIALYST_CTGOV_URL": service.url, "TRIALYST_CACHE_MB": "0"}
        with over_stdio(home, source="live", mode=mode, **variables) as tools:
            yield Live(tools, service)


@pytest.fixture
def http_live() -> Iterator[Live]:
    with live_over_http() as live:
        yield live


@pytest.fixture(params=["stdio", "http"])
def live(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Live]:
    with live_over_stdio(tmp_path) if request.param == "stdio" else live_over_http() as live:
        yield live


def test_nothing_is_sent_before_something_is_asked(live: Live) -> None:
    live.tools.portal.call(live.tools.client.list_tools)
    assert live.service.requests == []


def test_answers_of_the_service_keep_the_contract(live: Live) -> None:
    live.service.script(*[answers] * 3)
    answer = live.tools.wire("search_trials", condition="asthma")
    check("search_trials", answer)
    assert answer["provenance"]["source"] == "live"
    assert len(answer["items"]) == 1


@pytest.mark.parametrize(
    ("fault", "code"), [(ASKS_TO_WAIT, "RATE_LIMITED"), (FORBIDDEN, "UPSTREAM_ERROR")]
)
def test_faults_come_as_the_envelope_from_every_tool(live: Live, fault: Any, code: str) -> None:
    live.service.script(*[fault] * len(CALLS))
    for tool, given in CALLS.items():
        failed = live.tools.wire(tool, **given)
        check("error", failed)
        assert failed["error"]["code"] == code


def test_waiting_as_the_hint_says_leads_to_success(http_live: Live) -> None:
    assert http_live.clock is not None
    http_live.service.script(ASKS_TO_WAIT, *[answers] * 3)
    error = http_live.tools.error("search_trials", condition="asthma")
    seconds = re.search(r"Wait (\d+) s", error["recovery_hint"])
    assert seconds
    again = http_live.tools.error("search_trials", condition="asthma")
    assert again["code"] == "RATE_LIMITED"
    http_live.clock.elapsed += int(seconds[1])
    check("search_trials", http_live.tools.wire("search_trials", condition="asthma"))


def test_retrying_as_the_hint_says_leads_to_success(http_live: Live) -> None:
    http_live.service.script(*[FAILS] * 4, *[answers] * 3)
    error = http_live.tools.error("search_trials", condition="asthma")
    assert error["code"] == "UPSTREAM_ERROR"
    assert "Retry in" in error["recovery_hint"]
    check("search_trials", http_live.tools.wire("search_trials", condition="asthma"))


def test_a_count_the_service_cannot_do_names_those_it_can(live: Live) -> None:
    live.service.script(*[answers] * 40)
    error = live.tools.error("count_trials", condition="asthma", by="country")
    assert error["code"] == "INVALID_INPUT"
    able = re.search(r"Count by (.+?) here", error["recovery_hint"])
    assert able
    check("count_trials", live.tools.wire("count_trials", condition="asthma", by=able[1]))


def call_with_progress(live: Live, tool: str, **arguments: Any) -> list[tuple[float, str | None]]:
    told: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def call() -> None:
        await live.tools.client.call_tool(tool, arguments, progress_callback=hear)

    live.tools.portal.call(call)
    return told


def test_long_work_tells_its_progress(live: Live) -> None:
    live.service.script(*[answers] * 40)
    told = call_with_progress(live, "count_trials", condition="asthma", by=["phase"])
    assert [step for step, _ in told] == list(range(1, len(live.service.requests) + 1))
    assert all(message and message.endswith(" answered") for _, message in told)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_hosts_with_the_older_handshake_hear_of_progress_too(
    transport: str, tmp_path: Path
) -> None:
    opened = (
        live_over_stdio(tmp_path, "legacy") if transport == "stdio" else live_over_http("legacy")
    )
    with opened as live:
        live.service.script(*[answers] * 40)
        told = call_with_progress(live, "count_trials", condition="asthma", by=["phase"])
        assert len(told) == len(live.service.requests)


def test_repeats_tell_what_went_wrong(http_live: Live) -> None:
    http_live.service.script(FAILS, *[answers] * 3)
    (_, first), (_, second), *_ = call_with_progress(http_live, "search_trials", condition="x")
    assert first
    assert "failed (500); try 1 of 4" in first
    assert second
    assert second.endswith(" answered")
