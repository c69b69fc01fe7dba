"""The program on a real terminal: it keeps to its width, ids stay whole, colours can be off."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def on_terminal(home: Path, columns: int, *arguments: str, **variables: str) -> str:
    """Run the program on a terminal of its own and give what it wrote there."""
    own = ("NO_COLOR", "COLUMNS", "TERM")
    inherited = {name: text for name, text in os.environ.items() if name not in own}
    environment = {**inherited, "TRIALYST_HOME": str(home), "TERM": "xterm", **variables}
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    command = [sys.executable, "-m", "trialyst", *arguments, "--source", "starter"]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    process = os.posix_spawn(
        sys.executable,
        command,
        environment,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, terminal, 0),
            (os.POSIX_SPAWN_DUP2, terminal, 1),
            (os.POSIX_SPAWN_DUP2, nowhere, 2),
        ],
    )
    os.close(terminal)
    os.close(nowhere)
    written = b""
    while chunk := _read(controller):
        written += chunk
    os.close(controller)
    os.waitpid(process, 0)
    return written.decode().replace("\r\n", "\n")


def _read(controller: int) -> bytes:
    # Linux tells the end of a terminal as an error.
    try:
        return os.read(controller, 65536)
    except OSError:
        return b""


@pytest.mark.parametrize("columns", [30, 60, 100])
def test_a_search_fits_the_terminal_and_keeps_its_ids(starter_home: Path, columns: int) -> None:
    shown = on_terminal(starter_home, columns, "search", "asthma", "-n", "10", NO_COLOR="1")
    assert max(map(len, shown.splitlines())) <= columns
    assert len(set(re.findall(r"^NCT9\d{7}", shown, re.M))) == 10
    assert "\x1b" not in shown


def test_heads_are_bold_on_a_terminal(starter_home: Path) -> None:
    shown = on_terminal(starter_home, 100, "search", "asthma", "-n", "1")
    assert shown.startswith("\x1b[1mNCT id")


def test_a_dumb_terminal_gets_plain_text(starter_home: Path) -> None:
    assert "\x1b" not in on_terminal(starter_home, 100, "search", "asthma", "-n", "1", TERM="dumb")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_behind_standard_output_is_told_without_a_traceback() -> None:
    command = [sys.executable, "-m", "trialyst", "match", "--samples", "--json"]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("Error: The answer cannot be written: No space left")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_only_a_full_standard_output_is_blamed() -> None:
    program = (
        "import sys; from trialyst.interfaces.cli.output import is_output_full, note\n"
        "note(str(is_output_full()))"
    )
    told = {}
    for path in ("/dev/full", "/dev/null"):
        with Path(path).open("w") as taken:
            ended = subprocess.run(
                [sys.executable, "-c", program],
                stdout=taken,
                stderr=subprocess.PIPE,
                text=True,
                check=True,
            )
        told[path] = ended.stderr.strip()
    assert told == {"/dev/full": "True", "/dev/null": "False"}
