"""The pathway tools, on `trialyst.discovery.pathways`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from trialyst.discovery.envelope import Answer
from trialyst.discovery.pathways.answers import (
    ComponentsAnswer,
    EnrichAnswer,
    PathwayAnswer,
    PathwaysAnswer,
)
from trialyst.discovery.pathways.arguments import (
    ComponentArguments,
    EnrichArguments,
    GeneArguments,
    PathwayArguments,
    SearchArguments,
)
from trialyst.discovery.pathways.facade import Pathways
from trialyst.interfaces.mcp.declared import Call
from trialyst.paging import SMALL_PAGE
from trialyst.questions.given import read_given

__all__ = [
    "PATHWAY_TOOLS",
    "enrich_pathways",
    "get_pathway",
    "get_pathway_components",
    "get_pathways_for_gene",
    "search_pathways",
]


async def search_pathways(
    pathways: Pathways, **given: Unpack[SearchArguments]
) -> Answer[PathwaysAnswer]:
    """Find WikiPathways pathways by words, best first. Its ids go to get_pathway*.

    All words must be found in title, genes or description; where no pathway has them all, those
    with most come, and a note names what is missing. A word that no pathway has is read as the one
    that was clearly meant. Titles that are the question come first, and human pathways before
    equals of other organisms. The score is ours: 1 for the best of the whole list, 0 for the last.

    Example: {"query": "glycolysis", "organism": "Homo sapiens"}
    """
    return await pathways.search_pathways(**given)


async def get_pathway(
    pathways: Pathways, **given: Unpack[PathwayArguments]
) -> Answer[PathwayAnswer]:
    """Give one pathway by id: description, genes, metabolites, ids elsewhere; papers on request.

    `literature_count` says how many papers there are, `literature` lists them if it is asked for.

    Example: {"pathway_id": "WP:WP534"}
    """
    return await pathways.get_pathway(**read_given(PathwayArguments, given))


async def get_pathways_for_gene(
    pathways: Pathways, **given: Unpack[GeneArguments]
) -> Answer[PathwaysAnswer]:
    """List the pathways that hold one gene, under any of its ids.

    Every id, the symbol and other names (p53, HER2) give the same pathways of an organism. An id is
    of one organism; a symbol is of every organism, human pathways first. `understood` says which
    gene was meant. An unknown gene is an empty page.

    Example: {"gene_id": "TNF", "organism": "Homo sapiens"}
    """
    return await pathways.get_pathways_for_gene(**given)


async def get_pathway_components(
    pathways: Pathways, **given: Unpack[ComponentArguments]
) -> Answer[ComponentsAnswer]:
    """Give a pathway's genes, proteins, metabolites, complexes and interactions, in pages.

    A component that is drawn several times, or named in several databases, is one. Interactions
    have both ends connected; the others are counted in `unconnected`. Pages go through the lists
    one after the other; `component_counts` counts the whole. In the library all is given at once
    unless a page size is asked for.

    Example: {"pathway_id": "WP534", "kinds": "interactions"}
    """
    read = read_given(ComponentArguments, given)
    sized = read if "cursor" in read else {"page_size": SMALL_PAGE, **read}
    return await pathways.get_pathway_components(**sized)


async def enrich_pathways(
    pathways: Pathways, **given: Unpack[EnrichArguments]
) -> Answer[EnrichAnswer]:
    """Rank pathways by over-representation of genes: hypergeometric p, Benjamini-Hochberg.

    `genes` tells what became of each gene; those in no pathway of the organism do not count.

    Example: {"genes": ["HK1", "PKM", "GAPDH"], "page_size": 3}
    """
    return await pathways.enrich_pathways(**given)


PATHWAY_TOOLS: Mapping[Call, str] = {
    search_pathways: "Search pathways",
    get_pathway: "Get a pathway",
    get_pathways_for_gene: "Pathways of a gene",
    get_pathway_components: "Pathway components",
    enrich_pathways: "Pathway enrichment",
}
"""Every tool of pathways with its title."""
