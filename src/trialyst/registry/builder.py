"""Building, extending and shrinking a registry: every change makes a new generation.

A build is written to `building` with checkpoints; killed at any moment, the registry in use stays
as it is and the same build goes on from its last checkpoint.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import gc
import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.errors import (
    InvalidInput,
    NotFound,
    RegistryError,
    RegistryLocked,
    RegistryMissing,
    RegistryOutdated,
)
from trialyst.hints import Call, Hint
from trialyst.ids import NctId
from trialyst.paging import digest
from trialyst.registry import generation as layout
from trialyst.registry.ahead import prepare_ahead
from trialyst.registry.draft import BuildReport, Checkpoint, Draft, load_checkpoint
from trialyst.registry.history.recording import check_day
from trialyst.registry.inputs import RawRecord, RecordStream, find_inputs
from trialyst.registry.kept import carry_over
from trialyst.registry.records import train_dictionary
from trialyst.registry.schema import SCHEMA_VERSION
from trialyst.vocabulary.collecting import NameCollector

if TYPE_CHECKING:
    from trialyst.registry.annotations import LearnOnly
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "BuildProgress",
    "BuildReport",
    "add_records",
    "add_studies",
    "build_dated",
    "build_from_studies",
    "build_registry",
    "fill_draft",
    "remove_records",
    "start_draft",
    "writing",
]

# A smaller registry is not worth the second that training takes.
DICTIONARY_FROM = 5_000
DICTIONARY_EVERY = 12
# A disk with less than this is taken to be the reason why a write failed.
FULL_BELOW_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a build is; `bytes_total` is 0 when the size of the input is not known."""

    records: int
    bytes_read: int
    bytes_total: int


Progress = Callable[[BuildProgress], None]
CHECKPOINT_EVERY = 175_000
"""Records an interrupted build may lose, two minutes of work; each checkpoint writes a segment of
the index for each core, and every segment costs every search time."""


@contextlib.contextmanager
def writing(directory: Path) -> Iterator[None]:
    """Be the only writer; what the disk refuses becomes an error of the registry."""
    try:
        with layout.writer_lock(directory):
            yield
    except (RegistryLocked, RegistryMissing, RegistryOutdated):
        raise
    except (OSError, sqlite3.Error, RegistryError) as problem:
        full = _is_full(problem, directory)
        if isinstance(problem, RegistryError) and not full:
            raise
        raise RegistryError(
            f"The registry in {str(directory)!r} cannot be written: "
            + ("no space left on the disk" if full else str(problem)),
            hint="Make room or check the directory, then run the same command again; the "
            "registry in use is unchanged.",
        ) from problem


def _is_full(problem: Exception, directory: Path) -> bool:
    """Whether the disk was full: the system says so; the engines do not always."""
    if isinstance(problem, OSError) and problem.errno:
        return problem.errno in (errno.ENOSPC, errno.EDQUOT)
    told = "o space left" in str(problem) or "disk is full" in str(problem)
    return told or _free_bytes(directory) < FULL_BELOW_BYTES


def _free_bytes(path: Path) -> int:
    existing = (place for place in (path.absolute(), *path.absolute().parents) if place.exists())
    return shutil.disk_usage(next(existing)).free


def build_registry(
    paths: Iterable[Path | str],
    directory: Path,
    *,
    progress: Progress | None = None,
    checkpoint_every: int = CHECKPOINT_EVERY,
    data_timestamp: str | None = None,
    vocabulary: Vocabulary | LearnOnly | None = None,
) -> BuildReport:
    """Build a registry from files, replacing the one in use only when all is done.

    What it replaces is kept as history, as with every change of a registry.

    Args:
        data_timestamp: When the data was current; without it, it is as new as its newest study,
            and what it changes in a registry is of this day.
        vocabulary: With it, names are learned from the records, which it annotates.

    Raises:
        InvalidInput: a path does not exist, a file cannot be read to its end, or there is no
            study in any of them.
        RegistryLocked: another process is building here.
        RegistryError: the registry cannot be written, for example because the disk is full.
    """
    files = find_inputs([Path(path) for path in paths])
    stream = RecordStream(files)
    fingerprint = digest([SCHEMA_VERSION, [(f.path, f.size, f.modified) for f in files]])

    def tell(report: BuildReport) -> None:
        if progress:
            progress(BuildProgress(report.read, stream.bytes_read, stream.bytes_total))

    with writing(directory), start_draft(directory, fingerprint, checkpoint_every) as made:
        made.day = data_timestamp
        records = itertools.islice(stream, made.report.read, None)
        fill_draft(made, records, tell=tell)
        _check_filled(made)
        return made.finish(
            directory, synthetic=False, data_timestamp=data_timestamp, vocabulary=vocabulary
        )


