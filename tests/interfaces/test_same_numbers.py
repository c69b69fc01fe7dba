"""The same question has the same number wherever it is asked."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx2
import pytest

import trialyst as package
from tests.interfaces.mcp.connecting import connected, serve_command
from tests.interfaces.web.pages import read_page
from trialyst.interfaces.cli.program import run

# What the tools take, then the same for the v2 API.
QUESTIONS: list[tuple[dict[str, str], dict[str, str]]] = [
    ({}, {}),
    ({"condition": "asthma"}, {"query.cond": "asthma"}),
    ({"intervention": "metformin"}, {"query.intr": "metformin"}),
    (
        {"condition": "breast cancer", "status": "RECRUITING"},
        {"query.cond": "breast cancer", "filter.overallStatus": "RECRUITING"},
    ),
    (
        {"condition": "heart failure", "phase": "PHASE3"},
        {"query.cond": "heart failure", "filter.advanced": "AREA[Phase]PHASE3"},
    ),
    ({"condition": "xyzzyplugh"}, {"query.cond": "xyzzyplugh"}),
]


@pytest.fixture
def home(starter_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIALYST_HOME", str(starter_home))
    monkeypatch.setenv("TRIALYST_SOURCE", "starter")
    return starter_home


@pytest.mark.slow
def test_every_way_to_ask_gives_one_number(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    differ = []
    with (
        package.connect("starter") as session,
        serve_command(home) as (_, address),
        connected(address) as tools,
        httpx2.Client(base_url=address.removesuffix("/mcp"), timeout=60) as web,
    ):
        for asked, params in QUESTIONS:
            options = [text for name, value in asked.items() for text in (f"--{name}", value)]
            assert run(["count", *options, "--json"]) == 0
            api = web.get("/api/v2/studies", params={**params, "countTotal": "true"}).json()
            page = read_page(web.get("/search", params=asked)).text
            told = re.search(r"Apply ([\d,]+) trials?", page)
            assert told, "the page tells its number behind the button of its filters"
            numbers = {
                "command": json.loads(capsys.readouterr().out)["total_count"],
                "mcp": tools.wire("count_trials", **asked)["total_count"],
                "library": session.registry.count(**asked),
                "api": api["totalCount"],
                "page": int(told[1].replace(",", "")),
            }
            if len(set(numbers.values())) > 1:
                differ.append((asked, numbers))
    assert not differ
