"""`trialyst serve --workers`: four processes with one memory of sessions, and an orderly end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

PATIENCE = 60.0
PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
NOTE = "A 63-year-old woman with severe asthma."


@contextmanager
def workers(home: Path, count: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve the starter with several workers; gives the process and its address."""
    command = [sys.executable, "-m", "trialyst", "serve", "--port", "0", "--source", "starter"]
    process = subprocess.Popen(
        [*command, "--workers", str(count), "--json"],
        env={**os.environ, "TRIALYST_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = ""
        while not told.rstrip().endswith("\n}"):
            told += process.stdout.readline()
        yield process, json.loads(told)["site_url"].rstrip("/")
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@contextmanager
def half_asked(url: str) -> Iterator[socket.socket]:
    """Send a request but for the end of its body, which a worker then waits for."""
    address = urlsplit(url)
    head = (
        "POST /mcp HTTP/1.1",
        f"Host: {address.netloc}",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        f"Content-Length: {len(PING)}",
    )
    with socket.create_connection((address.hostname, address.port), PATIENCE) as asking:
        asking.sendall("\r\n".join([*head, "", ""]).encode() + PING[:20])
        threading.Event().wait(1.0)
        yield asking


def ask(url: str, method: str, path: str, cookies: httpx2.Cookies, **form: str) -> httpx2.Response:
    """Ask on a connection of its own, so that any worker may answer."""
    return httpx2.request(
        method, f"{url}{path}", cookies=cookies, data=form or None, timeout=PATIENCE
    )


@pytest.mark.slow
def test_four_workers_share_sessions_outlive_a_worker_and_end_in_order(starter_home: Path) -> None:
    with workers(starter_home, 4) as (process, url):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        first = httpx2.get(f"{url}/match", timeout=PATIENCE)
        seal = re.findall(r'name="csrf" value="([^"]+)"', first.text)[0]
        ask(url, "POST", "/match/read", first.cookies, csrf=seal, note=NOTE)
        for _ in range(8):
            assert "asthma" in ask(url, "GET", "/match", first.cookies).text
        ask(url, "POST", "/match/find", first.cookies, csrf=seal)
        progress = ask(url, "GET", "/match/progress", first.cookies).text
        assert '"state": "done"' in progress
        os.kill(int(children.read_text().split()[-1]), signal.SIGKILL)
        report = ask(url, "GET", "/match/report.md", first.cookies)
        assert report.status_code == 200
        seals = {
            re.findall(r'name="csrf" value="([^"]+)"', ask(url, "GET", "/", first.cookies).text)[0]
            for _ in range(6)
        }
        assert seals == {seal}, "every worker seals alike"

        with half_asked(url) as asking:
            process.terminate()
            threading.Event().wait(0.5)
            asking.sendall(PING[20:])
            assert asking.recv(12) == b"HTTP/1.1 200", "a request under way is finished"
        process.wait(PATIENCE)
