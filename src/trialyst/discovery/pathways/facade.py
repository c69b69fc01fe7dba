"""The pathway tools on one source, as methods.

Interfaces hold one `Pathways` and pass on what they were given; nothing is decided here. A tool is
imported when first used: a program that asks one thing waits for no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from trialyst.discovery.envelope import Answer, Clock, utc_now
from trialyst.pathways.gene_names import SymbolsOf, no_symbols

if TYPE_CHECKING:
    from trialyst.discovery.pathways.answers import (
        ComponentsAnswer,
        EnrichAnswer,
        PathwayAnswer,
        PathwaysAnswer,
    )
    from trialyst.discovery.pathways.arguments import (
        ComponentOptions,
        EnrichOptions,
        Genes,
        PageOptions,
    )
    from trialyst.pathways.source import PathwaySource
    from trialyst.signatures import Flag, Text

__all__ = ["Pathways"]


class Pathways:
    """Fuzzy to fact: search for pathways, then look them up by id."""

    def __init__(
        self,
        source: PathwaySource,
        *,
        clock: Clock = utc_now,
        symbols_of: SymbolsOf = no_symbols,
    ) -> None:
        """Take a source; `symbols_of` tells the symbols of genes by their other names."""
        self.source = source
        self._clock = clock
        self._symbols_of = symbols_of

    async def aclose(self) -> None:
        """Let go of what the source holds open."""
        await self.source.aclose()

    async def search_pathways(
        self, query: Text = None, **arguments: Unpack[PageOptions]
    ) -> Answer[PathwaysAnswer]:
        """Find pathways by a name, process, gene or disease, the best matches first."""
        from trialyst.discovery.pathways.search import search_pathways

        return await search_pathways(self.source, query, clock=self._clock, **arguments)

    async def get_pathway(
        self, pathway_id: Text = None, *, literature: Flag = None
    ) -> Answer[PathwayAnswer]:
        """Give one pathway: what it is about, its genes and metabolites; papers on request."""
        from trialyst.discovery.pathways.lookup import get_pathway

        return await get_pathway(self.source, pathway_id, literature=literature, clock=self._clock)

    async def get_pathways_for_gene(
        self, gene_id: str | int | None = None, **arguments: Unpack[PageOptions]
    ) -> Answer[PathwaysAnswer]:
        """Give the pathways that hold a gene under any of its ids."""
        from trialyst.discovery.pathways.search import get_pathways_for_gene

        return await get_pathways_for_gene(self.source, gene_id, clock=self._clock, **arguments)

    async def get_pathway_components(
        self, pathway_id: Text = None, **arguments: Unpack[ComponentOptions]
    ) -> Answer[ComponentsAnswer]:
        """Give what a pathway is made of, and how its parts act on each other."""
        from trialyst.discovery.pathways.components import get_pathway_components

        return await get_pathway_components(self.source, pathway_id, clock=self._clock, **arguments)

    async def enrich_pathways(
        self, genes: Genes | None = None, **arguments: Unpack[EnrichOptions]
    ) -> Answer[EnrichAnswer]:
        """Rank pathways by how unlikely it is that they hold so many of the genes by chance."""
        from trialyst.discovery.pathways.enrichment import enrich_pathways

        return await enrich_pathways(self.source, genes, clock=self._clock, **arguments)

    async def draw_pathway(
        self, pathway_id: str, *, highlight: Genes | None = None, gene_address: str | None = None
    ) -> Answer:
        """Draw a pathway as SVG, with some of its genes highlighted, or all of them links."""
        from trialyst.discovery.pathways.drawing import draw_pathway

        return await draw_pathway(
            self.source,
            pathway_id,
            highlight=highlight,
            clock=self._clock,
            symbols_of=self._symbols_of,
            gene_address=gene_address,
        )
