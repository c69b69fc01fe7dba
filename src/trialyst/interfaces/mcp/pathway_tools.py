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

    Words are looked for in the title, the nodes, the ontology terms and the description; where no
    pathway has them all, those with most come, and a note names what is missing. The score is ours:
    text relevance (a title above a gene, a gene above the description), less 0.05 for each rank,
    stretched to 1 for the best and 0 for the last of the whole list. docs/guide/pathways.md.

    Example: {"query": "glycolysis", "organism": "Homo sapiens"}
    """
    return await pathways.search_pathways(**given)


async def get_pathway(
    pathways: Pathways, **given: Unpack[PathwayArguments]
) -> Answer[PathwayAnswer]:
    """Give one pathway by id: description, genes, metabolites, ids elsewhere.

    Under `cross_references` a gene's first id in a database stands for it; get_pathway_components
    has them all.

    Example: {"pathway_id": "WP:WP534"}
    """
    return await pathways.get_pathway(**read_given(PathwayArguments, given))


async def get_pathways_for_gene(
    pathways: Pathways, **given: Unpack[GeneArguments]
) -> Answer[PathwaysAnswer]:
    """List the pathways that hold one gene.

    The gene is compared exactly; an unknown one is an empty page.

    Example: {"gene_id": "TNF"}
    """
    return await pathways.get_pathways_for_gene(**given)


async def get_pathway_components(
    pathways: Pathways, **given: Unpack[ComponentArguments]
) -> Answer[ComponentsAnswer]:
    """Give a pathway's genes, proteins, metabolites, complexes and interactions, in pages.

    A component that is drawn several times, or named in several databases, is one, with its ids in
    every database. Interactions have both ends connected, source and target following the effect;
    an end may be a component, a group or complex with its `members`, or another interaction. Lines
    with a loose end are counted in `unconnected`. Where only a list of nodes was at hand
    `interactions_known` is false, and no interactions says nothing.

    Example: {"pathway_id": "WP534"}
    """
    asked = read_given(ComponentArguments, given)
    return await pathways.get_pathway_components(whole=False, **asked)


async def enrich_pathways(
    pathways: Pathways, **given: Unpack[EnrichArguments]
) -> Answer[EnrichAnswer]:
    """Rank pathways by over-representation of genes: hypergeometric p, Benjamini-Hochberg.

    The test is one-sided, and adjusted over every pathway tested; only pathways with at least one
    of the genes are listed, up to 5,000 genes are taken. `background` says what chance draws from,
    `genes` what became of each gene: `used`, `renamed`, `repeated`, `ambiguous`, `unrecognised` or
    `outside_background`.

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
