"""`search_pathways` and `get_pathways_for_gene`: lists of pathways with ids for strict lookup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from trialyst.ctgov.answers import continued, to_next
from trialyst.discovery.envelope import Answer, Clock, to_pagination, utc_now
from trialyst.discovery.pathways.arguments import GeneArguments, PageOptions, SearchArguments
from trialyst.discovery.pathways.inputs import PageWanted, read_gene, read_page
from trialyst.discovery.pathways.next_calls import after_pathways
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.views import to_candidate, to_slim_candidate
from trialyst.paging import Continuation, encode_continuation, take_up
from trialyst.pathways.catalog import check_text
from trialyst.pathways.genes import parse_gene
from trialyst.pathways.source import PathwayHit, PathwayQuery
from trialyst.questions.given import read_given
from trialyst.questions.values import read_text

if TYPE_CHECKING:
    from trialyst.discovery.pathways.answers import PathwaysAnswer
    from trialyst.paging import Page
    from trialyst.pathways.source import PathwaySource
    from trialyst.signatures import Text

__all__ = ["get_pathways_for_gene", "search_pathways"]

EXACT_NOTE = "a gene is compared exactly, by one symbol or id."
SLIM_NOTE = "Descriptions and counts of components are left out."


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
    call = take_up("search_pathways", read_given(SearchArguments, {**arguments, "query": query}))
    text = check_text(read_text("query", call.arguments.get("query")) or "")
    wanted = read_page(call)
    asked = PathwayQuery(text, wanted.organism, wanted.size)
    page = await source.search(asked, wanted.cursor)
    named = _Named("search_pathways", {"query": text}, call)
    return await _to_answer(source, page, wanted, named, notes=_lacking(page.items), clock=clock)


async def get_pathways_for_gene(
    source: PathwaySource,
    gene_id: str | int | None = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[PageOptions],
) -> Answer[PathwaysAnswer]:
    """Give the pathways that hold exactly this gene, in order of id; none is an empty page.

    Raises:
        InvalidCrossReference: a prefix, and behind it what its database never writes.
        InvalidInput: as `search_pathways` does.
    """
    given = read_given(GeneArguments, {**arguments, "gene_id": gene_id})
    call = take_up("get_pathways_for_gene", given)
    gene = read_gene(call.arguments.get("gene_id"))
    parse_gene(gene)
    wanted = read_page(call)
    page = await source.search_gene(
        gene, organism=wanted.organism, page_size=wanted.size, cursor=wanted.cursor
    )
    notes = [] if page.total else [f"No pathway here holds {gene!r}; {EXACT_NOTE}"]
    named = _Named("get_pathways_for_gene", {"gene_id": gene}, call)
    return await _to_answer(source, page, wanted, named, notes=notes, clock=clock)


class _Named(NamedTuple):
    """The call that a list answers."""

    tool: str
    required: Mapping[str, str]
    call: Continuation


async def _to_answer(
    source: PathwaySource,
    page: Page[PathwayHit],
    wanted: PageWanted,
    named: _Named,
    *,
    notes: Iterable[str] = (),
    clock: Clock,
) -> Answer[PathwaysAnswer]:
    view = to_slim_candidate if wanted.slim else to_candidate
    items: list[dict[str, Any]] = [view(hit) for hit in page.items]
    told = (*notes, SLIM_NOTE) if wanted.slim else tuple(notes)
    cursor = page.cursor and encode_continuation(
        named.tool, named.call.arguments, {"cursor": page.cursor}
    )
    (query,) = named.required.values()
    body = {
        "items": items,
        "pagination": to_pagination(cursor=cursor, total=page.total, page_size=wanted.size),
        "understood": {},
        "provenance": await tell_origin(source, told, clock=clock),
        "next": list(
            to_next(
                continued(named.tool, named.required, cursor),
                after_pathways(items, query=query),
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
