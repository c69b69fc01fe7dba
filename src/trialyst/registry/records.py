"""The record store: every study as it came, compressed, by number, in one SQLite file.

The tables `records` and `dictionary` are the same in every schema version: from them alone an
upgrade makes a registry anew. All else in the file may change.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trialyst.errors import RegistryError
from trialyst.ids import NctId

if TYPE_CHECKING:
    import zstandard

__all__ = [
    "RecordReader",
    "RecordWriter",
    "StoredRecord",
    "compressor_for",
    "stored_mark",
    "train_dictionary",
]

DICTIONARY_BYTES = 112_640
# Level 3 takes half as long again for an eighth less room.
LEVEL = 1
# SQLite refuses more host parameters in older builds.
_BATCH = 500
# Batches of about a megabyte that wait to be compressed and stored.
_MOST_UNDER_WAY = 4


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


def compressor_for(dictionary: bytes, *, level: int = LEVEL) -> zstandard.ZstdCompressor:
    """Make the compressor that goes with a dictionary; b"" means none."""
    import zstandard

    # With a checksum, a changed byte on the disk is an error and not another record.
    return zstandard.ZstdCompressor(
        level=level,
        dict_data=zstandard.ZstdCompressionDict(dictionary) if dictionary else None,
        write_checksum=True,
    )


class StoredRecord(NamedTuple):
    """What is stored of a study."""

    number: int
    updated: int
    """The day of its last update."""
    data: bytes
    row: bytes
    """Its short pieces, as `rows` packs them."""


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
        self._db.execute("CREATE TABLE IF NOT EXISTS short (nct INTEGER PRIMARY KEY, blob BLOB)")
        self._db.execute("BEGIN")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="trialyst-storing")
        self._under_way: deque[Future[None]] = deque()
        self._compressor: zstandard.ZstdCompressor | None = None

    @property
    def dictionary(self) -> bytes | None:
        """The compression dictionary, None while it is not fixed yet."""
        row = self._db.execute("SELECT blob FROM dictionary").fetchone()
        return row[0] if row else None

    def set_dictionary(self, dictionary: bytes) -> None:
        """Fix the compression dictionary of all records; b"" means none."""
        self._db.execute("INSERT INTO dictionary VALUES (?)", (dictionary,))
        self.commit()

    def put(self, records: Sequence[StoredRecord]) -> None:
        """Add records; the work is done in a thread.

        What goes wrong there is raised by a later call.
        """
        self._under_way.append(self._thread.submit(self._store, records))
        if len(self._under_way) > _MOST_UNDER_WAY:
            self._under_way.popleft().result()

    def _store(self, records: Sequence[StoredRecord]) -> None:
        if self._compressor is None:
            self._compressor = compressor_for(self.dictionary or b"")
        compress = self._compressor.compress
        self._db.executemany(
            "INSERT OR REPLACE INTO records VALUES (?, ?, ?)",
            ((record.number, record.updated, compress(record.data)) for record in records),
        )
        self._db.executemany(
            "INSERT OR REPLACE INTO short VALUES (?, ?)",
            ((record.number, record.row) for record in records),
        )

    def _wait(self) -> None:
        while self._under_way:
            self._under_way.popleft().result()

    def remove(self, numbers: Iterable[int]) -> int:
        self._wait()
        gone = [(number,) for number in numbers]
        self._db.executemany("DELETE FROM short WHERE nct = ?", gone)
        before = self._db.total_changes
        self._db.executemany("DELETE FROM records WHERE nct = ?", gone)
        return self._db.total_changes - before

    def updates(self) -> dict[int, int]:
        """Give the day of the last update of every record."""
        self._wait()
        return dict(self._db.execute("SELECT nct, updated FROM records"))

    def commit(self, mark: int | None = None) -> None:
        """Keep what was put so far, together with a mark that says how much that is."""
        self._wait()
        if mark is not None:
            self._db.execute(f"PRAGMA user_version = {mark:d}")
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def close(self) -> None:
        """Keep everything and let go of the file."""
        self._wait()
        self._thread.shutdown()
        self._db.execute("COMMIT")
        self._db.close()

    def abandon(self) -> None:
        """Let go of the file as the last commit left it."""
        self._thread.shutdown(cancel_futures=True)
        self._db.close()


def stored_mark(path: Path) -> int:
    """Give the mark of the last commit, 0 when there is none."""
    if not path.exists():
        return 0
    with contextlib.closing(sqlite3.connect(path)) as db:
        try:
            return int(db.execute("PRAGMA user_version").fetchone()[0])
        except sqlite3.DatabaseError:
            return 0


class RecordReader:
    """Reads records; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        # A connection refers to itself: dropped, it would keep its file open until the next search
        # for cycles.
        self._let_go = weakref.finalize(self, _close_all, self._connections)
        self._guard = threading.Condition()
        self._reading = 0
        self._closed = False
        row = next(iter(self._rows("SELECT blob FROM dictionary")), None)
        self._dictionary = row[0] if row else b""
        tables = self._rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        self._has_rows = ("short",) in tables

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

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Give this thread's connection, which nobody closes while it is read from."""
        with self._guard:
            if self._closed:
                raise RegistryError("The registry was closed while it was read")
            self._reading += 1
        try:
            yield self._connect()
        finally:
            with self._guard:
                self._reading -= 1
                self._guard.notify_all()

    def _rows(self, statement: str, values: Sequence[int | str] = ()) -> list[Any]:
        try:
            with self._open() as db:
                return db.execute(statement, values).fetchall()
        except sqlite3.Error as problem:
            raise RegistryError(
                f"The records in {str(self._path)!r} cannot be read: {problem}"
            ) from problem

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM records")[0][0])

    def numbers(self) -> list[int]:
        """Give the numbers of all records, ascending."""
        return [row[0] for row in self._rows("SELECT nct FROM records ORDER BY nct")]

    def problems(self) -> list[str]:
        """Say what is wrong with the file itself."""
        rows = self._rows("PRAGMA quick_check")
        return [f"records: {row[0]}" for row in rows if row[0] != "ok"]

    def unpack(self, number: int, blob: bytes) -> bytes:
        """Give a record from what is stored of it."""
        import zstandard

        try:
            return self._decompressor().decompress(blob)
        except zstandard.ZstdError as problem:
            raise RegistryError(f"The record of {NctId(number)} is damaged: {problem}") from problem

    def get(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the records that exist, by number."""
        return {
            number: self.unpack(number, blob) for number, blob in self._stored("records", numbers)
        }

    def read(self, number: int) -> Any | None:
        """Give a record decoded; None where there is none."""
        held = self.get([number])
        return msgspec.json.decode(held[number]) if held else None

    def get_rows(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the packed rows of records, by number; an older file holds none or only some."""
        stored = self._stored("short", numbers) if self._has_rows else iter(())
        return dict(stored)

    def _stored(
        self, table: str, numbers: Sequence[int], *, column: str = "blob"
    ) -> Iterator[tuple[int, Any]]:
        for start in range(0, len(numbers), _BATCH):
            batch = numbers[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            yield from self._rows(
                f"SELECT nct, {column} FROM {table} WHERE nct IN ({marks})", batch
            )

    def iter(self) -> Iterator[tuple[int, bytes]]:
        """Yield every record in ascending order of its number."""
        return ((number, self.unpack(number, blob)) for number, blob in self.iter_packed())

    def iter_packed(self) -> Iterator[tuple[int, bytes]]:
        """Yield what is stored of every record, in ascending order of its number."""
        last = -1
        while True:
            # Pages by key: the connection is shared, so a cursor must not stay open for long.
            rows = self._rows(
                "SELECT nct, blob FROM records WHERE nct > ? ORDER BY nct LIMIT 1000", (last,)
            )
            if not rows:
                return
            yield from rows
            last = rows[-1][0]

    def close(self) -> None:
        """Let go of the file once nobody reads from it; later reads are errors."""
        with self._guard:
            self._closed = True
            self._guard.wait_for(lambda: not self._reading)
        self._let_go()


def _close_all(connections: Sequence[sqlite3.Connection]) -> None:
    for connection in connections:
        connection.close()
