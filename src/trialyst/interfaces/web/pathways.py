"""Pathways: search, one pathway with its figure, a gene and its drugs, enrichment of a list."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.errors import InvalidInput
from trialyst.interfaces.web.failures import to_failure
from trialyst.interfaces.web.figures import draw_enrichment
from trialyst.interfaces.web.site import page, render, site_of
from trialyst.pathways.targets import drugs_on

__all__ = ["bridge", "enrich", "routes", "show", "show_one"]

GENE_ADDRESS = "/pathways?gene="
_PAGE_SIZE = 25
_MOST_GENES = 500
"""Genes of an enrichment: a list in an address must stay an address."""
_BETWEEN = re.compile(r"[\s,;]+")


def _text(request: Request, name: str) -> str | None:
    return request.query_params.get(name, "").strip() or None


@page
async def show(request: Request) -> Response:
    """Show what was found by words, or what is known of a gene."""
    query, gene, organism = (_text(request, name) for name in ("query", "gene", "organism"))
    pathways = await asyncio.to_thread(site_of(request).served.pathways)
    options: dict[str, Any] = {"slim": False, "page_size": _PAGE_SIZE}
    options |= {"organism": organism} if organism else {}
    values: dict[str, Any] = {"query": query, "gene": gene, "organism": organism}
    values |= {"found": None, "failure": None, "drugs": []}
    try:
        if cursor := _text(request, "cursor"):
            tool = pathways.get_pathways_for_gene if gene else pathways.search_pathways
            values["found"] = await tool(cursor=cursor, page_size=_PAGE_SIZE)
        elif gene:
            values["found"] = await pathways.get_pathways_for_gene(gene, **options)
        elif query:
            values["found"] = await pathways.search_pathways(query, **options)
    except InvalidInput as error:
        values["failure"] = to_failure(error)
    if gene:
        values["drugs"] = drugs_on(gene)
    return await render(request, "pathways.html", values)


@page
async def show_one(request: Request) -> Response:
    """Show a pathway: its figure, genes and interactions."""
    wanted = request.path_params["pathway_id"]
    highlight = _text(request, "highlight")
    pathways = await asyncio.to_thread(site_of(request).served.pathways)
    answer, parts, drawn = await asyncio.gather(
        pathways.get_pathway(wanted, literature=True),
        pathways.get_pathway_components(wanted),
        pathways.draw_pathway(wanted, highlight=highlight, gene_address=GENE_ADDRESS),
    )
    values = {
        "pathway": answer,
        "parts_of": parts,
        # The drawing is made here, of escaped text, and has no script.
        "svg": Markup(drawn["svg"]),
        "drawn": drawn,
        "highlight": highlight,
    }
    return await render(request, "pathway.html", values)


@page
async def enrich(request: Request) -> Response:
    """Show which pathways hold more genes of a list than chance would."""
    text, organism = _text(request, "genes"), _text(request, "organism")
    values: dict[str, Any] = {"genes": text, "organism": organism, "answer": None, "failure": None}
    if text:
        genes = [each for each in _BETWEEN.split(text) if each]
        try:
            values["answer"] = await _enriched(request, genes, organism)
            values["plot"] = draw_enrichment(values["answer"]["items"])
        except InvalidInput as error:
            values["failure"] = to_failure(error)
    return await render(request, "enrichment.html", values)


async def _enriched(request: Request, genes: list[str], organism: str | None) -> Any:
    if len(genes) > _MOST_GENES:
        raise InvalidInput(
            f"{len(genes)} genes are too many for a page",
            hint=f"Give up to {_MOST_GENES}; a shell takes more.",
        )
    pathways = await asyncio.to_thread(site_of(request).served.pathways)
    options: dict[str, Any] = {"organism": organism} if organism else {}
    return await pathways.enrich_pathways(genes, page_size=_PAGE_SIZE, **options)


@page
async def bridge(request: Request) -> Response:
    """Show where a drug's targets lead: over pathways to trials of other drugs."""
    drug = _text(request, "drug")
    answer = None
    if drug:
        opened = await asyncio.to_thread(site_of(request).served.bridge)
        answer = await opened.bridge_drug(drug=drug)
    return await render(request, "bridge.html", {"drug": drug, "answer": answer})


routes = [
    Route("/pathways", show),
    Route("/pathways/enrich", enrich),
    Route("/pathways/bridge", bridge),
    Route("/pathways/{pathway_id}", show_one),
]
