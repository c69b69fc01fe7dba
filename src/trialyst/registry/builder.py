"""Building, extending and shrinking a registry: every change makes a new generation.

A build is written to `building` with checkpoints; killed at any moment, the registry in use stays
as it is and the same build goes on from its last checkpoint.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.errors import NotFound
from trialyst.ids import NctId
from trialyst.paging import digest
from trialyst.registry import generation as layout
from trialyst.registry.draft import BuildReport, Checkpoint, Draft, load_checkpoint
from trialyst.registry.inputs import RawRecord, RecordStream, find_inputs
from trialyst.registry.records import train_dictionary
from trialyst.registry.schema import SCHEMA_VERSION
from trialyst.registry.workers import PreparingPool
from trialyst.vocabulary.collecting import NameCollector

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "BuildProgress",
    "BuildReport",
    "add_records",
    "add_studies",
    "build_from_studies",
    "build_registry",
    "remove_records",
]

# A smaller registry is not worth the second that training takes.
DICTIONARY_FROM = 5_000
DICTIONARY_EVERY = 5


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a build is; `bytes_total` is 0 when the size of the input is not known."""

    records: int
    bytes_read: int
    bytes_total: int


Progress = Callable[[BuildProgress], None]


def build_registry(
    paths: Iterable[Path | str],
    directory: Path,
    *,
    progress: Progress | None = None,
    workers: int | None = None,
    data_timestamp: str | None = None,
    vocabulary: Vocabulary | None = None,
) -> BuildReport:
    """Build a registry from files, replacing the one in use only when all is done.

    Args:
        vocabulary: With it, the registry learns names from the records.

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
        return made.finish(
            directory, synthetic=False, data_timestamp=data_timestamp, vocabulary=vocabulary
        )


def build_from_studies(
    studies: Iterable[Mapping[str, Any] | bytes],
    directory: Path,
    *,
    synthetic: bool = False,
    data_timestamp: str | None = None,
    vocabulary: Vocabulary | None = None,
) -> BuildReport:
    """Build a registry from studies in memory."""
    with layout.writer_lock(directory):
        made = _start(directory, fingerprint=None)
        _fill(made, _raw_records(studies), workers=0)
        return made.finish(
            directory, synthetic=synthetic, data_timestamp=data_timestamp, vocabulary=vocabulary
        )


def add_records(
    paths: Iterable[Path | str],
    directory: Path,
    *,
    progress: Progress | None = None,
    vocabulary: Vocabulary | None = None,
) -> BuildReport:
    """Add studies to a registry, replacing older versions of the same studies."""
    stream = RecordStream(find_inputs([Path(path) for path in paths]))

    def tell(report: BuildReport) -> None:
        if progress:
            progress(BuildProgress(report.read, stream.bytes_read, stream.bytes_total))

    return _change(directory, lambda made: _fill(made, stream, tell=tell), vocabulary)


def add_studies(
    studies: Iterable[Mapping[str, Any] | bytes],
    directory: Path,
    *,
    vocabulary: Vocabulary | None = None,
) -> BuildReport:
    """Add studies in memory to a registry, replacing older versions of the same studies."""
    records = _raw_records(studies)
    return _change(directory, lambda made: _fill(made, records, workers=0), vocabulary)


def remove_records(ids: Iterable[NctId], directory: Path) -> BuildReport:
    """Remove studies from a registry; ids that are not there raise NotFound and change nothing.

    Names learned from the removed studies stay known.
    """
    numbers = [nct_id.number for nct_id in ids]

    def remove(made: Draft) -> None:
        missing = [str(NctId(number)) for number in numbers if number not in made.updates]
        if missing:
            raise NotFound(
                f"Not in the registry: {', '.join(missing)}",
                hint="Check the ids with `trialyst search`; nothing was removed.",
            )
        for number in numbers:
            made.remove(number)

    return _change(directory, remove)


def _change(
    directory: Path, change: Callable[[Draft], None], vocabulary: Vocabulary | None = None
) -> BuildReport:
    with layout.writer_lock(directory):
        current = layout.current_generation(directory)
        manifest = layout.open_manifest(current)
        building = directory / layout.BUILDING
        _copy_generation(current, building)
        made = Draft(building, _new_checkpoint(""))
        made.collector = NameCollector.load(current / layout.EVIDENCE)
        made.version = int(manifest.data_timestamp[:10].replace("-", ""))
        try:
            change(made)
        except BaseException:
            made.close()
            shutil.rmtree(building, ignore_errors=True)
            raise
        return made.finish(
            directory,
            synthetic=manifest.synthetic,
            data_timestamp=None,
            vocabulary=vocabulary,
        )


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
    for name in (layout.RECORDS, layout.LEARNED):
        if (current / name).exists():
            shutil.copyfile(current / name, target / name)


def _new_checkpoint(fingerprint: str) -> Checkpoint:
    return Checkpoint(fingerprint, BuildReport(), 0, NameCollector())


def _start(directory: Path, fingerprint: str | None) -> Draft:
    """Go on with an interrupted build of the same input, or begin a new one."""
    building = directory / layout.BUILDING
    checkpoint = load_checkpoint(building, fingerprint)
    if checkpoint is None:
        shutil.rmtree(building, ignore_errors=True)
        building.mkdir(parents=True)
        checkpoint = _new_checkpoint(fingerprint or "")
    checkpoint.report.resumed_at = checkpoint.report.read
    return Draft(building, checkpoint)


def _fill(
    made: Draft,
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
