"""Loading, fetching and describing pathways from end to end; nothing loaded is ever lost."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.interfaces.cli.conftest import Ended, Run
from tests.pathways.examples import GPML_2013, GPML_2021, gpml
from tests.pathways.site import Site, serving
from tests.pathways.test_live import ASSETS, TEXT, lists

BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;">]><Pathway xmlns="http://pathvisio.org/GPML/2013a" '
    'Name="&c;" Organism="Homo sapiens" Version="WP7_r1"/>'
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each test."""
    home = tmp_path / "home"
    monkeypatch.setenv("TRIALYST_HOME", str(home))
    return home


@pytest.fixture
def downloaded(tmp_path: Path) -> Path:
    """A small download."""
    folder = tmp_path / "download"
    folder.mkdir()
    (folder / "WP9001.gpml").write_text(GPML_2013)
    (folder / "WP3.gpml").write_bytes(
        gpml(3, "Mouse thing", organism="Mus musculus", genes=[("Tnf", "21926")])
    )
    return folder


def ids(ended: Ended) -> list[str]:
    return [item["id"] for item in ended.value["items"]]


def test_what_is_loaded_takes_the_place_of_the_starter_set(
    trialyst: Run, downloaded: Path, home: Path
) -> None:
    assert trialyst("pathways", "status", "--json").value["source"] == "starter"
    ended = trialyst("pathways", "load", str(downloaded))
    assert ended.code == 0
    assert "Pathways:" in ended.out
    assert str(home / "pathways" / "pathways.sqlite") in ended.out
    found = trialyst("pathways", "gene", "TNF", "--json")
    assert ids(found) == ["WP:WP9001", "WP:WP3"]
    assert found.value["provenance"]["source"] == "local"
    assert found.value["provenance"]["synthetic"] is False
    starter = trialyst("pathways", "gene", "TNF", "--source", "starter", "--json")
    assert "WP:WP9001" not in ids(starter)


def test_status_says_what_is_loaded(trialyst: Run, downloaded: Path) -> None:
    text = trialyst("pathways", "status")
    assert "Source:    starter" in text.out
    assert "`trialyst pathways sync`" in text.err
    trialyst("pathways", "load", str(downloaded))
    value = trialyst("pathways", "status", "--json").value
    assert (value["source"], value["pathways"]) == ("local", 2)
    assert value["organisms"] == {"Homo sapiens": 1, "Mus musculus": 1}
    assert value["provenance"]["records"] == 2
    assert "Organisms:" in trialyst("pathways", "status").out


def test_the_report_of_a_load_as_json(trialyst: Run, downloaded: Path) -> None:
    (downloaded / "WP4.gpml").write_text("<Pathway")
    report = trialyst("pathways", "load", str(downloaded), "--json").value
    assert (report["pathways"], report["organisms"]["Homo sapiens"]) == (2, 1)
    assert [each["name"] for each in report["skipped"]] == ["WP4.gpml"]


def test_damaged_files_are_told_beside_what_is_loaded(trialyst: Run, downloaded: Path) -> None:
    (downloaded / "WP4.gpml").write_bytes(GPML_2013.encode()[:900])
    (downloaded / "WP5.gpml").write_bytes(b"")
    (downloaded / "WP7.gpml").write_text(BILLION_LAUGHS)
    ended = trialyst("pathways", "load", str(downloaded))
    assert ended.code == 0
    for name in ("WP4", "WP5", "WP7"):
        assert f"Skipped {name}.gpml: " in ended.err
    assert "Skipped:" in ended.out


@pytest.mark.parametrize(
    "content",
    [b"", GPML_2013.encode()[:900], BILLION_LAUGHS.encode(), b"PK\x03\x04 not a zip"],
    ids=["empty", "truncated", "billion laughs", "no archive"],
)
@pytest.mark.parametrize("name", ["WP8.gpml", "all.zip"])
def test_a_load_of_nothing_usable_is_refused_and_loses_nothing(
    trialyst: Run, downloaded: Path, tmp_path: Path, name: str, content: bytes
) -> None:
    trialyst("pathways", "load", str(downloaded))
    before = trialyst("pathways", "search", "invented", "--json").value
    bad = tmp_path / name
    bad.write_bytes(content)
    ended = trialyst("pathways", "load", str(bad))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines()[-1].startswith("Hint: ")
    assert trialyst("pathways", "search", "invented", "--json").value == before


def test_keep_adds_to_what_is_loaded(trialyst: Run, downloaded: Path, tmp_path: Path) -> None:
    trialyst("pathways", "load", str(downloaded))
    archive = tmp_path / "more.zip"
    with zipfile.ZipFile(archive, "w") as more:
        more.writestr("x_WP5_1.gpml", gpml(5, "Another", genes=[("TNF", "7124")]))
    assert trialyst("pathways", "load", str(archive), "--keep").code == 0
    assert trialyst("pathways", "status", "--json").value["pathways"] == 3


def test_a_cursor_of_other_data_is_refused(trialyst: Run, downloaded: Path) -> None:
    trialyst("pathways", "load", str(downloaded))
    page = trialyst("pathways", "gene", "TNF", "-n", "1", "--json").value
    cursor = page["pagination"]["cursor"]
    (downloaded / "WP9.gpml").write_bytes(gpml(9, "New", genes=[("TNF", "7124")]))
    trialyst("pathways", "load", str(downloaded))
    ended = trialyst("pathways", "gene", "TNF", "-n", "1", "--cursor", cursor)
    assert ended.code == 2
    assert "Omit the cursor" in ended.err


