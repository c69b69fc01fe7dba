"""The live service as a `TrialSource`: the v2 API of ClinicalTrials.gov, or of our own server.

Nothing is dropped in silence: every page is read until the token is missing, the number of trials
is checked against the service's total, and an answer from the cache says how old it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from trialyst.ctgov.about import About, Service, tag_of
from trialyst.ctgov.params import MAX_PAGE_SIZE, to_params
from trialyst.ctgov.parse import outline_pieces, parse_outline, parse_trial
from trialyst.ctgov.parse_posted import parse_posted_results
from trialyst.ctgov.query import TrialQuery, query_digest
from trialyst.ctgov.recorded import Unrecorded
from trialyst.ctgov.source import Provenance
from trialyst.ctgov.suggest import known_piece
from trialyst.ctgov.values import row_values
from trialyst.ctgov.wire import (
    Position,
    StudiesBody,
    age_note,
    by_value,
    check_length,
    decoder,
    parse_page,
    read_position,
    read_study,
    to_refusal,
    unseen,
)
from trialyst.errors import InvalidInput, NotFound, RateLimited, UpstreamError
from trialyst.ids import NctId
from trialyst.paging import Page, encode_cursor
from trialyst.transport import Answer, CacheUse, Refused, Transport, current_allowance
from trialyst.vocabulary import empty_vocabulary

if TYPE_CHECKING:
    from trialyst.ctgov.outline import TrialOutline
    from trialyst.ctgov.posted import PostedResults
    from trialyst.ctgov.trial import Trial
    from trialyst.vocabulary import Term, Vocabulary

__all__ = ["LiveSource"]

_CHUNK = 200
"""Ids asked for at once: about 3 KB of address, and records of some megabytes."""

_read_page = decoder(StudiesBody)

_TOLD_SECONDS = 60.0
"""How long an older answer that one task got is told to others, which may have started it."""

Value = TypeVar("Value")


class _Told(NamedTuple):
    """An older answer: who got it when, and what must be said of it."""

    task: asyncio.Task[Any] | None
    at: float
    note: str


class LiveSource(Unrecorded):
    """Answers from a v2 API over HTTP."""

    cities = None
    is_remote = True
    is_fallback = False

    def __init__(
        self,
        transport: Transport,
        base_url: str,
        *,
        names: Callable[[], Vocabulary] | None = None,
        private: bool = False,
        service: Service | None = None,
    ) -> None:
        """Ask a v2 API.

        Args:
            names: Opens the vocabulary, when a name is first to be read.
            private: Leave no trace of what is asked on this machine's disk.
            service: What another source on the same address knows of it already.
        """
        self._transport = transport
        self._open_names = names or empty_vocabulary
        self._base_url = base_url.rstrip("/")
        self._private = private
        self._service = service or Service(transport, self._base_url)
        self._told: list[_Told] = []

    def privately(self) -> LiveSource:
        """Give the same source, leaving no trace of what is asked on this machine's disk."""
        return LiveSource(
            self._transport,
            self._base_url,
            names=self._open_names,
            private=True,
            service=self._service,
        )

    @cached_property
    def names(self) -> Vocabulary:
        """The shipped names: the service does not tell those it knows."""
        return self._open_names()

    async def search(self, query: TrialQuery, cursor: str | None = None) -> Page[Trial]:
        """Give one page; the total is exact and carried in the cursor."""
        return await self._search(query, cursor, parse_trial, {})

    async def search_outlines(
        self, query: TrialQuery, cursor: str | None = None
    ) -> Page[TrialOutline]:
        """Give the same page in outline; no more than that is sent."""
        fields = {"fields": ",".join(outline_pieces())}
        return await self._search(query, cursor, parse_outline, fields)

    async def _search(
        self,
        query: TrialQuery,
        cursor: str | None,
        parse: Callable[[bytes], Value],
        chosen: Mapping[str, str],
    ) -> Page[Value]:
        self._begin()
        bound_to = query_digest(query)
        position = read_position(cursor, bound_to) if cursor else None
        params = to_params(replace(query, page_size=min(query.page_size, MAX_PAGE_SIZE)))
        try:
            answer = await self._page({**params, **chosen}, position)
        except _TokenRefused as refused:
            raise InvalidInput(
                f"The cursor has expired: {refused}",
                hint="Omit the cursor to begin again on the service's new data.",
                invalid_input=cursor,
            ) from refused
        total = position.total if position else answer.value.total_count
        token = answer.value.next_page_token
        state = {"token": token, "total": total, "tag": tag_of(answer)}
        trials = await asyncio.to_thread(parse_page, answer.value.studies, parse, host=self._host)
        return Page(trials, encode_cursor(bound_to, **state) if token else None, total)

    async def iter(self, query: TrialQuery) -> AsyncIterator[Trial]:
        """Yield every match once, in the query's order."""
        self._begin()
        async for studies in self._pages(to_params(replace(query, page_size=MAX_PAGE_SIZE))):
            for trial in await asyncio.to_thread(parse_page, studies, parse_trial, host=self._host):
                yield trial

    async def iter_studies(self, query: TrialQuery) -> AsyncIterator[bytes]:
        """Yield the record of every match once, as the service sent it."""
        self._begin()
        async for studies in self._pages(to_params(replace(query, page_size=MAX_PAGE_SIZE))):
            for study in studies:
                yield bytes(study)

    async def iter_rows(
        self, query: TrialQuery, pieces: Sequence[str]
    ) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the values of some pieces of every match: a tuple of values for each piece."""
        self._begin()
        known = [known_piece(name) for name in pieces]
        asked = dict.fromkeys(piece.name for piece in known if not piece.indexed_only)
        params = to_params(replace(query, page_size=MAX_PAGE_SIZE))
        params["fields"] = ",".join(dict.fromkeys(["NCTId", *asked]))
        async for studies in self._pages(params):
            for study in studies:
                record = msgspec.json.decode(study)
                yield tuple(row_values(record, piece) for piece in known)

    async def count(self, query: TrialQuery) -> int:
        """Count the matches exactly."""
        self._begin()
        return await self._count(query)

    async def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        """Count the matches per value of an enumerated or yes-no piece, by a request for each.

        Raises:
            InvalidInput: the piece is not enumerated; the live service groups by nothing.
        """
        self._begin()
        known = known_piece(piece)
        counts: dict[str, int] = {}
        for value, condition in by_value(known):
            narrowed = replace(query, filters=(*query.filters, condition))
            counts[value] = await self._count(narrowed)
        found = [(value, count) for value, count in counts.items() if count]
        return dict(sorted(found, key=lambda item: (-item[1], item[0])))

    async def words_starting(self, beginnings: Sequence[str], param: str) -> Mapping[str, int]:
        """Give nothing: the service does not list its words."""
        return {}

    async def get(self, nct_id: NctId) -> Trial:
        """Give one trial, following aliases, or raise NotFound."""
        study = await self._study(nct_id)
        found = await asyncio.to_thread(parse_page, [study], parse_trial, host=self._host)
        return found[0]

    async def get_results(self, nct_id: NctId) -> PostedResults | None:
        """Give the results that a trial posts; of a trial just looked up, from the cache."""
        return await asyncio.to_thread(parse_posted_results, await self._study(nct_id))

    async def _study(self, nct_id: NctId) -> Any:
        self._begin()
        try:
            return (await self._ask(f"/studies/{nct_id}", read_study)).value
        except Refused as refused:
            if refused.status != 404:
                raise
            raise NotFound(
                f"{nct_id} is not known to {self._host}",
                hint="Check the id, or search for the trial by its title or condition.",
                invalid_input=str(nct_id),
            ) from refused

    async def get_many(self, nct_ids: Sequence[NctId]) -> list[Trial]:
        """Give the trials that exist, in the order asked for."""
        self._begin()
        wanted = list(dict.fromkeys(nct_ids))
        found: dict[str, Trial] = {}
        for start in range(0, len(wanted), _CHUNK):
            query = TrialQuery(ids=tuple(wanted[start : start + _CHUNK]), page_size=MAX_PAGE_SIZE)
            async for studies in self._pages(to_params(query)):
                trials = await asyncio.to_thread(parse_page, studies, parse_trial, host=self._host)
                found |= {trial.nct_id: trial for trial in trials}
        aliases = {
            alias: trial
            for trial in sorted(found.values(), key=lambda trial: trial.nct_id, reverse=True)
            for alias in trial.aliases
        }
        owners = (found.get(str(nct_id)) or aliases.get(str(nct_id)) for nct_id in nct_ids)
        return [trial for trial in owners if trial]

    async def kept_criteria(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give nothing: the service keeps nothing as we read it."""
        return {}

    async def kept_annotations(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        """Give nothing: the service keeps nothing as we read it."""
        return {}

    async def ids_about(self, term: Term, *, focus: bool = True) -> None:
        """Give None: the service keeps nothing as we read it."""

    async def provenance(self) -> Provenance:
        """Say what this source is, and how old the answers were if they came from the cache."""
        told = self._notes()
        try:
            about = await self._service.about()
        except (UpstreamError, RateLimited) as error:
            told.append(f"How current the data is could not be learned: {error.message}.")
            about = About()
        if self._service.synthetic:
            told.append("Every record is synthetic.")
        return Provenance(
            source="live",
            synthetic=self._service.synthetic,
            complete=not self._service.synthetic,
            records=about.records,
            data_timestamp=about.data_timestamp,
            notes=tuple(dict.fromkeys([*told, *about.notes])),
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    @property
    def _host(self) -> str:
        return urlsplit(self._base_url).netloc

    def _begin(self) -> None:
        """Begin an operation: what this task was told before is about other answers."""
        task, now = asyncio.current_task(), self._transport.clock.monotonic()
        self._told = [
            told for told in self._told if told.task is not task and now - told.at < _TOLD_SECONDS
        ]

    def _notes(self) -> list[str]:
        """Say what is known of older answers; rather to one task too many than to none."""
        task, now = asyncio.current_task(), self._transport.clock.monotonic()
        own = [told.note for told in self._told if told.task is task]
        others = [
            told.note
            for told in self._told
            if told.task is not task and now - told.at < _TOLD_SECONDS
        ]
        return [*own, *(f"Some answers of the last minute were not new. {each}" for each in others)]

    async def _get(
        self, path: str, read: Callable[[bytes], Value], params: Mapping[str, str] | None
    ) -> Answer[Value]:
        url = self._base_url + path
        check_length(f"{url}?{urlencode(params or {}, quote_via=quote)}")
        allowance = current_allowance()
        use = CacheUse(private=self._private, fresh_for=allowance.fresh_for if allowance else 0.0)
        answer = await self._transport.get(url, read, params=params, use=use)
        if self._service.has_replaced(answer) and not answer.stale:
            use = CacheUse(private=self._private)
            answer = await self._transport.get(url, read, params=params, use=use)
        self._service.note(answer)
        return answer

    async def _ask(
        self, path: str, read: Callable[[bytes], Value], params: Mapping[str, str] | None = None
    ) -> Answer[Value]:
        """Ask for what the user wants; an older answer is told in the notes."""
        try:
            answer = await self._get(path, read, params)
        except Refused as refused:
            raise to_refusal(refused) from refused
        if answer.stale:
            now = self._transport.clock.monotonic()
            self._told.append(_Told(asyncio.current_task(), now, age_note(answer)))
        return answer

    async def _count(self, query: TrialQuery) -> int:
        params = to_params(replace(query, page_size=1)) | {"fields": "NCTId", "countTotal": "true"}
        params.pop("sort", None)
        answer = await self._ask("/studies", _read_page, params)
        return self._total(answer.value)

    def _total(self, page: StudiesBody) -> int:
        if page.total_count is None:
            raise UpstreamError(f"{self._host} gave no total although it was asked for")
        return page.total_count

    async def _page(
        self, params: Mapping[str, str], position: Position | None
    ) -> Answer[StudiesBody]:
        """Give the first page, or the one after a position.

        Raises:
            _TokenRefused: the service does not take the token any more.
            UpstreamError: all there is is a page of other data than the pages before.
        """
        if position is None:
            return await self._ask("/studies", _read_page, {**params, "countTotal": "true"})
        try:
            answer = await self._ask(
                "/studies", _read_page, {**params, "pageToken": position.token}
            )
        except InvalidInput as error:
            raise _TokenRefused(error.message) from error
        # A token may fit other data at another place: pages of two days must not mix.
        if answer.stale and tag_of(answer) != position.tag:
            raise UpstreamError(f"The next page is out of reach: {answer.problem}")
        return answer

    async def _pages(self, params: Mapping[str, str]) -> AsyncIterator[list[msgspec.Raw]]:
        """Yield the records of every page, each study once, until no token follows."""
        seen: set[str] = set()
        answer = await self._page(params, None)
        first, total = answer, self._total(answer.value)
        tokens: set[str] = set()
        while True:
            yield await asyncio.to_thread(unseen, answer.value.studies, seen, host=self._host)
            token = answer.value.next_page_token
            if not token:
                break
            if token in tokens:
                raise UpstreamError(f"{self._host} leads back to a page it gave before")
            tokens.add(token)
            try:
                answer = await self._page(params, Position(token, total, tag_of(first)))
            except _TokenRefused as refused:
                raise self._changed(f"it no longer knows its page ({refused})") from refused
            if (first.stale or first.age) and tag_of(answer) != tag_of(first):
                raise self._changed("the first pages came from the cache")
        if len(seen) < total:
            raise self._changed(f"it announced {total} trials and gave {len(seen)}")

    def _changed(self, how: str) -> UpstreamError:
        return UpstreamError(
            f"The data of {self._host} changed while it was read: {how}",
            hint="Ask again in 5 s; what was read so far is not complete.",
        )


class _TokenRefused(Exception):
    """The service does not take a page token any more; the text is its own."""
