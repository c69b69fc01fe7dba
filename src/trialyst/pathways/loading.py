"""Loading a WikiPathways download into the local store.

What is already there stays until everything new is written; a load that finds no pathway changes
nothing. Every file that was not used is reported with its reason.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import zstandard

from trialyst.errors import InvalidInput
from trialyst.paging import digest
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.datanodes import join_nodes, parse_datanodes, parse_info
from trialyst.pathways.downloads import FileKind, PathwayFile, Skipped, iter_files
from trialyst.pathways.errors import DamagedPathway, PathwaysMissing, PathwayStoreDamaged
from trialyst.pathways.gpml import parse_gpml
from trialyst.pathways.human_genes import add_human_ids, load_human_genes
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.pathway import Pathway
from trialyst.pathways.store import telling_refusals, to_entry, writing_store

__all__ = ["LoadProgress", "LoadReport", "load_pathways", "store_path"]

Parsed = TypeVar("Parsed")


@dataclass(frozen=True, slots=True)
class LoadProgress:
    """How far a load is."""

    step: str
    """`reading`, then `indexing`."""
    done: int
    total: int | None = None
    """None while files are still being found."""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did."""

    path: Path
    """The store."""
    pathways: int
    """How many it holds now."""
    kept: int
    """How many of them it held before and were not among the files."""
    organisms: Mapping[str, int]
    without_interactions: int
    """Pathways that came without a usable GPML file."""
    without_datanodes: int
    """Pathways whose genes are known only under the ids in their GPML file."""
    skipped: tuple[Skipped, ...] = ()


@dataclass(slots=True)
class _Load:
    """A load under way, and what it has to tell."""

    tell: Callable[[LoadProgress], None]
    now: datetime
    keep: bool
    without_datanodes: int = 0
    without_interactions: int = 0
    kept: int = 0
    organisms: Counter[str] = field(default_factory=Counter)
    stamps: list[tuple[str, str | None]] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def skip(self, name: str, reason: str) -> None:
        self.skipped.append(Skipped(name, reason))

    def count(self, pathway: Pathway) -> None:
        self.without_interactions += not pathway.interactions_known
        self.organisms[pathway.organism] += 1
        self.stamps.append((pathway.id, pathway.last_modified))


def store_path(home: Path) -> Path:
    """Say where the loaded pathways live."""
    return home / "pathways" / "pathways.sqlite"


def load_pathways(
    paths: Path | Sequence[Path],
    home: Path,
    *,
    keep: bool = False,
    progress: Callable[[LoadProgress], None] | None = None,
    now: datetime | None = None,
) -> LoadReport:
    """Index directories, ZIP or TAR archives of GPML, datanodes and info files.

    Args:
        keep: Keep the pathways of the present store that are not among the files.
        progress: Told how far the load is, from the calling thread.
        now: When the load is said to have been made.

    Raises:
        InvalidInput: a path holds nothing, an archive is damaged, or no pathway was found.
        PathwaysNotWritten: the disk refused, and nothing is changed.
    """
    load = _Load(progress or (lambda _: None), now or datetime.now(UTC), keep)
    path = store_path(home)
    given = [paths] if isinstance(paths, Path) else list(paths)
    with telling_refusals(path), _staging() as staged, _present(path, needed=keep) as before:
        for source in given:
            for file in iter_files(source, load.skipped.append):
                staged.add(file, load)
                load.tell(LoadProgress("reading", staged.count))
        try:
            _write(path, staged, before=before, load=load)
        except _NothingFound:
            raise InvalidInput(
                _nothing_found(given, load.skipped),
                hint="Give a WikiPathways download: *.gpml files, or *-datanodes.tsv beside "
                "*-info.json, in a directory or an archive.",
            ) from None
    return LoadReport(
        path=path,
        pathways=len(load.stamps),
        kept=load.kept,
        organisms=dict(load.organisms.most_common()),
        without_interactions=load.without_interactions,
        without_datanodes=load.without_datanodes,
        skipped=tuple(load.skipped),
    )


