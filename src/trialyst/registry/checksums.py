"""Whether the files of a generation are as they were written.

A manifest holds the checksum of every file that never changes. Reading all of them at every start
would take seconds, so the size and the time of the last change of each are kept in `STAMPS` beside
the generation: only files that differ from their stamp are read. What changes bytes on a disk and
leaves no trace is found by `registry verify`, which reads everything.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from trialyst.errors import RegistryError
from trialyst.registry import generation as layout

__all__ = ["changed_files", "check_files", "checksums_of", "note_stamps"]

STAMPS = "stamps-"
_CHUNK = 1 << 22
_CHANGING = frozenset({layout.MANIFEST, layout.REQUIREMENTS, layout.UNREAD, layout.ANNOTATIONS})
"""Files that are put beside a generation later, or that hold the checksums themselves."""

Stamp = tuple[int, int]
"""Size and time of the last change."""


def checksums_of(generation: Path, *, like: Path | None = None) -> dict[str, int]:
    """Give the checksum of every file that never changes, by its path in the generation.

    Args:
        like: A generation that may share files with this one; theirs are taken from its manifest.
    """
    known = {} if like is None else _by_inode(like)
    return {
        name: known.get(_inode(generation / name)) or _checksum(generation / name)
        for name in sorted(_lasting(generation))
    }


def changed_files(generation: Path, checksums: Mapping[str, int]) -> list[str]:
    """Name the files that are missing or not as they were written; reads all of them."""
    return [name for name, checksum in checksums.items() if not _is(generation / name, checksum)]


def check_files(generation: Path, checksums: Mapping[str, int]) -> None:
    """Read the files that are not as they were when last looked at.

    Raises:
        RegistryError: one is missing or damaged.
    """
    before = _load_stamps(generation)
    suspects = {
        name: checksum
        for name, checksum in checksums.items()
        if name not in before or _stamp(generation / name) != before[name]
    }
    damaged = changed_files(generation, suspects)
    if damaged:
        raise RegistryError(
            f"The registry in {str(generation.parent)!r} is damaged: {', '.join(damaged)} "
            f"{'is' if len(damaged) == 1 else 'are'} not as written"
        )
    if suspects:
        note_stamps(generation, checksums)


def note_stamps(generation: Path, checksums: Mapping[str, int]) -> None:
    """Keep how the files look now; where nothing may be written they are read again next time."""
    stamps = {name: _stamp(generation / name) for name in checksums}
    with contextlib.suppress(OSError):
        layout.write_atomically(_stamps_path(generation), msgspec.json.encode(stamps))
        for other in generation.parent.glob(f"{STAMPS}*"):
            if not (generation.parent / other.name.removeprefix(STAMPS)).is_dir():
                other.unlink()


def _lasting(generation: Path) -> Iterator[str]:
    for path in generation.rglob("*"):
        name = path.relative_to(generation).as_posix()
        passing = name.startswith("checkpoint-") or name.endswith((".lock", "-journal"))
        if path.is_file() and not passing and name not in _CHANGING:
            yield name


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            checksum = zlib.crc32(chunk, checksum)
    return checksum


def _is(path: Path, checksum: int) -> bool:
    try:
        return _checksum(path) == checksum
    except OSError:
        return False


def _inode(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _by_inode(generation: Path) -> dict[tuple[int, int], int]:
    try:
        held = layout.open_manifest(generation).checksums
    except RegistryError:
        return {}
    present = ((generation / name, checksum) for name, checksum in held.items())
    return {_inode(path): checksum for path, checksum in present if path.exists()}


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _stamps_path(generation: Path) -> Path:
    return generation.parent / f"{STAMPS}{generation.name}"


def _load_stamps(generation: Path) -> dict[str, Stamp | None]:
    try:
        content = _stamps_path(generation).read_bytes()
        return msgspec.json.decode(content, type=dict[str, Stamp | None])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}
