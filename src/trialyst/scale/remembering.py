"""A registry that remembers what patients of one cohort ask for again and again.

Lists of matches by query, rows, records, criteria as read and annotations are kept in memory up to
a number of each, the oldest dropped first. Answers are those of the registry itself: it does not
change while it is open.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from trialyst.ids import NctId
from trialyst.registry.source import RegistrySource

if TYPE_CHECKING:
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import Provenance
    from trialyst.ctgov.trial import Trial

__all__ = ["Memory", "RememberingSource"]

TRIALS = 12_000
"""Trials whose rows and criteria are kept: more than recruit at a time in most registries."""
QUERIES = 2_000
WINDOW = 1_600
"""Matches asked for at first: no list of a search for patients is read further."""

Key = TypeVar("Key")
Value = TypeVar("Value")


class Memory(Generic[Key, Value]):
    """Values by key, so many of them, the one longest unused dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Give what is kept for a key, made where nothing is."""
        found = self.peek(key)
        return self.put(key, make()) if found is None else found

    def peek(self, key: Key) -> Value | None:
        """Give what is kept for a key, if anything is."""
        found = self._held.get(key)
        if found is not None:
            self._held.move_to_end(key)
        return found

    def put(self, key: Key, value: Value) -> Value:
        """Keep a value."""
        self._held[key] = value
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return value


class RememberingSource(RegistrySource):
    """Answers from one open registry and from memory; for one thread of questions."""

    def __init__(self, source: RegistrySource, *, trials: int = TRIALS) -> None:
        super().__init__(source.registry, name=source.name, fallback=source.is_fallback)
        self._lists: Memory[Any, tuple[Sequence[int], int]] = Memory(QUERIES)
        self._counts: Memory[Any, int] = Memory(QUERIES)
        self._values: Memory[tuple[int, tuple[str, ...]], tuple[Any, ...]] = Memory(trials)
        self._trials_of: Memory[str, Trial] = Memory(trials)
        self._criteria: Memory[str, bytes] = Memory(trials)
        self._annotations: Memory[str, bytes] = Memory(trials)
        self._said: Provenance | None = None

    async def iter_rows(
        self, query: TrialQuery, pieces: Sequence[str]
    ) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the values of some pieces of every match, as the registry does."""
        asked = tuple(pieces)
        numbers, total = self._list(query, WINDOW)
        for row in self._known_rows(numbers, asked):
            yield row
        if total > len(numbers):
            rest = self.registry.find(query, offset=len(numbers), limit=total).numbers
            for row in self._known_rows(rest, asked):
                yield row

    def _list(self, query: TrialQuery, most: int) -> tuple[Sequence[int], int]:
        return self._lists.get(query, lambda: self.registry.find(query, limit=most))

    def _known_rows(self, numbers: Sequence[int], pieces: tuple[str, ...]) -> list[tuple[Any, ...]]:
        held: dict[int, tuple[Any, ...] | None]
        held = {number: self._values.peek((number, pieces)) for number in numbers}
        missing = [number for number, row in held.items() if row is None]
        for start in range(0, len(missing), 500):
            some = missing[start : start + 500]
            for number, row in zip(some, self.registry.rows(some, pieces), strict=True):
                held[number] = self._values.put((number, pieces), row)
        return [found for number in numbers if (found := held[number]) is not None]

    async def count(self, query: TrialQuery) -> int:
        """Count the matches exactly."""
        return self._counts.get(query, lambda: self.registry.count(query))

    async def get_many(self, nct_ids: Sequence[NctId]) -> list[Trial]:
        """Give the trials that exist, in the order asked for."""
        found = {str(each): self._trials_of.peek(str(each)) for each in nct_ids}
        missing = [each for each in nct_ids if found[str(each)] is None]
        for asked in missing:
            for trial in await super().get_many([asked]):
                found[str(asked)] = self._trials_of.put(str(asked), trial)
        return [known for each in nct_ids if (known := found[str(each)]) is not None]

    async def kept_criteria(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give, by id, what is kept of trials' criteria as read."""
        return await _recall(self._criteria, nct_ids, super().kept_criteria)

    async def kept_annotations(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give, by id, what is kept of trials as annotated."""
        return await _recall(self._annotations, nct_ids, super().kept_annotations)

    async def provenance(self) -> Provenance:
        """Say what this source is."""
        if self._said is None:
            self._said = await super().provenance()
        return self._said


async def _recall(
    memory: Memory[str, bytes], nct_ids: Sequence[NctId], ask: Callable[..., Any]
) -> dict[str, bytes]:
    found = {str(each): memory.peek(str(each)) for each in nct_ids}
    missing = [each for each in nct_ids if found[str(each)] is None]
    if missing:
        for nct_id, data in (await ask(missing)).items():
            found[nct_id] = memory.put(nct_id, data)
    return {nct_id: data for nct_id, data in found.items() if data is not None}
