"""The server on the live source: faults of a scripted upstream, their hints, and progress."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult
from starlette.applications import Starlette

from tests.contracts.contracts import check
from tests.ctgov.studies import load_study
from tests.interfaces.mcp.connecting import WireTools, connected, over_stdio
from tests.serving import serving
from tests.transport.scripted import Request, ScriptedClock, Upstream, reply, silent, upstream
from trialyst.ctgov.client import LiveSource
from trialyst.discovery.pathways import Pathways
from trialyst.interfaces.mcp import MCP_PATH, beside
from trialyst.interfaces.served import Current, Served
from trialyst.pathways import open_starter
from trialyst.settings import Settings
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
def live_over_http(mode: str = "auto", *, seconds: float = 50.0) -> Iterator[Live]:
    clock = ScriptedClock()
    with upstream() as service:
        transport = Transport(hosts=Hosts(), clock=clock)
        source, pathways = LiveSource(transport, service.url), Pathways(open_starter())
        settings = replace(Settings.from_environment(), mcp_seconds=seconds)
        served = Served(settings, Current(lambda _: source), Current(lambda _: pathways))
        app = beside(Starlette(), served, host="127.0.0.1")
        with (
            serving(app, lifespan="on") as address,
            connected(address + MCP_PATH, mode=mode) as tools,
        ):
            yield Live(tools, service, clock)


@contextmanager
def live_over_stdio(home: Path, mode: str = "auto", **variables: str) -> Iterator[Live]:
    with upstream() as service:
        variables = {
            "TRIALYST_CTGOV_URL": service.url,
            "TRIALYST_CACHE_MB": "0",
            **variables,
        }
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
    assert "Ask again in 30 s" in error["recovery_hint"]
    check("search_trials", http_live.tools.wire("search_trials", condition="asthma"))


def test_a_count_the_service_cannot_do_names_those_it_can(live: Live) -> None:
    live.service.script(*[answers] * 200)
    error = live.tools.error("count_trials", condition="asthma", by="country")
    assert error["code"] == "INVALID_INPUT"
    able = re.search(r"Count by (.+?) here", error["recovery_hint"])
    assert able
    check("count_trials", live.tools.wire("count_trials", condition="asthma", by=able[1]))


Progress = list[tuple[float, str | None]]


def hear_call(live: Live, tool: str, **arguments: Any) -> tuple[Progress, dict[str, Any]]:
    """Call a tool; gives the progress that was heard, and what came."""
    told: Progress = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def call() -> dict[str, Any]:
        result = await live.tools.client.call_tool(tool, arguments, progress_callback=hear)
        assert isinstance(result, CallToolResult)
        return result.structured_content or {}

    return told, live.tools.portal.call(call)


def call_with_progress(live: Live, tool: str, **arguments: Any) -> Progress:
    return hear_call(live, tool, **arguments)[0]


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


IN_HASTE = {"TRIALYST_MCP_SECONDS": "3", "TRIALYST_CTGOV_RATE": "3"}
"""In a call there is time for about nine requests."""
BY_PHASE_AND_STATUS = {"condition": "asthma", "by": ["phase", "status"]}


@contextmanager
def live_in_haste(home: Path, **variables: str) -> Iterator[Live]:
    """A server with little time, which has unpacked what it needs, and an upstream that answers."""
    with live_over_stdio(home, **variables) as live:
        live.service.script(*[answers] * 60)
        while live.tools.call("count_trials", {"condition": "melanoma"}).is_error:
            pass
        live.service.requests.clear()
        live.service.steps[:] = [answers] * 60
        yield live


@pytest.mark.slow
def test_a_call_ends_in_time_and_says_how_far_it_came_and_what_to_do(tmp_path: Path) -> None:
    with live_in_haste(tmp_path, **IN_HASTE) as live:
        failed = live.tools.wire("count_trials", **BY_PHASE_AND_STATUS)
        check("error", failed)
        error = failed["error"]
        assert error["code"] == "RATE_LIMITED"
        told = re.search(
            r"ended unfinished after (\d+) s: .* answered (\d+) requests", error["message"]
        )
        assert told
        assert int(told[1]) <= 4
        assert 0 < int(told[2]) <= len(live.service.requests) < 20
        assert re.search(r"\d s\b.*fewer `by`", error["recovery_hint"])
        check("count_trials", live.tools.wire("count_trials", condition="asthma"))


@pytest.mark.slow
def test_calling_again_as_the_hint_says_goes_on_to_success(tmp_path: Path) -> None:
    with live_in_haste(tmp_path, TRIALYST_CACHE_MB="8", **IN_HASTE) as live:
        hints = []
        while True:
            sent = live.tools.wire("count_trials", **BY_PHASE_AND_STATUS)
            if "error" not in sent:
                break
            hints.append(sent["error"]["recovery_hint"])
        check("count_trials", sent)
        assert all(re.match(r"Call again .* with the same arguments", hint) for hint in hints)
        targets = live.service.targets()
    assert 1 <= len(hints) < 10
    # A request under way when the time was up is made once more, the others never.
    assert len(targets) - len(set(targets)) <= len(hints)


@pytest.mark.slow
def test_a_service_that_does_not_answer_is_told_in_time_with_signs_of_life(tmp_path: Path) -> None:
    with live_over_stdio(tmp_path, TRIALYST_MCP_SECONDS="7") as live:
        live.service.script(silent)
        told, failed = hear_call(live, "search_trials", condition="asthma")
        assert told == [(1, "5 s so far, 0 requests answered")]
        error = failed["error"]
        assert error["code"] == "UPSTREAM_ERROR"
        assert re.search(r"after \d+ s: .* gave no answer", error["message"])
        assert "Ask again in 30 s" in error["recovery_hint"]
        live.service.script(*[answers] * 3)
        check("search_trials", live.tools.wire("search_trials", condition="asthma"))


@pytest.mark.slow
def test_a_call_over_http_ends_in_time_too() -> None:
    with live_over_http(seconds=3) as live:
        live.service.script(silent)
        error = live.tools.error("get_landscape", condition="asthma")
        assert (error["code"], "gave no answer" in error["message"]) == ("UPSTREAM_ERROR", True)
        live.service.script(*[answers] * 40)
        assert live.tools.wire("count_trials", condition="asthma")["total_count"] == 1


@pytest.mark.slow
def test_a_resource_is_read_in_time_too(tmp_path: Path) -> None:
    with live_over_stdio(tmp_path, TRIALYST_MCP_SECONDS="1") as live:
        live.service.script(silent)
        with pytest.raises(MCPError, match="gave no answer") as caught:
            live.tools.portal.call(live.tools.client.read_resource, "trialyst://trial/NCT00461032")
        assert caught.value.error.data["error"]["code"] == "UPSTREAM_ERROR"


@pytest.mark.slow
def test_more_calls_at_once_than_there_is_time_for_are_told_when_to_come_again(
    tmp_path: Path,
) -> None:
    with live_in_haste(tmp_path, TRIALYST_MCP_SECONDS="6", TRIALYST_CTGOV_RATE="1") as live:

        async def all_at_once() -> list[dict[str, Any]]:
            async with anyio.create_task_group() as group:
                sent: list[dict[str, Any]] = []

                async def call(number: int) -> None:
                    given = {"condition": f"asthma {number}"}
                    result = await live.tools.client.call_tool("count_trials", given)
                    assert isinstance(result, CallToolResult)
                    sent.append(result.structured_content or {})

                for number in range(8):
                    group.start_soon(call, number)
            return sent

        sent = live.tools.portal.call(all_at_once)
        refused = [each["error"] for each in sent if "error" in each]
        assert 0 < len(refused) < 8
        assert {error["code"] for error in refused} == {"RATE_LIMITED"}
        waits = [re.search(r"(\d+) s\b", error["recovery_hint"]) for error in refused]
        assert all(waits)
        time.sleep(max(int(wait[1]) for wait in waits if wait))
        check("count_trials", live.tools.wire("count_trials", condition="asthma 7"))


@pytest.mark.slow
def test_what_asks_no_service_is_not_ended(home: Path) -> None:
    with over_stdio(home, source="starter", TRIALYST_MCP_SECONDS="0.001") as tools:
        check("search_trials", tools.wire("search_trials", condition="asthma"))
