"""Generations of a registry on disk: written aside, switched in atomically, never changed.

A registry directory holds `current` (the name of the generation in use), one directory for each
generation, and `lock`, held by the one process that writes. A reader opens what `current` names
and keeps it; a writer never touches a generation that was switched in.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from trialyst.errors import RegistryError, RegistryLocked, RegistryMissing, RegistryOutdated
from trialyst.hints import Command, Hint
from trialyst.locks import try_lock
from trialyst.registry.schema import SCHEMA_VERSION

__all__ = [
    "Header",
    "Manifest",
    "current_generation",
    "current_name",
    "current_records",
    "discard_old",
    "hold_current",
    "new_generation_name",
    "open_manifest",
    "read_header",
    "size_of",
    "switch_to",
    "sync_file",
    "write_atomically",
    "writer_lock",
]

CURRENT = "current"
LOCK = "lock"
MANIFEST = "manifest.json"
INDEX = "index"
NUMBERS = "numbers"
SITES = "sites"
RECORDS = "records.db"
LEARNED = "learned"
EVIDENCE = "evidence"
RESOLVED = "resolved"
REQUIREMENTS = "requirements.db"
UNREAD = "unread"
ANNOTATIONS = "annotations.db"
HISTORY = "history"
BUILDING = "building"
READING = "reading"

_NAME = re.compile(r"generation-[a-z0-9]+")

Kind = TypeVar("Kind", bound="Header")


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a manifest that is the same in every schema version; it must stay so."""

    generation: str
    schema_version: int
    records: int
    data_timestamp: str
    built_at: str
    synthetic: bool = False
    records_of: str | None = None
    """The generation whose records these are, where an upgrade made only the rest anew."""


class Manifest(Header, frozen=True, kw_only=True):
    """What a generation is; written last, so a generation without one is not whole."""

    checksums: dict[str, int]
    """Of every file that never changes, each as a whole, by its path."""


def current_name(directory: Path) -> str | None:
    """Give the name of the generation in use, None when there is none."""
    try:
        return (directory / CURRENT).read_text("utf-8", errors="replace").strip() or None
    except (FileNotFoundError, NotADirectoryError):
        return None


def current_generation(directory: Path) -> Path:
    """Give the directory of the generation in use, or raise RegistryMissing."""
    name = current_name(directory)
    if name is None:
        raise RegistryMissing(f"There is no registry in {str(directory)!r}")
    if not _NAME.fullmatch(name):
        raise RegistryError(f"The registry in {str(directory)!r} is damaged: {name!r} is no name")
    return directory / name


def current_records(directory: Path) -> str | None:
    """Name the records in use after the generation that held them first; None without any.

    An upgrade gives them a new generation and leaves them as they are.
    """
    name = current_name(directory)
    if name is None:
        return None
    try:
        return read_header(current_generation(directory)).records_of or name
    except RegistryError:
        return name


def read_header(generation: Path) -> Header:
    """Read what a generation of this schema version or an older one is.

    Raises:
        RegistryError: it cannot be read, or a newer version of this program wrote it.
    """
    header = _read_manifest(generation, Header)
    if header.schema_version > SCHEMA_VERSION:
        raise RegistryError(
            f"The registry in {str(generation.parent)!r} has schema version "
            f"{header.schema_version}, this program reads version {SCHEMA_VERSION}",
            hint=Hint(
                "A newer Trialyst made it: install that one, or to make the registry anew, {sync}.",
                sync=Command("trialyst registry sync --full"),
            ),
        )
    return header


def open_manifest(generation: Path) -> Manifest:
    """Read what a generation is, or say why it cannot be used.

    Raises:
        RegistryOutdated: it is of an older schema version.
    """
    header = read_header(generation)
    if header.schema_version < SCHEMA_VERSION:
        directory = str(generation.parent)
        raise RegistryOutdated(
            f"The registry in {directory!r} has schema version {header.schema_version}, this "
            f"program reads version {SCHEMA_VERSION}",
            hint=Hint(
                "To make it anew from its own {records} records, without a download, {upgrade}.",
                records=f"{header.records:,}",
                upgrade=Command(f"trialyst registry upgrade --registry {shlex.quote(directory)}"),
            ),
        )
    return _read_manifest(generation, Manifest)


def _read_manifest(generation: Path, kind: type[Kind]) -> Kind:
    try:
        return msgspec.json.decode((generation / MANIFEST).read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise _damaged(generation, problem) from problem


def size_of(folder: Path) -> int:
    """Give the bytes that a folder takes on disk; 0 if it is not there."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _damaged(generation: Path, problem: Exception) -> RegistryError:
    return RegistryError(f"The registry in {str(generation)!r} is damaged: {problem}")


def new_generation_name() -> str:
    """Make a name no earlier generation had."""
    return f"generation-{secrets.token_hex(6)}"


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file so that a crash leaves either the old content or the new."""
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError:
        # Nobody would look for it again under that name.
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        raise
    sync_file(path.parent)


def switch_to(directory: Path, prepared: Path, manifest: Manifest) -> Path:
    """Make a prepared directory the generation in use."""
    write_atomically(prepared / MANIFEST, msgspec.json.encode(manifest))
    final = directory / manifest.generation
    _sync_tree(prepared)
    prepared.rename(final)
    sync_file(directory)
    write_atomically(directory / CURRENT, manifest.generation.encode())
    return final


def discard_old(directory: Path, *, keep: frozenset[str]) -> None:
    """Remove generations that nobody reads and no reader can be about to open."""
    for path in directory.glob("generation-*"):
        if path.is_dir() and path.name not in keep and not _is_held(path):
            shutil.rmtree(path, ignore_errors=True)


def hold_current(directory: Path) -> tuple[Path, int]:
    """Give the generation in use, kept from being discarded until the descriptor is closed."""
    while True:
        generation = current_generation(directory)
        try:
            descriptor = os.open(generation / MANIFEST, os.O_RDONLY)
        except OSError as problem:
            if current_name(directory) != generation.name:
                continue
            raise _damaged(generation, problem) from problem
        # Where the file system has no locks, the previous generation is still never discarded.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return generation, descriptor


def _is_held(generation: Path) -> bool:
    try:
        descriptor = os.open(generation / MANIFEST, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not try_lock(descriptor)
    except OSError:
        return False
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def writer_lock(directory: Path) -> Iterator[None]:
    """Be the only writer of a registry; the kernel frees the lock when the process dies."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / LOCK).open("w") as file:
        if not try_lock(file.fileno()):
            raise RegistryLocked(f"Another process is writing the registry in {str(directory)!r}")
        yield


def sync_file(path: Path) -> None:
    """Make sure that a file, or the names in a directory, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_tree(path: Path) -> None:
    for file in path.rglob("*"):
        if file.is_file():
            sync_file(file)
