"""Building, extending and shrinking a registry: every change makes a new generation.

A build is written to `building` with checkpoints; killed at any moment, the registry in use stays
as it is and the same build goes on from its last checkpoint.
"""

from __future__ import annotations

import datetime
import itertools
import os
import pickle
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from trialyst.errors import NotFound
from trialyst.ids import NctId
from trialyst.paging import digest
from trialyst.registry import generation as layout
from trialyst.registry.index import IndexWriters
from trialyst.registry.inputs import RawRecord, RecordStream, find_inputs
from trialyst.registry.prepare import Damage, Prepared
from trialyst.registry.records import RecordWriter, train_dictionary
from trialyst.registry.schema import NUMBER, SCHEMA_VERSION
from trialyst.registry.workers import PreparingPool
from trialyst.vocabulary.collecting import NameCollector
from trialyst.vocabulary.learned import LearnedNames

__all__ = [
    "BuildProgress",
    "BuildReport",
    "add_records",
    "add_studies",
    "build_from_studies",
    "build_registry",
    "remove_records",
]

CHECKPOINT = "checkpoint"
CHECKPOINT_RECORDS = 60_000
# A smaller registry is not worth the second that training takes.
DICTIONARY_FROM = 5_000
DICTIONARY_EVERY = 5


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a build is; `bytes_total` is 0 when the size of the input is not known."""

    records: int
    bytes_read: int
    bytes_total: int


@dataclass(slots=True)
class BuildReport:
    """What a build or change did."""

    records: int = 0
    """Studies in the registry now."""
    read: int = 0
    added: int = 0
    replaced: int = 0
    superseded: int = 0
    """Records left out because a newer version of the same study was already there."""
    removed: int = 0
    resumed_at: int = 0
    """How many records an interrupted build had already done."""
    damaged: list[Damage] = field(default_factory=list)
    generation: str = ""


@dataclass(slots=True)
class _Checkpoint:
    """Where an interrupted build goes on."""

    fingerprint: str
    report: BuildReport
    version: int
    collector: NameCollector


class _Generation:
    """A generation in the making: writers, and what they have taken so far."""

    def __init__(self, directory: Path, checkpoint: _Checkpoint) -> None:
        self.directory = directory
        self.report = checkpoint.report
        self.version = checkpoint.version
        self.collector = checkpoint.collector
        self._fingerprint = checkpoint.fingerprint
        self.records = RecordWriter(directory / layout.RECORDS)
        self.writers = IndexWriters(
            directory / layout.INDEX, directory / layout.SITES, threads=os.cpu_count() or 1
        )
        self.updates = self.records.updates()
        self._sites = self.writers.known_sites()
        # A kill between the commits and the checkpoint leaves studies that no checkpoint counts.
        self._careful_until = self.report.read + 2 * CHECKPOINT_RECORDS if self.report.read else 0
        self._saved = self.report.read

    def take(self, batch: Sequence[Prepared | Damage]) -> None:
        """Store and index a batch."""
        rows = []
        for item in batch:
            self.report.read += 1
            if isinstance(item, Damage):
                self.report.damaged.append(item)
            elif self._take_one(item):
                rows.append((item.number, item.extract.updated, item.blob))
        self.records.put(rows)

    def _take_one(self, item: Prepared) -> bool:
        known = self.updates.get(item.number)
        if known is not None and item.extract.updated < known:
            self.report.superseded += 1
            return False
        if known is not None:
            self.report.replaced += 1
        else:
            self.report.added += 1
        if known is not None or self.report.read <= self._careful_until:
            self.writers.studies.delete_documents_by_term(NUMBER, item.number)
        self.writers.studies.add_json(item.extract.document.decode())
        for site in item.extract.sites:
            if site.id not in self._sites:
                self._sites.add(site.id)
                self.writers.sites.add_json(site.document.decode())
        self.updates[item.number] = item.extract.updated
        self.version = max(self.version, item.extract.version, item.extract.updated)
        self.collector.add_study(
            interventions=item.names.interventions,
            conditions=item.names.conditions,
            mesh_conditions=item.names.mesh_conditions,
            first_posted=item.names.first_posted,
        )
        return True

    def remove(self, number: int) -> None:
        """Take a study out."""
        self.writers.studies.delete_documents_by_term(NUMBER, number)
        self.records.remove([number])
        del self.updates[number]
        self.report.removed += 1

    def checkpoint(self) -> None:
        """Make what was taken so far durable, once enough has been taken since the last time."""
        if self.report.read - self._saved < CHECKPOINT_RECORDS:
            return
        self._saved = self.report.read
        self.writers.commit()
        self.records.commit()
        state = _Checkpoint(self._fingerprint, self.report, self.version, self.collector)
        layout.write_atomically(self.directory / CHECKPOINT, pickle.dumps(state))

    def close(self) -> None:
        """Let go of the files, keeping what the last checkpoint kept."""
        self.writers.close()
        self.records.close()

    def finish(self, registry: Path, *, synthetic: bool, data_timestamp: str | None) -> BuildReport:
        """Switch this generation in."""
        self.writers.commit()
        self.close()
        self.collector.finish().save(self.directory / layout.LEARNED)
        (self.directory / CHECKPOINT).unlink(missing_ok=True)
        self.report.records = len(self.updates)
        self.report.generation = layout.new_generation_name()
        manifest = layout.Manifest(
            generation=self.report.generation,
            schema_version=SCHEMA_VERSION,
            records=self.report.records,
            data_timestamp=data_timestamp or _timestamp(self.version),
            built_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            synthetic=synthetic,
        )
        previous = layout.current_name(registry)
        layout.switch_to(registry, self.directory, manifest)
        layout.discard_old(registry, keep=frozenset({manifest.generation, previous or ""}))
        return self.report


def _timestamp(version: int) -> str:
    if not version:
        return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{version // 10000:04d}-{version // 100 % 100:02d}-{version % 100:02d}T00:00:00"


Progress = Callable[[BuildProgress], None]


def build_registry(
    paths: Iterable[Path | str],
    directory: Path,
    *,
    progress: Progress | None = None,
    workers: int | None = None,
    data_timestamp: str | None = None,
) -> BuildReport:
    """Build a registry from files, replacing the one in use only when all is done.

    Raises:
        InvalidInput: a path does not exist, or a file cannot be read to its end.
        RegistryLocked: another process is building here.
    """
    files = find_inputs([Path(path) for path in paths])
    stream = RecordStream(files)
    fingerprint = digest([SCHEMA_VERSION, [(f.path, f.size, f.modified) for f in files]])

    def tell(report: BuildReport) -> None:
        if progress:
            progress(BuildProgress(report.read, stream.bytes_read, stream.bytes_total))

    with layout.writer_lock(directory):
        made = _start(directory, fingerprint)
        records = itertools.islice(stream, made.report.read, None)
        _fill(made, records, tell=tell, workers=workers)
        return made.finish(directory, synthetic=False, data_timestamp=data_timestamp)


def build_from_studies(
    studies: Iterable[Mapping[str, Any] | bytes],
    directory: Path,
    *,
    synthetic: bool = False,
    data_timestamp: str | None = None,
) -> BuildReport:
    """Build a registry from studies in memory."""
    with layout.writer_lock(directory):
        made = _start(directory, fingerprint=None)
        _fill(made, _raw_records(studies), workers=0)
        return made.finish(directory, synthetic=synthetic, data_timestamp=data_timestamp)


def add_records(
    paths: Iterable[Path | str], directory: Path, *, progress: Progress | None = None
) -> BuildReport:
    """Add studies to a registry, replacing older versions of the same studies."""
    stream = RecordStream(find_inputs([Path(path) for path in paths]))

    def tell(report: BuildReport) -> None:
        if progress:
            progress(BuildProgress(report.read, stream.bytes_read, stream.bytes_total))

    return _change(directory, lambda made: _fill(made, stream, tell=tell))


def add_studies(studies: Iterable[Mapping[str, Any] | bytes], directory: Path) -> BuildReport:
    """Add studies in memory to a registry, replacing older versions of the same studies."""
    return _change(directory, lambda made: _fill(made, _raw_records(studies), workers=0))


def remove_records(ids: Iterable[NctId], directory: Path) -> BuildReport:
    """Remove studies from a registry; ids that are not there raise NotFound and change nothing."""
    numbers = [nct_id.number for nct_id in ids]

    def remove(made: _Generation) -> None:
        missing = [str(NctId(number)) for number in numbers if number not in made.updates]
        if missing:
            raise NotFound(
                f"Not in the registry: {', '.join(missing)}",
                hint="Check the ids with `trialyst search`; nothing was removed.",
            )
        for number in numbers:
            made.remove(number)

    return _change(directory, remove)


def _change(directory: Path, change: Callable[[_Generation], None]) -> BuildReport:
    with layout.writer_lock(directory):
        current = layout.current_generation(directory)
        manifest = layout.open_manifest(current)
        building = directory / layout.BUILDING
        _copy_generation(current, building)
        made = _Generation(building, _new_checkpoint(""))
        learned = LearnedNames.load(current / layout.LEARNED)
        made.collector = NameCollector.extending(learned)
        made.version = int(manifest.data_timestamp[:10].replace("-", ""))
        try:
            change(made)
        except BaseException:
            made.close()
            shutil.rmtree(building, ignore_errors=True)
            raise
        return made.finish(directory, synthetic=manifest.synthetic, data_timestamp=None)


def _copy_generation(current: Path, target: Path) -> None:
    """Copy a generation; segment files never change, so they are shared, not copied."""
    shutil.rmtree(target, ignore_errors=True)
    for name in (layout.INDEX, layout.SITES):
        (target / name).mkdir(parents=True)
        for file in (current / name).iterdir():
            if file.suffix == ".json":
                shutil.copy2(file, target / name)
            elif file.suffix != ".lock":
                os.link(file, target / name / file.name)
    shutil.copyfile(current / layout.RECORDS, target / layout.RECORDS)


def _new_checkpoint(fingerprint: str) -> _Checkpoint:
    return _Checkpoint(fingerprint, BuildReport(), 0, NameCollector())


def _start(directory: Path, fingerprint: str | None) -> _Generation:
    """Go on with an interrupted build of the same input, or begin a new one."""
    building = directory / layout.BUILDING
    checkpoint = _load_checkpoint(building, fingerprint)
    if checkpoint is None:
        shutil.rmtree(building, ignore_errors=True)
        building.mkdir(parents=True)
        checkpoint = _new_checkpoint(fingerprint or "")
    checkpoint.report.resumed_at = checkpoint.report.read
    return _Generation(building, checkpoint)


def _load_checkpoint(building: Path, fingerprint: str | None) -> _Checkpoint | None:
    try:
        # The file lies in the user's own registry directory, as trusted as the registry itself.
        checkpoint = pickle.loads((building / CHECKPOINT).read_bytes())
    except (OSError, pickle.UnpicklingError, EOFError, AttributeError, ImportError):
        return None
    known = isinstance(checkpoint, _Checkpoint) and checkpoint.fingerprint == fingerprint
    return checkpoint if known else None


def _fill(
    made: _Generation,
    records: Iterable[RawRecord],
    *,
    tell: Callable[[BuildReport], None] = lambda report: None,
    workers: int | None = None,
) -> None:
    stream = iter(records)
    if made.records.dictionary is None:
        sample = list(itertools.islice(stream, DICTIONARY_FROM))
        trained = [record.data for record in sample[::DICTIONARY_EVERY]]
        made.records.set_dictionary(
            train_dictionary(trained) if len(sample) == DICTIONARY_FROM else b""
        )
        stream = itertools.chain(sample, stream)
    try:
        with PreparingPool(made.records.dictionary or b"", workers=workers) as pool:
            for batch in pool.map(stream):
                made.take(batch)
                made.checkpoint()
                tell(made.report)
    except BaseException:
        made.close()
        raise


def _raw_records(studies: Iterable[Mapping[str, Any] | bytes]) -> Iterator[RawRecord]:
    for position, study in enumerate(studies, 1):
        data = study if isinstance(study, bytes) else msgspec.json.encode(study)
        yield RawRecord(data, f"study {position}")
