"""The seam: anything that yields pathways. Facades see this protocol, never a concrete source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from trialyst.paging import Page
from trialyst.pathways.gene_reading import GeneReading
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.pathway import Pathway
from trialyst.pathways.respelling import Respelling

__all__ = [
    "GeneSet",
    "PathwayHit",
    "PathwayProvenance",
    "PathwayQuery",
    "PathwaySource",
    "PathwaySummary",
    "SearchPage",
]


@dataclass(frozen=True, slots=True)
class PathwayProvenance:
    """Where an answer comes from, and what a reader must know about it."""

    source: str
    """`live`, `local` or `starter`."""
    synthetic: bool
    """Whether the pathways are a starter set of our own rather than WikiPathways' own files."""
    records: int | None = None
    """How many pathways the source holds."""
    data_timestamp: str | None = None
    """When the data was current, `yyyy-MM-ddTHH:mm:ss` in UTC."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PathwaySummary:
    """A pathway without its nodes."""

    id: str
    name: str
    organism: str
    description: str
    last_modified: str | None = None
    genes: int | None = None
    """Distinct genes and gene products; None where only a list of names was at hand."""
    metabolites: int | None = None
    interactions: int | None = None
    """Interactions with both ends connected; None where they are not known."""


@dataclass(frozen=True, slots=True)
class PathwayHit:
    """A pathway that answers a question, and how well: 0 to 1, the best first."""

    pathway: PathwaySummary
    score: float = 1.0
    missing: tuple[str, ...] = ()
    """Words of the question, folded, that it lacks; only where no pathway has them all."""


@dataclass(frozen=True, slots=True)
class SearchPage(Page[PathwayHit]):
    """One page of the pathways that match a text, and how its words were read."""

    text: str = ""
    """What was searched for: the text as it was asked, with misspelt words put right."""
    respelt: tuple[Respelling, ...] = ()
    """What became of the words that no pathway has."""


@dataclass(frozen=True, slots=True)
class PathwayQuery:
    """What to search for; `organism` is a scientific name."""

    text: str
    organism: str | None = None
    page_size: int = 50


@dataclass(frozen=True, slots=True)
class GeneSet:
    """The distinct genes of a pathway, by upper-case symbol."""

    pathway: PathwaySummary
    genes: frozenset[str]


class PathwaySource(Protocol):
    """Something that yields pathways."""

    async def search(self, query: PathwayQuery, cursor: str | None = None) -> SearchPage:
        """Give one page of the pathways that match a text, the best first."""
        ...

    async def search_gene(
        self,
        gene: str,
        *,
        organism: str | None = None,
        page_size: int = 50,
        cursor: str | None = None,
    ) -> Page[PathwayHit]:
        """Give one page of the pathways that hold this gene under any of its ids, human ones first;
        empty if there are none."""
        ...

    async def read_genes(self, genes: Sequence[str]) -> list[GeneReading]:
        """Say of each which gene was meant, and what of it the pathways here hold."""
        ...

    async def get(self, pathway_id: PathwayId) -> Pathway:
        """Give one pathway with all that is known of it, or raise NotFound."""
        ...

    async def get_gene_sets(self, organism: str) -> Sequence[GeneSet]:
        """Give the genes of every pathway of an organism, in order of id."""
        ...

    async def count_organisms(self) -> Mapping[str, int]:
        """Count the pathways of each organism, the most first."""
        ...

    async def provenance(self) -> PathwayProvenance:
        """Say what this source is."""
        ...

    async def aclose(self) -> None:
        """Let go of files and connections."""
        ...
