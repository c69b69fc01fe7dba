"""Places to install into: nothing of the checkout can be imported there, and no network is needed.

What Trialyst depends on is lent by the environment of the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mcp import StdioServerParameters, stdio_client

from tests.house.sources import ROOT, tracked_files
from tests.interfaces.mcp.connecting import WireTools, connected

PACKAGE_FILES = {
    path.relative_to(ROOT / "src").as_posix()
    for path in tracked_files()
    if path.is_relative_to(ROOT / "src" / "trialyst") and path.suffix not in {".so", ".pyd"}
}
"""Every file of the package, as it is named in a wheel; none that was compiled here."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment of its own."""

    directory: Path

    def command(self, name: str) -> str:
        """Give the path of an installed command."""
        return str(self.directory / "bin" / name)

    def install(self, wheel: Path) -> None:
        """Install a wheel with pip and nothing else."""
        pip = [sys.executable, "-m", "pip", "--python", self.command("python")]
        run([*pip, "install", "--no-deps", str(wheel)])

    def borrow(self, packages: Path) -> None:
        """Make lent packages visible behind its own."""
        (site,) = self.directory.glob("lib/python*/site-packages")
        (site / "lent.pth").write_text(f"{packages}\n", "utf-8")


def lend_packages(directory: Path) -> Path:
    """Fill a directory with all that is installed for the tests, but for Trialyst itself."""
    directory.mkdir()
    for path in Path(sysconfig.get_paths()["purelib"]).iterdir():
        if "trialyst" not in path.name and path.suffix != ".pth":
            (directory / path.name).symlink_to(path)
    return directory


def create_environment(directory: Path, packages: Path) -> Environment:
    """Create an environment that has borrowed packages."""
    run([sys.executable, "-m", "venv", "--without-pip", str(directory)])
    environment = Environment(directory)
    environment.borrow(packages)
    return environment


def isolated(**variables: str) -> dict[str, str]:
    """Give the environment variables of a process that knows nothing of the checkout."""
    inherited = {
        name: text
        for name, text in os.environ.items()
        if name != "PYTHONPATH" and not name.startswith("TRIALYST_")
    }
    return {**inherited, "PIP_NO_INDEX": "1", "UV_OFFLINE": "1", **variables}


def run(command: Sequence[str], **variables: str) -> str:
    """Run a command to its end and give what it printed; all it printed, if it failed."""
    ended = subprocess.run(
        command, capture_output=True, text=True, env=isolated(**variables), check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@contextmanager
def speaking(command: Sequence[str], **variables: str) -> Iterator[WireTools]:
    """Start a server as a host does, by its command, and connect a client to it."""
    program, *arguments = command
    parameters = StdioServerParameters(
        command=program, args=arguments, env=isolated(**variables), cwd=Path(sys.prefix)
    )
    with connected(stdio_client(parameters)) as tools:
        yield tools
