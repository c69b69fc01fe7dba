"""`search_pathways` and `get_pathways_for_gene`: lists of pathways with ids for strict lookup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from trialyst.discovery.envelope import Answer, Clock, to_pagination, utc_now
from trialyst.discovery.pathways.arguments import PageArguments
from trialyst.discovery.pathways.inputs import PageWanted, read_gene, read_page
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.views import to_candidate, to_slim_candidate
from trialyst.pathways.catalog import check_text
from trialyst.pathways.genes import parse_gene
from trialyst.pathways.source import PathwayHit, PathwayQuery
from trialyst.questions.values import check_names, read_text

if TYPE_CHECKING:
    from trialyst.paging import Page
    from trialyst.pathways.source import PathwaySource

__all__ = ["get_pathways_for_gene", "search_pathways"]

EXACT_NOTE = "a gene is compared exactly, by one symbol or id."
SLIM_NOTE = "Descriptions and counts of components are left out."


async def search_pathways(
    source: PathwaySource,
    query: str,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[PageArguments],
) -> Answer:
    """Find pathways by a name, process, gene or disease, the best matches first.

    Raises:
        AmbiguousQuery: the query has fewer than two characters.
        InvalidInput: no scientific name of an organism, or the cursor belongs to another query.
    """
    check_names(arguments, tuple(PageArguments.__annotations__))
    text = check_text(read_text("query", query) or "")
    wanted = read_page(arguments)
    asked = PathwayQuery(text, wanted.organism, wanted.size)
    page = await source.search(asked, wanted.cursor)
    return await _to_answer(source, page, wanted, notes=_lacking(page.items), clock=clock)


async def get_pathways_for_gene(
    source: PathwaySource,
    gene_id: str | int,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[PageArguments],
) -> Answer:
    """Give the pathways that hold exactly this gene, in order of id; none is an empty page.

    Raises:
        InvalidCrossReference: a prefix, and behind it what its database never writes.
        InvalidInput: as `search_pathways` does.
    """
    check_names(arguments, tuple(PageArguments.__annotations__))
    gene = read_gene(gene_id)
    parse_gene(gene)
    wanted = read_page(arguments)
    page = await source.search_gene(
        gene, organism=wanted.organism, page_size=wanted.size, cursor=wanted.cursor
    )
    notes = [] if page.total else [f"No pathway here holds {gene!r}; {EXACT_NOTE}"]
    return await _to_answer(source, page, wanted, notes=notes, clock=clock)


async def _to_answer(
    source: PathwaySource,
    page: Page[PathwayHit],
    wanted: PageWanted,
    *,
    notes: Iterable[str] = (),
    clock: Clock,
) -> Answer:
    view = to_slim_candidate if wanted.slim else to_candidate
    items: list[dict[str, Any]] = [view(hit) for hit in page.items]
    told = (*notes, SLIM_NOTE) if wanted.slim else tuple(notes)
    return Answer(
        {
            "items": items,
            "pagination": to_pagination(
                cursor=page.cursor, total=page.total, page_size=wanted.size
            ),
            "provenance": await tell_origin(source, told, clock=clock),
        },
        items,
    )


def _lacking(hits: Sequence[PathwayHit]) -> list[str]:
    words = dict.fromkeys(word for hit in hits for word in hit.missing)
    if not words:
        return []
    named = ", ".join(repr(word) for word in words)
    return [f"No pathway has all the words; each of these lacks one or more of: {named}."]
