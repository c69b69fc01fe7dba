"""What a new generation changes, written into its history before it is switched in.

Only what differs is kept: the version before as a difference to the one after it, a study that is
gone whole, a new one by its number. A generation built anew is compared with the one in use record
by record, both in the order of their numbers; a changed copy, of the studies that were touched.
"""

from __future__ import annotations

import contextlib
import datetime
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from trialyst.errors import InvalidInput, RegistryError, RegistryOutdated
from trialyst.registry import generation as layout
from trialyst.registry.checksums import changed_files
from trialyst.registry.history.segments import (
    Change,
    Edition,
    Kind,
    Segment,
    link_segments,
    pack_version,
    write_segment,
)
from trialyst.registry.records import RecordReader

__all__ = ["carry_history", "check_day", "record_edition"]

_BATCH = 500

Pair = tuple[int, bytes | None, bytes | None]
"""A number with its record before and after."""


def check_day(directory: Path, day: datetime.date) -> None:
    """Refuse files that are older than what the registry holds.

    Raises:
        InvalidInput: the registry in use is of a later day.
    """
    name = layout.current_name(directory)
    last = _last_edition(directory / name / layout.HISTORY) if name else None
    if last is not None and last.day > day.isoformat():
        raise InvalidInput(
            f"The registry in {str(directory)!r} is of {last.day}, after {day}",
            hint="Give files from the oldest to the newest, or name another directory.",
            invalid_input=day.isoformat(),
        )


def carry_history(previous: Path, draft: Path) -> None:
    """Give a generation the history of the one before, whose records it has."""
    link_segments(previous / layout.HISTORY, draft / layout.HISTORY)


def record_edition(
    previous: Path | None, draft: Path, *, day: str, changed: Iterable[int] | None
) -> int:
    """Write what a generation changes into its history, and give how many studies that are.

    Args:
        previous: The generation in use; None where there is none, and this is where history begins.
        day: The day of which the data is; never before that of the edition before.
        changed: The studies that were touched; None if any may have been.
    """
    folder = draft / layout.HISTORY
    # What a build that was killed here has left.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    made_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    with contextlib.closing(RecordReader(draft / layout.RECORDS)) as after:
        records = len(after)
        if previous is None:
            write_segment(folder, Edition(1, day, made_at, records), ())
            return 0
        try:
            return _compare(previous, after, folder, Edition(0, day, made_at, records), changed)
        except (RegistryError, sqlite3.DatabaseError):
            # Whoever builds over a damaged registry wants one that works; its past is lost anyhow.
            if changed is not None:
                raise
            for segment in folder.glob("*"):
                segment.unlink()
            write_segment(folder, Edition(1, day, made_at, records), ())
            return 0


def _compare(
    previous: Path, after: RecordReader, folder: Path, made: Edition, changed: Iterable[int] | None
) -> int:
    _check_segments(previous)
    link_segments(previous / layout.HISTORY, folder)
    last = _last_edition(folder)
    if last is None:
        # A version that kept no history wrote the generation before: its records are the first.
        header = layout.read_header(previous)
        begun = header.data_timestamp[:10]
        last = Edition(1, min(begun, made.day), header.built_at, header.records)
        write_segment(folder, last, ())
    edition = made._replace(number=last.number + 1, day=max(made.day, last.day))
    counted = 0

    def counting(pairs: Iterable[Pair]) -> Iterator[Change]:
        nonlocal counted
        for change in _changes(pairs, edition.number):
            counted += 1
            yield change

    with contextlib.closing(RecordReader(previous / layout.RECORDS)) as before:
        pairs = _all(before, after) if changed is None else _some(before, after, sorted(changed))
        write_segment(folder, edition, counting(pairs))
    return counted


def _check_segments(generation: Path) -> None:
    """Take over no history that is not as it was written."""
    with contextlib.suppress(RegistryOutdated):
        held = layout.open_manifest(generation).checksums
        mine = {name: held[name] for name in held if name.startswith(f"{layout.HISTORY}/")}
        if damaged := changed_files(generation, mine):
            raise RegistryError(f"The history is damaged: {', '.join(damaged)}")


def _last_edition(folder: Path) -> Edition | None:
    segments = sorted(folder.glob("*.db"))
    if not segments:
        return None
    with contextlib.closing(Segment(segments[-1])) as segment:
        return segment.editions()[-1]


def _changes(pairs: Iterable[Pair], edition: int) -> Iterator[Change]:
    for number, before, after in pairs:
        if before == after:
            continue
        older = _decode(before)
        newer = _decode(after)
        if before is None:
            yield Change(number, edition, Kind.NEW, None)
        elif after is None:
            yield Change(number, edition, Kind.GONE, pack_version(older, None))
        elif older != newer:
            yield Change(number, edition, Kind.CHANGED, pack_version(older, newer))


def _decode(record: bytes | None) -> Any:
    return None if record is None else msgspec.json.decode(record)


def _some(before: RecordReader, after: RecordReader, numbers: list[int]) -> Iterator[Pair]:
    for start in range(0, len(numbers), _BATCH):
        batch = numbers[start : start + _BATCH]
        older, newer = before.get(batch), after.get(batch)
        yield from ((number, older.get(number), newer.get(number)) for number in batch)


def _all(before: RecordReader, after: RecordReader) -> Iterator[Pair]:
    """Walk through both in the order of the numbers, a page of each in memory."""
    older, newer = before.iter(), after.iter()
    one, other = next(older, None), next(newer, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one[0] < other[0]):
            assert one is not None
            yield one[0], one[1], None
            one = next(older, None)
        elif one is None or other[0] < one[0]:
            yield other[0], None, other[1]
            other = next(newer, None)
        else:
            yield one[0], one[1], other[1]
            one, other = next(older, None), next(newer, None)
