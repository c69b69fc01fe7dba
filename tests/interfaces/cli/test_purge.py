"""`trialyst purge` lists what matches kept of patients, and removes that and nothing else."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.interfaces.cli.conftest import Run
from trialyst.locks import try_lock


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIALYST_HOME", str(tmp_path))
    directory = tmp_path / "runs"
    for name, files in (
        ("match-old", ("config.json", "note.txt")),
        ("match-new", ("config.json",)),
        ("notes of mine", ("note.txt",)),
    ):
        (directory / name).mkdir(parents=True)
        for file in files:
            (directory / name / file).write_text("asthma")
    days_ago = time.time() - 40 * 86_400
    for path in (*(directory / "match-old").iterdir(), directory / "match-old"):
        os.utime(path, (days_ago, days_ago))
    (directory / "match-linked").symlink_to(directory / "notes of mine")
    return directory


def test_without_yes_the_runs_are_only_listed(trialyst: Run, runs: Path) -> None:
    ended = trialyst("purge", "--json")
    assert [(run["run_id"], run["has_note"], run["bytes"]) for run in ended.value["runs"]] == [
        ("match-old", True, 12),
        ("match-new", False, 6),
    ]
    assert {run["state"] for run in ended.value["runs"]} == {"kept"}
    assert "add --yes" in trialyst("purge").err
    assert len(list(runs.iterdir())) == 4


def test_only_what_a_match_named_is_removed(trialyst: Run, runs: Path) -> None:
    assert trialyst("purge", "--yes").code == 0
    assert sorted(path.name for path in runs.iterdir()) == ["match-linked", "notes of mine"]
    assert (runs / "notes of mine" / "note.txt").read_text() == "asthma"
    assert "Nothing of patients" in trialyst("purge", "--yes").err


def test_newer_runs_are_left(trialyst: Run, runs: Path) -> None:
    assert trialyst("purge", "--older-than", "30", "--yes").code == 0
    assert not (runs / "match-old").exists()
    assert (runs / "match-new").exists()
    assert trialyst("purge", "--older-than", "-1").code == 2


def test_a_run_under_way_is_left(trialyst: Run, runs: Path) -> None:
    descriptor = os.open(runs / "match-new", os.O_RDONLY)
    try:
        assert try_lock(descriptor)
        states = {
            run["run_id"]: run["state"]
            for run in trialyst("purge", "--yes", "--json").value["runs"]
        }
    finally:
        os.close(descriptor)
    assert states == {"match-old": "removed", "match-new": "under way, left"}
    assert (runs / "match-new" / "config.json").exists()
