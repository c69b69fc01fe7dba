"""A generation in the making: takes prepared studies, keeps checkpoints, is switched in whole."""

from __future__ import annotations

import contextlib
import datetime
import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.version import reading_version
from trialyst.errors import RegistryError
from trialyst.registry import generation as layout
from trialyst.registry.annotations import LearnOnly, annotate_generation
from trialyst.registry.checksums import checksums_of, note_stamps
from trialyst.registry.history.recording import carry_history, record_edition
from trialyst.registry.index import IndexWriters
from trialyst.registry.kept import note_unread
from trialyst.registry.numbers import write_numbers
from trialyst.registry.prepare import Batch, Damage, Prepared
from trialyst.registry.records import RecordWriter, StoredRecord, stored_mark
from trialyst.registry.schema import SCHEMA_VERSION
from trialyst.vocabulary.collecting import NameCollector
from trialyst.vocabulary.resolved import ResolvedNames

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary
    from trialyst.vocabulary.learned import LearnedNames

__all__ = ["BuildReport", "Checkpoint", "Draft", "load_checkpoint"]

CHECKPOINT = "checkpoint-"
_CHECKSUM_BYTES = 4


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
    """Records left out."""
    flawed: list[Damage] = field(default_factory=list)
    """Records kept of which a part could not be read, and so not be searched."""
    generation: str = ""


class _CheckpointFile(msgspec.Struct):
    """A checkpoint as it is written."""

    fingerprint: str
    report: BuildReport
    version: int
    collected: bytes
    real: int


@dataclass(slots=True)
class Checkpoint:
    """Where an interrupted build goes on."""

    fingerprint: str
    report: BuildReport
    version: int
    collector: NameCollector
    real: int = 0
    """How many studies taken so far are not marked as synthetic."""

    def to_bytes(self) -> bytes:
        """Give it as plain data behind its checksum."""
        collected = self.collector.to_bytes()
        content = msgspec.msgpack.encode(
            _CheckpointFile(self.fingerprint, self.report, self.version, collected, self.real)
        )
        return zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "big") + content

    @classmethod
    def from_bytes(cls, written: bytes) -> Checkpoint | None:
        """Read what `to_bytes` gave; None if it is not as it was written."""
        checksum, content = written[:_CHECKSUM_BYTES], written[_CHECKSUM_BYTES:]
        if int.from_bytes(checksum, "big") != zlib.crc32(content):
            return None
        try:
            held = msgspec.msgpack.decode(content, type=_CheckpointFile)
            collector = NameCollector.from_bytes(held.collected)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return cls(held.fingerprint, held.report, held.version, collector, held.real)


