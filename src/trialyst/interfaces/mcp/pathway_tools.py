"""The pathway tools as MCP tools: arguments pass through to `trialyst.discovery.pathways`.

A tool's docstring is its description.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trialyst.discovery import Answer
from trialyst.discovery.pathways import Pathways
from trialyst.interfaces.mcp.tools import Call

__all__ = [
    "PATHWAY_TOOLS",
    "enrich_pathways",
    "get_pathway",
    "get_pathway_components",
    "get_pathways_for_gene",
    "search_pathways",
]


async def search_pathways(pathways: Pathways, given: dict[str, Any]) -> Answer:
    """Find WikiPathways pathways by words, best first. Its ids go to get_pathway*."""
    return await pathways.search_pathways(**given)


async def get_pathway(pathways: Pathways, given: dict[str, Any]) -> Answer:
    """Give one pathway by id: description, genes, metabolites, papers, ids elsewhere."""
    return await pathways.get_pathway(**given)


async def get_pathways_for_gene(pathways: Pathways, given: dict[str, Any]) -> Answer:
    """List the pathways that hold one gene."""
    return await pathways.get_pathways_for_gene(**given)


async def get_pathway_components(pathways: Pathways, given: dict[str, Any]) -> Answer:
    """Give a pathway's genes, proteins, metabolites, complexes and interactions. Can be long."""
    return await pathways.get_pathway_components(**given)


async def enrich_pathways(pathways: Pathways, given: dict[str, Any]) -> Answer:
    """Rank pathways by over-representation of genes: hypergeometric p, Benjamini-Hochberg."""
    return await pathways.enrich_pathways(**given)


PATHWAY_TOOLS: Mapping[Call[Pathways], str] = {
    search_pathways: "Search pathways",
    get_pathway: "Get a pathway",
    get_pathways_for_gene: "Pathways of a gene",
    get_pathway_components: "Pathway components",
    enrich_pathways: "Pathway enrichment",
}
"""Every tool of pathways with its title."""
