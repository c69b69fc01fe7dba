"""`search_trials`: fuzzy discovery, one page of candidates with ids for strict lookup."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from trialyst.ctgov.plain import PAGE_SIZE, to_search
from trialyst.discovery.arguments import SearchArguments
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inputs import check_names, read_flag, read_page_size, read_text
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.terms import read_terms
from trialyst.discovery.views import to_candidate, to_slim_candidate

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["search_trials"]

SLIM_NOTE = "slim: brief_summary, conditions and interventions are left out; slim=false gives them."


async def search_trials(
    source: TrialSource, *, clock: Clock = utc_now, **arguments: Unpack[SearchArguments]
) -> Answer:
    """Find trials by words and filters, the best matches first.

    Raises:
        InvalidInput: nothing is asked for, an argument cannot be understood, or the cursor
            belongs to another query.
    """
    check_names(arguments, tuple(SearchArguments.__annotations__))
    plain, notes = await read_terms(source, arguments)
    slim = read_flag("slim", arguments.get("slim"), default=False)
    page_size = read_page_size(arguments.get("page_size"), default=PAGE_SIZE)
    sort = read_text("sort", arguments.get("sort"))
    query = to_search(replace(plain, page_size=page_size, sort=sort))
    cursor = read_text("cursor", arguments.get("cursor"))
    inquiry = Inquiry(source)
    page = await inquiry.ask(source.search_outlines(query, cursor))
    view = to_slim_candidate if slim else to_candidate
    items = [view(trial) for trial in page.items]
    told = (*notes, SLIM_NOTE) if slim else notes
    return Answer(
        {
            "items": items,
            "pagination": to_pagination(cursor=page.cursor, total=page.total, page_size=page_size),
            "understood": {},
            "provenance": to_provenance(await inquiry.provenance(), told, now=clock()),
            "next": [],
        },
        items,
    )
