"""`draw_pathway`: a pathway as SVG, with some of its genes highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.discovery.envelope import Answer, Clock, utc_now
from trialyst.discovery.pathways.arguments import Genes
from trialyst.discovery.pathways.inputs import read_genes, read_pathway_id
from trialyst.discovery.pathways.lookup import find_pathway
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.views import to_heading
from trialyst.pathways.gene_names import SymbolsOf, no_symbols
from trialyst.pathways.genes import parse_gene

if TYPE_CHECKING:
    from trialyst.pathways.source import PathwaySource

__all__ = ["draw_pathway"]


async def draw_pathway(
    source: PathwaySource,
    pathway_id: str,
    *,
    highlight: Genes | None = None,
    clock: Clock = utc_now,
    symbols_of: SymbolsOf = no_symbols,
    gene_address: str | None = None,
) -> Answer:
    """Draw a pathway; the answer has the drawing under `svg`, and which genes it highlights.

    Args:
        gene_address: Makes each gene a link to this address with its label behind.

    Raises:
        UnresolvedEntity, InvalidInput, NotFound: as `get_pathway` does.
        InvalidCrossReference: a gene with a prefix, and behind it what its database never writes.
    """
    from trialyst.pathways.figure import pathway_figure

    wanted = read_pathway_id(pathway_id)
    genes = read_genes("highlight", highlight)
    for gene in genes:
        parse_gene(gene)
    pathway = await find_pathway(source, wanted)
    figure = pathway_figure(
        pathway, highlight=genes, symbols_of=symbols_of, gene_address=gene_address
    )
    highlighted = [
        {"given": each.given, "labels": list(each.labels)} for each in figure.highlighted
    ]
    body = {
        **to_heading(pathway),
        "svg": figure.svg,
        "highlighted": highlighted,
        "not_found": list(figure.not_found),
        "provenance": await tell_origin(source, figure.notes, clock=clock),
    }
    return Answer(body, highlighted)