def build_dated(
    paths: Iterable[Path | str],
    directory: Path,
    as_of: datetime.date,
    *,
    progress: Progress | None = None,
    vocabulary: Vocabulary | LearnOnly | None = None,
) -> BuildReport:
    """Build a registry from files of a day, the next step of its history.

    Raises:
        InvalidInput: as `build_registry`, or the registry in use is of a later day.
    """
    check_day(directory, as_of)
    return build_registry(
        paths,
        directory,
        progress=progress,
        data_timestamp=f"{as_of}T00:00:00",
        vocabulary=vocabulary,
    )


def build_from_studies(
    studies: Iterable[Mapping[str, Any] | bytes],
    directory: Path,
    *,
    synthetic: bool = False,
    data_timestamp: str | None = None,
    vocabulary: Vocabulary | LearnOnly | None = None,
) -> BuildReport:
    """Build a registry from studies in memory."""
    with writing(directory), start_draft(directory, None) as made:
        made.day = data_timestamp
        fill_draft(made, _raw_records(studies))
        return made.finish(
            directory, synthetic=synthetic, data_timestamp=data_timestamp, vocabulary=vocabulary
        )


def add_records(
    paths: Iterable[Path | str],
    directory: Path,
    *,
    progress: Progress | None = None,
    data_timestamp: str | None = None,
    vocabulary: Vocabulary | LearnOnly | None = None,
) -> BuildReport:
    """Add studies to a registry, replacing older versions of the same studies.

    Args:
        data_timestamp: When the data is current now; without it, as new as its newest study.
    """
    stream = RecordStream(find_inputs([Path(path) for path in paths]))

    def tell(report: BuildReport) -> None:
        if progress:
            progress(BuildProgress(report.read, stream.bytes_read, stream.bytes_total))

    return _change(
        directory,
        lambda made: fill_draft(made, stream, tell=tell),
        data_timestamp=data_timestamp,
        vocabulary=vocabulary,
    )


def add_studies(
    studies: Iterable[Mapping[str, Any] | bytes],
    directory: Path,
    *,
    data_timestamp: str | None = None,
    vocabulary: Vocabulary | LearnOnly | None = None,
) -> BuildReport:
    """Add studies in memory to a registry, replacing older versions of the same studies."""
    records = _raw_records(studies)
    return _change(
        directory,
        lambda made: fill_draft(made, records),
        data_timestamp=data_timestamp,
        vocabulary=vocabulary,
    )


def remove_records(
    ids: Iterable[NctId], directory: Path, *, data_timestamp: str | None = None
) -> BuildReport:
    """Remove studies from a registry; ids that are not there raise NotFound and change nothing.

    Names learned from the removed studies stay known.
    """
    numbers = list(dict.fromkeys(nct_id.number for nct_id in ids))

    def remove(made: Draft) -> None:
        missing = [str(NctId(number)) for number in numbers if number not in made.updates]
        if missing:
            raise NotFound(
                f"Not in the registry: {', '.join(missing)}",
                hint=Hint(
                    "Check the ids with {search}; nothing was removed.",
                    search=Call("search_trials"),
                ),
            )
        for number in numbers:
            made.remove(number)

    return _change(directory, remove, data_timestamp=data_timestamp)


