"""Files of a WikiPathways download, out of directories and archives, one at a time.

Knows a file by its name: GPML, the datanodes TSV and the summary of a pathway; other files are
passed over. An archive that ends early or a file that is too large is told, never half-used.
"""

from __future__ import annotations

import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import IO

from trialyst.errors import InvalidInput
from trialyst.markup import MAX_BYTES

__all__ = ["FileKind", "PathwayFile", "Skipped", "iter_files"]


class FileKind(StrEnum):
    """What a file holds of a pathway."""

    GPML = ".gpml"
    NODES = "-datanodes.tsv"
    INFO = "-info.json"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not used, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class PathwayFile:
    """A file, read whole; `number` is None where its name gives no id."""

    name: str
    kind: FileKind
    number: int | None
    data: bytes


_NUMBER = re.compile(r"WP(\d{1,7})(?!\d)")
_ARCHIVE = re.compile(r"\.(?:zip|tar|tgz|txz|tbz2|tar\.(?:gz|xz|bz2))$", re.IGNORECASE)
# A RuntimeError is what an encrypted or oddly compressed member of a ZIP raises.
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,
)


def iter_files(path: Path, skip: Callable[[Skipped], None]) -> Iterator[PathwayFile]:
    """Yield the files of a directory and the archives in it, of an archive, or a single file.

    Raises:
        InvalidInput: there is nothing at the path, or an archive is damaged.
    """
    if path.is_dir():
        yield from _from_directory(path, skip)
    elif not path.is_file():
        raise InvalidInput(
            f"There is no file or directory {str(path)!r}",
            hint="Give the directory, ZIP or TAR archive that WikiPathways was downloaded to.",
            invalid_input=str(path),
        )
    elif _kind(path.name):
        try:
            yield from _read(path.name, path.stat().st_size, lambda: path.open("rb"), skip)
        except OSError as error:
            skip(Skipped(path.name, f"it cannot be read: {error.strerror or error}"))
    else:
        yield from _from_archive(path, skip)


def _from_directory(path: Path, skip: Callable[[Skipped], None]) -> Iterator[PathwayFile]:
    for file in sorted(path.rglob("*")):
        if _ARCHIVE.search(file.name) and file.is_file():
            yield from _from_archive(file, skip)
        elif _kind(file.name) and file.is_file():
            name = file.relative_to(path).as_posix()
            try:
                yield from _read(name, file.stat().st_size, lambda file=file: file.open("rb"), skip)  # type: ignore[misc]
            except OSError as error:
                skip(Skipped(name, f"it cannot be read: {error.strerror or error}"))


def _from_archive(path: Path, skip: Callable[[Skipped], None]) -> Iterator[PathwayFile]:
    try:
        if zipfile.is_zipfile(path):
            yield from _from_zip(path, skip)
        else:
            yield from _from_tar(path, skip)
    except _DAMAGE as error:
        raise InvalidInput(
            f"{str(path)!r} is not a whole ZIP or TAR archive: {error}",
            hint="Download the archive again, or give a directory of GPML files.",
            invalid_input=str(path),
        ) from None


def _from_zip(path: Path, skip: Callable[[Skipped], None]) -> Iterator[PathwayFile]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if _kind(member.filename) and not member.is_dir():
                yield from _read(
                    member.filename,
                    member.file_size,
                    lambda member=member: archive.open(member),  # type: ignore[misc]
                    skip,
                )


def _from_tar(path: Path, skip: Callable[[Skipped], None]) -> Iterator[PathwayFile]:
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            if _kind(member.name) and member.isfile():
                yield from _read(
                    member.name,
                    member.size,
                    lambda member=member: archive.extractfile(member),  # type: ignore[misc, arg-type]
                    skip,
                )


def _read(
    name: str, size: int, opened: Callable[[], IO[bytes]], skip: Callable[[Skipped], None]
) -> Iterator[PathwayFile]:
    if size > MAX_BYTES:
        skip(Skipped(name, f"it has {size} bytes, more than the {MAX_BYTES} that are read"))
        return
    with opened() as file:
        # The stated size of an archive's member may be a lie.
        data = file.read(MAX_BYTES + 1)
    kind = _kind(name)
    if kind and len(data) <= MAX_BYTES:
        numbers = _NUMBER.findall(PurePosixPath(name).name)
        yield PathwayFile(name, kind, int(numbers[-1]) if numbers else None, data)
    else:
        skip(Skipped(name, f"it is larger than the {MAX_BYTES} bytes that are read"))


def _kind(name: str) -> FileKind | None:
    base = PurePosixPath(name).name
    if base.startswith("."):
        return None
    return next((kind for kind in FileKind if base.lower().endswith(kind)), None)
