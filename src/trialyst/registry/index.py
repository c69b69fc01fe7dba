"""Opening the two tantivy indexes of a generation, for reading or writing."""

from __future__ import annotations

import contextlib
import os
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from trialyst.errors import RegistryError
from trialyst.registry.residence import Residence
from trialyst.registry.schema import (
    NUMBER,
    SITE,
    build_site_schema,
    build_study_schema,
    register_tokenizers,
)

if TYPE_CHECKING:
    import tantivy

__all__ = [
    "IndexWriters",
    "Searcher",
    "all_addresses",
    "count_matches",
    "damaged_files",
    "open_index",
]

# Text waits in memory until a segment is written. On two threads this holds what comes between two
# checkpoints of a build, so that segments are large and need not be merged.
STUDY_HEAP_BYTES = 1_900_000_000
SITE_HEAP_BYTES = 60_000_000
# Each thread has its part of the heap, and tantivy refuses parts below 15 MB.
MAX_THREADS = 8
_SEGMENT_PARTS = ("fast", "fieldnorm", "idx", "pos", "store", "term")


def open_index(path: Path) -> tantivy.Index:
    """Open an index for reading; it keeps the state it has now."""
    try:
        if os.access(path, os.W_OK) or not path.is_dir():
            return _open_at(path)
        with tempfile.TemporaryDirectory(prefix="trialyst-index-") as links:
            return _open_at(_link_files(path, Path(links)))
    except (ValueError, OSError) as problem:
        raise RegistryError(f"The index in {str(path)!r} cannot be opened: {problem}") from problem


def _open_at(path: Path) -> tantivy.Index:
    import tantivy

    index = tantivy.Index.open(str(path))
    index.config_reader(reload_policy="manual")
    return index


def _link_files(path: Path, target: Path) -> Path:
    """Give a writable folder with the same files: the engine makes a lock file where it opens.

    Every file is mapped when the index is opened, so the links may go afterwards.
    """
    for file in path.iterdir():
        if file.suffix != ".lock":
            (target / file.name).symlink_to(file.resolve())
    return target


class Searcher:
    """Asks an index as it is now; what damage on the disk leads to is an error of the registry."""

    def __init__(self, index: tantivy.Index, residence: Residence | None = None) -> None:
        self._searcher = index.searcher()
        self._residence = residence

    def __len__(self) -> int:
        return self._searcher.num_docs

    def search(self, query: tantivy.Query, **how: Any) -> Any:
        if self._residence:
            self._residence.note_search()
        with _read_whole():
            return self._searcher.search(query, **how)

    def aggregate(self, query: tantivy.Query, wanted: dict[str, Any]) -> dict[str, Any]:
        with _read_whole():
            return self._searcher.aggregate(query, wanted)

    def terms(self, field: str) -> tuple[str, ...]:
        """Give every term of a field, also of deleted documents."""
        with _read_whole():
            return tuple(term for term, _ in self._searcher.terms_with_prefix(field, ""))

    def terms_starting(self, field: str, beginning: str) -> list[tuple[str, int]]:
        """Give the terms of a field that begin so, with the number of documents that have each."""
        with _read_whole():
            return list(self._searcher.terms_with_prefix(field, beginning))

    def column(self, name: str, addresses: Sequence[tantivy.DocAddress]) -> list[Any]:
        """Give the value of a number column for each document, None where there is none."""
        with _read_whole():
            return list(self._searcher.fast_field_values(name, list(addresses)))


@contextlib.contextmanager
def _read_whole() -> Iterator[None]:
    try:
        yield
    except BaseException as problem:
        # The engine's panics are no Exception, and their class has no public name.
        if type(problem).__name__ != "PanicException" and not isinstance(problem, ValueError):
            raise
        raise RegistryError(f"The index cannot be read: {problem}") from problem


