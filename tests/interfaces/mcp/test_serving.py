"""The server as a process: beside the API, safe from web pages, and gone when told."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.contracts.contracts import TOOLS, check
from tests.interfaces.mcp.connecting import connected, environment, over_stdio, serve_command
from trialyst.interfaces.api import API_PREFIX

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HEADERS = {"Accept": "application/json, text/event-stream"}


def test_the_api_is_served_as_before(mcp_url: str) -> None:
    address = mcp_url.removesuffix("/mcp") + API_PREFIX
    assert httpx2.get(f"{address}/stats/size").json()["totalStudies"] == 2000
    refused = httpx2.get(f"{address}/studies/NCT00000001")
    assert (refused.status_code, refused.headers["content-type"]) == (
        404,
        "text/plain; charset=utf-8",
    )
    assert refused.headers["x-trialyst-synthetic"] == "true"


def test_requests_of_foreign_pages_are_refused(mcp_url: str) -> None:
    assert httpx2.post(mcp_url, json=PING, headers=HEADERS).status_code == 200
    foreign = httpx2.post(mcp_url, json=PING, headers={**HEADERS, "Origin": "https://evil.test"})
    assert foreign.status_code == 403
    rebound = httpx2.post(mcp_url, json=PING, headers={**HEADERS, "Host": "evil.test"})
    assert rebound.status_code == 421


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS"])
def test_there_are_no_sessions_and_no_standing_streams(mcp_url: str, method: str) -> None:
    assert httpx2.request(method, mcp_url, headers=HEADERS).status_code == 405


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_hosts_with_the_older_handshake_are_served(
    transport: str, home: Path, mcp_url: str
) -> None:
    opened = (
        over_stdio(home, source="starter", mode="legacy")
        if transport == "stdio"
        else connected(mcp_url, mode="legacy")
    )
    with opened as tools:
        assert tools.client.protocol_version < "2026"
        listed = tools.portal.call(tools.client.list_tools).tools
        assert [tool.name for tool in listed] == list(TOOLS)
        check("search_trials", tools.wire("search_trials", condition="asthma"))
        check("error", tools.wire("get_trial", nct_id="melanoma"))


@pytest.mark.slow
def test_serving_ends_at_once_with_a_client_connected(home: Path) -> None:
    with serve_command(home) as (process, url), connected(url) as tools:
        assert tools.wire("count_trials")["total_count"] == 2000
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


@pytest.mark.slow
def test_the_end_of_its_input_ends_the_server(home: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "trialyst", "mcp", "--source", "starter"],
        input="",
        capture_output=True,
        text=True,
        env=environment(home),
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "")
    assert "synthetic" in ended.stderr


@pytest.mark.slow
def test_a_missing_registry_ends_the_command_with_its_error(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "trialyst", "mcp", "--registry", str(tmp_path / "none"), "--json"],
        input="",
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        timeout=60,
        check=False,
    )
    assert ended.returncode == 3
    assert json.loads(ended.stdout)["error"]["code"] == "ENTITY_NOT_FOUND"


@pytest.mark.slow
def test_a_host_that_vanishes_ends_the_server_quietly(home: Path) -> None:
    command = [sys.executable, "-m", "trialyst", "mcp", "--source", "starter", "--json"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(json.dumps(PING).encode() + b"\n")
        process.stdin.flush()
        process.stdin.close()
        assert process.wait(timeout=60) == 0
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.slow
def test_a_request_that_never_ends_does_not_hold_the_server(home: Path) -> None:
    with serve_command(home) as (process, address):
        url = httpx2.URL(address)
        with socket.create_connection((url.host, url.port or 80)) as half:
            half.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
            httpx2.post(address, json=PING, headers=HEADERS)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 130
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
