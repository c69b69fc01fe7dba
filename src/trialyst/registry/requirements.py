"""The file of what was read of the criteria of every trial, as requirements.

One SQLite file beside the records. Rows are keyed by trial and carry a hash of the text they were
read from. A file is written aside and put in its place whole; it tells which version of the reader
made it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from trialyst.registry.records import RecordReader

__all__ = ["Kept", "RequirementReader", "RequirementWriter"]

_PAGE = 1_000
_TABLES = (
    "trials (nct INTEGER PRIMARY KEY, hash INTEGER, criteria BLOB)",
    "dictionary (blob BLOB)",
    "about (name TEXT PRIMARY KEY, value TEXT)",
)


class Kept(NamedTuple):
    """What is kept of a trial."""

    number: int
    hashed: int
    """Of the text it was read from."""
    criteria: bytes
    """Compressed."""


class RequirementWriter:
    """A file in the making; what is committed survives a kill."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        # It is written aside and put in place whole: speed may go before journalling.
        self._db.execute("PRAGMA journal_mode = TRUNCATE")
        self._db.execute("PRAGMA synchronous = NORMAL")
        for table in _TABLES:
            self._db.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        self._db.execute("BEGIN")

    def about(self) -> dict[str, str]:
        """Say what the file is: the version of the reader, and the generation it is made for."""
        return dict(self._db.execute("SELECT name, value FROM about"))

    def describe(self, **about: str) -> None:
        """Say what the file is."""
        self._db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about.items())
        self.commit()

    @property
    def dictionary(self) -> bytes | None:
        """The compression dictionary of criteria, None while it is not fixed."""
        row = self._db.execute("SELECT blob FROM dictionary").fetchone()
        return row[0] if row else None

    def set_dictionary(self, dictionary: bytes) -> None:
        """Fix the compression dictionary of all rows; b"" means none."""
        self._db.execute("INSERT INTO dictionary VALUES (?)", (dictionary,))
        self.commit()

    def hashes(self) -> dict[int, int]:
        """Give the hash of the texts of every trial that is kept."""
        return dict(self._db.execute("SELECT nct, hash FROM trials"))

    def put(self, rows: Iterable[Kept]) -> None:
        """Add or replace what is kept of trials."""
        self._db.executemany("INSERT OR REPLACE INTO trials VALUES (?, ?, ?)", rows)

    def remove(self, numbers: Iterable[int]) -> None:
        """Forget trials."""
        self._db.executemany("DELETE FROM trials WHERE nct = ?", ((each,) for each in numbers))

    def commit(self) -> None:
        """Keep what was put so far."""
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def close(self) -> None:
        """Let go of the file as the last commit left it."""
        self._db.close()


class RequirementReader(RecordReader):
    """Reads what is kept; safe to share between threads."""

    def __init__(self, path: Path, *, unread: frozenset[int] = frozenset()) -> None:
        super().__init__(path)
        self.unread = unread
        """Trials that changed since; what is kept of them counts as none."""
        self.version: str = dict(self._rows("SELECT name, value FROM about")).get("version", "")

    def __len__(self) -> int:
        held = {number for (number,) in self._rows("SELECT nct FROM trials")}
        return len(held - self.unread)

    def criteria(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the encoded criteria of trials; those not read yet are absent."""
        wanted = [number for number in numbers if number not in self.unread]
        packed = self._stored("trials", wanted, column="criteria")
        return {number: self.unpack(number, blob) for number, blob in packed}

    def iter_kept(self) -> Iterator[Kept]:
        """Yield what is kept of every trial but those changed since, in the order of numbers."""
        last = -1
        while rows := self._rows(
            f"SELECT * FROM trials WHERE nct > ? ORDER BY nct LIMIT {_PAGE}", (last,)
        ):
            yield from (Kept(*row) for row in rows if row[0] not in self.unread)
            last = rows[-1][0]
