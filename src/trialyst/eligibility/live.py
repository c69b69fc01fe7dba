"""A remote source that finds trials by the facts of a patient: the first matches are compared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from trialyst.ctgov.query import TrialQuery
from trialyst.ids import NctId
from trialyst.paging import Page

if TYPE_CHECKING:
    from trialyst.ctgov.outline import TrialOutline
    from trialyst.ctgov.source import OpenSource, Provenance
    from trialyst.ctgov.trial import Trial
    from trialyst.eligibility.accepting import FactReader
    from trialyst.eligibility.criteria import Parser
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["MOST_COMPARED", "AcceptingSource"]

MOST_COMPARED = 200
"""Trials that are fetched to be compared with facts: one page, a few seconds."""

_told: ContextVar[str | None] = ContextVar("told", default=None)
"""What must be said of the last answer of this task."""


class AcceptingSource:
    """A source of which a question about facts is asked in two steps."""

    def __init__(self, source: OpenSource) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def privately(self) -> AcceptingSource:
        """Give the same source, leaving no trace of what is asked on this machine's disk."""
        return AcceptingSource(cast("OpenSource", self._source.privately()))

    async def search(self, query: TrialQuery, cursor: str | None = None) -> Page[Trial]:
        """Give one page."""
        narrowed = await self._narrow(query)
        return (
            Page([], None, 0) if narrowed is None else await self._source.search(narrowed, cursor)
        )

    async def search_outlines(
        self, query: TrialQuery, cursor: str | None = None
    ) -> Page[TrialOutline]:
        """Give the same page in outline."""
        narrowed = await self._narrow(query)
        if narrowed is None:
            return Page([], None, 0)
        return await self._source.search_outlines(narrowed, cursor)

    async def iter(self, query: TrialQuery) -> AsyncIterator[Trial]:
        """Yield every match, in the query's order."""
        narrowed = await self._narrow(query)
        if narrowed is not None:
            async for trial in self._source.iter(narrowed):
                yield trial

    async def iter_rows(
        self, query: TrialQuery, pieces: Sequence[str]
    ) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the values of some pieces of every match."""
        narrowed = await self._narrow(query)
        if narrowed is not None:
            async for row in self._source.iter_rows(narrowed, pieces):
                yield row

    async def count(self, query: TrialQuery) -> int:
        """Count the matches, as far as they were compared."""
        narrowed = await self._narrow(query)
        if narrowed is None or not query.accepts:
            return 0 if narrowed is None else await self._source.count(narrowed)
        return len(narrowed.ids)

    async def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        """Count the matches per value of a piece."""
        narrowed = await self._narrow(query)
        return {} if narrowed is None else await self._source.count_by(narrowed, piece)

    async def provenance(self) -> Provenance:
        """Say what the source is, and how many trials were compared with the facts."""
        said = await self._source.provenance()
        told = _told.get()
        return said.model_copy(update={"notes": (*said.notes, told)}) if told else said

    async def _narrow(self, query: TrialQuery) -> TrialQuery | None:
        """Give a query for those of the first matches that the facts allow; None for none."""
        _told.set(None)
        if not query.accepts:
            return query
        plain = replace(query, accepts=())
        page = await self._source.search(replace(plain, page_size=MOST_COMPARED))
        kept = await asyncio.to_thread(self._keep, page.items, query.accepts)
        if page.total is not None and page.total > len(page.items):
            _told.set(
                f"The facts were compared with the first {len(page.items)} of {page.total:,} "
                "trials; a registry on this machine compares all."
            )
        return replace(plain, ids=kept) if kept else None

    def _keep(self, trials: Sequence[Trial], facts: tuple[str, ...]) -> tuple[NctId, ...]:
        from trialyst.eligibility.accepting import Acceptance
        from trialyst.eligibility.criteria import read_eligibility, to_demands
        from trialyst.vocabulary.relations import Relations

        acceptance = Acceptance(self._facts.read_all(facts), Relations(self._source.names))
        texts = ((trial, trial.eligibility.criteria or "") for trial in trials)
        return tuple(
            NctId.parse(trial.nct_id)
            for trial, text in texts
            if acceptance.rules_out(to_demands(read_eligibility(text, self._parser))) is None
        )

    @cached_property
    def _lexicon(self) -> Lexicon:
        from trialyst.eligibility.lexicon import Lexicon

        return Lexicon(self._source.names)

    @cached_property
    def _facts(self) -> FactReader:
        from trialyst.eligibility.accepting import FactReader

        return FactReader(self._lexicon)

    @cached_property
    def _parser(self) -> Parser:
        from trialyst.eligibility.parse import CriterionParser

        return CriterionParser(self._lexicon)
