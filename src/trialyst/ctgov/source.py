"""The seam: anything that yields trials. Facades see this protocol, never a concrete source."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from trialyst.ctgov.query import TrialQuery
from trialyst.ids import NctId
from trialyst.paging import Page

if TYPE_CHECKING:
    from trialyst.ctgov.cities import LearnedCities
    from trialyst.ctgov.outline import TrialOutline
    from trialyst.ctgov.posted import PostedResults
    from trialyst.ctgov.recorded import RecordedChanges, Span, Versions
    from trialyst.ctgov.trial import Trial
    from trialyst.vocabulary import Term, Vocabulary

__all__ = ["STALE_AFTER", "OpenSource", "Provenance", "TrialSource"]

STALE_AFTER = timedelta(days=30)
_TIMESTAMP = Field(json_schema_extra={"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+)?Z?$"})
ABSENCE = "This source is a part of ClinicalTrials.gov: absence here proves nothing."


class Provenance(BaseModel):
    """Where an answer comes from, and what a reader must know about it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    source: str = Field(min_length=1)
    """`live`, `local` or `starter`; `note` of an answer that needs no registry."""
    synthetic: bool
    """Whether the records are invented."""
    complete: bool
    """Whether it holds all of the registry; if not, what is not found here may well exist."""
    records: Annotated[int, Field(ge=0)] | None = None
    """How many studies the source holds."""
    data_timestamp: Annotated[str, _TIMESTAMP] | None = None
    """When the data was current, `yyyy-MM-ddTHH:mm:ss` in UTC."""
    notes: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """What was truncated, expanded, guessed or out of date."""

    def stale_note(self, now: datetime, *, changing: str = "statuses and sites") -> str | None:
        """Warn of old data; None where it is not, or says no date."""
        try:
            current = datetime.fromisoformat(self.data_timestamp or "")
        except ValueError:
            return None
        if current.tzinfo is None:
            current = current.replace(tzinfo=UTC)
        age = now - current
        if age <= STALE_AFTER:
            return None
        told = f"The data is {age.days} days old (of {current.date()})"
        return f"{told}; {changing} may have changed since."

    @property
    def is_partial(self) -> bool:
        """Whether the records are real, but not all there are."""
        return not self.complete and not self.synthetic

    def absence_notes(self) -> tuple[str, ...]:
        """Say what an answer that found nothing must say of its source."""
        return (ABSENCE,) if self.is_partial else ()


class TrialSource(Protocol):
    """Something that yields trials."""

    @property
    def names(self) -> Vocabulary:
        """The names it may be asked by, those that its own records taught it among them."""
        ...

    @property
    def cities(self) -> LearnedCities | None:
        """Points of cities that its records taught it; None where it finds sites by points only."""
        ...

    @property
    def is_remote(self) -> bool:
        """Whether what it is asked leaves this machine, at the pace of a service."""
        ...

    @property
    def is_fallback(self) -> bool:
        """Whether it stands in for a registry that is not there, and nobody asked for it."""
        ...

    def privately(self) -> TrialSource:
        """Give the same source, leaving no trace of what is asked on this machine's disk."""
        ...

    async def search(self, query: TrialQuery, cursor: str | None = None) -> Page[Trial]:
        """Give one page; the total is exact and carried in the cursor."""
        ...

    async def search_outlines(
        self, query: TrialQuery, cursor: str | None = None
    ) -> Page[TrialOutline]:
        """Give the same page in outline, which costs less; its cursors serve `search` too."""
        ...

    def iter(self, query: TrialQuery) -> AsyncIterator[Trial]:
        """Yield every match, in the query's order."""
        ...

    def iter_rows(self, query: TrialQuery, pieces: Sequence[str]) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the values of some pieces of every match, without building trials.

        A tuple of values for each piece; of `LocationCountry` each value once.
        """
        ...

    async def count(self, query: TrialQuery) -> int:
        """Count the matches exactly."""
        ...

    async def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        """Count the matches per value of an enumerated piece, country or year."""
        ...

    async def words_starting(self, beginnings: Sequence[str], param: str) -> Mapping[str, int]:
        """Give the folded words of names and titles that begin so, with the studies of each.

        Of the pieces that a `query.*` parameter searches. Empty where the source cannot list them.
        """
        ...

    async def get(self, nct_id: NctId) -> Trial:
        """Give one trial, following aliases, or raise NotFound."""
        ...

    async def get_results(self, nct_id: NctId) -> PostedResults | None:
        """Give the results that a trial posts, None where it posts none, or raise NotFound."""
        ...

    async def get_many(self, nct_ids: Sequence[NctId]) -> list[Trial]:
        """Give the trials that exist, in the order asked for."""
        ...

    async def kept_criteria(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give, by id, what the source keeps of trials' criteria as read.

        As `eligibility.criteria` encodes them; what it does not keep is absent.
        """
        ...

    async def kept_annotations(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give, by id, what the source keeps of trials as annotated, as `annotation` encodes it."""
        ...

    async def ids_about(self, term: Term, *, focus: bool = True) -> Sequence[NctId] | None:
        """Give the trials about a condition or a narrower one; None where that is not kept.

        Args:
            focus: only trials that are chiefly about it.
        """
        ...

    async def changes(self, query: TrialQuery, span: Span) -> RecordedChanges:
        """Tell which trials of a query, as they were or as they are, changed in a span of time.

        Raises:
            InvalidInput: the source keeps no history, or none of that time.
        """
        ...

    async def versions(
        self, nct_ids: Sequence[NctId], *, after: int, until: int
    ) -> Sequence[Versions]:
        """Give trials as they were after two editions, in this order."""
        ...

    async def revisions(self, nct_id: NctId) -> Sequence[Versions]:
        """Give every change of a trial that is known, the newest first; empty where none is."""
        ...

    def as_recorded(self, day: date) -> TrialSource:
        """Give the same source with trials as it had recorded them by a day, where it did.

        A trial of which it holds no version of that day or before is as it is today.
        """
        ...

    async def provenance(self) -> Provenance:
        """Say what this source is."""
        ...


class OpenSource(TrialSource, Protocol):
    """A source that holds files or connections open."""

    async def aclose(self) -> None:
        """Let go of them."""
        ...
