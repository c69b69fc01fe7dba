"""`enrich_pathways`: which pathways hold more of some genes than chance would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Unpack

from trialyst.ctgov.answers import continued, to_next
from trialyst.discovery.envelope import Answer, Clock, to_pagination, utc_now
from trialyst.discovery.pathways.arguments import EnrichArguments, EnrichOptions, Genes
from trialyst.discovery.pathways.inputs import read_genes, read_page
from trialyst.discovery.pathways.next_calls import after_enrichment
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.readings import tell_genes, tell_organism
from trialyst.discovery.pathways.views import to_heading
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.paging import (
    SMALL_PAGE,
    Continuation,
    check_offset,
    check_version,
    digest,
    encode_continuation,
    take_up,
)
from trialyst.pathways.enrichment import enrich_genes
from trialyst.pathways.organisms import HUMAN
from trialyst.questions.given import read_given

if TYPE_CHECKING:
    from trialyst.discovery.pathways.answers import EnrichAnswer
    from trialyst.pathways.enrichment import Enriched, Enrichment
    from trialyst.pathways.source import PathwaySource

__all__ = ["enrich_pathways"]

STARTER_NOTE = (
    "The starter set has core genes of a few pathways only: its p-values are for trying things out."
)
TOOL = "enrich_pathways"
_LISTS = ("genes", "background")
_CARRIED = 200
"""Genes of a list that a cursor carries; a longer one would cost more than it saves."""
_NAMED = 10
"""Genes that a note names; the answer lists them all."""


async def enrich_pathways(
    source: PathwaySource,
    genes: Genes | None = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[EnrichOptions],
) -> Answer[EnrichAnswer]:
    """Rank pathways by how unlikely it is that they hold so many of the genes by chance.

    Raises:
        InvalidInput: no gene, too many, or no pathway of the organism here.
        InvalidCrossReference: a gene with a prefix, and behind it what its database never writes.
    """
    call = _take_up(read_given(EnrichArguments, {**arguments, "genes": genes}))
    wanted = read_page(call, size=SMALL_PAGE)
    given = read_genes("genes", call.arguments.get("genes"))
    background = call.arguments.get("background")
    result = await enrich_genes(
        source,
        given,
        organism=wanted.organism or HUMAN,
        background=None if background is None else read_genes("background", background),
    )
    version = digest([result.organism, result.used, result.background, result.tested])
    check_version(call, version)
    start = check_offset(call.position, "")
    end = start + wanted.size
    items = [_to_item(each) for each in result.items[start:end]]
    total = len(result.items)
    cursor = _cursor(call, offset=end, version=version) if end < total else None
    starter = (await source.provenance()).synthetic
    notes = (*_notes(result), *([STARTER_NOTE] if starter else []))
    # With many genes the call is longer than the page; the cursor stands in `pagination` anyway.
    follows = continued(TOOL, {"genes": list(given)}, cursor) if len(given) <= _NAMED else ()
    body = {
        "items": items,
        "organism": result.organism,
        "tested_count": result.tested,
        "background": {
            "count": result.background,
            "given": result.background_given,
            "description": result.describe_background(),
        },
        "genes": _to_genes(result),
        "pagination": to_pagination(cursor=cursor, total=total, page_size=wanted.size),
        "understood": {
            **tell_genes(result),
            **tell_organism(wanted.organism, otherwise=f"{HUMAN}, as none is given."),
        },
        "provenance": await tell_origin(source, notes, clock=clock),
        "next": list(to_next(follows, after_enrichment(items))),
    }
    return Answer(body, items)


def _take_up(given: Mapping[str, Any]) -> Continuation:
    """Give the call to answer; a long list that a cursor does not carry must come with it."""
    lists = {name: given[name] for name in _LISTS if name in given}
    others = {name: value for name, value in given.items() if name not in lists}
    call = take_up(TOOL, others)
    carried = call.position.get("carried") or {}
    known = call.position.get("lists") or {name: _name_list(name, lists) for name in lists}
    for name in known:
        if name not in lists and name not in carried:
            raise InvalidInput(
                Hint("The cursor does not carry {name}, a long list", name=Argument(name)),
                hint=Hint("Repeat {name} with the cursor.", name=Argument(name)),
            )
    for name in lists:
        if known.get(name) != _name_list(name, lists):
            raise InvalidInput(
                Hint("The cursor belongs to another query: {name} differs", name=Argument(name)),
                hint=Hint("Give {cursor} alone to continue, or leave it out to begin anew."),
            )
    return Continuation({**call.arguments, **carried, **lists}, call.position)


def _cursor(call: Continuation, *, offset: int, version: str) -> str:
    """Give the cursor of the next page; it carries lists of genes that are not too long for it."""
    lists = {name: call.arguments[name] for name in _LISTS if name in call.arguments}
    others = {name: value for name, value in call.arguments.items() if name not in lists}
    position = {
        "offset": offset,
        "version": version,
        "lists": {name: _name_list(name, lists) for name in lists},
        "carried": {
            name: list(read_genes(name, value))
            for name, value in lists.items()
            if len(read_genes(name, value)) <= _CARRIED
        },
    }
    return encode_continuation(TOOL, others, position)


def _name_list(name: str, lists: Mapping[str, Any]) -> str:
    return digest(sorted(read_genes(name, lists[name])))


def _to_item(each: Enriched) -> dict[str, Any]:
    return {
        **to_heading(each.pathway),
        "p_value": _shorten(each.p_value),
        "adjusted_p_value": _shorten(each.adjusted),
        "overlap": list(each.overlap),
        "overlap_count": len(each.overlap),
        "gene_count": each.genes,
        "expected": _shorten(each.expected),
    }


def _shorten(number: float) -> float:
    """Keep the digits that mean something; a number above 0 stays above 0."""
    return float(f"{number:.6g}")


def _to_genes(result: Enrichment) -> dict[str, Any]:
    query = result.query
    return {
        "used": list(result.used),
        "renamed": [
            {"given": each.given, "symbol": each.symbol}
            for each in query.recognised
            if each.given.upper() != each.symbol
        ],
        "repeated": [{"given": each.given, "symbol": each.symbol} for each in query.repeated],
        "ambiguous": [
            {"given": given, "symbols": list(symbols)} for given, symbols in query.ambiguous
        ],
        "unrecognised": list(query.unrecognised),
        "outside_background": list(result.outside_background),
    }


def _notes(result: Enrichment) -> Iterator[str]:
    yield result.describe_background()
    query = result.query
    for what, genes in (
        ("in no pathway of the organism here", query.unrecognised),
        ("ids of several genes", tuple(given for given, _ in query.ambiguous)),
        ("outside the given background", result.outside_background),
    ):
        if genes:
            named = ", ".join(genes[:_NAMED]) + (" ..." if len(genes) > _NAMED else "")
            yield f"Genes that do not count, {what} ({len(genes)}): {named}."
    if result.background_unknown:
        yield (
            "Genes of the given background that are in no pathway of the organism here and do not "
            f"count: {len(result.background_unknown)}."
        )
