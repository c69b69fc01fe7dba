"""A registry as a `TrialSource`: no HTTP, index work off the event loop."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from trialyst.ctgov.parse import parse_outline, parse_trial
from trialyst.ctgov.parse_posted import parse_posted_results
from trialyst.ctgov.query import TrialQuery, query_digest
from trialyst.ctgov.source import Provenance
from trialyst.ctgov.suggest import known_piece
from trialyst.deadlines import Deadline, current_deadline, under_deadline
from trialyst.errors import InvalidInput, NotFound
from trialyst.ids import NctId
from trialyst.paging import Page, decode_cursor, encode_cursor
from trialyst.registry.cities import CityPoints
from trialyst.registry.registry import Hits, Registry
from trialyst.registry.rows import row_reader
from trialyst.registry.subset import is_whole, subset_note
from trialyst.vocabulary import empty_vocabulary

if TYPE_CHECKING:
    from datetime import date

    from trialyst.ctgov.outline import TrialOutline
    from trialyst.ctgov.posted import PostedResults
    from trialyst.ctgov.recorded import RecordedChanges, Span, Versions
    from trialyst.ctgov.trial import Trial
    from trialyst.vocabulary import Term

__all__ = ["RegistrySource"]

# Enough to keep the event loop free for a few milliseconds at a time.
_BATCH = 200
# Rows are a fiftieth of a record.
_ROWS = 5_000
_COMPARED = 8
"""Comparisons of two states that are kept for their next pages."""

Result = TypeVar("Result")


class RegistrySource:
    """Answers from one open registry."""

    def __init__(self, registry: Registry, *, name: str = "local", fallback: bool = False) -> None:
        self.registry = registry
        self.is_fallback = fallback
        self.is_remote = False
        self.cities = CityPoints(registry)
        self.names = registry.vocabulary or empty_vocabulary()
        self.cannot_follow: str | None = None
        """Why a newer generation of its registry cannot be opened, if that was tried."""
        self.name = name
        self._compared: OrderedDict[tuple[str, Span], RecordedChanges] = OrderedDict()
        self._complete = not registry.synthetic and is_whole(
            registry.directory, registry.generation, len(registry)
        )

    def privately(self) -> RegistrySource:
        """Give the source itself: nothing it is asked is kept anywhere."""
        return self

    async def search(self, query: TrialQuery, cursor: str | None = None) -> Page[Trial]:
        """Give one page; the total is exact and carried in the cursor."""
        return await self._page(query, cursor, parse_trial)

    async def search_outlines(
        self, query: TrialQuery, cursor: str | None = None
    ) -> Page[TrialOutline]:
        """Give the same page in outline, which costs less."""
        return await self._page(query, cursor, parse_outline)

    async def _page(
        self, query: TrialQuery, cursor: str | None, parse: Callable[[bytes], Result]
    ) -> Page[Result]:
        bound_to = query_digest(query)
        offset = self._offset(decode_cursor(cursor, bound_to), cursor) if cursor else 0

        def read() -> tuple[Hits, list[Result]]:
            hits = self.registry.find(query, offset=offset)
            return hits, [parse(data) for data in self._raw(hits.numbers)]

        hits, items = await self._ask(query, read)
        reached = offset + len(hits.numbers)
        position = {"offset": reached, "generation": self.registry.generation}
        follows = encode_cursor(bound_to, **position) if reached < hits.total else None
        return Page(items, follows, hits.total)

    def _offset(self, state: Mapping[str, Any], cursor: str) -> int:
        if state.get("generation") != self.registry.generation:
            raise InvalidInput(
                "The cursor has expired: the registry was updated since",
                hint="Omit the cursor to begin again on the new records.",
                invalid_input=cursor,
            )
        return int(state.get("offset", 0))

    async def iter(self, query: TrialQuery) -> AsyncIterator[Trial]:
        """Yield every match, in the query's order."""
        numbers = await self._ask(query, lambda: list(self.registry.iter_numbers(query)))
        for start in range(0, len(numbers), _BATCH):
            for trial in await _off_loop(self._trials, numbers[start : start + _BATCH]):
                yield trial

    async def iter_rows(
        self, query: TrialQuery, pieces: Sequence[str]
    ) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the values of some pieces of every match: a tuple of values for each piece."""
        names = [known_piece(name).name for name in pieces]
        numbers = await self._ask(query, lambda: list(self.registry.iter_numbers(query)))
        size = _ROWS if row_reader(tuple(names)) else _BATCH
        for start in range(0, len(numbers), size):
            for row in await _off_loop(self._rows, numbers[start : start + size], names):
                yield row

    async def count(self, query: TrialQuery) -> int:
        """Count the matches exactly."""
        return await self._ask(query, lambda: self.registry.count(query))

    async def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        """Count the matches per value of a piece; a study counts once for each of its values."""
        return await self._ask(query, lambda: self.registry.count_by(query, piece))

    async def words_starting(self, beginnings: Sequence[str], param: str) -> Mapping[str, int]:
        """Give the folded words of names and titles that begin so, with the studies of each."""
        return await _off_loop(self.registry.words_starting, beginnings, param)

    async def get(self, nct_id: NctId) -> Trial:
        """Give one trial, following aliases, or raise NotFound."""
        number = await self._number(nct_id)
        return (await _off_loop(self._trials, [number]))[0]

    async def _number(self, nct_id: NctId) -> int:
        number: int | None = await _off_loop(self.registry.resolve_number, nct_id.number)
        if number is None:
            raise NotFound(
                f"{nct_id} is not in this registry",
                hint="Check the id, or search for the trial by its title or condition.",
                invalid_input=str(nct_id),
            )
        return number

    async def get_results(self, nct_id: NctId) -> PostedResults | None:
        """Give the results that a trial posts, None where it posts none, or raise NotFound."""
        number = await self._number(nct_id)
        (data,) = await _off_loop(self._raw, [number])
        return await _off_loop(parse_posted_results, data)

    async def get_many(self, nct_ids: Sequence[NctId]) -> list[Trial]:
        """Give the trials that exist, in the order asked for."""
        resolved = await _off_loop(
            lambda: [self.registry.resolve_number(nct_id.number) for nct_id in nct_ids]
        )
        return await _off_loop(self._trials, [number for number in resolved if number is not None])

    async def kept_criteria(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give, by id, what is kept of trials' criteria as read."""
        numbers = [nct_id.number for nct_id in nct_ids]
        kept = await _off_loop(self.registry.kept_criteria, numbers)
        return {str(NctId(number)): encoded for number, encoded in kept.items()}

    async def kept_annotations(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give, by id, what is kept of trials as annotated."""
        numbers = [nct_id.number for nct_id in nct_ids]
        kept = await _off_loop(self.registry.kept_annotations, numbers)
        return {str(NctId(number)): encoded for number, encoded in kept.items()}

    async def ids_about(self, term: Term, *, focus: bool = True) -> Sequence[NctId] | None:
        """Give the trials about a condition or a narrower one; None where that is not kept."""
        found = await _off_loop(self.registry.numbers_about, term, focus=focus)
        return None if found is None else [NctId(number) for number in sorted(found)]

    async def changes(self, query: TrialQuery, span: Span) -> RecordedChanges:
        """Tell which trials of a query, as they were or as they are, changed in a span of time."""
        asked = (query_digest(replace(query, sort=())), span)
        if asked not in self._compared:
            compared = await self._ask(
                query, lambda: _comparing().compare_states(self.registry, query, span)
            )
            self._compared[asked] = compared
            if len(self._compared) > _COMPARED:
                self._compared.popitem(last=False)
        return self._compared[asked]

    async def versions(
        self, nct_ids: Sequence[NctId], *, after: int, until: int
    ) -> Sequence[Versions]:
        """Give trials as they were after two editions, in this order."""
        numbers = [nct_id.number for nct_id in nct_ids]
        return await _off_loop(
            _comparing().read_versions, self.registry.history, numbers, after, until
        )

    async def revisions(self, nct_id: NctId) -> Sequence[Versions]:
        """Give every change of a trial that is known, the newest first."""
        return await _off_loop(_comparing().read_revisions, self.registry.history, nct_id.number)

    def as_recorded(self, day: date) -> RegistrySource:
        """Give the source with trials as they were recorded by a day, where they were."""
        from trialyst.registry.recorded import RecordedSource

        return RecordedSource(self.registry, day, name=self.name, fallback=self.is_fallback)

    async def provenance(self) -> Provenance:
        """Say what this source is."""
        return Provenance(
            source=self.name,
            synthetic=self.registry.synthetic,
            complete=self._complete,
            records=len(self.registry),
            data_timestamp=self.registry.data_timestamp,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        if self.registry.synthetic:
            yield "Every record is synthetic."
        if self.name == "starter":
            yield "`trialyst registry sync` fetches real ones."
        # Asked each time: a sync writes down what it fetched after it has switched it in.
        if part := subset_note(self.registry.directory):
            yield part
        if self.cannot_follow:
            yield f"The registry was changed since and cannot be opened: {self.cannot_follow}."

    def close(self) -> None:
        """Let go of the files."""
        self.registry.close()

    async def aclose(self) -> None:
        """Let go of the files, off the event loop."""
        await _off_loop(self.registry.close)

    async def _ask(self, query: TrialQuery, call: Callable[[], Result]) -> Result:
        """Ask in a thread; what is expensive waits among its like."""
        threads = _expensive_threads() if self.registry.is_expensive(query) else None
        return await _in_thread(threads, call)

    def _raw(self, numbers: Sequence[int]) -> list[bytes]:
        return self.registry.raw(numbers)

    def _rows(self, numbers: Sequence[int], names: Sequence[str]) -> list[tuple[Any, ...]]:
        return self.registry.rows(numbers, names)

    def _trials(self, numbers: Sequence[int]) -> list[Trial]:
        return [parse_trial(data) for data in self._raw(numbers)]


def _comparing() -> ModuleType:
    """Give what compares states: it needs whole trials, which take long to import."""
    from trialyst.registry.history import comparing

    return comparing


async def _off_loop(call: Callable[..., Result], *args: Any, **named: Any) -> Result:
    return await _in_thread(None, partial(call, *args, **named))


async def _in_thread(threads: Executor | None, call: Callable[[], Result]) -> Result:
    """Call in a thread that goes on until its next step, and no further, if nobody waits for it."""
    deadline = Deadline(within=current_deadline())
    with under_deadline(deadline):
        context = copy_context()
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, context.run, call)
    except asyncio.CancelledError:
        deadline.cancel()
        raise


@cache
def _expensive_threads() -> Executor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="trialyst-expensive")
