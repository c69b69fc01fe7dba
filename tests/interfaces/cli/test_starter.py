"""The commands on the embedded default: the synthetic starter registry."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

import trialyst as package
from tests.interfaces.cli.conftest import Run

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _starter_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("TRIALYST_HOME", str(tmp_path_factory.getbasetemp() / "starter-home"))


def test_without_a_registry_the_starter_answers_and_says_so(trialyst: Run) -> None:
    ended = trialyst("search", "asthma", "--limit", "3")
    assert ended.code == 0
    assert "[SYNTHETIC]" in ended.out
    assert "synthetic" in ended.err
    assert "trialyst registry sync" in ended.err


def test_json_from_the_starter_is_marked_synthetic(trialyst: Run) -> None:
    provenance = trialyst("count", "--json").value["provenance"]
    assert provenance["synthetic"] is True
    assert provenance["source"] == "starter"


def test_local_never_uses_the_starter(trialyst: Run) -> None:
    assert trialyst("count", "--source", "local").code == 3


def test_an_unknown_trial_is_not_found(trialyst: Run) -> None:
    ended = trialyst("trial", "NCT00000001", "--json")
    assert ended.code == 3
    assert ended.value["error"]["code"] == "ENTITY_NOT_FOUND"


def test_every_study_shown_as_text_has_its_label(trialyst: Run) -> None:
    assert trialyst("trial", "NCT90000001").out.startswith("NCT90000001  [SYNTHETIC]")


def test_library_connects_to_it() -> None:
    with package.connect() as session:
        results = session.registry.search(condition="asthma", page_size=5)
        assert results.provenance.synthetic
        assert len(results) == 5
        assert session.registry.count() == session.registry.status().records


def test_async_library_gives_the_same() -> None:
    async def count() -> int:
        async with await package.aconnect("starter") as session:
            return await session.registry.count(condition="asthma")

    with package.connect("starter") as session:
        assert asyncio.run(count()) == session.registry.count(condition="asthma")


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m trialyst search synthetic --limit 200 --json | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
    )
    assert done.stdout == "{\n"
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr


def test_serve_answers_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    errors = tmp_path / "stderr"
    with errors.open("w") as stderr:
        server = subprocess.Popen(
            [sys.executable, "-m", "trialyst", "serve", "--port", "0", "--json"],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env=os.environ,
        )
        assert server.stdout is not None
        announced = json.JSONDecoder()
        text = ""
        while "\n}\n" not in text:
            text += server.stdout.readline()
        url = announced.decode(text)["url"]
        with urlopen(f"{url}/studies?query.cond=asthma&countTotal=true&pageSize=1") as answer:
            assert json.load(answer)["totalCount"] > 0
        server.send_signal(signal.SIGINT)
        server.stdout.close()
        assert server.wait() == 130
    told = errors.read_text()
    assert "Serving 2,000 studies at" in told
    assert "Traceback" not in told


def test_a_port_in_use_is_told(trialyst: Run) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = trialyst("serve", "--port", str(taken.getsockname()[1]))
    assert ended.code == 2
    assert "--port" in ended.err