def test_a_store_that_is_no_store_is_told(trialyst: Run, downloaded: Path, home: Path) -> None:
    trialyst("pathways", "load", str(downloaded))
    (home / "pathways" / "pathways.sqlite").write_bytes(b"nonsense")
    ended = trialyst("pathways", "search", "invented")
    assert ended.code == 4
    assert "trialyst pathways load" in ended.err.splitlines()[-1]
    assert trialyst("pathways", "load", str(downloaded)).code == 0
    assert trialyst("pathways", "search", "invented").code == 0


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site with two pathways, which the environment names."""
    files = {
        **lists(),
        f"{ASSETS}/WP1/WP1.gpml": gpml(1, "Statin", organism="Mus musculus"),
        f"{ASSETS}/WP2/WP2.gpml": gpml(2, "Tumour", genes=[("TNF", "7124")]),
    }
    with serving(files) as started:
        monkeypatch.setenv("TRIALYST_WIKIPATHWAYS_URL", started.url)
        yield started


@pytest.mark.usefixtures("site")
def test_pathways_by_one_command(trialyst: Run) -> None:
    ended = trialyst("pathways", "sync")
    assert ended.code == 0
    assert ended.err.startswith("2 pathways to fetch, 2 files each at one request a second")
    assert "Fetching: 50 %, 1 pathways" in ended.err
    assert "Fetched:" in ended.out
    assert ids(trialyst("pathways", "gene", "TNF", "--source", "local", "--json")) == ["WP:WP2"]


def test_a_second_sync_fetches_only_what_changed(trialyst: Run, site: Site) -> None:
    trialyst("pathways", "sync")
    site.answers.clear()
    report = trialyst("pathways", "sync", "--json").value
    assert (report["listed"], report["fetched"], report["current"]) == (2, 0, 2)
    assert {path for path, _ in site.answers} == {f"/{TEXT}"}


@pytest.mark.usefixtures("site")
def test_a_sync_of_one_organism(trialyst: Run) -> None:
    report = trialyst("pathways", "sync", "--organism", "Homo sapiens", "--json").value
    assert report["load"]["organisms"] == {"Homo sapiens": 1}
    wrong = trialyst("pathways", "sync", "--organism", "human")
    assert wrong.code == 2
    assert "--organism 'Homo sapiens'" in wrong.err


def test_a_site_out_of_reach_leaves_what_is_loaded(
    trialyst: Run, site: Site, downloaded: Path
) -> None:
    trialyst("pathways", "load", str(downloaded))
    site.files.clear()
    ended = trialyst("pathways", "sync")
    assert ended.code == 4
    assert trialyst("pathways", "status", "--json").value["pathways"] == 2


def test_the_hint_of_a_site_out_of_reach_leads_to_an_answer(trialyst: Run, site: Site) -> None:
    site.files.clear()
    ended = trialyst("pathways", "search", "glycolysis", "--source", "live")
    assert ended.code == 4
    assert "TRIALYST_WIKIPATHWAYS_URL" in ended.err
    assert "--source local, or starter" in ended.err
    assert trialyst("pathways", "search", "glycolysis", "--source", "starter").code == 0


def test_the_live_site_answers_the_same_commands(trialyst: Run, site: Site) -> None:
    found = trialyst("pathways", "search", "tnf", "--source", "live", "--json")
    assert ids(found)[0] == "WP:WP2"
    assert found.value["provenance"]["source"] == "live"
    pathway = trialyst("pathways", "get", "WP2", "--source", "live", "--json").value
    assert (pathway["id"], pathway["genes"]) == ("WP:WP2", ["TNF"])
    missing = trialyst("pathways", "get", "WP77", "--source", "live", "--json")
    assert (missing.code, missing.value["error"]["code"]) == (3, "ENTITY_NOT_FOUND")
    gene = trialyst("pathways", "gene", "7124", "--source", "live", "--json")
    assert ids(gene) == ["WP:WP2"]


def test_what_cannot_be_asked_does_not_reach_the_site(trialyst: Run, site: Site) -> None:
    for words in (
        ("search", "a"),
        ("search", "tnf", "--limit", "0"),
        ("search", "tnf", "--organism", "human"),
        ("get", "glycolysis"),
        ("gene", "HGNC:abc"),
    ):
        assert trialyst("pathways", *words, "--source", "live").code == 2
    assert site.answers == []


@pytest.mark.slow
def test_a_load_draws_a_bar_on_a_terminal(downloaded: Path, home: Path) -> None:
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "trialyst", "pathways", "load", str(downloaded), "--json"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "TERM": "xterm"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=terminal, env=environment, cwd=REPOSITORY
    ) as process:
        os.close(terminal)
        drawn = b""
        try:
            while chunk := os.read(controller, 65536):
                drawn += chunk
        except OSError:
            # Linux tells the end of a terminal as an error.
            pass
        assert process.stdout is not None
        assert json.load(process.stdout)["pathways"] == 2
    os.close(controller)
    assert b"Indexing" in drawn


def test_both_versions_of_gpml_load(trialyst: Run, tmp_path: Path) -> None:
    (tmp_path / "WP9001.gpml").write_text(GPML_2021)
    assert trialyst("pathways", "load", str(tmp_path / "WP9001.gpml")).code == 0
    parts = trialyst("pathways", "components", "WP9001", "--json").value
    assert len(parts["interactions"]) == 3
    assert parts["unconnected"] == 1
