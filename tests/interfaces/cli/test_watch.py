"""`trialyst changes` and `trialyst watch`: what they print, how they end, what they remember."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.interfaces.cli.conftest import Run
from tests.registry.invented import FIRST, study
from trialyst.ids import NctId
from trialyst.registry import add_studies, build_from_studies, remove_records

ATOM = "{http://www.w3.org/2005/Atom}"


def asthma(number: int, status: str, updated: str = "2024-01-01") -> dict[str, object]:
    return study(
        number,
        updated=updated,
        status={"overallStatus": status},
        conditions={"conditions": ["asthma"]},
    )


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    studies = [asthma(FIRST, "RECRUITING"), asthma(FIRST + 1, "RECRUITING"), study(FIRST + 2)]
    build_from_studies(studies, tmp_path / "registry", data_timestamp="2025-01-01T00:00:00")
    return tmp_path / "registry"


@pytest.fixture
def program(trialyst: Run, directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("TRIALYST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TRIALYST_REGISTRY", str(directory))
    return trialyst


def test_a_watch_tells_once_what_changed(program: Run, directory: Path) -> None:
    added = program("watch", "add", "asthma", "--condition", "asthma", "--json")
    assert (added.code, added.value["arguments"]) == (0, {"condition": "asthma"})
    assert program("watch", "add", "one", "--id", str(NctId(FIRST + 2))).code == 0
    assert program("watch", "run").code == 0
    stopped = asthma(FIRST, "TERMINATED", "2025-02-01")
    add_studies([stopped], directory, data_timestamp="2025-02-01T00:00:00")
    remove_records([NctId(FIRST + 1)], directory, data_timestamp="2025-02-02T00:00:00")
    kept = program("watch", "run", "--keep", "--json")
    assert kept.code == 1
    told = {each["name"]: each["counts"] for each in kept.value["watches"]}
    assert told == {
        "asthma": {"new": 0, "changed": 1, "gone": 1},
        "one": {"new": 0, "changed": 0, "gone": 0},
    }
    text = program("watch", "run", "asthma")
    assert (text.code, "recruiting -> terminated" in text.out) == (1, True)
    assert program("watch", "run", "--json").value["changed"] is False
    feed = program("watch", "feed", "asthma", "--days", "3650")
    entries = ElementTree.fromstring(feed.out).findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}updated") for entry in entries] == [
        "2025-02-02T00:00:00Z",
        "2025-02-01T00:00:00Z",
    ]
    assert program("watch", "remove", "one").code == 0
    assert [each["name"] for each in program("watch", "list", "--json").value] == ["asthma"]


def test_wrong_watches_are_refused(program: Run, tmp_path: Path) -> None:
    assert program("watch", "add", "a/b", "--condition", "asthma").code == 2
    assert program("watch", "add", "empty").code == 2
    assert program("watch", "add", "twice", "--condition", "asthma").code == 0
    assert program("watch", "add", "twice", "--condition", "asthma").code == 2
    assert program("watch", "run", "absent").code == 3
    assert program("watch", "remove", "twice", "absent").code == 3
    assert program("watch", "add", "live", "--condition", "asthma", "--source", "live").code == 2
    (tmp_path / "home" / "watches.json").write_text("[1")
    assert program("watch", "list").code == 2


def test_a_registry_built_anew_is_told_whole(program: Run, directory: Path, tmp_path: Path) -> None:
    program("watch", "add", "asthma", "--condition", "asthma")
    file = tmp_path / "home" / "watches.json"
    watches = json.loads(file.read_text())
    file.write_text(json.dumps([{**watches[0], "history": "another", "told": 7}]))
    add_studies([asthma(FIRST + 5, "RECRUITING")], directory)
    ended = program("watch", "run", "--json")
    assert ended.value["watches"][0]["counts"]["new"] == 1
    assert "another" in ended.value["watches"][0]["note"]


def test_changes_as_table_sheet_and_json(program: Run, directory: Path) -> None:
    add_studies([asthma(FIRST, "TERMINATED")], directory, data_timestamp="2025-02-01T00:00:00")
    asked = ("changes", "--condition", "asthma", "--since", "2025-01-02")
    assert "recruiting -> terminated" in program(*asked).out
    assert program(*asked, "--json").value["counts"] == {"new": 0, "changed": 1, "gone": 0}
    assert "NCT90000001,changed,,2025-02-01" in program(*asked, "--format", "csv").out
    assert program("changes", "--source", "live").code == 2
