"""Pathways in one SQLite file: their summaries, words, genes and whole records.

A file is written aside and put in place when it is whole; readers keep the one they opened. It is
read a few kilobytes at a time, so that a process holds little of it in memory.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import zstandard

from trialyst.pathways.components import build_components
from trialyst.pathways.errors import PathwaysMissing, PathwaysNotWritten, PathwayStoreDamaged
from trialyst.pathways.gene_index import GeneIndex
from trialyst.pathways.genes import Mention, find_mentions
from trialyst.pathways.human_genes import NO_GENES, HumanGenes, load_human_genes
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.pathway import Pathway
from trialyst.pathways.source import PathwaySummary
from trialyst.pathways.words import Text, WordIndex

__all__ = [
    "Entry",
    "StoreWriter",
    "open_store",
    "read_body",
    "telling_refusals",
    "to_entry",
    "writing_store",
]

FORMAT = "2"

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pathways (
    ordinal INTEGER PRIMARY KEY, number INTEGER NOT NULL UNIQUE, name TEXT NOT NULL,
    organism TEXT NOT NULL, description TEXT NOT NULL, last_modified TEXT, genes INTEGER,
    metabolites INTEGER, interactions INTEGER, symbols TEXT, body BLOB
);
CREATE TABLE words (word TEXT PRIMARY KEY, ordinals BLOB NOT NULL, weights BLOB NOT NULL)
    WITHOUT ROWID;
CREATE TABLE genes (
    gene INTEGER PRIMARY KEY, kind TEXT NOT NULL, symbol TEXT NOT NULL, organism TEXT NOT NULL,
    ordinals BLOB NOT NULL
);
CREATE TABLE gene_keys (key TEXT PRIMARY KEY, genes BLOB NOT NULL) WITHOUT ROWID;
"""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Pathway)


@dataclass(frozen=True, slots=True)
class Entry:
    """A pathway as it is stored and searched."""

    summary: PathwaySummary
    text: Text
    genes: tuple[Mention, ...] = ()
    symbols: frozenset[str] | None = None
    """The distinct genes by upper-case symbol; None where they are not known."""
    body: Pathway | None = None


class StoreWriter:
    """Writes one file; entries must come in the order of their ids."""

    def __init__(self, connection: sqlite3.Connection, human: HumanGenes = NO_GENES) -> None:
        self._connection = connection
        self._words = WordIndex()
        self._genes = GeneIndex(human)
        self._count = 0
        connection.executescript(_SCHEMA)

    def add(self, entry: Entry) -> None:
        """Add the next pathway."""
        ordinal = self._count
        self._count += 1
        summary = entry.summary
        symbols = None if entry.symbols is None else "\t".join(sorted(entry.symbols))
        self._connection.execute(
            "INSERT INTO pathways VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                ordinal,
                PathwayId.parse(summary.id).number,
                summary.name,
                summary.organism,
                summary.description,
                summary.last_modified,
                summary.genes,
                summary.metabolites,
                summary.interactions,
                symbols,
                None if entry.body is None else _pack(entry.body),
            ),
        )
        self._words.add(entry.text)
        self._genes.add(summary.organism, entry.genes)

    def finish(self, meta: Mapping[str, str]) -> None:
        """Write the words, the genes and what is to be known of the whole."""
        put = self._connection.executemany
        put(
            "INSERT INTO words VALUES (?, ?, ?)",
            (
                (word, _pack_numbers(ordinals), array("f", weights).tobytes())
                for word, ordinals, weights in self._words.postings()
            ),
        )
        self._put_genes()
        put("INSERT INTO meta VALUES (?, ?)", ({"format": FORMAT} | dict(meta)).items())
        self._connection.commit()

    def _put_genes(self) -> None:
        leading: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        for number, held in enumerate(self._genes.held()):
            self._connection.execute(
                "INSERT INTO genes VALUES (?, ?, ?, ?, ?)",
                (number, held.kind, held.symbol, held.organism, _pack_numbers(held.ordinals)),
            )
            for key in held.keys:
                leading[key].append(number)
        self._connection.executemany(
            "INSERT INTO gene_keys VALUES (?, ?)",
            ((key, numbers.tobytes()) for key, numbers in sorted(leading.items())),
        )


def _pack_numbers(numbers: Sequence[int]) -> bytes:
    return array("I", numbers).tobytes()


@contextlib.contextmanager
def telling_refusals(path: Path) -> Iterator[None]:
    """Tell what the disk refuses as an error of ours."""
    try:
        yield
    except (OSError, sqlite3.Error) as problem:
        raise PathwaysNotWritten(
            f"The pathways in {str(path.parent)!r} cannot be written: {problem}"
        ) from problem


@contextlib.contextmanager
def writing_store(path: Path) -> Iterator[StoreWriter]:
    """Write a file that takes its place only when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _discard_left_over(path)
    with _aside(path) as aside, contextlib.closing(_connect(aside)) as connection:
        # A half-written file is thrown away, so nothing is gained by syncing before the end.
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        yield StoreWriter(connection, load_human_genes())
        connection.close()
        _sync(aside)
        aside.replace(path)


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, check_same_thread=False)


@contextlib.contextmanager
def _aside(path: Path) -> Iterator[Path]:
    """Give a new file beside another, locked while it is written, removed if it is left."""
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    descriptor = os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        # Where the file system has no locks, what a killed process left is not removed.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield aside
    finally:
        aside.unlink(missing_ok=True)
        os.close(descriptor)


def _discard_left_over(path: Path) -> None:
    """Remove what a killed process was writing; a file without content may not be locked yet."""
    for left in path.parent.glob(f"{path.name}.*.new"):
        with contextlib.suppress(OSError), left.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_size:
                left.unlink()


def open_store(path: Path) -> sqlite3.Connection:
    """Open a file for reading.

    Raises:
        PathwaysMissing: there is none.
        PathwayStoreDamaged: it is not one of ours, or of another version.
    """
    if not path.is_file():
        raise PathwaysMissing(f"No pathways have been loaded in {path.parent}")
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    try:
        row = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    except sqlite3.DatabaseError as error:
        connection.close()
        raise PathwayStoreDamaged(f"{path} cannot be read: {error}") from None
    if row != (FORMAT,):
        connection.close()
        raise PathwayStoreDamaged(f"{path} was written by another version of Trialyst")
    return connection


def read_body(packed: bytes) -> Pathway:
    """Give a stored pathway."""
    return _decoder.decode(zstandard.ZstdDecompressor().decompress(packed))


def to_entry(pathway: Pathway) -> Entry:
    """Give what is stored and searched of a whole pathway."""
    components = build_components(pathway)
    products = components.gene_products
    symbols = frozenset(product.symbol.upper() for product in products if product.symbol)
    return Entry(
        summary=PathwaySummary(
            id=pathway.id,
            name=pathway.name,
            organism=pathway.organism,
            description=pathway.description,
            last_modified=pathway.last_modified,
            genes=len(symbols),
            metabolites=len(components.metabolites),
            interactions=len(components.interactions) if pathway.interactions_known else None,
        ),
        text=Text(
            title=pathway.name,
            labels=tuple(dict.fromkeys(node.label for node in pathway.nodes if node.label)),
            annotations=tuple(term.name for term in pathway.terms if term.name),
            description=pathway.description,
        ),
        genes=find_mentions(pathway),
        symbols=symbols,
        body=pathway,
    )


def _pack(pathway: Pathway) -> bytes:
    return zstandard.ZstdCompressor(level=6).compress(_encoder.encode(pathway))


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
