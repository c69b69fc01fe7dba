"""The MCP bundle: its manifest is what the format asks for, and starts the server it tells of."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from tests.house.sources import ROOT
from tests.packaging.environments import (
    PACKAGE_FILES,
    Environment,
    create_environment,
    run,
    speaking,
)
from tests.packaging.manifests import MANIFEST_SCHEMA
from trialyst import __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VARIABLE = re.compile(r"\$\{([^}]+)\}")


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle, as `make mcpb` builds it."""
    directory = tmp_path_factory.mktemp("bundles")
    script = ROOT / "tools" / "build_mcpb.py"
    run([sys.executable, str(script), str(directory)])
    return directory / f"trialyst-{__version__}.mcpb"


@pytest.fixture(scope="session")
def bundle(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle, unpacked as a host does it."""
    directory = tmp_path_factory.mktemp("extension")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(directory)
    return directory


@pytest.fixture(scope="session")
def manifest(bundle: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((bundle / "manifest.json").read_text("utf-8"))
    return loaded


@pytest.fixture(scope="session")
def environment(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What uv would have made of the bundle's dependencies; Trialyst is not in it."""
    return create_environment(tmp_path_factory.mktemp("host") / "venv", packages)


def substitute(text: str, bundle: Path, settings: dict[str, str]) -> str:
    """Put in what a host puts in; what nobody has set stays as it is."""
    values = {"__dirname": str(bundle)} | {f"user_config.{k}": v for k, v in settings.items()}
    return VARIABLE.sub(lambda match: values.get(match[1], match[0]), text)


def defaults(manifest: dict[str, Any]) -> dict[str, str]:
    return {name: option["default"] for name, option in manifest["user_config"].items()}


def launch(
    manifest: dict[str, Any], bundle: Path, settings: dict[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Give the command and the variables with which a host starts the server."""
    config = manifest["server"]["mcp_config"]
    command = [substitute(word, bundle, settings) for word in [config["command"], *config["args"]]]
    return command, {name: substitute(t, bundle, settings) for name, t in config["env"].items()}


@pytest.mark.slow
def test_manifest_is_what_the_format_asks_for(manifest: dict[str, Any]) -> None:
    jsonschema.validate(manifest, MANIFEST_SCHEMA)


@pytest.mark.slow
def test_manifest_repeats_the_project(manifest: dict[str, Any]) -> None:
    repeated = ("name", "version", "description", "license", "keywords")
    assert {name: manifest[name] for name in repeated} == {name: PROJECT[name] for name in repeated}


@pytest.mark.slow
def test_every_variable_is_one_that_a_host_knows(manifest: dict[str, Any]) -> None:
    used = set(VARIABLE.findall(json.dumps(manifest["server"])))
    assert used == {"__dirname", *(f"user_config.{name}" for name in manifest["user_config"])}


@pytest.mark.slow
def test_nothing_has_to_be_set(manifest: dict[str, Any]) -> None:
    assert not any(option["required"] for option in manifest["user_config"].values())
    assert all("default" in option for option in manifest["user_config"].values())


@pytest.mark.slow
def test_bundle_holds_the_package_and_nothing_installed_or_compiled(bundle: Path) -> None:
    held = {path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()}
    package = {f"src/{name}" for name in PACKAGE_FILES}
    beside = {"manifest.json", "pyproject.toml", "src/server.py", "LICENSE", "NOTICE"}
    assert held == package | beside


@pytest.mark.slow
def test_bundle_needs_what_the_project_needs_in_no_newer_version(bundle: Path) -> None:
    written = tomllib.loads((bundle / "pyproject.toml").read_text("utf-8"))
    assert written["project"]["dependencies"] == PROJECT["dependencies"]
    locked = re.findall(
        r"^(\S+)==(\S+)", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE
    )
    limits = [limit.split(" ; ")[0] for limit in written["tool"]["uv"]["constraint-dependencies"]]
    assert limits == [f"{name}<={version}" for name, version in locked]


@pytest.mark.slow
def test_files_are_packed_in_order_and_with_the_same_date(archive: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        entries = packed.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.slow
@pytest.mark.parametrize("answered", [True, False], ids=["defaults", "placeholders left"])
def test_entry_point_serves_the_tools_of_the_manifest(
    *,
    answered: bool,
    manifest: dict[str, Any],
    bundle: Path,
    environment: Environment,
    starter_home: Path,
) -> None:
    _, variables = launch(manifest, bundle, defaults(manifest) if answered else {})
    command = [environment.command("python"), str(bundle / manifest["server"]["entry_point"])]
    check_served(command, variables | {"TRIALYST_HOME": str(starter_home)}, manifest)


@pytest.mark.slow
def test_uv_starts_the_server_as_the_manifest_says(
    manifest: dict[str, Any], bundle: Path, environment: Environment, starter_home: Path
) -> None:
    if not shutil.which("uv"):
        pytest.skip("uv is not installed")
    command, variables = launch(manifest, bundle, defaults(manifest))
    # The dependencies are lent: uv is told that they are installed.
    lent = {"UV_PROJECT_ENVIRONMENT": str(environment.directory), "UV_NO_SYNC": "1"}
    check_served(command, variables | lent | {"TRIALYST_HOME": str(starter_home)}, manifest)


def check_served(command: list[str], variables: dict[str, str], manifest: dict[str, Any]) -> None:
    """Start the server and compare its tools with those the manifest tells of."""
    with speaking(command, PYTHONDONTWRITEBYTECODE="1", **variables) as tools:
        listed = tools.portal.call(tools.client.list_tools).tools
        assert [tool.name for tool in listed] == [tool["name"] for tool in manifest["tools"]]
        assert tools.wire("count_trials")["provenance"]["source"] == "starter"
