"""Which pathways hold more of some genes than chance would: over-representation, one-sided.

Genes may be named in any id system; what was not understood, or was the same gene twice, is told.
A gene set is by symbol, and the background is stated with every result.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.pathways.naming import NamedGenes, name_genes
from trialyst.pathways.organisms import HUMAN, parse_organism
from trialyst.pathways.significance import adjust_p_values, log_tail
from trialyst.pathways.source import GeneSet, PathwaySource, PathwaySummary

__all__ = ["Enriched", "Enrichment", "enrich_genes", "rank_gene_sets"]

MAX_GENES = 5_000
MAX_BACKGROUND = 100_000
SMALLEST = sys.float_info.min
"""A smaller p-value is given as this; the order of pathways is by its logarithm and still right."""


@dataclass(frozen=True, slots=True)
class Enriched:
    """A pathway, and how surprising it is that it holds so many of the genes."""

    pathway: PathwaySummary
    genes: int
    """The pathway's genes that are in the background."""
    overlap: tuple[str, ...]
    """Those that were asked for, by symbol, in order."""
    expected: float
    """How many chance would give."""
    p_value: float
    """The probability of so many or more by chance; above 0, at most 1."""
    adjusted: float
    """After Benjamini and Hochberg, over every pathway tested."""


@dataclass(frozen=True, slots=True)
class Enrichment:
    """The pathways of some genes, the least likely by chance first."""

    organism: str
    items: tuple[Enriched, ...]
    """Pathways with at least one of the genes; by p-value, then larger overlap, then id."""
    tested: int
    """Pathways with a gene of the background, with or without one of the genes."""
    background: int
    """How many genes chance draws from."""
    background_given: bool
    """Whether the background is the caller's; else all genes of any pathway of the organism."""
    used: tuple[str, ...]
    """The distinct genes that count, by symbol, in order."""
    query: NamedGenes
    """What became of each gene as written."""
    outside_background: tuple[str, ...] = ()
    """Genes of a pathway, by symbol, that the given background lacks and that do not count."""
    background_unknown: tuple[str, ...] = ()
    """Genes of the given background, as written, that no pathway holds and that do not count."""

    def describe_background(self) -> str:
        """Say in a sentence what chance draws from."""
        if self.background_given:
            return (
                f"The background is the {self.background} genes of the given list that occur in "
                f"a pathway of {self.organism} here."
            )
        return (
            f"The background is the {self.background} genes that occur in any pathway of "
            f"{self.organism} here."
        )


async def enrich_genes(
    source: PathwaySource,
    genes: Sequence[str],
    *,
    organism: str = HUMAN,
    background: Sequence[str] | None = None,
) -> Enrichment:
    """Rank the pathways of an organism by how many of some genes they hold.

    Genes are symbols, other names, and Entrez, Ensembl, UniProt and HGNC ids, mixed. A list of
    which nothing is known gives no pathways, and says so.

    Raises:
        InvalidInput: no gene, too many, no pathway of the organism, or no common name for one.
        InvalidCrossReference: a gene with a prefix, and behind it what its database never writes.
    """
    name = parse_organism(organism)
    _check_length("genes", genes, MAX_GENES)
    sets = await source.get_gene_sets(name)
    universe = frozenset[str]().union(*(each.genes for each in sets))
    if not universe:
        several = ", ".join(list(await source.count_organisms())[:5])
        raise InvalidInput(
            f"There are no pathways of {name!r} here",
            hint=f"Use one of the organisms there are, such as {several}.",
            invalid_input=organism,
        )
    query = await name_genes(source, genes, universe=universe, organism=name)
    drawn: frozenset[str] = universe
    unknown: tuple[str, ...] = ()
    if background is not None:
        _check_length("background genes", background, MAX_BACKGROUND)
        given = await name_genes(source, background, universe=universe, organism=name)
        drawn, unknown = frozenset(given.symbols), given.unrecognised
    wanted = frozenset(query.symbols)
    return Enrichment(
        organism=name,
        items=rank_gene_sets(sets, wanted, background=drawn),
        tested=sum(1 for each in sets if each.genes & drawn),
        background=len(drawn),
        background_given=background is not None,
        used=tuple(sorted(wanted & drawn)),
        query=query,
        outside_background=tuple(sorted(wanted - drawn)),
        background_unknown=unknown,
    )


def rank_gene_sets(
    sets: Sequence[GeneSet], genes: Collection[str], *, background: Collection[str]
) -> tuple[Enriched, ...]:
    """Give the sets with at least one of the genes, the least likely by chance first.

    Genes outside the background do not count, in the sets or among those asked for. Values are
    adjusted over all sets with a gene of the background.
    """
    drawn = frozenset(background)
    wanted = drawn.intersection(genes)
    known = [(each.pathway, each.genes & drawn) for each in sets if each.genes & drawn]
    if not known or not wanted:
        return ()
    sizes = [len(held) for _, held in known]
    overlaps = [len(held & wanted) for _, held in known]
    logs = [
        log_tail(overlap, drawn=len(wanted), marked=size, population=len(drawn))
        for size, overlap in zip(sizes, overlaps, strict=True)
    ]
    p_values = [max(math.exp(log), SMALLEST) for log in logs]
    adjusted = adjust_p_values(p_values)
    order = sorted(
        (at for at in range(len(known)) if overlaps[at]),
        key=lambda at: (logs[at], -overlaps[at], int(known[at][0].id[2:])),
    )
    return tuple(
        Enriched(
            pathway=known[at][0],
            genes=sizes[at],
            overlap=tuple(sorted(known[at][1] & wanted)),
            expected=len(wanted) * sizes[at] / len(drawn),
            p_value=p_values[at],
            adjusted=adjusted[at],
        )
        for at in order
    )


def _check_length(what: str, genes: Sequence[str], at_most: int) -> None:
    written = sum(1 for gene in genes if gene.strip())
    if not 1 <= written <= at_most:
        raise InvalidInput(
            f"{written} {what} are given, not 1 to {at_most}",
            hint=Hint(
                "Give symbols or Entrez, Ensembl, UniProt or HGNC ids, as in {example}.",
                example=Argument(what.split()[0], ["TP53", "MDM2"]),
            ),
        )
