"""A registry that remembers what patients of one cohort ask for again and again.

Lists of matches by query, rows, records, criteria as read and annotations are kept in memory up to
a number of each, the oldest dropped first. Answers are those of the registry itself: it does not
change while it is open.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from trialyst.annotation import DrugNames, TrialAnnotation, TrialAnnotator, encode_annotation
from trialyst.ctgov.parse_readable import to_readable
from trialyst.eligibility.criteria import encode_criteria, read_eligibility
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.parse import CriterionParser
from trialyst.ids import NctId
from trialyst.matching.prescreen.rows import RowValues
from trialyst.registry.source import RegistrySource
from trialyst.vocabulary.relations import Relations

if TYPE_CHECKING:
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import Provenance
    from trialyst.ctgov.trial import Trial
    from trialyst.vocabulary import Vocabulary

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

    def __init__(
        self, source: RegistrySource, vocabulary: Vocabulary, *, trials: int = TRIALS
    ) -> None:
        """Take a source, and the names that trials are read with where nothing is kept."""
        super().__init__(source.registry, name=source.name, fallback=source.is_fallback)
        self._vocabulary = vocabulary
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
                held[number] = self._values.put((number, pieces), RowValues(row))
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
        """Give, by id, the criteria of trials as read: those that are not kept are read now."""
        kept = await _recall(self._criteria, nct_ids, super().kept_criteria)
        for trial in await self._left(nct_ids, kept):
            read = read_eligibility(trial.eligibility.criteria or "", self._parser)
            kept[trial.nct_id] = self._criteria.put(trial.nct_id, encode_criteria(read))
        return kept

    async def kept_annotations(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give, by id, trials as annotated: of those that are not kept, their conditions."""
        kept = await _recall(self._annotations, nct_ids, super().kept_annotations)
        for trial in await self._left(nct_ids, kept):
            read = self._annotator.annotate_conditions(to_readable(trial))
            encoded = encode_annotation(TrialAnnotation(conditions=read))
            kept[trial.nct_id] = self._annotations.put(trial.nct_id, encoded)
        return kept

    async def _left(self, nct_ids: Sequence[NctId], kept: Mapping[str, bytes]) -> list[Trial]:
        """Give the trials of which nothing is kept."""
        return await self.get_many([each for each in nct_ids if str(each) not in kept])

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon(self._vocabulary)

    @cached_property
    def _parser(self) -> CriterionParser:
        return CriterionParser(self._lexicon)

    @cached_property
    def _annotator(self) -> TrialAnnotator:
        relations = Relations(self._vocabulary)
        return TrialAnnotator(self._lexicon, relations, DrugNames(self._vocabulary))

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
