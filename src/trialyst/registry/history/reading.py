"""The history of one generation, opened for reading: what the registry held at any edition."""

from __future__ import annotations

import threading
import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trialyst.errors import RegistryError
from trialyst.ids import NctId
from trialyst.registry.history.segments import Change, Edition, Kind, Segment, unpack_version

__all__ = ["History", "RecordedVersion", "history_days", "history_problems"]


class RecordedVersion(NamedTuple):
    """A study as the registry held it from one edition until another replaced it."""

    record: Any | None
    """None where the registry did not hold the study."""
    edition: Edition
    """The first edition that held it so, or the first of all: it may have been so before."""
    last: Edition
    """The last edition that held it so."""


class History:
    """Safe to share between threads; `current` gives a study as it is now, decoded, or None."""

    def __init__(self, folder: Path, current: Callable[[int], Any | None]) -> None:
        self._segments = [Segment(path) for path in sorted(folder.glob("*.db"))]
        self._let_go = weakref.finalize(self, _close_all, self._segments)
        self._current = current
        self._lock = threading.Lock()
        self.editions: tuple[Edition, ...] = tuple(
            edition for segment in self._segments for edition in segment.editions()
        )

    @property
    def last(self) -> int:
        """The number of the newest edition; 0 where there is no history."""
        return self.editions[-1].number if self.editions else 0

    def edition_at(self, day: str) -> int:
        """Give the newest edition of a day or of one before; 0 where all are later."""
        place = bisect_right([edition.day for edition in self.editions], day)
        return self.editions[place - 1].number if place else 0

    def numbered(self, number: int) -> Edition:
        """Give an edition by its number."""
        return self.editions[number - self.editions[0].number]

    def changed_numbers(self, after: int, until: int) -> list[int]:
        """Give the studies that editions after one and until another changed, ascending."""
        with self._lock:
            found = {
                number
                for segment in self._segments
                for number in segment.changed_numbers(after, until)
            }
        return sorted(found)

    def editions_of(self, number: int) -> list[int]:
        """Give the editions that changed a study, ascending."""
        with self._lock:
            return [each.edition for one in self._segments for each in one.changes_of(number)]

    def version(self, number: int, edition: int) -> Any | None:
        """Give a study as it was after an edition; None where the registry did not hold it."""
        return self.versions_at(number, (edition,))[0]

    def versions_at(self, number: int, editions: Sequence[int]) -> list[Any | None]:
        """Give a study as it was after each of some editions, in descending order of these."""
        found = []
        steps = self._back_from_now(number)
        change, record = next(steps)
        for edition in editions:
            while change is not None and change.edition > edition:
                change, record = next(steps)
            found.append(record)
        return found

    def versions_of(self, number: int) -> list[RecordedVersion]:
        """Give all versions of a study, the newest first."""
        if not self.editions:
            return []
        found = []
        last = self.editions[-1]
        for change, record in self._back_from_now(number):
            begun = self.numbered(change.edition) if change else self.editions[0]
            found.append(RecordedVersion(record, begun, last))
            if change:
                last = self.numbered(max(change.edition - 1, self.editions[0].number))
        return found

    def _back_from_now(self, number: int) -> Iterator[tuple[Change | None, Any | None]]:
        """Yield each version with the change that made it, None for the first known one."""
        with self._lock:
            changes = [each for one in self._segments for each in one.changes_of(number)]
        record = self._current(number)
        for change in reversed(changes):
            yield change, record
            if change.kind is Kind.NEW:
                record = None
            elif change.blob is None:
                raise RegistryError(f"The history of {NctId(number)} is damaged")
            else:
                newer = None if change.kind is Kind.GONE else record
                record = unpack_version(change.blob, newer, number)
        yield None, record

    def close(self) -> None:
        """Let go of the files."""
        self._let_go()


def _close_all(segments: Sequence[Segment]) -> None:
    for segment in segments:
        segment.close()


def history_problems(folder: Path, current: Callable[[int], Any | None]) -> Iterator[str]:
    """Say where a history is damaged; all of it is read."""
    try:
        history = History(folder, current)
    except RegistryError as problem:
        yield problem.message
        return
    try:
        numbers = [edition.number for edition in history.editions]
        if numbers != list(range(1, len(numbers) + 1)):
            yield "history: editions are missing"
        for number in history.changed_numbers(0, history.last):
            try:
                history.versions_of(number)
            except RegistryError as problem:
                yield problem.message
    finally:
        history.close()


def history_days(folder: Path) -> list[str]:
    """Give the days of all editions in order; nothing where the history cannot be read."""
    try:
        history = History(folder, lambda number: None)
    except RegistryError:
        return []
    history.close()
    return [edition.day for edition in history.editions]
