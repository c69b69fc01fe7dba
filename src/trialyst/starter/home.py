"""The starter registry on disk: built on first use, named after what is in it."""

from __future__ import annotations

import hashlib
import secrets
import shutil
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from trialyst.errors import RegistryError

__all__ = ["ensure_starter", "starter_directory"]


def ensure_starter(home: Path) -> Path:
    """Give the directory of the starter registry, building it where it is not there yet.

    Any number of processes may call this at once: each builds aside, the first to finish wins.
    """
    directory = starter_directory(home)
    if not _is_whole(directory):
        _build(directory)
    return directory


def starter_directory(home: Path) -> Path:
    """Name the directory after the registry's schema and the generator's content."""
    from trialyst.registry.schema import SCHEMA_VERSION

    return home / f"starter-{SCHEMA_VERSION}-{_content_version()}"


def _is_whole(directory: Path) -> bool:
    from trialyst.registry.generation import current_generation, open_manifest

    try:
        open_manifest(current_generation(directory))
    except RegistryError:
        return False
    return True


def _build(directory: Path) -> None:
    from trialyst.registry import build_from_studies
    from trialyst.starter.generator import generate_studies
    from trialyst.starter.timeline import DATA_TIMESTAMP

    directory.parent.mkdir(parents=True, exist_ok=True)
    aside = directory.with_name(f"{directory.name}.{secrets.token_hex(4)}.tmp")
    try:
        build_from_studies(generate_studies(), aside, synthetic=True, data_timestamp=DATA_TIMESTAMP)
        _switch(aside, directory)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _switch(aside: Path, directory: Path) -> None:
    """Put the new registry in place, unless another process was first."""
    if directory.exists() and not _is_whole(directory):
        damaged = aside.with_suffix(".damaged")
        directory.rename(damaged)
        shutil.rmtree(damaged, ignore_errors=True)
    try:
        aside.rename(directory)
    except OSError:
        if not _is_whole(directory):
            raise


@cache
def _content_version() -> str:
    """Digest the generator's own files, so that a change in any of them is another registry."""
    digest = hashlib.sha256()
    for path in sorted(_files(resources.files("trialyst.starter")), key=lambda file: file.name):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


def _files(folder: Traversable) -> list[Traversable]:
    found: list[Traversable] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _files(entry) if entry.name != "__pycache__" else []
        elif entry.name.endswith((".py", ".txt")):
            found.append(entry)
    return found
