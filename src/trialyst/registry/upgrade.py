"""A registry of an older schema version, made anew from its own records.

Nothing is fetched. Of the older generation only the header of its manifest, its records and the
names seen in them are read, which are the same in every version. It stays in use until the new one
is whole.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trialyst.errors import RegistryError
from trialyst.hints import Command, Hint
from trialyst.paging import digest
from trialyst.registry import generation as layout
from trialyst.registry.annotations import annotate_generation, is_annotated
from trialyst.registry.builder import (
    CHECKPOINT_EVERY,
    BuildProgress,
    Progress,
    fill_draft,
    start_draft,
    writing,
)
from trialyst.registry.draft import BuildReport
from trialyst.registry.forecast import check_room
from trialyst.registry.inputs import RawRecord
from trialyst.registry.prepare import Damage
from trialyst.registry.records import RecordReader
from trialyst.registry.schema import SCHEMA_VERSION
from trialyst.vocabulary.collecting import NameCollector
from trialyst.vocabulary.learned import LearnedNames

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["UpgradeReport", "upgrade_registry"]

_NO_ROOM = "Make room, then run the same command again; the registry in use is unchanged."
_UNUSABLE = Hint(
    "To fetch everything again, {sync}; to build it from files, {build}. The registry in use is "
    "unchanged.",
    sync=Command("trialyst registry sync --full"),
    build=Command("trialyst registry build PATH..."),
)


@dataclass(slots=True)
class UpgradeReport:
    """What an upgrade did."""

    upgraded: bool
    """Whether there was anything to do."""
    previous_schema_version: int
    schema_version: int
    records: int
    """Studies in the registry now."""
    generation: str
    resumed_at: int = 0
    """How many records an interrupted upgrade had already done."""
    damaged: list[Damage] = field(default_factory=list)
    """Records left out."""
    flawed: list[Damage] = field(default_factory=list)
    """Records kept of which a part could not be read, and so not be searched."""


def upgrade_registry(
    directory: Path,
    *,
    vocabulary: Vocabulary,
    progress: Progress | None = None,
    checkpoint_every: int = CHECKPOINT_EVERY,
) -> UpgradeReport:
    """Make the index of an older registry anew, and annotations that another version made.

    Killed or interrupted, it leaves the registry as it was, and the same call goes on.

    Args:
        vocabulary: The shipped names, beside which the registry learns others from its records.

    Raises:
        RegistryMissing: there is no registry in the directory.
        RegistryLocked: another process is writing it.
        RegistryError: a newer version wrote it, a record cannot be read, or the disk has no room.
    """
    current = layout.current_generation(directory)
    header = layout.read_header(current)
    if header.schema_version == SCHEMA_VERSION:
        return _report(header, header.generation, annotated=_annotate(directory, vocabulary))
    with writing(directory), _held(directory) as older:
        return _Upgrade(directory, older, vocabulary).run(progress, checkpoint_every)


def _annotate(directory: Path, vocabulary: Vocabulary) -> bool:
    """Annotate the trials of the generation in use anew, if that was done by another version."""
    if is_annotated(layout.current_generation(directory)):
        return False
    with writing(directory), _held(directory) as generation:
        learned = generation / layout.LEARNED
        if learned.exists():
            vocabulary = vocabulary.with_learned(LearnedNames.load(learned))
        annotate_generation(generation, vocabulary)
    return True


@contextlib.contextmanager
def _held(directory: Path) -> Iterator[Path]:
    """Give the generation in use, which nobody discards meanwhile."""
    generation, held = layout.hold_current(directory)
    try:
        yield generation
    finally:
        os.close(held)


class _Upgrade:
    """One upgrade of one generation."""

    def __init__(self, directory: Path, older: Path, vocabulary: Vocabulary) -> None:
        self._directory = directory
        self._older = older
        self._vocabulary = vocabulary
        self._header = layout.read_header(older)

    def run(self, progress: Progress | None, checkpoint_every: int) -> UpgradeReport:
        header = self._header
        if header.schema_version == SCHEMA_VERSION:
            # Another process upgraded it between the first look and the lock.
            return _report(header, header.generation)
        self._check_room()

        def tell(report: BuildReport) -> None:
            if progress:
                progress(BuildProgress(report.read, report.read, header.records))

        fingerprint = digest([SCHEMA_VERSION, header.generation])
        with start_draft(self._directory, fingerprint, checkpoint_every) as made:
            fill_draft(made, self._records(made.report.read), tell=tell)
            if made.report.read != header.records:
                raise _unusable(f"{made.report.read} of its {header.records} records are there")
            self._keep_names(made.collector)
            built = made.finish(
                self._directory,
                synthetic=header.synthetic,
                data_timestamp=header.data_timestamp,
                vocabulary=self._vocabulary,
                records_of=header.records_of or header.generation,
            )
        return _report(header, built.generation, built)

    def _check_room(self) -> None:
        written = layout.size_of(self._directory / layout.BUILDING)
        check_room(layout.size_of(self._older) - written, self._directory, hint=_NO_ROOM)

    def _records(self, done: int) -> Iterator[RawRecord]:
        """Yield the stored records after the first so many."""
        try:
            with contextlib.closing(RecordReader(self._older / layout.RECORDS)) as reader:
                for number, packed in islice(reader.iter_packed(), done, None):
                    yield RawRecord(reader.unpack(number, packed), self._older.name)
        except RegistryError as damage:
            raise _unusable(damage.message) from damage

    def _keep_names(self, collector: NameCollector) -> None:
        """Keep names seen in studies that were changed or removed since."""
        # What cannot be read is no loss for the records that are there: their names are new.
        with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
            collector.keep(NameCollector.load(self._older / layout.EVIDENCE))


def _unusable(why: str) -> RegistryError:
    return RegistryError(f"The registry cannot be upgraded: {why}", hint=_UNUSABLE)


def _report(
    header: layout.Header,
    generation: str,
    built: BuildReport | None = None,
    *,
    annotated: bool = False,
) -> UpgradeReport:
    return UpgradeReport(
        upgraded=built is not None or annotated,
        previous_schema_version=header.schema_version,
        schema_version=SCHEMA_VERSION,
        records=header.records if built is None else built.records,
        generation=generation,
        resumed_at=built.resumed_at if built else 0,
        damaged=built.damaged if built else [],
        flawed=built.flawed if built else [],
    )
