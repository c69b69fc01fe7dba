"""Papers by PMID from PubMed, kept on disk one by one: a paper is asked for once a month.

Requests name no reader, only PMIDs. The key of a user is sent and never written down.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from trialyst.clock import Clock
from trialyst.errors import InvalidInput, RateLimited, UpstreamError
from trialyst.pubmed.paper import Paper
from trialyst.pubmed.parse import NO_SUCH_ID, parse_papers
from trialyst.settings import Settings
from trialyst.transport import Cache, CacheUse, Refused, Transport, open_transport
from trialyst.transport.cache import Kept

__all__ = ["Papers", "PubMed", "open_pubmed", "to_pmid"]

BATCH = 100
"""PMIDs in a request: their URL stays under 2,000 characters, which every proxy passes."""
FRESH_FOR = 30 * 86_400.0
"""Seconds a kept paper is used unasked: papers hardly change, but some are retracted."""
_TOOL = "trialyst"


@dataclass(frozen=True, slots=True)
class Papers:
    """What was found, in the order asked for, and what was not."""

    found: tuple[Paper, ...]
    missing: tuple[str, ...] = ()
    """PMIDs that PubMed does not know."""
    unasked: tuple[str, ...] = ()
    """PMIDs of which nothing is known because PubMed could not be reached."""
    problem: str | None = None
    """Why it could not be reached; older kept papers are among the found."""


class PubMed:
    """Titles and abstracts from the E-utilities; close it when done."""

    def __init__(
        self,
        transport: Transport,
        base_url: str,
        *,
        cache: Cache | None = None,
        key: str | None = None,
        email: str | None = None,
    ) -> None:
        self._transport = transport
        self._url = f"{base_url.rstrip('/')}/efetch.fcgi"
        self._cache = cache
        self._identity = {
            name: text
            for name, text in (("tool", _TOOL), ("email", email), ("api_key", key))
            if text
        }

    async def get_papers(self, pmids: Iterable[str]) -> Papers:
        """Give the papers with these PMIDs; what PubMed does not know or say is told.

        Raises:
            InvalidInput: something is no PMID.
        """
        wanted = tuple(dict.fromkeys(map(_check, pmids)))
        kept = await asyncio.to_thread(self._load, wanted)
        now = self._transport.clock.time()
        asked = [pmid for pmid in wanted if pmid not in kept or now - kept[pmid][1] > FRESH_FOR]
        found = {pmid: paper for pmid, (paper, _) in kept.items()}
        unasked: list[str] = []
        problem = None
        for batch in _batches(asked):
            try:
                found.update(await self._fetch(batch))
            except (Refused, RateLimited, UpstreamError) as error:
                problem = error.message
                unasked.extend(pmid for pmid in batch if pmid not in found)
        return Papers(
            found=tuple(found[pmid] for pmid in wanted if pmid in found),
            missing=tuple(p for p in wanted if p not in found and p not in unasked),
            unasked=tuple(unasked),
            problem=problem,
        )

    async def aclose(self) -> None:
        """Close connections and what is kept."""
        await self._transport.aclose()
        if self._cache is not None:
            await asyncio.to_thread(self._cache.close)

    async def _fetch(self, pmids: Sequence[str]) -> dict[str, Paper]:
        params = {"db": "pubmed", "id": ",".join(pmids), "rettype": "abstract", "retmode": "xml"}
        try:
            answer = await self._transport.get(
                self._url,
                parse_papers,
                params={**params, **self._identity},
                use=CacheUse(private=True),
            )
        except Refused as refused:
            if NO_SUCH_ID not in refused.message:
                raise
            return {}
        papers = {paper.pmid: paper for paper in answer.value if paper.pmid in pmids}
        await asyncio.to_thread(self._save, papers)
        return papers

    def _load(self, pmids: Sequence[str]) -> dict[str, tuple[Paper, float]]:
        if self._cache is None:
            return {}
        now = self._transport.clock.time()
        found = ((pmid, self._cache.load(_kept_name(pmid), now=now)) for pmid in pmids)
        return {
            pmid: (paper, kept.checked_at)
            for pmid, kept in found
            if kept is not None and (paper := _read(kept)) is not None
        }

    def _save(self, papers: dict[str, Paper]) -> None:
        if self._cache is None:
            return
        now = self._transport.clock.time()
        for pmid, paper in papers.items():
            body = paper.model_dump_json(exclude_defaults=True).encode()
            self._cache.save(_kept_name(pmid), Kept(200, {}, body, checked_at=now))


def open_pubmed(settings: Settings, *, clock: Clock | None = None) -> PubMed:
    """Give PubMed as it is set: where it is, with whose key, at which pace, kept where."""
    cache = None
    if settings.cache_bytes:
        path = settings.home / "cache" / "papers.sqlite"
        cache = Cache(path, max_bytes=settings.cache_bytes)
    return PubMed(
        open_transport(settings, clock=clock),
        settings.pubmed_url,
        cache=cache,
        key=settings.pubmed_key,
        email=settings.pubmed_email,
    )


def to_pmid(text: str) -> str | None:
    """Give a PMID as PubMed writes it, or None for what is none.

    >>> to_pmid(" 033185364 "), to_pmid("PMC123")
    ('33185364', None)
    """
    digits = text.strip().lstrip("0")
    return digits if re.fullmatch(r"[1-9][0-9]{0,8}", digits, re.ASCII) else None


def _check(pmid: str) -> str:
    known = to_pmid(pmid)
    if known is None:
        raise InvalidInput(
            f"{pmid!r} is not a PMID",
            hint="A PMID is a number such as 33185364.",
            invalid_input=pmid,
        )
    return known


def _batches(pmids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(pmids), BATCH):
        yield pmids[start : start + BATCH]


def _kept_name(pmid: str) -> str:
    return f"pubmed:{pmid}"


def _read(kept: Kept) -> Paper | None:
    try:
        return Paper.model_validate_json(kept.body)
    except ValueError:
        return None
