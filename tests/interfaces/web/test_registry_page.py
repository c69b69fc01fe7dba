"""The registry page: sync from a service on this machine, check, stop, health."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.interfaces.web.pages import Page, read_page, seal_of
from tests.serving import QuietHandler, handling, serving
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.interfaces.served import Served, follow_pathways, follow_registry
from trialyst.interfaces.web import create_site
from trialyst.registry import RegistrySource
from trialyst.settings import Settings

PATIENCE = 60.0


@contextmanager
def visiting(home: Path, service: str) -> Iterator[httpx2.Client]:
    """Visit a site whose registry is yet to come from a service."""
    settings = Settings(home=home, registry=home / "registry", ctgov_url=service)
    current = follow_registry(settings)
    served = Served(settings, current, follow_pathways(settings, source="starter"))
    with (
        serving(create_site(served, settings), lifespan="on") as url,
        httpx2.Client(base_url=url, follow_redirects=True, timeout=60) as client,
    ):
        yield client


@pytest.fixture
def fresh_home(starter_home: Path, tmp_path: Path) -> Path:
    """A home with the starter and without a registry."""
    home = tmp_path / "home"
    home.mkdir()
    for each in starter_home.iterdir():
        if each.name != "registry":
            (home / each.name).symlink_to(each)
    return home


def work(visitor: httpx2.Client, name: str, **fields: str) -> Page:
    """Begin a work, and wait for its end."""
    seal = seal_of(read_page(visitor.get("/registry")))
    read_page(visitor.post(f"/registry/{name}", data={"csrf": seal, **fields}))
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        page = read_page(visitor.get("/registry"))
        if "running" not in page.text:
            return page
        time.sleep(0.1)
    raise AssertionError(page.text)


@pytest.mark.slow
def test_a_sync_brings_trials_that_the_site_then_shows_and_checks(
    starter_source: RegistrySource, fresh_home: Path
) -> None:
    with (
        serving(create_app(starter_source.registry)) as api,
        visiting(fresh_home, f"{api}{API_PREFIX}") as visitor,
    ):
        before = visitor.get("/health").json()
        assert before["source"] == "starter"
        synced = work(visitor, "sync", condition="asthma")
        assert " new, " in synced.text
        after = visitor.get("/health").json()
        assert after["source"] == "local"
        assert 0 < after["records"] < before["records"]
        checked = work(visitor, "verify")
        assert "Everything agrees" in checked.text
        told = visitor.get("/registry/progress").text
        assert '"state": "done"' in told
        assert told.rstrip().endswith("event: end\ndata: {}")


def test_a_sync_that_cannot_go_on_is_stopped_or_says_why(fresh_home: Path) -> None:
    with visiting(fresh_home, "http://127.0.0.1:9/api/v2") as visitor:
        seal = seal_of(read_page(visitor.get("/registry")))
        page = read_page(visitor.post("/registry/sync", data={"csrf": seal}))
        assert "The sync" in page.text
        stopped = read_page(visitor.post("/registry/stop", data={"csrf": seal}))
        until = time.monotonic() + PATIENCE
        while "running" in stopped.text and time.monotonic() < until:
            stopped = read_page(visitor.get("/registry"))
        assert "stopped" in stopped.text or "failed" in stopped.text


def test_progress_is_told_while_the_work_goes_on(fresh_home: Path) -> None:
    answered = threading.Event()

    class Slow(QuietHandler):
        """A service that answers when it may."""

        def do_GET(self) -> None:
            answered.wait(PATIENCE)
            self.send_error(404)

    with handling(Slow) as service, visiting(fresh_home, f"{service}/api/v2") as visitor:
        seal = seal_of(read_page(visitor.get("/registry")))
        visitor.post("/registry/sync", data={"csrf": seal})
        with visitor.stream("GET", "/registry/progress") as progress:
            lines = progress.iter_lines()
            assert '"state": "running"' in next(each for each in lines if each)
            answered.set()
            later = [each for each in lines if each]
        assert '"state": "failed"' in later[-3]
        assert later[-2:] == ["event: end", "data: {}"]
