"""The Dockerfile does what it says, as far as that can be tried without Docker.

Its first stage is carried out in a directory that stands for the root of the image, and what is
installed there is started as the last stage says. Nothing is fetched.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contracts.contracts import TOOLS
from tests.house.sources import ROOT
from tests.house.test_docs import COMMANDS
from tests.packaging.dockerfiles import load_stages
from tests.packaging.environments import Environment, isolated, run, speaking
from trialyst.interfaces.cli.starting import INTERRUPTED

BUILD, IMAGE = load_stages(ROOT / "Dockerfile")
COPIED = [word for each in BUILD.named("COPY") for word in each.words[:-1]]
PORT = IMAGE.get("EXPOSE").text


@pytest.fixture(scope="session")
def image(checkout: Path, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What the first stage installs."""
    root = tmp_path_factory.mktemp("root")
    work = root / BUILD.get("WORKDIR").text.removeprefix("/")
    work.mkdir()
    variables = {
        "PATH": f"{Path(sys.executable).parent}:{isolated()['PATH']}",
        # Lent packages are to pip what it installed a moment ago.
        "PYTHONPATH": str(packages),
        "CC": "no-compiler-at-hand",
    }
    for instruction in BUILD.named("COPY", "RUN"):
        if instruction.name == "COPY":
            *sources, target = instruction.words
            for source in sources:
                _copy(checkout / source, work / target)
        else:
            command = instruction.text.replace("/opt/", f"{root}/opt/")
            run(["sh", "-c", f"cd {work} && {command}"], **variables)
    installed = Environment(root / IMAGE.get("COPY").words[1].removeprefix("/"))
    installed.borrow(packages)
    return installed


def _copy(source: Path, target: Path) -> None:
    """Copy as COPY does: the contents of a directory, a file under its own name."""
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, target / source.name)


def started(image: Environment, *arguments: str) -> list[str]:
    """Give the command of a container that is run with arguments."""
    program, *first = IMAGE.get("ENTRYPOINT").words
    return [image.command(program), *first, *arguments]


def is_healthy(image: Environment, port: str) -> bool:
    """Run the health check as if the server were on another port."""
    program, *arguments = IMAGE.get("HEALTHCHECK").words
    command = [image.command(program), *(word.replace(PORT, port) for word in arguments)]
    ended = subprocess.run(command, capture_output=True, env=isolated(), check=False)
    return ended.returncode == 0


def test_every_file_copied_is_in_the_checkout() -> None:
    assert [name for name in COPIED if not (ROOT / name).exists()] == []


def test_nothing_but_the_files_copied_is_sent_to_docker() -> None:
    everything, *lines = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert everything == "*"
    assert [line[1:] for line in lines if line.startswith("!")] == COPIED


def test_images_are_named_without_a_registry() -> None:
    assert (BUILD.image, IMAGE.image) == ("python:3.11", "python:3.11-slim")


def test_environment_stays_where_it_was_installed() -> None:
    _, source, target = IMAGE.get("COPY").words
    assert source == target
    assert IMAGE.variables()["PATH"] == f"{target}/bin:$PATH"


def test_container_runs_as_a_user_of_its_own_who_owns_the_data() -> None:
    user, data = IMAGE.get("USER").text, IMAGE.get("VOLUME").text
    assert IMAGE.variables()["TRIALYST_HOME"] == data
    prepared = IMAGE.get("RUN").text
    assert re.search(rf"useradd --uid [1-9]\d+ .*{user}", prepared)
    assert f"install -d -o {user} -g {user} {data}" in prepared


def test_port_exposed_and_watched_is_the_one_served() -> None:
    (port,) = [each.default for each in COMMANDS["serve"].params if each.name == "port"]
    assert str(port) == PORT
    assert f"'127.0.0.1', {PORT}" in IMAGE.get("HEALTHCHECK").text


@pytest.mark.slow
def test_container_serves_and_is_healthy_until_docker_stops_it(
    image: Environment, starter_home: Path
) -> None:
    command = started(image, *IMAGE.get("CMD").words, "--port", "0")
    variables = isolated(TRIALYST_HOME=str(starter_home))
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=variables) as process:
        assert process.stderr
        told = next(line for line in process.stderr if line.startswith("Agents connect to "))
        address = re.search(r"http://0\.0\.0\.0:(\d+)/mcp", told)
        assert address, told
        assert is_healthy(image, address[1])
        process.send_signal(signal.Signals[IMAGE.get("STOPSIGNAL").text])
        assert process.wait(20) == INTERRUPTED
    assert not is_healthy(image, address[1])


@pytest.mark.slow
def test_container_speaks_mcp_on_standard_input_and_output(
    image: Environment, starter_home: Path
) -> None:
    with speaking(started(image, "mcp"), TRIALYST_HOME=str(starter_home)) as tools:
        listed = tools.portal.call(tools.client.list_tools).tools
        assert [tool.name for tool in listed] == list(TOOLS)


@pytest.mark.live
@pytest.mark.timeout(1800)
def test_docker_builds_the_image_and_its_server_answers() -> None:
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "info"], capture_output=True, check=False).returncode:
        pytest.skip("there is no Docker here, or nothing that answers it")
    build = [docker, "build", "--quiet", str(ROOT)]
    name = subprocess.run(build, capture_output=True, text=True, check=True).stdout.strip()
    with speaking([docker, "run", "-i", "--rm", name, "mcp"]) as tools:
        assert tools.wire("count_trials")["provenance"]["source"] == "starter"
