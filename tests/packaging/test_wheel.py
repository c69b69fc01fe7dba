"""What is built from a checkout holds all of the package, and what is installed from it runs.

Built once, from the source archive and as on a machine without a compiler. Nothing is fetched.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.contracts.contracts import TOOLS
from tests.house.sources import ROOT
from tests.interfaces.mcp.connecting import WireTools
from tests.packaging.environments import (
    PACKAGE_FILES,
    Environment,
    create_environment,
    isolated,
    run,
    speaking,
)
from trialyst import __version__

BUILD_SDIST = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
DELETED = "trialyst/deleted.py"
"""A module that an earlier build has left behind."""
LINES = re.findall(
    r"^(?:uvx|pipx) .* mcp$", (ROOT / "docs" / "guide" / "install.md").read_text("utf-8"), re.M
)
"""The lines by which the guide starts the server without installing it."""


@pytest.fixture(scope="session")
def sdist(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive of the checkout."""
    directory = tmp_path_factory.mktemp("sdist")
    subprocess.run(
        [sys.executable, "-c", BUILD_SDIST, str(directory)],
        cwd=checkout,
        env=isolated(),
        capture_output=True,
        check=True,
    )
    (archive,) = directory.iterdir()
    return archive


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the source archive, built without a compiler and not for the first time."""
    directory = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extractall(directory / "source", filter="data")
    (source,) = (directory / "source").iterdir()
    platform = f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    left_behind = source / "build" / platform / DELETED
    left_behind.parent.mkdir(parents=True)
    left_behind.touch()
    build = ["wheel", "--no-deps", "--no-build-isolation", "-w", str(directory), str(source)]
    run([sys.executable, "-m", "pip", *build], CC="no-compiler-at-hand")
    (built,) = directory.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel installed."""
    environment = create_environment(tmp_path_factory.mktemp("installed") / "venv", packages)
    environment.install(wheel)
    return environment


def in_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_source_archive_holds_the_package_and_its_native_source(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    native = {f"src/native/{path.name}" for path in (ROOT / "src" / "native").iterdir()}
    assert {f"src/{name}" for name in PACKAGE_FILES} | native <= held
    assert {"pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"} <= held
    assert not [name for name in held if name.startswith("tests")]


@pytest.mark.slow
def test_wheel_holds_exactly_the_files_of_the_package(wheel: Path) -> None:
    held = {name for name in in_wheel(wheel) if name.startswith("trialyst/")}
    assert held == PACKAGE_FILES


@pytest.mark.slow
def test_module_deleted_since_the_last_build_is_not_in_the_wheel(wheel: Path) -> None:
    assert DELETED not in in_wheel(wheel)


@pytest.mark.slow
def test_wheel_carries_the_licences(wheel: Path) -> None:
    licences = {Path(name).name for name in in_wheel(wheel) if "/licenses/" in name}
    assert licences == {"LICENSE", "NOTICE"}


@pytest.mark.slow
def test_installed_command_is_the_one_of_the_wheel(installed: Environment) -> None:
    assert run([installed.command("trialyst"), "--version"]) == f"trialyst {__version__}\n"
    code = "import trialyst; print(trialyst.__file__)"
    imported = run([installed.command("python"), "-c", code])
    assert imported.startswith(str(installed.directory))


@pytest.mark.slow
def test_installed_server_answers_an_agent(installed: Environment, starter_home: Path) -> None:
    with speaking([installed.command("trialyst"), "mcp"], TRIALYST_HOME=str(starter_home)) as tools:
        check_answers(tools)


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_line_of_the_guide_starts_the_server(
    line: str, wheel: Path, starter_home: Path, tmp_path: Path
) -> None:
    command = [str(wheel) if word == "." else word for word in shlex.split(line)]
    variables = {
        "TRIALYST_HOME": str(starter_home),
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_DEFAULT_BACKEND": "uv",
        "UV_PYTHON": sys.executable,
    }
    skip_unless_at_hand([*command[:-1], "--version"], variables)
    with speaking(command, **variables) as tools:
        check_answers(tools)


def test_guide_shows_a_line_for_uvx_and_one_for_pipx() -> None:
    assert [line.split()[0] for line in LINES] == ["uvx", "pipx"]


def skip_unless_at_hand(command: list[str], variables: dict[str, str]) -> None:
    """Skip where a tool is missing, or what it would have to fetch; fail for any other reason."""
    for program in (command[0], "uv"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    ended = subprocess.run(
        command, capture_output=True, text=True, env=isolated(**variables), check=False
    )
    if "network was disabled" in ended.stderr:
        pytest.skip("uv has not the dependencies in its cache: run `uvx --from .` once")
    assert ended.stdout == f"trialyst {__version__}\n", ended.stderr


def check_answers(tools: WireTools) -> None:
    """Ask for the tools, and for trials of the starter registry."""
    listed = tools.portal.call(tools.client.list_tools).tools
    assert [tool.name for tool in listed] == list(TOOLS)
    found = tools.wire("search_trials", condition="asthma", page_size=1)
    assert found["provenance"]["synthetic"]
    assert len(found["items"]) == 1
