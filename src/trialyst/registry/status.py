"""What a registry on disk is, and whether its records and indexes agree."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import msgspec
from pydantic import BaseModel, ConfigDict

from trialyst.ctgov.values import values_at
from trialyst.errors import RegistryError
from trialyst.essie.pieces import pieces
from trialyst.ids import NctId
from trialyst.registry import generation as layout
from trialyst.registry.annotations import annotation_problems
from trialyst.registry.checksums import changed_files
from trialyst.registry.expansion import Expander
from trialyst.registry.extract import extract_study
from trialyst.registry.history.reading import history_days, history_problems
from trialyst.registry.index import Searcher, all_addresses, damaged_files, open_index
from trialyst.registry.kept import count_kept, requirement_problems
from trialyst.registry.records import RecordReader
from trialyst.registry.rows import COUNTED, ROW_PIECES, unpack_row
from trialyst.registry.schema import NUMBER, PRINT
from trialyst.registry.sitebook import SiteBook
from trialyst.registry.sites import SiteIndex
from trialyst.registry.subset import describe_holdings, load_state

__all__ = ["RegistryStatus", "VerifyReport", "registry_status", "verify_registry"]

MAX_PROBLEMS = 100


class RegistryStatus(BaseModel):
    """What a registry holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    path: str
    records: int
    data_timestamp: str
    """When the data was current."""
    built_at: str
    size_bytes: int
    """What the generation in use takes on disk."""
    schema_version: int
    generation: str
    synthetic: bool
    """Whether the records are invented."""
    requirements: int = 0
    """Trials whose criteria are kept as read; the others are read when they are needed."""
    holds: str | None = None
    """Which part of the live service it was synced with, if it was."""
    synced_at: str | None = None
    history_from: str | None = None
    """The first day from which on it is known what changed."""
    editions: int = 0
    """How often the registry was changed since, with what it held then kept."""


