"""A registry as an older version of the program left it.

What every version wrote is written out here, so that a test fails if the program forgets how to
read it: the first manifest, and the two tables of records. All else is made unreadable, because
another version may have written it in any way.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import zstandard

from trialyst.registry import generation as layout

__all__ = ["OLDER_VERSION", "make_older"]

OLDER_VERSION = 1

_RECORDS = """
CREATE TABLE records (nct INTEGER PRIMARY KEY, updated INTEGER, blob BLOB);
CREATE TABLE dictionary (blob BLOB);
"""


def make_older(directory: Path, *, dictionary: bytes = b"") -> Path:
    """Rewrite the generation in use as the first version of the program wrote it."""
    generation = layout.current_generation(directory)
    _rewrite_manifest(generation / layout.MANIFEST)
    _rewrite_records(generation / layout.RECORDS, dictionary)
    for name in (layout.INDEX, layout.SITES):
        shutil.rmtree(generation / name)
        (generation / name).mkdir()
        (generation / name / "meta.json").write_text("of another version")
    (generation / layout.LEARNED).write_bytes(b"of another version")
    return directory


def _rewrite_manifest(path: Path) -> None:
    now = json.loads(path.read_text("utf-8"))
    kept = ("generation", "records", "data_timestamp", "built_at", "synthetic")
    older = {"schema_version": OLDER_VERSION} | {name: now[name] for name in kept}
    path.write_text(json.dumps(older), "utf-8")


def _rewrite_records(path: Path, dictionary: bytes) -> None:
    with closing(sqlite3.connect(path)) as db:
        known = db.execute("SELECT blob FROM dictionary").fetchone()[0]
        rows = db.execute("SELECT nct, updated, blob FROM records").fetchall()
    unpack = zstandard.ZstdDecompressor(dict_data=_as_dictionary(known)).decompress
    pack = zstandard.ZstdCompressor(level=3, dict_data=_as_dictionary(dictionary)).compress
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.executescript(_RECORDS)
        db.execute("INSERT INTO dictionary VALUES (?)", (dictionary,))
        db.executemany(
            "INSERT INTO records VALUES (?, ?, ?)",
            [(number, updated, pack(unpack(blob))) for number, updated, blob in rows],
        )
        db.commit()


def _as_dictionary(dictionary: bytes) -> zstandard.ZstdCompressionDict | None:
    return zstandard.ZstdCompressionDict(dictionary) if dictionary else None