def _change(
    directory: Path,
    change: Callable[[Draft], None],
    *,
    data_timestamp: str | None = None,
    vocabulary: Vocabulary | LearnOnly | None = None,
) -> BuildReport:
    building = directory / layout.BUILDING
    with writing(directory), contextlib.ExitStack() as undo:
        current = layout.current_generation(directory)
        manifest = layout.open_manifest(current)
        undo.callback(shutil.rmtree, building, ignore_errors=True)
        _copy_generation(current, building)
        made = undo.enter_context(
            Draft(building, _new_checkpoint(""), checkpoint_every=CHECKPOINT_EVERY)
        )
        made.is_copy = True
        made.day = data_timestamp
        made.collector = _load_evidence(current / layout.EVIDENCE)
        made.real = int(not manifest.synthetic)
        made.version = version = _day_of(manifest.data_timestamp)
        change(made)
        if data_timestamp is None and made.version == version:
            data_timestamp = manifest.data_timestamp
        return made.finish(
            directory,
            synthetic=manifest.synthetic,
            data_timestamp=data_timestamp,
            vocabulary=vocabulary,
        )


def _load_evidence(path: Path) -> NameCollector:
    try:
        return NameCollector.load(path)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise RegistryError(
            f"What names are learned from, in {str(path)!r}, cannot be read: {problem}"
        ) from problem


def _day_of(timestamp: str) -> int:
    digits = timestamp[:10].replace("-", "")
    return int(digits) if digits.isdecimal() else 0


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
    for name in (layout.RECORDS, layout.LEARNED, layout.RESOLVED, layout.ANNOTATIONS):
        if (current / name).exists():
            shutil.copyfile(current / name, target / name)
    carry_over(current, target)


def _new_checkpoint(fingerprint: str) -> Checkpoint:
    return Checkpoint(fingerprint, BuildReport(), 0, NameCollector())


def start_draft(
    directory: Path, fingerprint: str | None, checkpoint_every: int = CHECKPOINT_EVERY
) -> Draft:
    """Go on with an interrupted build of the same input, or begin a new one."""
    building = directory / layout.BUILDING
    checkpoint = load_checkpoint(building, fingerprint)
    if checkpoint is None:
        shutil.rmtree(building, ignore_errors=True)
        building.mkdir(parents=True)
        checkpoint = _new_checkpoint(fingerprint or "")
    checkpoint.report.resumed_at = checkpoint.report.read
    return Draft(building, checkpoint, checkpoint_every=checkpoint_every)


def fill_draft(
    made: Draft,
    records: Iterable[RawRecord],
    *,
    tell: Callable[[BuildReport], None] = lambda report: None,
) -> None:
    """Put records into a generation in the making."""
    with _no_search_for_cycles(), contextlib.ExitStack() as reading:
        stream = iter(records)
        if made.records.dictionary is None:
            sample = list(itertools.islice(stream, DICTIONARY_FROM))
            trained = [record.data for record in sample[::DICTIONARY_EVERY]]
            made.records.set_dictionary(
                train_dictionary(trained) if len(sample) == DICTIONARY_FROM else b""
            )
            stream = itertools.chain(sample, stream)
        for batch in reading.enter_context(contextlib.closing(prepare_ahead(stream))):
            made.take(batch)
            made.checkpoint()
            tell(made.report)


@contextlib.contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Records are trees of many small objects without cycles: a search takes a third of the time
    and finds nothing.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _check_filled(made: Draft) -> None:
    """Refuse to replace a registry by an empty one: the input is hardly what was meant."""
    if made.updates:
        return
    first = next(iter(made.report.damaged), None)
    why = f"{first.place}: {first.reason}" if first else "there are no records"
    raise InvalidInput(
        f"There is no study in the input; {why}",
        hint="Give study records as the ClinicalTrials.gov API version 2 writes them.",
    )


def _raw_records(studies: Iterable[Mapping[str, Any] | bytes]) -> Iterator[RawRecord]:
    for position, study in enumerate(studies, 1):
        data = study if isinstance(study, bytes) else msgspec.json.encode(study)
        yield RawRecord(data, f"study {position}")
