"""`trialyst registry sync` from end to end, against our own server playing the live one."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.interfaces.cli.conftest import Ended
from tests.registry.invented import FIRST, many, study
from tests.serving import serving
from tests.transport.scripted import Upstream, reply, silent, upstream
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import Registry, add_studies, build_from_studies, registry_status
from trialyst.starter import ensure_starter

Call = Callable[..., Ended]


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The registry behind the service that the environment names."""
    directory = tmp_path / "service"
    build_from_studies(many(30), directory, data_timestamp="2026-08-14T09:00:05")
    with Registry.open(directory) as registry, serving(create_app(registry)) as address:
        monkeypatch.setenv("TRIALYST_CTGOV_URL", address + API_PREFIX)
        monkeypatch.setenv("TRIALYST_REGISTRY", str(tmp_path / "registry"))
        yield directory


@pytest.mark.slow
def test_real_data_by_one_command(live: Path, trialyst: Call, tmp_path: Path) -> None:
    ended = trialyst("registry", "sync")
    assert ended.code == 0
    first, second = ended.err.splitlines()[:2]
    assert first.startswith("All of the service: 30 studies by the bulk file, about ")
    assert second.startswith("Needs about ")
    assert f"in {tmp_path / 'registry'}" in second
    assert "Building: " in ended.err
    assert "Records:" in ended.out
    assert trialyst("count", "--json").value["total_count"] == 30


@pytest.mark.usefixtures("live")
def test_the_report_as_json(trialyst: Call, tmp_path: Path) -> None:
    report = trialyst("registry", "sync", "--condition", "asthma", "--json").value
    assert report["registry"] == str(tmp_path / "registry")
    assert (report["how"], report["subset"]) == ("pages", "condition 'asthma'")
    assert report["records"] == report["on_service"] > 0


def test_a_second_call_updates_and_says_what_is_new(live: Path, trialyst: Call) -> None:
    trialyst("registry", "sync")
    add_studies([study(FIRST + 700, updated="2026-08-17")], live)
    ended = trialyst("registry", "sync")
    assert "what changed" in ended.err
    assert [line.split() for line in ended.out.splitlines() if line.startswith(("New", "Rec"))] == [
        ["Records:", "31"],
        ["New:", "1"],
    ]


@pytest.mark.usefixtures("live")
def test_status_tells_a_part_from_the_whole(trialyst: Call) -> None:
    trialyst("registry", "sync", "--query", "asthma")
    assert "only query 'asthma'" in trialyst("registry", "status").out
    trialyst("registry", "sync", "--all", "--full")
    assert "all of the service at http" in trialyst("registry", "status").out


@pytest.mark.usefixtures("live")
@pytest.mark.parametrize(
    "options",
    [("--condition", "gout"), ("--all",), ("--all", "--query", "x"), ("--advanced", "AREA[No]x")],
    ids=" ".join,
)
def test_options_that_cannot_be_are_refused(trialyst: Call, options: tuple[str, ...]) -> None:
    assert trialyst("registry", "sync", "--condition", "asthma").code == 0
    ended = trialyst("registry", "sync", *options)
    assert (ended.code, ended.out) == (2, "")
    assert "Hint: " in ended.err


def test_withdrawn_studies_are_removed_and_told(live: Path, trialyst: Call) -> None:
    trialyst("registry", "sync")
    trialyst("registry", "remove", f"NCT{FIRST}", "--registry", str(live))
    assert trialyst("registry", "sync", "--json").value["removed"] == 1
    assert trialyst("trial", f"NCT{FIRST}").code == 3


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter registry in the home of these tests."""
    return ensure_starter(tmp_path_factory.getbasetemp() / "home")


@pytest.mark.usefixtures("starter")
def test_the_starter_names_the_command(trialyst: Call) -> None:
    ended = trialyst("count", "--source", "starter", "--json")
    assert "trialyst registry sync" in ended.err
    assert any("registry sync" in note for note in ended.value["provenance"]["notes"])


@pytest.fixture
def stalling() -> Iterator[Upstream]:
    """A service that begins to send the bulk file and says no more."""
    with upstream() as server:
        server.script(
            reply('{"apiVersion":"2.0.5","dataTimestamp":"2026-08-14T09:00:05"}'),
            reply('{"totalStudies":30,"averageSizeBytes":900}'),
            silent,
        )
        yield server


@pytest.mark.slow
def test_ctrl_c_leaves_the_registry_whole_and_says_how_to_go_on(
    stalling: Upstream, tmp_path: Path
) -> None:
    directory = tmp_path / "registry"
    build_from_studies(many(3), directory)
    environment = os.environ | {
        "PYTHONPATH": str(REPOSITORY / "src"),
        "TRIALYST_CTGOV_URL": stalling.url,
        "TRIALYST_REGISTRY": str(directory),
    }
    child = subprocess.Popen(
        [sys.executable, "-m", "trialyst", "registry", "sync", "--full"],
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    )
    assert child.stderr
    for line in child.stderr:
        if line.startswith("Needs about"):
            break
    child.send_signal(signal.SIGINT)
    rest = child.communicate()[1]
    assert child.returncode == 130
    assert "Run the same command again to go on" in rest
    assert "Traceback" not in rest
    assert registry_status(directory).records == 3


@pytest.mark.slow
def test_on_a_terminal_there_is_a_bar(live: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = os.environ | {
        "PYTHONPATH": str(REPOSITORY / "src"),
        "TRIALYST_REGISTRY": str(tmp_path / "other"),
        "TERM": "xterm",
    }
    child = subprocess.Popen(
        [sys.executable, "-m", "trialyst", "registry", "sync", "--json"],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(ours)
    assert child.wait() == 0
    assert b"Downloading" in seen
    assert b"Building" in seen
    assert "━".encode() in seen