class VerifyReport(BaseModel):
    """What a check of every record against every index found."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    records: int
    sites: int
    problems: tuple[str, ...]
    """What does not agree; at most 100 are listed."""

    @property
    def ok(self) -> bool:
        return not self.problems


def registry_status(directory: Path) -> RegistryStatus:
    """Describe the generation in use, or raise RegistryMissing."""
    generation = layout.current_generation(directory)
    manifest = layout.open_manifest(generation)
    state = load_state(directory)
    days = history_days(generation / layout.HISTORY)
    return RegistryStatus(
        path=str(directory),
        records=manifest.records,
        data_timestamp=manifest.data_timestamp,
        built_at=manifest.built_at,
        size_bytes=layout.size_of(generation),
        schema_version=manifest.schema_version,
        generation=manifest.generation,
        synthetic=manifest.synthetic,
        requirements=count_kept(generation),
        holds=describe_holdings(directory),
        synced_at=state.synced_at if state else None,
        history_from=days[0] if days else None,
        editions=len(days),
    )


def verify_registry(
    directory: Path, *, progress: Callable[[int, int], None] | None = None
) -> VerifyReport:
    """Extract every record again and compare it with what the indexes hold.

    Args:
        progress: Called with the records checked and the records in all.
    """
    generation, held = layout.hold_current(directory)
    try:
        return _verify(generation, progress or (lambda checked, total: None))
    finally:
        os.close(held)


def _verify(generation: Path, progress: Callable[[int, int], None]) -> VerifyReport:
    manifest = layout.open_manifest(generation)
    problems = _damage(generation, manifest)
    if problems:
        # A damaged index must not be searched: what it answers is anybody's guess.
        return VerifyReport(records=0, sites=0, problems=tuple(problems[:MAX_PROBLEMS]))
    prints = _prints(generation, problems)
    site_index = SiteIndex(generation / layout.SITES, Expander(None))
    sites = site_index.ids()
    records = RecordReader(generation / layout.RECORDS)
    checked = 0
    for checked, (number, blob) in enumerate(records.iter_packed(), 1):
        if len(problems) < MAX_PROBLEMS:
            known = prints.pop(number, None)
            row = records.get_rows([number]).get(number)
            try:
                data = records.unpack(number, blob)
                found = list(_problems(number, data, known, sites))
                problems.extend(found or _row_problems(number, data, row))
            except RegistryError as problem:
                problems.append(problem.message)
        progress(checked, manifest.records)
    if len(problems) < MAX_PROBLEMS:
        folder = generation / layout.HISTORY
        problems.extend(islice(history_problems(folder, records.read), MAX_PROBLEMS))
    records.close()
    problems.extend(f"{NctId(number)} is indexed but has no record" for number in prints)
    problems.extend(islice(requirement_problems(generation), MAX_PROBLEMS))
    problems.extend(islice(annotation_problems(generation), MAX_PROBLEMS))
    if checked != manifest.records:
        problems.append(f"{checked} records are stored, the manifest says {manifest.records}")
    if not problems and layout.RECORDS in changed_files(generation, manifest.checksums):
        problems.append(f"{layout.RECORDS} is damaged")
    return VerifyReport(
        records=checked, sites=len(site_index), problems=tuple(problems[:MAX_PROBLEMS])
    )


def _damage(generation: Path, manifest: layout.Manifest) -> list[str]:
    problems = [
        f"{name} is {'damaged' if (generation / name).exists() else 'missing'}"
        for name in changed_files(generation, manifest.checksums)
        # Of records it can be told which are damaged.
        if name != layout.RECORDS
    ]
    for name in (layout.INDEX, layout.SITES):
        open_index(generation / name)
        problems += [f"{name}/{file} is damaged" for file in damaged_files(generation / name)]
    with contextlib.closing(RecordReader(generation / layout.RECORDS)) as records:
        return list(dict.fromkeys(problems + records.problems()))


def _prints(generation: Path, problems: list[str]) -> dict[int, int]:
    import tantivy

    searcher = Searcher(open_index(generation / layout.INDEX))
    addresses = all_addresses(searcher, tantivy.Query.all_query())
    numbers = searcher.column(NUMBER, addresses)
    prints: dict[int, int] = {}
    for number, fingerprint in zip(numbers, searcher.column(PRINT, addresses), strict=True):
        if number in prints:
            problems.append(f"{NctId(int(number))} is indexed twice")
        prints[int(number or 0)] = int(fingerprint or 0)
    return prints


def _problems(number: int, data: bytes, fingerprint: int | None, sites: set[int]) -> Iterator[str]:
    nct_id = NctId(number)
    if fingerprint is None:
        yield f"{nct_id} has a record but is not indexed"
        return
    book = SiteBook()
    try:
        extract = extract_study(msgspec.json.decode(data), number, book)
    except (msgspec.DecodeError, UnicodeDecodeError, AttributeError) as problem:
        yield f"{nct_id}: the record is not a study: {problem}"
        return
    if extract.print != fingerprint:
        yield f"{nct_id}: the index does not hold what the record says"
    missing = [site.id for site in book.take_new() if site.id not in sites]
    if missing:
        yield f"{nct_id}: {len(missing)} of its sites are not indexed"


def _row_problems(number: int, data: bytes, row: bytes | None) -> Iterator[str]:
    """Compare the row beside a record with the record; files of older versions have no rows."""
    if row is None:
        return
    try:
        study, held = msgspec.json.decode(data), unpack_row(row)
    except (msgspec.DecodeError, UnicodeDecodeError):
        yield f"{NctId(number)}: its row cannot be read"
        return
    told = tuple(tuple(values_at(study, pieces()[name])) for name in ROW_PIECES)
    counted = [set(values_at(study, pieces()[name])) for name in COUNTED]
    if held[: len(told)] != told or [set(each) for each in held[len(told) :]] != counted:
        yield f"{NctId(number)}: its row does not hold what the record says"
