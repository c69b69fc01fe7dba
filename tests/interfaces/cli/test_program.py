from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import trialyst as package
from tests.interfaces.cli.conftest import Ended, Run
from trialyst import errors
from trialyst.interfaces.cli.failures import report


def test_version_is_printed(trialyst: Run) -> None:
    assert trialyst("--version") == Ended(0, f"trialyst {package.__version__}\n", "")


def test_help_shows_examples(trialyst: Run) -> None:
    ended = trialyst("--help")
    assert ended.code == 0
    assert "Examples:\n    trialyst search" in ended.out


def test_no_arguments_show_help_and_are_wrong_usage(trialyst: Run) -> None:
    ended = trialyst()
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("Usage: trialyst")


@pytest.mark.parametrize(
    "arguments",
    [
        ("fly",),
        ("search", "--flavour", "mint"),
        ("search", "--limit", "many"),
        ("search", "--limit", "0"),
        ("search", "--source", "moon"),
        ("trial",),
        ("registry", "build"),
        ("search",),
        ("search", "asthma", "--term", "eczema"),
        ("search", "asthma", "--phase", "Phase 5"),
        ("search", "asthma", "--source", "live", "--registry", "somewhere"),
        ("serve", "--source", "live"),
        ("trial", "aspirin"),
        ("trial", "NCT123"),
        ("registry", "remove", "NCT123"),
        ("search", "asthma", "--source", "starter", "--registry", "somewhere"),
    ],
    ids=" ".join,
)
def test_wrong_input_is_exit_code_2_with_a_hint(trialyst: Run, arguments: tuple[str, ...]) -> None:
    ended = trialyst(*arguments)
    assert (ended.code, ended.out) == (2, "")
    first, second, *rest = ended.err.splitlines()
    assert first.startswith("Error: ")
    assert second.startswith("Hint: ")
    assert not rest


@pytest.mark.parametrize(
    "arguments",
    [
        ("search",),
        ("search", "x", "--limit", "0"),
        ("trial", "aspirin"),
        ("compare", "NCT90000001"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_asked_does_not_wait_for_a_source(
    trialyst: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.setenv("TRIALYST_HOME", str(tmp_path / "home"))
    assert trialyst(*arguments).code == 2
    assert not (tmp_path / "home").exists()


def test_an_unknown_option_is_told_as_json_too(trialyst: Run) -> None:
    ended = trialyst("search", "--flavour", "mint", "--json")
    assert ended.code == 2
    assert ended.value["success"] is False
    assert ended.value["error"]["code"] == "INVALID_INPUT"
    assert "--flavour" in ended.value["error"]["message"]
    assert ended.err == ""


def test_an_error_as_json_names_the_input(trialyst: Run) -> None:
    error = trialyst("trial", "NCT123", "--json").value["error"]
    assert error["invalid_input"] == "NCT123"
    assert set(error) == {"code", "message", "recovery_hint", "invalid_input"}


@pytest.mark.slow
def test_a_named_registry_that_is_not_there_is_not_found(trialyst: Run, tmp_path: Path) -> None:
    ended = trialyst("search", "asthma", "--registry", str(tmp_path / "none"))
    assert ended.code == 3
    assert "trialyst registry build" in ended.err


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_ends_with_its_own_exit_code(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    error = getattr(errors, name)("It broke")
    assert report(error, as_json=True) == error.exit_code
    assert json.loads(capsys.readouterr().out)["error"]["code"] == error.code


def test_a_bad_setting_names_its_variable(trialyst: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIALYST_SOURCE", "moon")
    ended = trialyst("count")
    assert ended.code == 2
    assert "TRIALYST_SOURCE" in ended.err


def test_a_home_that_cannot_be_made_is_a_clear_error(
    trialyst: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("TRIALYST_HOME", str(tmp_path / "taken" / "below"))
    ended = trialyst("count", "--json")
    assert ended.code == 4
    assert "taken" in ended.value["error"]["message"]
    assert "TRIALYST_HOME" in ended.value["error"]["recovery_hint"]


@pytest.mark.parametrize("closed", ["1>&-", "2>&-"])
def test_a_closed_stream_does_no_harm(closed: str) -> None:
    done = subprocess.run(
        f"{sys.executable} -m trialyst --version {closed}",
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
        shell=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_command_is_installed_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trialyst", "--version"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert package.__version__ in done.stdout


def test_an_interrupt_while_starting_ends_without_a_traceback() -> None:
    script = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "trialyst.interfaces.cli.program":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from trialyst.interfaces.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
