"""What is kept of a generation's trials: found, carried over, brought up to date and checked."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from trialyst.ctgov.parse_readable import parse_readable
from trialyst.eligibility.criteria import decode_criteria
from trialyst.eligibility.version import reading_version
from trialyst.errors import RegistryError
from trialyst.ids import NctId
from trialyst.registry import generation as layout
from trialyst.registry.records import RecordReader
from trialyst.registry.requirements import Kept, RequirementReader
from trialyst.registry.trial_reader import hash_criteria

__all__ = [
    "KeptReadings",
    "carry_over",
    "count_kept",
    "load_unread",
    "newest_requirements",
    "note_unread",
    "open_requirements",
    "requirement_problems",
]

_BATCH = 500


def open_requirements(generation: Path) -> RequirementReader | None:
    """Open what is kept of a generation's trials; None where there is nothing, or it is damaged.

    `verify` tells damage: everything else goes on by reading the texts again.
    """
    path = generation / layout.REQUIREMENTS
    if not path.exists():
        return None
    try:
        return RequirementReader(path, unread=load_unread(generation))
    except (RegistryError, sqlite3.Error):
        return None


def count_kept(generation: Path) -> int:
    """Count the trials of a generation whose criteria this version's reader keeps."""
    kept = open_requirements(generation)
    if kept is None:
        return 0
    with contextlib.closing(kept):
        return len(kept) if kept.version == reading_version() else 0


class KeptReadings:
    """What this version's reader kept of one generation's trials, once it is there.

    A pass may end while the generation is in use, so nothing is found out before it is asked for.
    What is damaged counts as not kept.
    """

    def __init__(self, generation: Path) -> None:
        self._generation = generation
        self._reader: RequirementReader | None = None

    def open(self) -> RequirementReader | None:
        """Give the file, None where there is none of this version."""
        if self._reader is None:
            self._reader = open_requirements(self._generation)
        known = self._reader is not None and self._reader.version == reading_version()
        return self._reader if known else None

    def criteria(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give the encoded criteria of trials; what was not read yet is absent."""
        reader = self.open()
        with contextlib.suppress(RegistryError):
            return {} if reader is None else reader.criteria(numbers)
        return {}

    def close(self) -> None:
        """Let go of the file."""
        if self._reader is not None:
            self._reader.close()


def load_unread(generation: Path) -> frozenset[int]:
    """Give the trials whose records changed since the file of requirements was made."""
    try:
        return frozenset(
            msgspec.msgpack.decode((generation / layout.UNREAD).read_bytes(), type=list[int])
        )
    except (OSError, msgspec.MsgspecError):
        return frozenset()


def carry_over(older: Path, newer: Path) -> None:
    """Give a changed copy of a generation the requirements of the older one, which never change."""
    kept = older / layout.REQUIREMENTS
    if kept.exists():
        (newer / layout.REQUIREMENTS).hardlink_to(kept)
        note_unread(newer, load_unread(older))


def note_unread(generation: Path, numbers: Iterable[int]) -> None:
    """Note trials of a generation in the making whose requirements are out of date."""
    changed = sorted({*load_unread(generation), *numbers})
    if changed:
        (generation / layout.UNREAD).write_bytes(msgspec.msgpack.encode(changed))


def newest_requirements(directory: Path, version: str) -> Path | None:
    """Find the file of requirements of this version in use, else the last of earlier ones."""
    current = layout.current_name(directory)
    files = sorted(
        directory.glob(f"generation-*/{layout.REQUIREMENTS}"),
        key=lambda path: (path.parent.name == current, path.stat().st_mtime),
        reverse=True,
    )
    for path in files:
        opened = open_requirements(path.parent)
        if opened is not None:
            opened.close()
            if opened.version == version:
                return path
    return None


def requirement_problems(generation: Path) -> Iterator[str]:
    """Say where what is kept of criteria does not agree with the records; nothing if none is."""
    path = generation / layout.REQUIREMENTS
    if not path.exists():
        return
    try:
        with (
            contextlib.closing(RequirementReader(path, unread=load_unread(generation))) as kept,
            contextlib.closing(RecordReader(generation / layout.RECORDS)) as records,
        ):
            yield from (each.replace("records", "requirements", 1) for each in kept.problems())
            if kept.version != reading_version():
                return
            rows = kept.iter_kept()
            while batch := list(islice(rows, _BATCH)):
                yield from _disagreements(kept, batch, records.get([row.number for row in batch]))
            missing = set(records.numbers()) - {row.number for row in kept.iter_kept()}
            missing -= load_unread(generation)
            yield from (f"{NctId(number)}: its criteria were not read" for number in missing)
    except RegistryError as problem:
        yield problem.message


def _disagreements(
    kept: RequirementReader, rows: Sequence[Kept], records: Mapping[int, bytes]
) -> Iterator[str]:
    for row in rows:
        nct_id = NctId(row.number)
        if row.number not in records:
            yield f"{nct_id} has requirements but no record"
            continue
        texts = parse_readable(records[row.number])
        if hash_criteria(texts) != row.hashed:
            yield f"{nct_id}: its requirements were read from another text"
            continue
        try:
            decode_criteria(kept.unpack(row.number, row.criteria), texts.criteria)
        except (RegistryError, msgspec.MsgspecError) as problem:
            yield f"{nct_id}: its requirements cannot be read: {problem}"
