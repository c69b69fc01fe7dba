"""The record store: every study as it came, compressed, by number, in one SQLite file."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import zstandard

__all__ = ["RecordReader", "RecordWriter", "compressor_for", "train_dictionary"]

DICTIONARY_BYTES = 112_640
LEVEL = 3
# SQLite refuses more host parameters in older builds.
_BATCH = 500


def train_dictionary(samples: Sequence[bytes]) -> bytes:
    """Learn what studies have in common; makes a small record a third of its size."""
    import zstandard

    # With few or tiny samples the trainer fails; records are then compressed each on its own.
    if len(samples) < 200:
        return b""
    try:
        return zstandard.train_dictionary(DICTIONARY_BYTES, list(samples)).as_bytes()
    except zstandard.ZstdError:
        return b""


def compressor_for(dictionary: bytes) -> zstandard.ZstdCompressor:
    """Make the compressor that goes with a dictionary; b"" means none."""
    import zstandard

    if not dictionary:
        return zstandard.ZstdCompressor(level=LEVEL)
    return zstandard.ZstdCompressor(
        level=LEVEL, dict_data=zstandard.ZstdCompressionDict(dictionary)
    )


class RecordWriter:
    """Adds compressed records; nothing is kept until `commit`."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # The file is built aside and switched in whole, so speed may go before journalling;
        # a checkpoint is made durable by `commit`.
        self._db.execute("PRAGMA journal_mode = TRUNCATE")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS records "
            "(nct INTEGER PRIMARY KEY, updated INTEGER, blob BLOB)"
        )
        self._db.execute("CREATE TABLE IF NOT EXISTS dictionary (blob BLOB)")
        self._db.execute("BEGIN")

    @property
    def dictionary(self) -> bytes | None:
        """The compression dictionary, None while it is not fixed yet."""
        row = self._db.execute("SELECT blob FROM dictionary").fetchone()
        return row[0] if row else None

    def set_dictionary(self, dictionary: bytes) -> None:
        """Fix the compression dictionary of all records; b"" means none."""
        self._db.execute("INSERT INTO dictionary VALUES (?)", (dictionary,))
        self.commit()

    def put(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Add rows of number, day of the last update, compressed record."""
        self._db.executemany("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", rows)

    def remove(self, numbers: Iterable[int]) -> int:
        before = self._db.total_changes
        self._db.executemany("DELETE FROM records WHERE nct = ?", ((n,) for n in numbers))
        return self._db.total_changes - before

    def updates(self) -> dict[int, int]:
        """Give the day of the last update of every record."""
        return dict(self._db.execute("SELECT nct, updated FROM records"))

    def commit(self) -> None:
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def close(self) -> None:
        self._db.execute("COMMIT")
        self._db.close()


class RecordReader:
    """Reads records; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        row = self._connect().execute("SELECT blob FROM dictionary").fetchone()
        self._dictionary = row[0] if row else b""

    def _connect(self) -> sqlite3.Connection:
        db = getattr(self._local, "db", None)
        if db is None:
            uri = f"{self._path.resolve().as_uri()}?mode=ro&immutable=1"
            db = sqlite3.connect(uri, uri=True, check_same_thread=False)
            self._local.db = db
            self._connections.append(db)
        return db

    def _decompressor(self) -> zstandard.ZstdDecompressor:
        import zstandard

        known = getattr(self._local, "decompressor", None)
        if known is None:
            dictionary = (
                zstandard.ZstdCompressionDict(self._dictionary) if self._dictionary else None
            )
            known = zstandard.ZstdDecompressor(dict_data=dictionary)
            self._local.decompressor = known
        return known

    def __len__(self) -> int:
        return int(self._connect().execute("SELECT count(*) FROM records").fetchone()[0])

    def get(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the records that exist, by number."""
        decompress = self._decompressor().decompress
        found: dict[int, bytes] = {}
        for start in range(0, len(numbers), _BATCH):
            batch = numbers[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            rows = self._connect().execute(
                f"SELECT nct, blob FROM records WHERE nct IN ({marks})", batch
            )
            found.update((number, decompress(blob)) for number, blob in rows)
        return found

    def iter(self) -> Iterator[tuple[int, bytes]]:
        """Yield every record in ascending order of its number."""
        decompress = self._decompressor().decompress
        last = -1
        while True:
            # Pages by key: the connection is shared, so a cursor must not stay open for long.
            rows = (
                self._connect()
                .execute(
                    "SELECT nct, blob FROM records WHERE nct > ? ORDER BY nct LIMIT 1000", (last,)
                )
                .fetchall()
            )
            if not rows:
                return
            for number, blob in rows:
                yield number, decompress(blob)
            last = rows[-1][0]

    def close(self) -> None:
        for db in self._connections:
            db.close()
        self._connections.clear()
        self._local = threading.local()
