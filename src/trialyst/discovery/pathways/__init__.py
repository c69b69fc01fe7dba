"""Fuzzy to fact for pathways: search, look up, take apart and test for enrichment, on any source.

Pure async functions over a `PathwaySource`; `Pathways` holds them together for one source. The
answers are the values of `docs/contracts`. Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.discovery.pathways.components import get_pathway_components
    from trialyst.discovery.pathways.drawing import draw_pathway
    from trialyst.discovery.pathways.enrichment import enrich_pathways
    from trialyst.discovery.pathways.facade import Pathways
    from trialyst.discovery.pathways.lookup import get_pathway
    from trialyst.discovery.pathways.search import get_pathways_for_gene, search_pathways

__all__ = [
    "Pathways",
    "draw_pathway",
    "enrich_pathways",
    "get_pathway",
    "get_pathway_components",
    "get_pathways_for_gene",
    "search_pathways",
]

_HOMES = {
    "components": ("get_pathway_components",),
    "drawing": ("draw_pathway",),
    "enrichment": ("enrich_pathways",),
    "facade": ("Pathways",),
    "lookup": ("get_pathway",),
    "search": ("get_pathways_for_gene", "search_pathways"),
}

__getattr__ = lazy_names(__name__, _HOMES)
