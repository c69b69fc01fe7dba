"""`trialyst registry upgrade`: found by its hint, says what it did, safe to interrupt."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.interfaces.cli.conftest import Ended, Run
from tests.registry.invented import many
from tests.registry.older import OLDER_VERSION, make_older
from trialyst.registry import Registry, build_from_studies, verify_registry
from trialyst.registry import generation as layout
from trialyst.registry.schema import SCHEMA_VERSION


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry that an older version wrote, in a directory with a space in its name."""
    directory = tmp_path / "my registry"
    build_from_studies(many(20), directory)
    monkeypatch.setenv("TRIALYST_REGISTRY", str(directory))
    return make_older(directory)


def command_in(hint: str) -> list[str]:
    """Give the arguments of the command that a hint names."""
    found = re.search(r"`trialyst ([^`]+)`", hint)
    assert found, hint
    return shlex.split(found[1])


@pytest.mark.parametrize(
    "command",
    [
        ("count",),
        ("search", "--condition", "asthma"),
        ("registry", "status"),
        ("registry", "remove", "NCT90000001"),
    ],
    ids=" ".join,
)
def test_doing_what_the_hint_says_leads_to_success(
    older: Path, trialyst: Run, command: tuple[str, ...]
) -> None:
    refused = trialyst(*command, "--json")
    assert refused.code == 4
    error = refused.value["error"]
    assert f"schema version {OLDER_VERSION}" in error["message"]
    assert trialyst(*command_in(error["recovery_hint"])).code == 0
    assert trialyst(*command, "--json").code == 0
    assert verify_registry(older).ok


def test_people_are_told_the_command_too(older: Path, trialyst: Run) -> None:
    ended = trialyst("registry", "status")
    assert ended.code == 4
    assert f"run `trialyst registry upgrade --registry '{older}'`" in ended.err


def test_verify_says_no_and_what_to_do(older: Path, trialyst: Run) -> None:
    ended = trialyst("registry", "verify", "--json")
    assert (ended.code, ended.value["ok"]) == (1, False)
    (problem,) = ended.value["problems"]
    assert command_in(problem) == ["registry", "upgrade", "--registry", str(older)]


def test_the_report_says_what_was_done(older: Path, trialyst: Run) -> None:
    report = trialyst("registry", "upgrade", "--json").value
    assert report["registry"] == str(older)
    assert report["upgraded"] is True
    assert (report["previous_schema_version"], report["schema_version"]) == (
        OLDER_VERSION,
        SCHEMA_VERSION,
    )
    assert (report["records"], report["damaged"], report["flawed"]) == (20, [], [])


@pytest.mark.usefixtures("older")
def test_a_second_upgrade_says_that_there_is_nothing_to_do(trialyst: Run) -> None:
    first, second = trialyst("registry", "upgrade"), trialyst("registry", "upgrade")
    assert (first.code, second.code) == (0, 0)
    assert re.search(rf"Upgraded from: +{OLDER_VERSION}$", first.out, re.MULTILINE)
    assert "nothing was done" in second.out
    assert "Upgraded from" not in second.out


def test_there_must_be_a_registry(trialyst: Run, tmp_path: Path) -> None:
    assert trialyst("registry", "upgrade", "--registry", str(tmp_path / "none")).code == 3


INTERRUPTED = """
import json, signal, sys
from tests.registry.doomed import die_before
from trialyst.interfaces.cli.program import run
die_before(*json.loads(sys.argv[1]), by=signal.SIGINT)
sys.exit(run(["registry", "upgrade"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("at", [("open", "checkpoint-", 1), ("os.rename", "building", 1)], ids=str)
def test_ctrl_c_leaves_the_older_one_and_says_how_to_go_on(
    older: Path, trialyst: Run, at: tuple[str, str, int]
) -> None:
    before = layout.current_name(older)
    paths = f"{REPOSITORY / 'src'}{os.pathsep}{REPOSITORY}"
    child = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, json.dumps(at)],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    ended = Ended(child.returncode, child.stdout, child.stderr)
    assert ended.code == 130
    assert "Run the same command again to go on" in ended.err
    assert "Traceback" not in ended.err
    assert layout.current_name(older) == before
    assert trialyst("registry", "upgrade").code == 0
    with Registry.open(older) as registry:
        assert len(registry) == 20
