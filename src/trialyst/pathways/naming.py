"""From genes in any id system to the symbols that gene sets go by, exactly and with nothing lost.

The sources tell which pathways hold an id; one of those tells whose id it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from trialyst.pathways.catalog import MAX_PAGE_SIZE
from trialyst.pathways.components import build_components
from trialyst.pathways.genes import GeneName, node_keys, parse_gene
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.pathway import Pathway
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
    source: PathwaySource,
    genes: Sequence[str],
    *,
    universe: Collection[str],
    organism: str,
    symbol_of: Callable[[str], str | None] | None = None,
) -> NamedGenes:
    """Give the symbols of some genes among those of a universe; the order of the list is of no
    account.

    Raises:
        InvalidCrossReference: a prefix, and behind it what its database never writes.
    """
    written = sorted(Counter(gene.strip() for gene in genes if gene.strip()).items())
    names = {text: parse_gene(text).with_symbol(symbol_of or _unknown) for text, _ in written}
    found = {text: _symbols(name, universe) for text, name in names.items()}
    coded = {text: names[text] for text, known in found.items() if not known and _coded(text)}
    found |= await _look_up(source, coded, universe=universe, organism=organism)
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


def _unknown(_: str) -> None:
    return None


def _coded(text: str) -> bool:
    """Whether a gene is written as an id and not as a symbol."""
    return any(not key.startswith("symbol:") for key in parse_gene(text).keys)


def _symbols(name: GeneName, universe: Collection[str]) -> tuple[str, ...]:
    said = (key.removeprefix("symbol:") for key in name.keys if key.startswith("symbol:"))
    return tuple(symbol for symbol in said if symbol in universe)


async def _look_up(
    source: PathwaySource,
    names: Mapping[str, GeneName],
    *,
    universe: Collection[str],
    organism: str,
) -> dict[str, tuple[str, ...]]:
    """Read as few pathways as tell the symbols of all the ids."""
    holders: dict[str, list[str]] = {}
    for text in names:
        page = await source.search_gene(text, organism=organism, page_size=MAX_PAGE_SIZE)
        holders[text] = [hit.pathway.id for hit in page.items]
    found: dict[str, tuple[str, ...]] = dict.fromkeys(names, ())
    while waiting := Counter(id for ids in holders.values() for id in ids):
        # The pathway that holds the most of them; of several, the one with the lowest number.
        best = min(waiting, key=lambda id: (-waiting[id], int(id[2:])))
        symbols = _by_key(await source.get(PathwayId.parse(best)), universe)
        for text in [text for text, ids in holders.items() if best in ids]:
            told = {symbol for key in names[text].keys for symbol in symbols.get(key, ())}
            holders[text].remove(best)
            if told:
                found[text] = tuple(sorted(told))
                holders[text] = []
    return found


def _by_key(pathway: Pathway, universe: Collection[str]) -> dict[str, set[str]]:
    """Give the symbols of a pathway's genes under every key that they are found by."""
    nodes = {node.id: node for node in pathway.nodes}
    keyed: dict[str, set[str]] = {}
    for component in build_components(pathway).gene_products:
        symbol = component.symbol.upper()
        if symbol in universe:
            for key in _all(node_keys(nodes[id]) for id in component.nodes):
                keyed.setdefault(key, set()).add(symbol)
    return keyed


def _all(parts: Iterable[Iterable[str]]) -> set[str]:
    return {each for part in parts for each in part}
