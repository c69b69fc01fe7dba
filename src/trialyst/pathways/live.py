"""The live source: the site's files over HTTP, indexed once and asked for again on request.

The lists are fetched when first needed, indexed into a file under the home directory, and used
from there until `refresh`. A pathway's own files are asked for each time, with their tags.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from trialyst.errors import InvalidInput, NotFound, UpstreamError
from trialyst.hints import Command, Hint
from trialyst.paging import Page, digest
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.datanodes import join_nodes, parse_datanodes
from trialyst.pathways.errors import FIND_BY_NAME, PathwaysMissing, PathwayStoreDamaged
from trialyst.pathways.gene_names import SymbolsOf, no_symbols
from trialyst.pathways.gene_reading import GeneReading
from trialyst.pathways.genes import parse_gene
from trialyst.pathways.gpml import parse_gpml
from trialyst.pathways.human_genes import add_human_ids, load_human_genes
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.organisms import parse_organism
from trialyst.pathways.pathway import Node, Pathway
from trialyst.pathways.source import (
    GeneSet,
    PathwayHit,
    PathwayProvenance,
    PathwayQuery,
    SearchPage,
)
from trialyst.pathways.static import (
    TEXT_FILE,
    XREF_FILE,
    TextFile,
    XrefFile,
    read_text_file,
    read_xref_file,
    to_entries,
)
from trialyst.pathways.store import telling_refusals, writing_store
from trialyst.transport import Answer, Refused, Transport

__all__ = ["LivePathways", "pathway_url", "site_troubles"]

Value = TypeVar("Value")

SITE_HINT = "Retry in 30 seconds, and check TRIALYST_WIKIPATHWAYS_URL if it is set."
_OLD_DAYS = 30
_LIMITS = (
    "The site's lists give descriptions cut at 200 characters and no counts; outside human "
    "pathways a gene symbol is compared with the labels of all nodes."
)


def pathway_url(base_url: str, pathway_id: PathwayId, ending: str) -> str:
    """Give the address of a pathway's own file, such as `.gpml` or `-datanodes.tsv`."""
    folder = f"{base_url.rstrip('/')}/wikipathways-assets/pathways/{pathway_id}"
    return f"{folder}/{pathway_id}{ending}"


@contextlib.contextmanager
def site_troubles() -> Iterator[None]:
    """Give what the site fails in a hint that holds for pathways."""
    try:
        yield
    except UpstreamError as error:
        error.hint = SITE_HINT
        raise


