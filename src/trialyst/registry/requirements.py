"""The file of what was read of every trial: its criteria as requirements, its conditions as terms.

One SQLite file beside the records. Rows are keyed by trial and carry a hash of the texts they were
read from; an index leads from each term to the trials that have it. A file is written aside and put
in its place whole; it tells which version of the reader made it.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from trialyst.annotation import decode_annotation
from trialyst.registry.records import RecordReader
from trialyst.vocabulary.term import Term

__all__ = ["Kept", "RequirementReader", "RequirementWriter"]

_PAGE = 1_000
_TABLES = (
    "trials (nct INTEGER PRIMARY KEY, hash INTEGER, criteria BLOB, conditions BLOB)",
    "dictionary (blob BLOB)",
    "about (name TEXT PRIMARY KEY, value TEXT)",
    "terms (id TEXT PRIMARY KEY, term BLOB, concepts BLOB, focus BLOB)",
)


class Kept(NamedTuple):
    """What is kept of a trial."""

    number: int
    hashed: int
    """Of the texts it was read from."""
    criteria: bytes
    """Compressed."""
    conditions: bytes


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
        self._db.executemany("INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?)", rows)

    def remove(self, numbers: Iterable[int]) -> None:
        """Forget trials."""
        self._db.executemany("DELETE FROM trials WHERE nct = ?", ((each,) for each in numbers))

    def index_terms(self) -> None:
        """Make the index from terms to trials anew; a few bytes of memory for each condition."""
        terms: dict[str, tuple[Term, array[int], array[int]]] = {}
        for number, conditions in self._db.execute("SELECT nct, conditions FROM trials ORDER BY 1"):
            annotation = decode_annotation(conditions)
            for place, found in ((1, annotation.concepts), (2, annotation.focus)):
                for term in found:
                    held = terms.setdefault(term.id, (term, array("i"), array("i")))
                    held[place].append(number)  # type: ignore[union-attr]
        self._db.execute("DELETE FROM terms")
        rows = (
            (key, msgspec.msgpack.encode(term), concepts.tobytes(), focus.tobytes())
            for key, (term, concepts, focus) in terms.items()
        )
        self._db.executemany("INSERT INTO terms VALUES (?, ?, ?, ?)", rows)
        self.commit()

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
        packed = self._column("criteria", numbers)
        return {number: self.unpack(number, blob) for number, blob in packed}

    def conditions(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the encoded annotations of trials; those not read yet are absent."""
        return dict(self._column("conditions", numbers))

    def _column(self, column: str, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        wanted = [number for number in numbers if number not in self.unread]
        return self._stored("trials", wanted, column=column)

    def having(self, is_meant: Callable[[Term], bool], *, focus: bool) -> set[int]:
        """Give the trials that have a term that is meant, among all or only in focus."""
        place = "focus" if focus else "concepts"
        found: set[int] = set()
        for key, term in self._rows("SELECT id, term FROM terms"):
            if is_meant(msgspec.msgpack.decode(term, type=Term)):
                ((held,),) = self._rows(f"SELECT {place} FROM terms WHERE id = ?", (key,))
                found.update(array("i", held))
        return found - self.unread

    def iter_kept(self) -> Iterator[Kept]:
        """Yield what is kept of every trial but those changed since, in the order of numbers."""
        last = -1
        while rows := self._rows(
            f"SELECT * FROM trials WHERE nct > ? ORDER BY nct LIMIT {_PAGE}", (last,)
        ):
            yield from (Kept(*row) for row in rows if row[0] not in self.unread)
            last = rows[-1][0]
