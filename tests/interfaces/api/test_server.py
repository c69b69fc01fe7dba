from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys

import httpx2
import pytest

from trialyst.errors import InvalidInput
from trialyst.interfaces.api.server import listen
from trialyst.registry import Registry

PROGRAM = """
import sys
from pathlib import Path
from trialyst.interfaces.api import serve
from trialyst.registry import Registry
serve(Registry.open(Path(sys.argv[1])), host=sys.argv[2], port=0)
"""


def run(registry: Registry, host: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(registry.directory), host],
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_serves_until_interrupted(registry: Registry) -> None:
    with run(registry, "127.0.0.1") as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        address = re.search(r"http://[^;]+", line)
        assert address, line
        assert httpx2.get(f"{address[0]}/version").status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
        assert process.wait(10) == 0


@pytest.mark.slow
def test_off_loopback_requests_need_the_token_that_is_told(registry: Registry) -> None:
    with run(registry, "0.0.0.0") as process:
        assert process.stderr is not None
        told = re.search(r"need the token (\S+)", process.stderr.readline())
        address = re.search(r"http://[^;]+", process.stderr.readline())
        assert told
        assert address
        url = f"{address[0].replace('0.0.0.0', '127.0.0.1')}/version"
        assert httpx2.get(url).status_code == 401
        bearing = {"Authorization": f"Bearer {told[1]}"}
        assert httpx2.get(url, headers=bearing).status_code == 200
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)


def test_a_port_in_use_is_told() -> None:
    with (
        listen("127.0.0.1", 0) as first,
        pytest.raises(InvalidInput, match="Cannot listen") as told,
    ):
        listen("127.0.0.1", first.getsockname()[1])
    assert "`port`" in str(told.value.hint)


def test_an_address_of_another_machine_is_refused_for_what_it_is() -> None:
    with pytest.raises(InvalidInput, match="Cannot listen") as told:
        listen("192.0.2.1", 0)
    assert "`host`" in str(told.value.hint)


def test_small_answers_are_not_held_back() -> None:
    with listen("127.0.0.1", 0) as bound:
        assert bound.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