class LivePathways:
    """Answers from a WikiPathways site."""

    def __init__(
        self,
        transport: Transport,
        base_url: str,
        *,
        home: Path,
        symbols_of: SymbolsOf = no_symbols,
    ) -> None:
        self._transport = transport
        self._base_url = base_url.rstrip("/")
        self._path = home / "pathways" / f"live-{digest(self._base_url)}.sqlite"
        self._symbols_of = symbols_of
        self._catalog: Catalog | None = None
        self._former: list[Catalog] = []
        self._opening = asyncio.Lock()
        self._problems: dict[str, str] = {}

    async def search(self, query: PathwayQuery, cursor: str | None = None) -> SearchPage:
        """Give one page of the pathways that match a text, the best first."""
        catalog = await self._open()
        return await asyncio.to_thread(catalog.search, query, cursor)

    async def search_gene(
        self,
        gene: str,
        *,
        organism: str | None = None,
        page_size: int = 50,
        cursor: str | None = None,
    ) -> Page[PathwayHit]:
        """Give one page of the pathways that hold exactly this gene; empty if there are none."""
        name = parse_gene(gene)
        catalog = await self._open()

        def find() -> Page[PathwayHit]:
            return catalog.search_gene(
                name,
                organism=organism,
                page_size=page_size,
                cursor=cursor,
                symbols_of=self._symbols_of,
            )

        return await asyncio.to_thread(find)

    async def read_genes(self, genes: Sequence[str]) -> list[GeneReading]:
        """Say of each which gene was meant, and what of it the pathways of the site hold."""
        names = [parse_gene(gene) for gene in genes]
        catalog = await self._open()
        return await asyncio.to_thread(catalog.read_genes, names, self._symbols_of)

    async def get(self, pathway_id: PathwayId) -> Pathway:
        """Give one pathway with all that is known of it, or raise NotFound."""
        try:
            drawn = await self._file(pathway_id, ".gpml", parse_gpml)
        except Refused as refused:
            if refused.status != 404:
                raise
            raise NotFound(
                f"{pathway_id} is not known to {self._host}",
                hint=FIND_BY_NAME,
                invalid_input=str(pathway_id),
            ) from refused
        try:
            listed: tuple[Node, ...] = await self._file(
                pathway_id, "-datanodes.tsv", parse_datanodes
            )
        except Refused as refused:
            # Not every pathway has the list; its GPML file is whole without it.
            if refused.status != 404:
                raise
            return await asyncio.to_thread(lambda: add_human_ids(drawn, load_human_genes()))
        return join_nodes(drawn, listed)

    async def get_gene_sets(self, organism: str) -> Sequence[GeneSet]:
        """Give the genes of every human pathway, in order of id.

        Raises:
            InvalidInput: for another organism; the site's lists do not tell its genes apart.
        """
        name = parse_organism(organism)
        catalog = await self._open()
        found = await asyncio.to_thread(catalog.gene_sets, name)
        if found or name not in catalog.organisms:
            return found
        raise InvalidInput(
            f"The site's lists do not tell which nodes of {name!r} are genes",
            hint=Hint(
                "Use 'Homo sapiens'; or to have the pathways on this machine, {sync}.",
                sync=Command("trialyst pathways sync"),
            ),
            invalid_input=organism,
        )

    async def count_organisms(self) -> Mapping[str, int]:
        """Count the pathways of each organism, the most first."""
        return (await self._open()).organisms

    async def provenance(self) -> PathwayProvenance:
        """Say what this source is, and how old its lists are."""
        catalog = await self._open()
        fetched = datetime.fromisoformat(catalog.meta["fetched_at"]).replace(tzinfo=UTC)
        days = (datetime.fromtimestamp(self._transport.clock.time(), UTC) - fetched).days
        notes = [_LIMITS, *self._problems.values()]
        if days > _OLD_DAYS:
            notes.append(f"The lists of {self._host} were fetched {days} days ago.")
        return PathwayProvenance(
            source="live",
            synthetic=False,
            records=len(catalog),
            data_timestamp=catalog.meta["data_timestamp"] or None,
            notes=tuple(notes),
        )

    async def refresh(self) -> bool:
        """Ask the site for newer lists; gives whether there were any.

        Raises:
            RateLimited, UpstreamError: the site cannot be asked and nothing is at hand.
        """
        async with self._opening:
            held = self._held()
            texts = await self._list(TEXT_FILE, read_text_file)
            xrefs = await self._list(XREF_FILE, read_xref_file)
            changed = held is None or held.meta.get("stamp") != _stamp(texts, xrefs)
            if changed or not self._problems:
                # Unchanged lists are written again for their date: the site stands by them now.
                await asyncio.to_thread(self._index, texts, xrefs)
                # Questions under way may still read the former file.
                self._former += [held] if held else []
                self._catalog = Catalog.open(self._path)
            return changed

    async def aclose(self) -> None:
        """Close the file and the connections."""
        for catalog in [*self._former, *([self._catalog] if self._catalog else [])]:
            await asyncio.to_thread(catalog.close)
        await self._transport.aclose()

    @property
    def _host(self) -> str:
        return urlsplit(self._base_url).netloc

    async def _open(self) -> Catalog:
        async with self._opening:
            held = self._held()
        if held is None:
            await self.refresh()
            held = self._held()
        if held is None:
            raise PathwayStoreDamaged(f"{self._path} cannot be read after it was written")
        return held

    def _held(self) -> Catalog | None:
        if self._catalog is None:
            try:
                self._catalog = Catalog.open(self._path)
            except (PathwaysMissing, PathwayStoreDamaged):
                return None
        return self._catalog

    async def _list(self, file: str, read: Callable[[bytes], Value]) -> Value:
        with site_troubles():
            answer = await self._transport.get(f"{self._base_url}/{file}", read)
        self._note(file, answer)
        return answer.value

    async def _file(self, pathway_id: PathwayId, ending: str, parse: Callable[..., Value]) -> Value:
        name = f"{pathway_id}{ending}"
        address = pathway_url(self._base_url, pathway_id, ending)
        with site_troubles():
            answer = await self._transport.get(address, lambda body: parse(body, name=name))
        self._note(name, answer)
        return answer.value

    def _note(self, name: str, answer: Answer[Value]) -> None:
        self._problems.pop(name, None)
        if answer.stale:
            hours = int(answer.age // 3600)
            self._problems[name] = f"{name} is from the cache, {hours} h old: {answer.problem}."

    def _index(self, texts: TextFile, xrefs: XrefFile) -> None:
        now = datetime.fromtimestamp(self._transport.clock.time(), UTC)
        dates = [listed.revision for listed in texts.pathways if listed.revision]
        with telling_refusals(self._path), writing_store(self._path) as writer:
            for entry in to_entries(texts, xrefs, load_human_genes()):
                writer.add(entry)
            writer.finish(
                {
                    "stamp": _stamp(texts, xrefs),
                    "fetched_at": now.strftime("%Y-%m-%dT%H:%M:%S"),
                    "data_timestamp": f"{max(dates)}T00:00:00" if dates else "",
                }
            )


def _stamp(texts: TextFile, xrefs: XrefFile) -> str:
    return digest([texts.stamp, xrefs.stamp])
