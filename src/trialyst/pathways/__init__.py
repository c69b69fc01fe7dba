"""WikiPathways: what genes, proteins and metabolites do together, on line and on your machine.

A `PathwaySource` is the live site (`LivePathways`), what was loaded (`open_pathways`) or a list in
memory (`embed_pathways`). Names are loaded when first used, so importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.pathways.components import Component, Components, Edge, build_components
    from trialyst.pathways.databases import find_database
    from trialyst.pathways.embedded import (
        EmbeddedSource,
        embed_pathways,
        open_pathways,
        open_starter,
    )
    from trialyst.pathways.enrichment import Enriched, Enrichment, enrich_genes
    from trialyst.pathways.errors import DamagedPathway, PathwaysMissing, PathwayStoreDamaged
    from trialyst.pathways.figure import Figure, pathway_figure
    from trialyst.pathways.genes import parse_gene
    from trialyst.pathways.gpml import parse_gpml
    from trialyst.pathways.ids import PathwayId
    from trialyst.pathways.live import LivePathways
    from trialyst.pathways.loading import LoadProgress, LoadReport, load_pathways
    from trialyst.pathways.organisms import parse_organism
    from trialyst.pathways.pathway import Interaction, Node, NodeKind, Pathway, Xref
    from trialyst.pathways.source import (
        GeneSet,
        PathwayHit,
        PathwayProvenance,
        PathwayQuery,
        PathwaySource,
        PathwaySummary,
        SearchPage,
    )
    from trialyst.pathways.status import PathwaysStatus, pathways_status
    from trialyst.pathways.sync import SyncPathwaysReport, sync_pathways

__all__ = [
    "Component",
    "Components",
    "DamagedPathway",
    "Edge",
    "EmbeddedSource",
    "Enriched",
    "Enrichment",
    "Figure",
    "GeneSet",
    "Interaction",
    "LivePathways",
    "LoadProgress",
    "LoadReport",
    "Node",
    "NodeKind",
    "Pathway",
    "PathwayHit",
    "PathwayId",
    "PathwayProvenance",
    "PathwayQuery",
    "PathwaySource",
    "PathwayStoreDamaged",
    "PathwaySummary",
    "PathwaysMissing",
    "PathwaysStatus",
    "SearchPage",
    "SyncPathwaysReport",
    "Xref",
    "build_components",
    "embed_pathways",
    "enrich_genes",
    "find_database",
    "load_pathways",
    "open_pathways",
    "open_starter",
    "parse_gene",
    "parse_gpml",
    "parse_organism",
    "pathway_figure",
    "pathways_status",
    "sync_pathways",
]

_HOMES = {
    "components": ("Component", "Components", "Edge", "build_components"),
    "databases": ("find_database",),
    "embedded": ("EmbeddedSource", "embed_pathways", "open_pathways", "open_starter"),
    "enrichment": ("Enriched", "Enrichment", "enrich_genes"),
    "errors": ("DamagedPathway", "PathwayStoreDamaged", "PathwaysMissing"),
    "figure": ("Figure", "pathway_figure"),
    "genes": ("parse_gene",),
    "gpml": ("parse_gpml",),
    "ids": ("PathwayId",),
    "live": ("LivePathways",),
    "loading": ("LoadProgress", "LoadReport", "load_pathways"),
    "organisms": ("parse_organism",),
    "pathway": ("Interaction", "Node", "NodeKind", "Pathway", "Xref"),
    "source": (
        "GeneSet",
        "PathwayHit",
        "PathwayProvenance",
        "PathwayQuery",
        "PathwaySource",
        "PathwaySummary",
        "SearchPage",
    ),
    "status": ("PathwaysStatus", "pathways_status"),
    "sync": ("SyncPathwaysReport", "sync_pathways"),
}

__getattr__ = lazy_names(__name__, _HOMES)
