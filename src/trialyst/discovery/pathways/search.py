"""`search_pathways` and `get_pathways_for_gene`: lists of pathways with ids for strict lookup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from trialyst.ctgov.answers import continued, to_next
from trialyst.discovery.envelope import Answer, Clock, to_pagination, utc_now
from trialyst.discovery.pathways.arguments import GeneArguments, PageOptions, SearchArguments
from trialyst.discovery.pathways.inputs import PageWanted, read_gene, read_page
from trialyst.discovery.pathways.next_calls import (
    after_pathways,
    instead_of_gene,
    instead_of_words,
)
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.readings import tell_gene, tell_organism, tell_words
from trialyst.discovery.pathways.views import to_candidate, to_slim_candidate
from trialyst.paging import Continuation, encode_continuation, take_up
from trialyst.pathways.catalog import check_text
from trialyst.pathways.genes import parse_gene
from trialyst.pathways.source import PathwayHit, PathwayQuery
from trialyst.questions.given import read_given
from trialyst.questions.values import read_text

if TYPE_CHECKING:
    from trialyst.discovery.pathways.answers import PathwaysAnswer
    from trialyst.hints import Call
    from trialyst.paging import Page
    from trialyst.pathways.source import PathwaySource
    from trialyst.signatures import Text

__all__ = ["get_pathways_for_gene", "search_pathways"]

EXACT_NOTE = "a gene is compared exactly, by one symbol or id."
SLIM_NOTE = "Descriptions and counts of components are left out."
EVERY_ORGANISM = "Every organism; human pathways first."


@dataclass(frozen=True, slots=True)
class _Listing:
    """The call that a list answers, how it was understood, and what else could be asked."""

    tool: str
    asked: str
    """Its one required argument."""
    call: Continuation
    understood: Mapping[str, Any]
    instead: Iterable[Call] = ()
    notes: Sequence[str] = ()


async def search_pathways(
    source: PathwaySource,
    query: Text = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[PageOptions],
) -> Answer[PathwaysAnswer]:
    """Find pathways by a name, process, gene or disease, the best matches first.

    Raises:
        AmbiguousQuery: the query has fewer than two characters.
        InvalidInput: no scientific name of an organism, or the cursor belongs to another query.
    """
    given = read_given(SearchArguments, {**arguments, "query": query})
    if "query" in given:
        given["query"] = check_text(read_text("query", given["query"]) or "")
    call = take_up("search_pathways", given)
    text = check_text(call.arguments.get("query", ""))
    wanted = read_page(call)
    page = await source.search(PathwayQuery(text, wanted.organism, wanted.size), wanted.cursor)
    listing = _Listing(
        tool="search_pathways",
        asked="query",
        call=call,
        understood=tell_words(text, page),
        instead=instead_of_words(text, page.respelt),
        notes=_lacking(page.items),
    )
    return await _to_answer(source, page, wanted, listing, clock=clock)


async def get_pathways_for_gene(
    source: PathwaySource,
    gene_id: str | int | None = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[PageOptions],
) -> Answer[PathwaysAnswer]:
    """Give the pathways that hold a gene under any of its ids, human ones first; none is an empty
    page.

    Raises:
        InvalidCrossReference: a prefix, and behind it what its database never writes.
        InvalidInput: as `search_pathways` does.
    """
    given = read_given(GeneArguments, {**arguments, "gene_id": gene_id})
    if "gene_id" in given:
        given["gene_id"] = read_gene(given["gene_id"])
    call = take_up("get_pathways_for_gene", given)
    gene = read_gene(call.arguments.get("gene_id"))
    parse_gene(gene)
    wanted = read_page(call)
    page = await source.search_gene(
        gene, organism=wanted.organism, page_size=wanted.size, cursor=wanted.cursor
    )
    (reading,) = await source.read_genes([gene])
    found = page.total or 0
    listing = _Listing(
        tool="get_pathways_for_gene",
        asked="gene_id",
        call=call,
        understood=tell_gene(gene, reading),
        instead=instead_of_gene(gene, reading, organism=wanted.organism, found=found),
        notes=[] if found else [f"No pathway here holds {gene!r}; {EXACT_NOTE}"],
    )
    return await _to_answer(source, page, wanted, listing, clock=clock)


async def _to_answer(
    source: PathwaySource,
    page: Page[PathwayHit],
    wanted: PageWanted,
    listing: _Listing,
    *,
    clock: Clock,
) -> Answer[PathwaysAnswer]:
    view = to_slim_candidate if wanted.slim else to_candidate
    items: list[dict[str, Any]] = [view(hit) for hit in page.items]
    notes = (*listing.notes, SLIM_NOTE) if wanted.slim else tuple(listing.notes)
    arguments = listing.call.arguments
    asked = {listing.asked: arguments[listing.asked]}
    cursor = page.cursor and encode_continuation(listing.tool, arguments, {"cursor": page.cursor})
    body = {
        "items": items,
        "pagination": to_pagination(cursor=cursor, total=page.total, page_size=wanted.size),
        "understood": {
            **listing.understood,
            **tell_organism(wanted.organism, otherwise=EVERY_ORGANISM),
        },
        "provenance": await tell_origin(source, notes, clock=clock),
        "next": list(
            to_next(
                listing.instead,
                continued(listing.tool, asked, cursor),
                after_pathways(items, query=str(*asked.values())),
            )
        ),
    }
    return Answer(body, items)


def _lacking(hits: Sequence[PathwayHit]) -> list[str]:
    words = dict.fromkeys(word for hit in hits for word in hit.missing)
    if not words:
        return []
    named = ", ".join(repr(word) for word in words)
    return [f"No pathway has all the words; each of these lacks one or more of: {named}."]
