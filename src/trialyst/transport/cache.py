"""Answers kept on disk, one SQLite file, with a size limit.

Never in the way: a file that cannot be opened, read or written costs the cache, not the answer.
Blocking and safe to share between threads; the least recently used answers go first.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

__all__ = ["DEFAULT_MAX_BYTES", "Cache", "Kept"]

DEFAULT_MAX_BYTES = 256 * 2**20

_LARGEST_SHARE = 4
"""An answer larger than a quarter of the cache would push out everything else."""
_BUSY_SECONDS = 5.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    url TEXT PRIMARY KEY, status INTEGER NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL,
    checked_at REAL NOT NULL, used_at REAL NOT NULL, size INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answers_used ON answers (used_at, size);
"""

_log = logging.getLogger(__name__)

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was kept; `checked_at` is when the service last stood by it."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    checked_at: float


class Cache:
    """Answers by URL, in a file that is made when first needed."""

    def __init__(self, path: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self.path = path
        self.max_bytes = max_bytes
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._broken = False

    def load(self, url: str, *, now: float) -> Kept | None:
        """Give the answer kept for a URL, if it is there and whole."""

        def query(connection: sqlite3.Connection) -> Kept | None:
            row = connection.execute(
                "SELECT status, headers, body, checked_at FROM answers WHERE url = ?", (url,)
            ).fetchone()
            if row is None:
                return None
            connection.execute("UPDATE answers SET used_at = ? WHERE url = ?", (now, url))
            return Kept(row[0], json.loads(row[1]), zlib.decompress(row[2]), row[3])

        return self._run(query, default=None)

    def save(self, url: str, kept: Kept) -> None:
        """Keep an answer, and let go of the least recently used ones until all fit."""
        body = zlib.compress(kept.body, 1)
        size = len(body) + len(url)
        if size > self.max_bytes // _LARGEST_SHARE:
            return self.drop(url)
        now = kept.checked_at
        row = (url, kept.status, json.dumps(dict(kept.headers)), body, now, now, size)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            self._evict(connection)

        return self._run(write, default=None)

    def confirm(self, url: str, *, now: float) -> None:
        """Note that the service stands by what is kept."""
        self._run(
            lambda connection: connection.execute(
                "UPDATE answers SET checked_at = ? WHERE url = ?", (now, url)
            ),
            default=None,
        )

    def drop(self, url: str) -> None:
        """Forget an answer."""
        self._run(
            lambda connection: connection.execute("DELETE FROM answers WHERE url = ?", (url,)),
            default=None,
        )

    def size(self) -> int:
        """Give the bytes that are kept."""
        return self._run(_size, default=0)

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _evict(self, connection: sqlite3.Connection) -> None:
        excess = _size(connection) - self.max_bytes
        if excess <= 0:
            return
        oldest = connection.execute("SELECT url, size FROM answers ORDER BY used_at, url")
        gone: list[tuple[str]] = []
        for url, size in oldest:
            if excess <= 0:
                break
            gone.append((url,))
            excess -= size
        connection.executemany("DELETE FROM answers WHERE url = ?", gone)

    def _run(self, action: Callable[[sqlite3.Connection], Value], *, default: Value) -> Value:
        with self._lock:
            if self._broken:
                return default
            try:
                with self._open() as connection:
                    return action(connection)
            except (sqlite3.Error, OSError, ValueError, zlib.error) as problem:
                self._give_up(problem)
                return default

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(_SCHEMA)
        return self._connection

    def _give_up(self, problem: Exception) -> None:
        """Go on without a cache; a damaged file is removed so that the next process has one."""
        if getattr(problem, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            return
        _log.warning("The cache %s cannot be used: %s", self.path, problem)
        self._broken = True
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if not isinstance(problem, sqlite3.OperationalError | OSError):
            for suffix in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)


def _size(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(sum(size), 0) FROM answers").fetchone()[0])
