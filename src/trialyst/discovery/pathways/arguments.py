"""What each pathway tool takes, by the names every interface uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Required, TypedDict

from trialyst.paging import SMALL_PAGE, Cursor, PageOf20
from trialyst.signatures import Flag, Several, Text, Whole, Wire

__all__ = [
    "ComponentArguments",
    "ComponentOptions",
    "EnrichArguments",
    "EnrichOptions",
    "GeneArguments",
    "Genes",
    "PageOptions",
    "PathwayArguments",
    "SearchArguments",
]

Genes = str | int | Sequence[str | int]
"""Genes as a list, as JSON in a string, or separated by commas."""
GeneList = Annotated[Genes | None, Wire(type="array", items="string")]
PathwayIdText = Annotated[Text, "WikiPathways id: WP:WP554 or WP554."]
PageSize = Annotated[
    Whole,
    Wire(type="integer", minimum=1, maximum=100, default=50),
    "Pathways on a page.",
]
Organism = Annotated[Text, "Scientific name, such as `Homo sapiens`."]


class PageOptions(TypedDict, total=False):
    """What `search_pathways` and `get_pathways_for_gene` take besides the first."""

    organism: Organism
    slim: Annotated[
        Flag,
        Wire(type="boolean", default=True),
        "Only id, title, organism, score; false adds description and counts.",
    ]
    page_size: PageSize
    cursor: Cursor


class SearchArguments(PageOptions, total=False):
    """What `search_pathways` takes."""

    query: Required[Annotated[Text, "Pathway, process, gene or disease; 2 characters or more."]]


class GeneArguments(PageOptions, total=False):
    """What `get_pathways_for_gene` takes."""

    gene_id: Required[
        Annotated[Text, "Symbol, other name, or Entrez, Ensembl, UniProt or HGNC id."]
    ]


class PathwayArguments(TypedDict, total=False):
    """What `get_pathway` takes."""

    pathway_id: Required[PathwayIdText]
    literature: Annotated[Flag, "Its papers too, not only their number."]


class ComponentOptions(TypedDict, total=False):
    """What `get_pathway_components` takes besides the id."""

    kinds: Annotated[
        Several,
        "Only genes, proteins, metabolites, complexes, others or interactions; joined by OR.",
    ]
    page_size: Annotated[PageOf20, "Parts on a page."]
    cursor: Cursor


class ComponentArguments(ComponentOptions, total=False):
    """What `get_pathway_components` takes."""

    pathway_id: Required[PathwayIdText]


class EnrichOptions(TypedDict, total=False):
    """What `enrich_pathways` takes besides the genes."""

    organism: Annotated[Text, "Scientific name; else `Homo sapiens`."]
    background: Annotated[GeneList, "Genes that could have been found; else all of the pathways'."]
    page_size: Annotated[PageSize, Wire(type="integer", minimum=1, maximum=100, default=SMALL_PAGE)]
    cursor: Cursor


class EnrichArguments(EnrichOptions, total=False):
    """What `enrich_pathways` takes."""

    genes: Required[Annotated[GeneList, "Symbols or Entrez, Ensembl, UniProt or HGNC ids, mixed."]]
