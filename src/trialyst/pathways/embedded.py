"""A source over pathways on this machine: those that were loaded, or a list such as the starter."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from trialyst.paging import Page, digest
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.gene_names import SymbolsOf, gene_symbols, no_symbols
from trialyst.pathways.gene_reading import GeneReading
from trialyst.pathways.genes import parse_gene
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.loading import store_path
from trialyst.pathways.organisms import parse_organism
from trialyst.pathways.pathway import Pathway
from trialyst.pathways.source import (
    GeneSet,
    PathwayHit,
    PathwayProvenance,
    PathwayQuery,
    SearchPage,
)
from trialyst.pathways.store import to_entry

__all__ = ["EmbeddedSource", "embed_pathways", "open_pathways", "open_starter"]


class EmbeddedSource:
    """Answers from a catalog, off the event loop."""

    def __init__(
        self,
        catalog: Catalog,
        provenance: PathwayProvenance,
        *,
        symbols_of: SymbolsOf = no_symbols,
    ) -> None:
        self._catalog = catalog
        self._provenance = provenance
        self._symbols_of = symbols_of

    async def search(self, query: PathwayQuery, cursor: str | None = None) -> SearchPage:
        """Give one page of the pathways that match a text, the best first."""
        return await asyncio.to_thread(self._catalog.search, query, cursor)

    async def search_gene(
        self,
        gene: str,
        *,
        organism: str | None = None,
        page_size: int = 50,
        cursor: str | None = None,
    ) -> Page[PathwayHit]:
        """Give one page of the pathways that hold exactly this gene; empty if there are none."""

        def find() -> Page[PathwayHit]:
            return self._catalog.search_gene(
                parse_gene(gene),
                organism=organism,
                page_size=page_size,
                cursor=cursor,
                symbols_of=self._symbols_of,
            )

        return await asyncio.to_thread(find)

    async def read_genes(self, genes: Sequence[str]) -> list[GeneReading]:
        """Say of each which gene was meant, and what of it the pathways here hold."""
        names = [parse_gene(gene) for gene in genes]
        return await asyncio.to_thread(self._catalog.read_genes, names, self._symbols_of)

    async def get(self, pathway_id: PathwayId) -> Pathway:
        """Give one pathway with all that is known of it, or raise NotFound."""
        return await asyncio.to_thread(self._catalog.get, pathway_id)

    async def get_gene_sets(self, organism: str) -> Sequence[GeneSet]:
        """Give the genes of every pathway of an organism, in order of id."""
        return await asyncio.to_thread(self._catalog.gene_sets, parse_organism(organism))

    async def count_organisms(self) -> Mapping[str, int]:
        """Count the pathways of each organism, the most first."""
        return self._catalog.organisms

    async def provenance(self) -> PathwayProvenance:
        """Say what this source is."""
        return self._provenance

    async def aclose(self) -> None:
        """Close the file."""
        await asyncio.to_thread(self._catalog.close)


def open_pathways(home: Path, *, symbols_of: SymbolsOf | None = None) -> EmbeddedSource:
    """Open the pathways that were loaded.

    Raises:
        PathwaysMissing: none were.
        PathwayStoreDamaged: they cannot be read.
    """
    catalog = Catalog.open(store_path(home))
    meta = catalog.meta
    provenance = PathwayProvenance(
        source="local",
        synthetic=False,
        records=len(catalog),
        data_timestamp=meta.get("data_timestamp") or None,
        notes=tuple(_notes(meta)),
    )
    return EmbeddedSource(catalog, provenance, symbols_of=symbols_of or gene_symbols(home))


def embed_pathways(
    pathways: Iterable[Pathway],
    provenance: PathwayProvenance,
    *,
    symbols_of: SymbolsOf = no_symbols,
) -> EmbeddedSource:
    """Hold some pathways in memory, such as the starter set."""
    entries = [to_entry(pathway) for pathway in pathways]
    stamp = digest([(entry.summary.id, entry.summary.last_modified) for entry in entries])
    catalog = Catalog.of(entries, stamp=stamp)
    return EmbeddedSource(catalog, provenance, symbols_of=symbols_of)


def open_starter(*, symbols_of: SymbolsOf = no_symbols) -> EmbeddedSource:
    """Give the starter set that comes with the package."""
    from trialyst.pathways.starter import STARTER_NOTICE, load_starter

    pathways = load_starter()
    provenance = PathwayProvenance(
        source="starter", synthetic=True, records=len(pathways), notes=(STARTER_NOTICE,)
    )
    return embed_pathways(pathways, provenance, symbols_of=symbols_of)


def _notes(meta: Mapping[str, str]) -> Iterable[str]:
    if unlisted := int(meta.get("without_datanodes") or 0):
        yield (
            f"{unlisted} pathways were loaded without their datanodes file: their genes are found "
            "by label, by the id their author gave and, if they are human, by HGNC's ids of these."
        )
    if undrawn := int(meta.get("without_interactions") or 0):
        yield f"{undrawn} pathways were loaded without a GPML file: their interactions are unknown."
