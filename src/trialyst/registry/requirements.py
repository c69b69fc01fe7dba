"""What was read of the criteria of every trial: one SQLite file beside the records.

Rows are keyed by trial and carry a hash of the text they were read from. A file is written aside
and put beside the records whole; it tells which version of the reader made it.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from trialyst.ctgov.parse import parse_eligibility_text
from trialyst.eligibility.criteria import decode_criteria
from trialyst.eligibility.version import reading_version
from trialyst.errors import RegistryError
from trialyst.ids import NctId
from trialyst.registry import generation as layout
from trialyst.registry.records import RecordReader

__all__ = [
    "Kept",
    "KeptCriteria",
    "RequirementReader",
    "RequirementWriter",
    "carry_over",
    "count_kept",
    "hash_text",
    "load_unread",
    "newest_requirements",
    "note_unread",
    "open_requirements",
    "requirement_problems",
]

_BATCH = 500


class Kept(NamedTuple):
    """What is kept of a trial."""

    number: int
    hashed: int
    """Of the text it was read from."""
    packed: bytes


def hash_text(text: str) -> int:
    """Give a hash of a text that fits a column of SQLite."""
    data = text.encode("utf-8", errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big", signed=True)


class RequirementWriter:
    """A file in the making; what is committed survives a kill."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        # It is written aside and put in place whole: speed may go before journalling.
        self._db.execute("PRAGMA journal_mode = TRUNCATE")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS criteria (nct INTEGER PRIMARY KEY, text INTEGER, blob BLOB)"
        )
        self._db.execute("CREATE TABLE IF NOT EXISTS dictionary (blob BLOB)")
        self._db.execute("CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT)")
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
        """The compression dictionary, None while it is not fixed."""
        row = self._db.execute("SELECT blob FROM dictionary").fetchone()
        return row[0] if row else None

    def set_dictionary(self, dictionary: bytes) -> None:
        """Fix the compression dictionary of all rows; b"" means none."""
        self._db.execute("INSERT INTO dictionary VALUES (?)", (dictionary,))
        self.commit()

    def hashes(self) -> dict[int, int]:
        """Give the hash of the text of every trial that is kept."""
        return dict(self._db.execute("SELECT nct, text FROM criteria"))

    def put(self, rows: Iterable[Kept]) -> None:
        """Add or replace what is kept of trials."""
        self._db.executemany("INSERT OR REPLACE INTO criteria VALUES (?, ?, ?)", rows)

    def remove(self, numbers: Iterable[int]) -> None:
        """Forget trials."""
        gone = ((number,) for number in numbers)
        self._db.executemany("DELETE FROM criteria WHERE nct = ?", gone)

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
        self._unread = unread
        self.version: str = dict(self._rows("SELECT name, value FROM about")).get("version", "")

    def __len__(self) -> int:
        held = {number for (number,) in self._rows("SELECT nct FROM criteria")}
        return len(held - self._unread)

    def criteria(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the encoded criteria of trials; those not read yet, or changed since, are absent."""
        wanted = [number for number in numbers if number not in self._unread]
        return {
            number: self.unpack(number, blob) for number, blob in self._stored("criteria", wanted)
        }

    def iter_kept(self) -> Iterator[Kept]:
        """Yield what is kept of every trial but those changed since, in the order of numbers."""
        last = -1
        while rows := self._rows(
            "SELECT nct, text, blob FROM criteria WHERE nct > ? ORDER BY nct LIMIT 1000", (last,)
        ):
            yield from (Kept(*row) for row in rows if row[0] not in self._unread)
            last = rows[-1][0]


def open_requirements(generation: Path) -> RequirementReader | None:
    """Open what is kept of a generation's trials; None where there is nothing, or it is damaged.

    `verify` tells damage: everything else goes on by reading the texts again.
    """
    path = generation / layout.REQUIREMENTS
    if not path.exists():
        return None
    try:
        return RequirementReader(path, unread=load_unread(generation))
    except (RegistryError, sqlite3.Error):
        return None


def count_kept(generation: Path) -> int:
    """Count the trials of a generation whose criteria this version's reader keeps."""
    kept = open_requirements(generation)
    if kept is None:
        return 0
    with contextlib.closing(kept):
        return len(kept) if kept.version == reading_version() else 0


class KeptCriteria:
    """What this version's reader kept of one generation's trials, once it is there.

    A pass may end while the generation is in use, so nothing is found out before it is asked for.
    """

    def __init__(self, generation: Path) -> None:
        self._generation = generation
        self._reader: RequirementReader | None = None

    def get(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the encoded criteria of trials; what was not read yet, or is damaged, is absent."""
        if self._reader is None:
            self._reader = open_requirements(self._generation)
        if self._reader is None or self._reader.version != reading_version():
            return {}
        try:
            return self._reader.criteria(numbers)
        except RegistryError:
            return {}

    def close(self) -> None:
        """Let go of the file."""
        if self._reader is not None:
            self._reader.close()


def load_unread(generation: Path) -> frozenset[int]:
    """Give the trials whose records changed since the file of requirements was made."""
    try:
        return frozenset(
            msgspec.msgpack.decode((generation / layout.UNREAD).read_bytes(), type=list[int])
        )
    except (OSError, msgspec.MsgspecError):
        return frozenset()


def carry_over(older: Path, newer: Path) -> None:
    """Give a changed copy of a generation the requirements of the older one, which never change."""
    kept = older / layout.REQUIREMENTS
    if kept.exists():
        (newer / layout.REQUIREMENTS).hardlink_to(kept)
        note_unread(newer, load_unread(older))


def note_unread(generation: Path, numbers: Iterable[int]) -> None:
    """Note trials of a generation in the making whose requirements are out of date."""
    changed = sorted({*load_unread(generation), *numbers})
    if changed:
        (generation / layout.UNREAD).write_bytes(msgspec.msgpack.encode(changed))


def newest_requirements(directory: Path, version: str) -> Path | None:
    """Find the file of requirements of this version in use, else the last of earlier ones."""
    current = layout.current_name(directory)
    files = sorted(
        directory.glob(f"generation-*/{layout.REQUIREMENTS}"),
        key=lambda path: (path.parent.name == current, path.stat().st_mtime),
        reverse=True,
    )
    for path in files:
        opened = open_requirements(path.parent)
        if opened is not None:
            opened.close()
            if opened.version == version:
                return path
    return None


def requirement_problems(generation: Path) -> Iterator[str]:
    """Say where what is kept of criteria does not agree with the records; nothing if none is."""
    path = generation / layout.REQUIREMENTS
    if not path.exists():
        return
    try:
        with (
            contextlib.closing(RequirementReader(path, unread=load_unread(generation))) as kept,
            contextlib.closing(RecordReader(generation / layout.RECORDS)) as records,
        ):
            yield from (each.replace("records", "requirements", 1) for each in kept.problems())
            if kept.version != reading_version():
                return
            rows = kept.iter_kept()
            while batch := list(islice(rows, _BATCH)):
                yield from _disagreements(kept, batch, records.get([row.number for row in batch]))
            missing = set(records.numbers()) - {row.number for row in kept.iter_kept()}
            missing -= load_unread(generation)
            yield from (f"{NctId(number)}: its criteria were not read" for number in missing)
    except RegistryError as problem:
        yield problem.message


def _disagreements(
    kept: RequirementReader, rows: Sequence[Kept], records: Mapping[int, bytes]
) -> Iterator[str]:
    for row in rows:
        nct_id = NctId(row.number)
        if row.number not in records:
            yield f"{nct_id} has requirements but no record"
            continue
        text = parse_eligibility_text(records[row.number])
        if hash_text(text) != row.hashed:
            yield f"{nct_id}: its requirements were read from another text"
            continue
        try:
            decode_criteria(kept.unpack(row.number, row.packed), text)
        except (RegistryError, msgspec.MsgspecError) as problem:
            yield f"{nct_id}: its requirements cannot be read: {problem}"
