"""What fetched records change in a registry: new studies, changed ones, and those it has already.

Records are compared by their values: the bulk file and the pages write the same study differently.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from trialyst.ctgov.query import SortKey, TrialQuery
from trialyst.ctgov.values import values_at
from trialyst.errors import RegistryError, RegistryOutdated
from trialyst.essie.pieces import pieces
from trialyst.hints import Hint
from trialyst.ids import NctId
from trialyst.registry.registry import Registry

__all__ = ["Sifted", "first_day_to_fetch", "registry_numbers", "sift_changes"]

OVERLAP = datetime.timedelta(days=1)
"""Changes are fetched from a day before the last known one: the day itself may have been half."""
UPDATED = "LastUpdatePostDate"


@dataclass(slots=True)
class Sifted:
    """Records that differ from the registry's, in a file of JSON lines."""

    path: Path
    new: int = 0
    changed: int = 0
    numbers: set[int] = field(default_factory=set)
    """The studies that were looked at, whether they differ or not."""


def sift_changes(
    files: Iterable[Path], directory: Path, target: Path, so_far: Sifted | None = None
) -> Sifted:
    """Write the records that are new or changed to a file; with `so_far`, add to it."""
    sifted = so_far or Sifted(target)
    with Registry.open(directory) as registry, target.open("ab" if so_far else "wb") as out:
        for file in files:
            with file.open("rb") as lines:
                for line in lines:
                    if _differs(line, registry, sifted):
                        out.write(line)
    return sifted


def _differs(line: bytes, registry: Registry, sifted: Sifted) -> bool:
    record = msgspec.json.decode(line)
    number = NctId.parse(str(next(iter(values_at(record, pieces()["NCTId"]))))).number
    sifted.numbers.add(number)
    held = registry.raw([number])
    if not held:
        sifted.new += 1
        return True
    if msgspec.json.decode(held[0]) == record:
        return False
    sifted.changed += 1
    return True


def first_day_to_fetch(directory: Path, data_timestamp: str) -> datetime.date:
    """Give the day from which on a registry synced at some time may lack changes.

    The records themselves are asked too: a bulk file can be older than the service says.
    """
    told = datetime.date.fromisoformat(data_timestamp[:10])
    try:
        newest = _newest_update(directory)
    except RegistryOutdated:
        raise
    except RegistryError as problem:
        hint = Hint("Add {full} to fetch everything and build it again.")
        raise RegistryError(problem.message, hint=hint) from problem
    return min(told, newest or told) - OVERLAP


def _newest_update(directory: Path) -> datetime.date | None:
    """Give the latest day on which an update of a study was posted."""
    with Registry.open(directory) as registry:
        newest = registry.find(TrialQuery(sort=(SortKey(UPDATED, descending=True),)), limit=1)
        for data in registry.raw(newest.numbers):
            for value in values_at(msgspec.json.decode(data), pieces()[UPDATED]):
                return _first_day(str(value))
    return None


def registry_numbers(directory: Path) -> set[int]:
    """Give the numbers of all studies in a registry."""
    with Registry.open(directory) as registry:
        return registry.match_numbers(TrialQuery())


def _first_day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return None
