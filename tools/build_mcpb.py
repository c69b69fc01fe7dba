"""Build the MCP bundle for desktop hosts: `python tools/build_mcpb.py [DIRECTORY]`.

A bundle is a zip with a manifest, format 0.4. This one holds the package as source and the names of
what it depends on, which the host installs with uv for its own platform. The tools in the manifest
are those the bundled server lists when it is started.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import tomllib
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client

__all__ = ["build_bundle", "main"]

ROOT = Path(__file__).resolve().parents[1]
ENTRY_POINT = "src/server.py"
AS_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the zip, so that the same source gives the same bytes."""

SETTINGS = {
    "TRIALYST_REGISTRY": (
        "registry",
        {
            "type": "directory",
            "title": "Registry directory",
            "description": "Your registry of trials, as `trialyst registry sync` makes it. "
            "Empty: the one in the usual place, or else the synthetic starter.",
            "required": False,
            "default": "",
        },
    ),
    "TRIALYST_SOURCE": (
        "source",
        {
            "type": "string",
            "title": "Source of trials",
            "description": "auto (your registry if there is one, else the synthetic starter), "
            "local, starter, or live (asks ClinicalTrials.gov over the network).",
            "required": False,
            "default": "auto",
        },
    ),
}
"""What a user can set, by the environment variable that tells the server."""

LONG_DESCRIPTION = """\
Search, count, compare and match clinical trials from a registry on your own machine.

Without a registry of your own it answers from a **synthetic starter**, and always says so. \
`trialyst registry sync` fetches real records; the source `live` asks ClinicalTrials.gov itself. \
Patient notes are read on this machine. For research use only, not medical advice."""


def build_bundle(directory: Path) -> Path:
    """Write the bundle into a directory and give its path."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    with TemporaryDirectory() as scratch:
        bundle = Path(scratch) / "bundle"
        _copy_sources(bundle)
        (bundle / "pyproject.toml").write_text(_render_pyproject(project), "utf-8")
        tools = asyncio.run(_list_tools(bundle, home=Path(scratch) / "home"))
        manifest = json.dumps(_build_manifest(project, tools), indent=2, ensure_ascii=False)
        (bundle / "manifest.json").write_text(manifest + "\n", "utf-8")
        directory.mkdir(parents=True, exist_ok=True)
        return _pack(bundle, directory / f"trialyst-{project['version']}.mcpb")


def _copy_sources(bundle: Path) -> None:
    """Lay out the package without what was compiled on this machine."""
    shutil.copytree(
        ROOT / "src" / "trialyst",
        bundle / "src" / "trialyst",
        ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"),
    )
    shutil.copyfile(ROOT / "tools" / "mcpb" / "server.py", bundle / ENTRY_POINT)
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(ROOT / name, bundle / name)


def _render_pyproject(project: dict[str, Any]) -> str:
    """Name the dependencies for uv: none newer than the locked ones, none built from source.

    So every platform gets the locked versions, and one that has no wheel of such a version the
    last version it has a wheel of; no compiler is ever asked for.
    """
    pins = re.findall(r"^([\w.-]+)==([^\s;]+)( ; [^\\\n]+)?", _locked(), re.M)
    limits = [f"{name}<={version}{marker.rstrip()}" for name, version, marker in pins]
    return "\n".join(
        [
            "[project]",
            f'name = "{project["name"]}"',
            f'version = "{project["version"]}"',
            f'requires-python = "{project["requires-python"]}"',
            f"dependencies = {json.dumps(project['dependencies'], indent=2)}",
            "",
            "[tool.uv]",
            "package = false",
            "no-build = true",
            f"constraint-dependencies = {json.dumps(limits, indent=2)}",
            "",
        ]
    )


def _locked() -> str:
    return (ROOT / "requirements.txt").read_text("utf-8")


async def _list_tools(bundle: Path, *, home: Path) -> list[dict[str, str]]:
    """Start the bundled server and give its tools by name and first paragraph."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[str(bundle / ENTRY_POINT)],
        env={
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "TRIALYST_HOME": str(home),
            # The live service is asked nothing before a tool is called; a starter would be built.
            "TRIALYST_SOURCE": "live",
        },
    )
    async with Client(stdio_client(parameters)) as client:
        tools = (await client.list_tools()).tools
    return [{"name": tool.name, "description": _first_paragraph(tool)} for tool in tools]


def _first_paragraph(tool: Any) -> str:
    return " ".join((tool.description or tool.title).partition("\n\n")[0].split())


def _build_manifest(project: dict[str, Any], tools: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "manifest_version": "0.4",
        "name": project["name"],
        "display_name": "Trialyst",
        "version": project["version"],
        "description": project["description"],
        "long_description": LONG_DESCRIPTION,
        "author": {"name": "The Trialyst contributors"},
        "license": project["license"],
        "keywords": project["keywords"],
        "privacy_policies": ["https://www.nlm.nih.gov/web_policies.html"],
        "server": {
            "type": "uv",
            "entry_point": ENTRY_POINT,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", ENTRY_POINT],
                "env": {
                    variable: f"${{user_config.{key}}}" for variable, (key, _) in SETTINGS.items()
                },
            },
        },
        "tools": tools,
        "prompts_generated": True,
        "compatibility": {
            "platforms": ["darwin", "linux", "win32"],
            "runtimes": {"python": project["requires-python"]},
        },
        "user_config": dict(SETTINGS.values()),
    }


def _pack(bundle: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in bundle.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(bundle).as_posix(), AS_ALWAYS)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes())
    return target


def main() -> None:
    """Build the bundle where the command line says, in `dist` if it says nothing."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    bundle = build_bundle(directory)
    print(f"{bundle} ({bundle.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
