from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pubmed.eutils import Eutils, answering, article
from tests.transport.scripted import ScriptedClock
from trialyst.errors import InvalidInput
from trialyst.pubmed import Papers, open_pubmed
from trialyst.pubmed.client import BATCH, FRESH_FOR
from trialyst.settings import PUBMED_URL, Settings
from trialyst.transport.client import open_transport
from trialyst.transport.limits import host_of


@pytest.fixture
def eutils() -> Iterator[Eutils]:
    """Three invented papers, served."""
    with answering({pmid: article(pmid) for pmid in ("101", "102", "103")}) as started:
        yield started


def _settings(home: Path, eutils: Eutils, **more: str) -> Settings:
    given = {"TRIALYST_HOME": str(home), "TRIALYST_PUBMED_URL": eutils.url}
    return Settings.from_environment({**given, **more})


def _get(settings: Settings, *pmids: str, clock: ScriptedClock | None = None) -> Papers:
    async def ask() -> Papers:
        pubmed = open_pubmed(settings, clock=clock or ScriptedClock())
        try:
            return await pubmed.get_papers(pmids)
        finally:
            await pubmed.aclose()

    return asyncio.run(ask())


def test_papers_come_in_the_order_asked_for_and_once(tmp_path: Path, eutils: Eutils) -> None:
    papers = _get(_settings(tmp_path, eutils), "103", "101", " 103")
    assert [paper.pmid for paper in papers.found] == ["103", "101"]


def test_missing_pmids_are_told(tmp_path: Path, eutils: Eutils) -> None:
    papers = _get(_settings(tmp_path, eutils), "101", "999")
    assert (papers.missing, papers.unasked, papers.problem) == (("999",), (), None)


def test_when_none_is_known_all_are_missing(tmp_path: Path, eutils: Eutils) -> None:
    papers = _get(_settings(tmp_path, eutils), "998", "999")
    assert (papers.found, papers.missing, papers.problem) == ((), ("998", "999"), None)


def test_a_paper_is_asked_for_once_a_month(tmp_path: Path, eutils: Eutils) -> None:
    settings, clock = _settings(tmp_path, eutils), ScriptedClock()
    _get(settings, "101", clock=clock)
    _get(settings, "101", "102", clock=clock)
    assert [asked["id"] for asked in eutils.asked] == ["101", "102"]
    clock.elapsed += FRESH_FOR + 1
    _get(settings, "101", clock=clock)
    assert eutils.asked[-1]["id"] == "101"


def test_kept_papers_serve_when_pubmed_does_not(tmp_path: Path, eutils: Eutils) -> None:
    settings, clock = _settings(tmp_path, eutils), ScriptedClock()
    _get(settings, "101", clock=clock)
    eutils.failing = True
    clock.elapsed += FRESH_FOR + 1
    papers = _get(settings, "101", "102", clock=clock)
    assert [paper.pmid for paper in papers.found] == ["101"]
    assert (papers.missing, papers.unasked) == ((), ("102",))
    assert "failed (500)" in (papers.problem or "")


def test_many_pmids_go_in_batches(tmp_path: Path, eutils: Eutils) -> None:
    papers = _get(_settings(tmp_path, eutils), *(str(number) for number in range(1, BATCH + 50)))
    assert [len(asked["id"].split(",")) for asked in eutils.asked] == [BATCH, 49]
    assert len(papers.missing) == BATCH + 49 - 3


def test_requests_say_who_asks(tmp_path: Path, eutils: Eutils) -> None:
    more = {"TRIALYST_PUBMED_KEY": "k3y", "TRIALYST_PUBMED_EMAIL": "a@example.org"}
    _get(_settings(tmp_path, eutils, **more), "101")
    (asked,) = eutils.asked
    identity = (asked["tool"], asked["email"], asked["api_key"])
    assert identity == ("trialyst", "a@example.org", "k3y")


def test_the_key_is_never_kept_or_shown(tmp_path: Path, eutils: Eutils) -> None:
    settings = _settings(tmp_path, eutils, TRIALYST_PUBMED_KEY="k3y-of-mine")
    _get(settings, "101")
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert kept
    assert not any(b"k3y-of-mine" in path.read_bytes() for path in kept)
    assert "k3y-of-mine" not in repr(settings)


@pytest.mark.parametrize("text", ["PMC123", "", "0", "12.5", "1234567890", "١٢"])
def test_what_is_no_pmid_is_refused(tmp_path: Path, eutils: Eutils, text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a PMID"):
        _get(_settings(tmp_path, eutils), text)
    assert eutils.asked == []


@pytest.mark.parametrize(("key", "pace"), [("", 3), ("mine", 10)])
def test_the_pace_is_the_one_the_service_publishes(tmp_path: Path, key: str, pace: int) -> None:
    environ = {"TRIALYST_HOME": str(tmp_path), "TRIALYST_PUBMED_KEY": key}
    limits = open_transport(Settings.from_environment(environ)).limits
    assert limits.interval(host_of(PUBMED_URL)) == pytest.approx(1 / pace)