def damaged_files(path: Path) -> list[str]:
    """Name the files of an index that are missing or are not as they were written."""
    meta = msgspec.json.decode((path / "meta.json").read_bytes())
    segments = {segment["segment_id"].replace("-", "") for segment in meta["segments"]}
    wanted = {f"{segment}.{part}" for segment in segments for part in _SEGMENT_PARTS}
    # A killed build leaves files of no segment behind, whole or not.
    present = {file.name for file in path.iterdir() if file.name.split(".")[0] in segments}
    changed = {name for name in present if not _is_as_written(path / name)}
    return sorted((wanted - present) | changed)


def _is_as_written(path: Path) -> bool:
    """Compare a file with the checksum in its footer: JSON, its length, a magic number."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 8, 0))
        length = int.from_bytes(file.read(4), "little")
        body = size - 8 - length
        if body < 0:
            return False
        file.seek(body)
        try:
            footer = msgspec.json.decode(file.read(length))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return False
        file.seek(0)
        known = footer.get("crc") if type(footer) is dict else None
        return _checksum(file, body) == known


def _checksum(file: IO[bytes], size: int) -> int:
    checksum = 0
    while size > 0:
        data = file.read(min(size, 1 << 20))
        checksum = zlib.crc32(data, checksum)
        size -= len(data)
    return checksum


def count_matches(searcher: Searcher, query: tantivy.Query) -> int:
    """Count the matches exactly."""
    return int(searcher.search(query, limit=1, count=True).count)


def all_addresses(searcher: Searcher, query: tantivy.Query) -> list[tantivy.DocAddress]:
    """Give every match, in the order of its score and then of the index."""
    total = count_matches(searcher, query)
    if not total:
        return []
    return [address for _, address in searcher.search(query, limit=total, count=False).hits]


class IndexWriters:
    """The writers of studies and of sites, which commit together."""

    def __init__(self, studies: Path, sites: Path, *, threads: int) -> None:
        import tantivy

        studies.mkdir(exist_ok=True)
        sites.mkdir(exist_ok=True)
        threads = min(threads, MAX_THREADS)
        with _TOLD:
            self._study_index = tantivy.Index(build_study_schema(), path=str(studies))
            self._site_index = tantivy.Index(build_site_schema(), path=str(sites))
            register_tokenizers(self._study_index)
            register_tokenizers(self._site_index)
            self._studies = self._study_index.writer(STUDY_HEAP_BYTES, threads)
            self._sites = self._site_index.writer(SITE_HEAP_BYTES, 1)
        self._open = [self._sites, self._studies]

    def add_study(self, document: bytes) -> None:
        with _TOLD:
            self._studies.add_json(document.decode())

    def add_site(self, document: bytes) -> None:
        with _TOLD:
            self._sites.add_json(document.decode())

    def delete_study(self, number: int) -> None:
        with _TOLD:
            self._studies.delete_documents_by_term(NUMBER, number)

    def commit(self) -> None:
        with _TOLD:
            self._studies.commit()
            self._sites.commit()

    def close(self) -> None:
        """Wait for merges, so that no thread writes after the generation is switched in.

        A second call does nothing: the first may be followed by an error or an interrupt.
        """
        with _TOLD:
            while self._open:
                self._open.pop().wait_merging_threads()

    def known_studies(self) -> set[int]:
        """Give the numbers of all studies already indexed."""
        return _column(self._study_index, NUMBER)

    def known_sites(self) -> set[int]:
        """Give the ids of all sites already indexed."""
        return _column(self._site_index, SITE)


class _Told:
    """Raises what the engine reports, always a ValueError, as an error of the registry.

    A generator would take longer than some of what it guards.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, ValueError):
            raise RegistryError(f"The index cannot be written: {problem}") from problem


_TOLD = _Told()


def _column(index: tantivy.Index, name: str) -> set[int]:
    import tantivy

    index.reload()
    searcher = Searcher(index)
    addresses = all_addresses(searcher, tantivy.Query.all_query())
    return {int(value) for value in searcher.column(name, addresses) if value is not None}
