"""A registry with trials as it had recorded them by a day, where its history holds them.

Of a trial that was updated since, the newest version that was itself posted by that day is shown:
whatever it says was known then. Where the history holds none, the trial is as it is today.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

import msgspec

from trialyst.ctgov.dates import PartialDate
from trialyst.ctgov.values import row_values, values_at
from trialyst.essie.pieces import pieces
from trialyst.ids import NctId
from trialyst.registry.registry import Registry
from trialyst.registry.source import RegistrySource

__all__ = ["RecordedSource"]

UPDATED = "LastUpdatePostDate"


class RecordedSource(RegistrySource):
    """Finds trials as they are today and gives them as they were recorded."""

    def __init__(
        self, registry: Registry, day: date, *, name: str = "local", fallback: bool = False
    ) -> None:
        super().__init__(registry, name=name, fallback=fallback)
        self._day = day
        self._recorded: dict[int, Any | None] = {}

    async def kept_criteria(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give what is kept of trials that are as they were."""
        return await super().kept_criteria(self._unchanged(nct_ids))

    async def kept_annotations(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give what is kept of trials that are as they were."""
        return await super().kept_annotations(self._unchanged(nct_ids))

    def _unchanged(self, nct_ids: Sequence[NctId]) -> list[NctId]:
        return [nct_id for nct_id in nct_ids if self._version(nct_id.number) is None]

    @cached_property
    def _changed(self) -> frozenset[int]:
        history = self.registry.history
        return frozenset(history.changed_numbers(0, history.last))

    def _version(self, number: int) -> Any | None:
        """Give the version of the day; None where the one in use is, or none is held."""
        if number not in self._changed:
            return None
        if number not in self._recorded:
            self._recorded[number] = self._read_version(number)
        return self._recorded[number]

    def _read_version(self, number: int) -> Any | None:
        for place, version in enumerate(self.registry.history.versions_of(number)):
            if version.record is not None and _updated_by(version.record, self._day):
                return version.record if place else None
        return None

    def _raw(self, numbers: Sequence[int]) -> list[bytes]:
        return [
            data if recorded is None else msgspec.json.encode(recorded)
            for number, data in self._held(numbers)
            for recorded in (self._version(number),)
        ]

    def _held(self, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        for number in numbers:
            for data in self.registry.raw([number]):
                yield number, data

    def _rows(self, numbers: Sequence[int], names: Sequence[str]) -> list[tuple[Any, ...]]:
        rows = self.registry.rows(numbers, names)
        if len(rows) != len(numbers) or self._changed.isdisjoint(numbers):
            return rows
        found = [pieces()[name] for name in names]
        for place, number in enumerate(numbers):
            recorded = self._version(number)
            if recorded is not None:
                rows[place] = tuple(row_values(recorded, piece) for piece in found)
        return rows

    def _notes(self) -> Iterator[str]:
        yield from super()._notes()
        shown = sum(version is not None for version in self._recorded.values())
        if shown:
            begins = self.registry.history.editions[0].day
            yield (
                f"{shown:,} {'record' if shown == 1 else 'records'} updated after {self._day} are "
                "shown as really recorded by then; the registry keeps what it replaced since "
                f"{begins}."
            )


def _updated_by(record: Any, day: date) -> bool:
    written = values_at(record, pieces()[UPDATED])
    try:
        return bool(written) and PartialDate.parse(str(written[0])).last_day <= day
    except ValueError:
        return False