class _Staged:
    """Files by pathway, compressed, in a database of their own that vanishes when closed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._pack = zstandard.ZstdCompressor(level=1).compress
        self._unpack = zstandard.ZstdDecompressor().decompress
        self.count = 0
        connection.execute("CREATE TABLE files (number INTEGER, kind TEXT, name TEXT, data BLOB)")

    def add(self, file: PathwayFile, load: _Load) -> None:
        self.count += 1
        try:
            number = file.number or _stated_number(file)
        except DamagedPathway as damage:
            return load.skip(file.name, damage.reason)
        # An empty file compresses to something that states no size.
        data = self._pack(file.data) if file.data else b""
        self._connection.execute(
            "INSERT INTO files VALUES (?, ?, ?, ?)", (number, file.kind, file.name, data)
        )
        return None

    def numbers(self) -> list[int]:
        self._connection.execute("CREATE INDEX by_number ON files (number)")
        rows = self._connection.execute("SELECT DISTINCT number FROM files ORDER BY number")
        return [row[0] for row in rows]

    def files(self, number: int) -> dict[FileKind, list[tuple[str, bytes]]]:
        found: dict[FileKind, list[tuple[str, bytes]]] = {kind: [] for kind in FileKind}
        rows = self._connection.execute(
            "SELECT kind, name, data FROM files WHERE number = ? ORDER BY name", (number,)
        )
        for kind, name, data in rows:
            found[FileKind(kind)].append((name, self._unpack(data) if data else b""))
        return found


@contextlib.contextmanager
def _staging() -> Iterator[_Staged]:
    # SQLite keeps a database without a name in a temporary file, and removes it.
    connection = sqlite3.connect("")
    try:
        yield _Staged(connection)
    finally:
        connection.close()


def _stated_number(file: PathwayFile) -> int:
    if file.kind is not FileKind.GPML:
        raise DamagedPathway("its name gives no pathway id", name=file.name)
    return PathwayId.parse(parse_gpml(file.data, name=file.name).id).number


def _write(path: Path, staged: _Staged, *, before: Catalog | None, load: _Load) -> None:
    """Write the store, or raise _NothingFound and leave everything as it was."""
    held = set(before.numbers()) if before else set()
    numbers = sorted({*staged.numbers(), *(held if load.keep else ())})
    with writing_store(path) as writer:
        for done, number in enumerate(numbers, start=1):
            pathway = _assemble(number, staged.files(number), load)
            # A damaged file must not cost what an earlier load had of the pathway.
            if pathway is None and before and number in held:
                pathway = before.get(PathwayId(number))
                load.kept += 1
            if pathway:
                writer.add(to_entry(pathway))
                load.count(pathway)
            load.tell(LoadProgress("indexing", done, len(numbers)))
        if len(load.stamps) == load.kept:
            raise _NothingFound
        writer.finish(_meta(load))


class _NothingFound(Exception):
    """No file made a pathway."""


def _assemble(
    number: int, files: Mapping[FileKind, list[tuple[str, bytes]]], load: _Load
) -> Pathway | None:
    """Make one pathway of its files; what cannot be used is told."""
    drawn = _newest(_usable(parse_gpml, files[FileKind.GPML], number, load), load)
    info = _newest(_usable(parse_info, files[FileKind.INFO], number, load), load)
    lists = [_use(parse_datanodes, *file, load) for file in files[FileKind.NODES]]
    listed = next((nodes for nodes in lists if nodes), None)
    pathway = drawn or info
    if pathway is None:
        if listed:
            load.skip(files[FileKind.NODES][0][0], "there is no GPML or info file to go with it")
        return None
    if drawn and info:
        pathway = replace(
            drawn,
            description=drawn.description or info.description,
            terms=drawn.terms or info.terms,
            last_modified=info.last_modified or drawn.last_modified,
        )
    if listed is None:
        load.without_datanodes += 1
    else:
        pathway = join_nodes(pathway, listed)
    return add_human_ids(pathway, load_human_genes())


def _usable(
    parse: Callable[..., Pathway],
    files: Sequence[tuple[str, bytes]],
    number: int,
    load: _Load,
) -> list[tuple[str, Pathway]]:
    found = []
    for name, data in files:
        pathway = _use(parse, name, data, load)
        if pathway and pathway.id != str(PathwayId(number)):
            load.skip(name, f"its name says WP{number} and its content {pathway.id}")
        elif pathway:
            found.append((name, pathway))
    return found


def _use(parse: Callable[..., Parsed], name: str, data: bytes, load: _Load) -> Parsed | None:
    try:
        return parse(data, name=name)
    except DamagedPathway as damage:
        load.skip(name, damage.reason)
        return None


def _newest(files: list[tuple[str, Pathway]], load: _Load) -> Pathway | None:
    """Take the newest of several files of one pathway."""
    ordered = sorted(files, key=lambda file: (file[1].last_modified or "", file[0]))
    for name, _ in ordered[:-1]:
        load.skip(name, f"{ordered[-1][0]} is the same pathway and no older")
    return ordered[-1][1] if ordered else None


@contextlib.contextmanager
def _present(path: Path, *, needed: bool) -> Iterator[Catalog | None]:
    """Open the store there is; a damaged one is an error only if it is to be kept."""
    try:
        catalog = Catalog.open(path)
    except PathwaysMissing:
        yield None
        return
    except PathwayStoreDamaged as damage:
        if needed:
            raise PathwayStoreDamaged(
                f"{damage.message}, so nothing of it can be kept",
                hint="Load without keeping what was there before.",
            ) from None
        yield None
        return
    try:
        yield catalog
    finally:
        catalog.close()


def _meta(load: _Load) -> dict[str, str]:
    dates = [modified for _, modified in load.stamps if modified]
    return {
        "stamp": digest([load.stamps, load.now.isoformat()]),
        "loaded_at": load.now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S"),
        "data_timestamp": f"{max(dates)}T00:00:00" if dates else "",
        "without_datanodes": str(load.without_datanodes),
        "without_interactions": str(load.without_interactions),
    }


def _nothing_found(paths: Sequence[Path], skipped: Sequence[Skipped]) -> str:
    named = ", ".join(map(str, paths))
    told = f"; {skipped[0].name}: {skipped[0].reason}" if skipped else ""
    return f"No pathway was found in {named}{told}"