class Draft:
    """A generation in the making: writers, and what they have taken so far."""

    def __init__(self, directory: Path, checkpoint: Checkpoint, *, checkpoint_every: int) -> None:
        self.directory = directory
        self.report = checkpoint.report
        self.version = checkpoint.version
        self.collector = checkpoint.collector
        self.real = checkpoint.real
        self._fingerprint = checkpoint.fingerprint
        self.records = RecordWriter(directory / layout.RECORDS)
        self.writers = IndexWriters(
            directory / layout.INDEX, directory / layout.SITES, threads=os.cpu_count() or 1
        )
        self.updates = self.records.updates()
        self._sites = self.writers.known_sites()
        # The index is committed first, so after a kill it may know studies that no record tells of.
        self._ahead = self.writers.known_studies() if self.report.read else set()
        self._checkpoint_every = checkpoint_every
        self._saved = self.report.read
        self._changed: set[int] = set()
        self.day: str | None = None
        """The day of which what it takes is, where that is known."""
        self.is_copy = False
        """Whether it began as a copy of the generation in use, of which only some is changed."""

    def take(self, batch: Batch) -> None:
        """Store and index a batch."""
        for site in batch.sites:
            if site.id not in self._sites:
                self._sites.add(site.id)
                self.writers.add_site(site.document)
        rows = []
        for item in batch.items:
            self.report.read += 1
            if isinstance(item, Damage):
                self.report.damaged.append(item)
            elif self._take_one(item):
                rows.append(StoredRecord(item.number, item.extract.updated, item.data, item.row))
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
        if known is not None or item.number in self._ahead:
            self.writers.delete_study(item.number)
        self.writers.add_study(item.extract.document)
        if self.is_copy:
            self._changed.add(item.number)
        self.updates[item.number] = item.extract.updated
        self.real += not item.extract.synthetic
        if item.flaw:
            self.report.flawed.append(item.flaw)
        self.version = max(self.version, item.extract.version, item.extract.updated)
        self.collector.add_study(
            interventions=item.names.interventions,
            explained=item.names.explained,
            conditions=item.names.conditions,
            mesh_conditions=item.names.mesh_conditions,
            first_posted=item.names.first_posted,
        )
        return True

    def remove(self, number: int) -> None:
        """Take a study out."""
        self.writers.delete_study(number)
        self.records.remove([number])
        del self.updates[number]
        self._changed.add(number)
        self.report.removed += 1

    def checkpoint(self) -> None:
        """Make what was taken so far durable, once enough has been taken since the last time."""
        if self.report.read - self._saved >= self._checkpoint_every:
            self._save()

    def _save(self) -> None:
        self._saved = self.report.read
        self.writers.commit()
        state = Checkpoint(self._fingerprint, self.report, self.version, self.collector, self.real)
        path = self.directory / f"{CHECKPOINT}{self._saved}"
        layout.write_atomically(path, state.to_bytes())
        # The mark makes the checkpoint count: it and the records are kept together or not at all.
        self.records.commit(mark=self._saved)
        _drop_checkpoints(self.directory, keep=path)

    def __enter__(self) -> Draft:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Let go of the files after an error, keeping what the last checkpoint kept."""
        if kind is None:
            return
        self.records.abandon()
        # Whatever made the build fail, such as a full disk, may fail the index here once more.
        with contextlib.suppress(RegistryError):
            self.writers.close()

    def finish(
        self,
        registry: Path,
        *,
        synthetic: bool,
        data_timestamp: str | None,
        vocabulary: Vocabulary | LearnOnly | None,
        records_of: str | None = None,
    ) -> BuildReport:
        """Switch this generation in; with a vocabulary, learn names from its records.

        Args:
            records_of: The generation whose records these are, where nothing of them changed.
        """
        self._save()
        self.writers.close()
        self.records.close()
        write_numbers(self.directory / layout.INDEX, self.directory / layout.NUMBERS)
        self.collector.save(self.directory / layout.EVIDENCE)
        names = vocabulary.vocabulary if isinstance(vocabulary, LearnOnly) else vocabulary
        if names is not None:
            names = names.with_learned(self._learn(names))
        reading = None if isinstance(vocabulary, LearnOnly) else names
        annotate_generation(self.directory, reading, changed=self._changed)
        if (self.directory / layout.REQUIREMENTS).exists():
            note_unread(self.directory, self._changed)
        self.report.records = len(self.updates)
        self.report.generation = layout.new_generation_name()
        previous = layout.current_name(registry)
        self._note_changes(registry / previous if previous else None, records_of)
        manifest = layout.Manifest(
            generation=self.report.generation,
            schema_version=SCHEMA_VERSION,
            records=self.report.records,
            data_timestamp=data_timestamp or _timestamp(self.version),
            built_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            # Invented studies stay invented when they come back by way of a download.
            synthetic=synthetic or (bool(self.updates) and not self.real),
            records_of=records_of,
            checksums=checksums_of(self.directory, like=registry / previous if previous else None),
        )
        final = layout.switch_to(registry, self.directory, manifest)
        note_stamps(final, manifest.checksums)
        _drop_checkpoints(final)
        layout.discard_old(registry, keep=frozenset({manifest.generation, previous or ""}))
        return self.report

    def _learn(self, names: Vocabulary) -> LearnedNames:
        """Learn names; what the shipped ones say of those met before is not looked up again."""
        path = self.directory / layout.RESOLVED
        shipped = names.path.parent.name if names.path else "in memory"
        resolved = ResolvedNames.load(path, f"{reading_version()} {shipped}")
        learned = self.collector.finish(names, resolved if names.path else None)
        learned.save(self.directory / layout.LEARNED)
        resolved.save(path)
        return learned

    def _note_changes(self, previous: Path | None, records_of: str | None) -> None:
        """Keep what this generation replaces."""
        if records_of is not None and previous is not None:
            carry_history(previous, self.directory)
            return
        # What other commands than sync change is not known to be of any day but this one.
        first = _timestamp(self.version) if previous is None else _timestamp(0)
        record_edition(
            previous,
            self.directory,
            day=(self.day or first)[:10],
            changed=self._changed if self.is_copy else None,
        )


def _drop_checkpoints(directory: Path, *, keep: Path | None = None) -> None:
    for path in directory.glob(f"{CHECKPOINT}*"):
        if path != keep:
            path.unlink()


def _timestamp(version: int) -> str:
    if not version:
        return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{version // 10000:04d}-{version // 100 % 100:02d}-{version % 100:02d}T00:00:00"


def load_checkpoint(building: Path, fingerprint: str | None) -> Checkpoint | None:
    """Read where an interrupted build of the same input stopped."""
    try:
        mark = stored_mark(building / layout.RECORDS)
        written = (building / f"{CHECKPOINT}{mark}").read_bytes()
    except OSError:
        return None
    checkpoint = Checkpoint.from_bytes(written)
    known = checkpoint is not None and checkpoint.fingerprint == fingerprint
    return checkpoint if known else None
