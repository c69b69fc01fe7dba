"""The files of a history: each holds some editions of the registry and what they changed.

An edition is one change of the registry, with its number and its day. A segment is a SQLite file
that never changes once it is written; generations share segments by hard links, and the manifest
holds their checksums. Small segments are merged as new ones come, so there are few of them.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from trialyst.errors import RegistryError
from trialyst.ids import NctId
from trialyst.registry.history.patches import NO_SUCH_PATCH, apply_patch, make_patch

__all__ = [
    "Change",
    "Edition",
    "Kind",
    "Segment",
    "link_segments",
    "pack_version",
    "unpack_version",
    "write_segment",
]

MERGED_BELOW = 2
"""A segment is merged into the next one unless it is more than so many times as large."""
LEVEL = 9
_CHECKSUM_BYTES = 4
_TABLES = (
    "editions (number INTEGER PRIMARY KEY, day TEXT, made_at TEXT, records INTEGER)",
    "changes (nct INTEGER, edition INTEGER, kind INTEGER, blob BLOB, PRIMARY KEY (nct, edition))",
)
_BY_EDITION = "CREATE INDEX IF NOT EXISTS by_edition ON changes (edition, nct)"


class Kind(IntEnum):
    """What an edition did with a study."""

    NEW = 0
    CHANGED = 1
    GONE = 2


class Edition(NamedTuple):
    """One change of the registry."""

    number: int
    day: str
    """The day of which the data was."""
    made_at: str
    records: int
    """Studies in the registry then."""


class Change(NamedTuple):
    """What an edition did with a study, and the version before it, packed."""

    number: int
    edition: int
    kind: Kind
    blob: bytes | None


def pack_version(older: Any, newer: Any | None) -> bytes:
    """Give the version that was replaced: as a difference to the newer one, or whole."""
    import zstandard

    kept = {"=": older} if newer is None else make_patch(newer, older)
    packed = zstandard.ZstdCompressor(level=LEVEL).compress(msgspec.json.encode(kept))
    return _checksum(older) + packed


def unpack_version(blob: bytes, newer: Any | None, number: int) -> Any:
    """Give the version that was replaced.

    Raises:
        RegistryError: what is kept is damaged, or belongs to another version.
    """
    import zstandard

    try:
        packed = zstandard.ZstdDecompressor().decompress(blob[_CHECKSUM_BYTES:])
        older = apply_patch(newer, msgspec.json.decode(packed))
    except (zstandard.ZstdError, msgspec.MsgspecError, RegistryError) as problem:
        raise _damaged(number, str(problem)) from problem
    if _checksum(older) != blob[:_CHECKSUM_BYTES]:
        raise _damaged(number, NO_SUCH_PATCH)
    return older


def _checksum(version: Any) -> bytes:
    written = msgspec.json.encode(_plain(version), order="sorted")
    return zlib.crc32(written).to_bytes(_CHECKSUM_BYTES, "big")


def _plain(value: Any) -> Any:
    """Give a value so that what compares as the same is written the same, as 1 and 1.0."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    return value


def _damaged(number: int, why: str) -> RegistryError:
    return RegistryError(f"The history of {NctId(number)} is damaged: {why}")


class Segment:
    """A segment opened for reading; close it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        try:
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
        except sqlite3.Error as problem:
            raise self._unreadable(problem) from problem

    def editions(self) -> list[Edition]:
        """Give its editions in order."""
        rows = self._rows("SELECT number, day, made_at, records FROM editions ORDER BY number")
        return [Edition(*row) for row in rows]

    def changes_of(self, number: int) -> list[Change]:
        """Give the changes of a study in order."""
        rows = self._rows(
            "SELECT nct, edition, kind, blob FROM changes WHERE nct = ? ORDER BY edition", (number,)
        )
        return [Change(nct, edition, Kind(kind), blob) for nct, edition, kind, blob in rows]

    def changed_numbers(self, after: int, until: int) -> Iterator[int]:
        """Yield the studies that editions after one and until another changed."""
        rows = self._rows(
            "SELECT DISTINCT nct FROM changes WHERE edition > ? AND edition <= ?", (after, until)
        )
        return (number for (number,) in rows)

    def problems(self) -> list[str]:
        """Say what is wrong with the file."""
        rows = self._rows("PRAGMA quick_check")
        return [f"history: {row[0]}" for row in rows if row[0] != "ok"]

    def _rows(self, statement: str, values: Sequence[int] = ()) -> list[Any]:
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as problem:
            raise self._unreadable(problem) from problem

    def _unreadable(self, problem: Exception) -> RegistryError:
        return RegistryError(f"The history in {str(self.path)!r} cannot be read: {problem}")

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def link_segments(older: Path, newer: Path) -> list[Path]:
    """Give a folder the segments of another; they never change."""
    newer.mkdir(parents=True, exist_ok=True)
    linked = []
    for path in sorted(older.glob("*.db")):
        (newer / path.name).unlink(missing_ok=True)
        (newer / path.name).hardlink_to(path)
        linked.append(newer / path.name)
    return linked


def write_segment(folder: Path, edition: Edition, changes: Iterable[Change]) -> None:
    """Write an edition to a new segment, merged with those before it that are not much larger."""
    before = sorted(folder.glob("*.db"))
    aside = folder / "new.aside"
    aside.unlink(missing_ok=True)
    with contextlib.closing(_create(aside)) as db:
        db.execute("INSERT INTO editions VALUES (?, ?, ?, ?)", edition)
        db.executemany("INSERT INTO changes VALUES (?, ?, ?, ?)", changes)
        db.execute("COMMIT")
        first = edition.number
        while before and before[-1].stat().st_size <= MERGED_BELOW * aside.stat().st_size:
            merged = before.pop()
            first = int(merged.stem.partition("-")[0])
            _merge(db, merged)
            merged.unlink()
        db.execute(_BY_EDITION)
    aside.rename(folder / f"{first:08d}-{edition.number:08d}.db")


def _create(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    # The generation is written aside and switched in whole.
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    for table in _TABLES:
        db.execute(f"CREATE TABLE {table}")
    db.execute("BEGIN")
    return db


def _merge(db: sqlite3.Connection, segment: Path) -> None:
    db.execute("ATTACH ? AS older", (str(segment),))
    for table in ("editions", "changes"):
        db.execute(f"INSERT INTO {table} SELECT * FROM older.{table}")
    db.execute("DETACH older")
