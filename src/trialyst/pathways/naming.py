"""From genes in any id system to the symbols that gene sets go by; nothing of a list is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trialyst.pathways.genes import parse_gene
from trialyst.pathways.source import PathwaySource

__all__ = ["NamedGene", "NamedGenes", "name_genes"]


@dataclass(frozen=True, slots=True)
class NamedGene:
    """A gene as written, and the symbol it goes by in the pathways."""

    given: str
    symbol: str


@dataclass(frozen=True, slots=True)
class NamedGenes:
    """What became of each gene of a list; every one is in exactly one of these."""

    recognised: tuple[NamedGene, ...]
    """Distinct genes, in order of symbol."""
    repeated: tuple[NamedGene, ...] = ()
    """Other names, and the same name again, of a gene that is recognised already."""
    ambiguous: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Ids that stand for several genes, with their symbols; none of them counts."""
    unrecognised: tuple[str, ...] = ()
    """What no pathway of the organism holds."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """The distinct genes, in order."""
        return tuple(gene.symbol for gene in self.recognised)


async def name_genes(
    source: PathwaySource, genes: Sequence[str], *, universe: frozenset[str], organism: str
) -> NamedGenes:
    """Give the symbols of some genes among those of a universe; the order of the list is of no
    account.

    Raises:
        InvalidCrossReference: a prefix, and behind it what its database never writes.
    """
    written = sorted(Counter(gene.strip() for gene in genes if gene.strip()).items())
    readings = await source.read_genes([text for text, _ in written])
    found = {
        text: tuple(sorted(universe.intersection(map(str.upper, reading.symbols_in(organism)))))
        for (text, _), reading in zip(written, readings, strict=True)
    }
    return _sorted_out(written, found)


def _sorted_out(
    written: Sequence[tuple[str, int]], found: Mapping[str, tuple[str, ...]]
) -> NamedGenes:
    recognised: dict[str, NamedGene] = {}
    repeated, ambiguous, unrecognised = [], [], []
    for text, times in sorted(written, key=lambda pair: (_coded(pair[0]), pair[0])):
        symbols = found[text]
        if not symbols:
            unrecognised.append(text)
        elif len(symbols) > 1:
            ambiguous.append((text, symbols))
        else:
            gene = NamedGene(text, symbols[0])
            first = recognised.setdefault(gene.symbol, gene)
            repeated += [gene] * (times - (first is gene))
    return NamedGenes(
        recognised=tuple(recognised[symbol] for symbol in sorted(recognised)),
        repeated=tuple(sorted(repeated, key=lambda gene: (gene.symbol, gene.given))),
        ambiguous=tuple(sorted(ambiguous)),
        unrecognised=tuple(sorted(unrecognised)),
    )


def _coded(text: str) -> bool:
    """Whether a gene is written as an id and not as a symbol."""
    return parse_gene(text).id is not None
