"""The trials of a source from Python: pages, every match, rows, counts, lookups."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.ctgov.plain import PAGE_SIZE, check_page_size, read_sort
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput
from trialyst.ids import NctId
from trialyst.questions.arguments import TermArguments
from trialyst.questions.easing import leave_out_words
from trialyst.questions.reading import read_question
from trialyst.questions.values import read_page_size, read_text, take_arguments

if TYPE_CHECKING:
    import pandas as pd

    from trialyst.ctgov.source import OpenSource, Provenance
    from trialyst.ctgov.trial import Trial
    from trialyst.registry import RegistryStatus

__all__ = ["Asked", "Results", "Trials"]

_ARGUMENTS = (*TermArguments.__annotations__, "sort", "page_size")


@dataclass(frozen=True, slots=True)
class Results(Sequence["Trial"]):
    """One page of trials; `cursor` leads to the next, None on the last."""

    items: tuple[Trial, ...]
    cursor: str | None
    total: int | None
    provenance: Provenance
    understood: Mapping[str, Any]
    """How each argument was read, corrections included."""

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Give each trial as plain values, absent ones left out."""
        return [trial.model_dump(mode="json", exclude_none=True) for trial in self.items]

    def to_pandas(self) -> pd.DataFrame:
        """Give a table, one row a trial, nested values under dotted names (extra `pandas`)."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install 'trialyst[pandas]'") from None
        return pd.json_normalize(self.to_dicts())


class Asked(NamedTuple):
    """A query, and how it came from what was asked."""

    query: TrialQuery
    understood: Mapping[str, Any]


class Trials:
    """The trials of a source.

    What to find is told by the arguments of `search_trials` as keywords, its `query` also in first
    place, or is a `TrialQuery`.
    Numbers and trials alone cannot say how a name was read, so a corrected one is warned of.
    """

    def __init__(self, source: OpenSource) -> None:
        self._source = source

    async def search(
        self, query: TrialQuery | str | None = None, *, cursor: str | None = None, **terms: Any
    ) -> Results:
        """Give one page of the trials that match, best first.

        Raises:
            InvalidInput: nothing was asked for, or something that can never match.
        """
        asked = await self.read(query, **terms)
        if not isinstance(query, TrialQuery) and not asked.understood:
            raise InvalidInput(
                "Nothing to search for",
                hint="Give words to find, a condition, an intervention or a filter.",
            )
        page = await self._source.search(asked.query, cursor)
        return Results(
            tuple(page.items), page.cursor, page.total, await self.provenance(), asked.understood
        )

    async def iter(
        self, query: TrialQuery | str | None = None, **terms: Any
    ) -> AsyncIterator[Trial]:
        """Yield every match."""
        async for trial in self._source.iter(await self._ask(query, terms)):
            yield trial

    async def iter_rows(
        self, pieces: Sequence[str], query: TrialQuery | str | None = None, **terms: Any
    ) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the values of some pieces of every match, without building trials."""
        async for row in self._source.iter_rows(await self._ask(query, terms), pieces):
            yield row

    async def count(self, query: TrialQuery | str | None = None, **terms: Any) -> int:
        """Count the matches; every trial if nothing is asked for."""
        return await self._source.count(await self._ask(query, terms))

    async def count_by(
        self, piece: str, query: TrialQuery | str | None = None, **terms: Any
    ) -> Mapping[str, int]:
        """Count the matches per value of a piece such as `Phase` or `OverallStatus`."""
        return await self._source.count_by(await self._ask(query, terms), piece)

    async def _ask(self, query: TrialQuery | str | None, terms: Mapping[str, Any]) -> TrialQuery:
        """Give what is asked, and warn of names that were corrected and of words left out."""
        asked = await self.read(query, **terms)
        for name, reading in asked.understood.items():
            if "corrected" in reading:
                told = f"{name}: {reading['asked']!r} was read as {reading['corrected']!r}"
                warnings.warn(told, stacklevel=2)
            if "dropped" in reading:
                told = f"{name}: nothing has all of it, left out: {', '.join(reading['dropped'])}"
                warnings.warn(told, stacklevel=2)
        return asked.query

    async def read(self, query: TrialQuery | str | None = None, **terms: Any) -> Asked:
        """Give the query that is asked, and how each argument was read; nothing is warned of."""
        if isinstance(query, TrialQuery):
            if terms:
                raise InvalidInput(
                    f"A whole query takes no {', '.join(terms)} besides",
                    hint="Give one query, or keywords alone.",
                    invalid_input=next(iter(terms)),
                )
            return Asked(query, {})
        words = {} if query is None else {"query": query}
        given = take_arguments({**words, **terms}, _ARGUMENTS)
        question = await read_question(self._source, given.arguments, given.renamed)
        # As the tools do: words that no trial has together with the others are left out, and told.
        several = any(len(clause.elements) > 1 for clause in question.clauses)
        if several and not await self._source.count(question.to_query()):
            question = await leave_out_words(self._source, question)
        sort = read_sort(read_text("sort", given.arguments.get("sort")))
        size = read_page_size(given.arguments.get("page_size"), default=PAGE_SIZE)
        asked = replace(question.to_query(), sort=sort, page_size=check_page_size(size))
        return Asked(asked, question.understood())

    async def get(self, nct_id: str) -> Trial:
        """Give one trial by its id in any spelling, or raise NotFound."""
        return await self._source.get(NctId.parse(nct_id))

    async def get_many(self, nct_ids: Sequence[str]) -> list[Trial]:
        """Give the trials that exist, in the order asked for."""
        return await self._source.get_many([NctId.parse(text) for text in nct_ids])

    async def provenance(self) -> Provenance:
        """Say what the source is and how old its data is."""
        return await self._source.provenance()

    async def status(self) -> RegistryStatus:
        """Describe the registry on disk, or raise InvalidInput where the source is none."""
        from trialyst.registry.source import RegistrySource
        from trialyst.registry.status import registry_status

        if not isinstance(self._source, RegistrySource):
            raise InvalidInput(
                "This source has no registry on disk to describe",
                hint="Use the source local or starter; `provenance()` says what a source is.",
            )
        return await asyncio.to_thread(registry_status, self._source.registry.directory)
