"""Human genes: symbols, past and present, and ids at HGNC, NCBI Gene, Ensembl and UniProt.

The shipped table is compiled by `tools/build_genes.py`. It is read when pathways are stored, not
when they are asked for: a store holds what it needs of it.
"""

from __future__ import annotations

import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from trialyst.pathways.genes import xref_key
from trialyst.pathways.organisms import HUMAN
from trialyst.pathways.pathway import Node, Pathway, Xref

__all__ = [
    "NO_GENES",
    "TABLE",
    "HumanGenes",
    "add_human_ids",
    "load_human_genes",
    "parse_human_genes",
]

TABLE = Path(__file__).parent / "data" / "human_genes.txt.xz"

_SYMBOL = "hgnc.symbol"


@dataclass(frozen=True, slots=True)
class HumanGenes:
    """The approved genes, by symbol and by id; symbols are in upper case."""

    ids: Mapping[str, tuple[Xref, ...]]
    """The ids of each gene by its symbol; the first is the symbol as it is approved."""
    symbols: Mapping[str, tuple[str, ...]]
    """The genes that an id names, by the key of the id; a protein may be made by several."""
    former: Mapping[str, str]
    """What a symbol that is approved no more is called now."""

    def named_by(self, key: str) -> tuple[str, ...]:
        """Give the symbols of the genes that an id names; none if it is unknown."""
        return self.symbols.get(key, ())

    def keys(self, symbol: str) -> list[str]:
        """Give the keys of the ids that name this gene and no other."""
        keys = map(xref_key, self.ids.get(symbol, ())[1:])
        return [key for key in keys if self.symbols[key] == (symbol,)]

    def current(self, symbol: str) -> str:
        """Give what a symbol is today."""
        return self.former.get(symbol, symbol)

    def is_symbol(self, text: str) -> bool:
        """Whether a text is an approved symbol, exactly as it is written."""
        return self.written(text.upper()) == text

    def written(self, symbol: str, otherwise: str = "") -> str:
        """Give a symbol as it is approved, C1orf56 for C1ORF56, or what is said otherwise."""
        return self.ids[symbol][0].identifier if symbol in self.ids else otherwise


NO_GENES = HumanGenes({}, {}, {})
"""For pathways whose nodes have all their ids themselves."""


def parse_human_genes(lines: Iterable[str]) -> HumanGenes:
    """Read the table.

    >>> genes = parse_human_genes(["BMAL1\\t701\\t406\\t133794\\tO00327\\tARNTL"])
    >>> genes.named_by("ensembl:ENSG00000133794"), genes.keys("BMAL1"), genes.current("ARNTL")
    (('BMAL1',), ['hgnc:701', 'ncbigene:406', 'ensembl:ENSG00000133794', 'uniprot:O00327'], 'BMAL1')
    """
    ids: dict[str, tuple[Xref, ...]] = {}
    symbols: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    former: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        symbol, hgnc, entrez, ensembl, proteins, before = line.split("\t")
        name = symbol.upper()
        ids[name] = (Xref(_SYMBOL, symbol), *_xrefs(hgnc, entrez, ensembl, proteins))
        for xref in ids[name][1:]:
            symbols[xref_key(xref)] += (name,)
        for each in filter(None, before.upper().split(",")):
            former[each].add(name)
    one = {each: names.pop() for each, names in former.items() if len(names) == 1}
    return HumanGenes(ids, symbols, {each: now for each, now in one.items() if each not in ids})


def _xrefs(hgnc: str, entrez: str, ensembl: str, proteins: str) -> Iterator[Xref]:
    yield Xref("hgnc", hgnc)
    if entrez:
        yield Xref("ncbigene", entrez)
    if ensembl:
        yield Xref("ensembl", f"ENSG{ensembl:0>11}")
    yield from (Xref("uniprot", each) for each in proteins.split(",") if each)


@cache
def load_human_genes() -> HumanGenes:
    """Give the shipped table."""
    return parse_human_genes(lzma.decompress(TABLE.read_bytes()).decode().splitlines())


def add_human_ids(pathway: Pathway, human: HumanGenes) -> Pathway:
    """Give every node of a human gene that gene's symbol and ids, after the one its author gave."""

    def add(node: Node) -> Node:
        symbols = _symbols(pathway.organism, node.xrefs, human)
        if not symbols:
            return node
        named = [xref for symbol in symbols for xref in human.ids[symbol]]
        # A file may be older than the table, and list a symbol that the gene has no more.
        own, *mapped = [xref for xref in node.xrefs if not _is_former(xref, human)] or named
        return replace(node, xrefs=tuple(dict.fromkeys((own, *named, *mapped))))

    return replace(pathway, nodes=tuple(map(add, pathway.nodes)))


def _symbols(organism: str, xrefs: Sequence[Xref], human: HumanGenes) -> tuple[str, ...]:
    if not xrefs:
        return ()
    symbol = human.current(xrefs[0].identifier.upper())
    # Other organisms' genes go by HGNC's symbols too.
    if xrefs[0].database == _SYMBOL and organism == HUMAN and symbol in human.ids:
        return (symbol,)
    return human.named_by(xref_key(xrefs[0]))


def _is_former(xref: Xref, human: HumanGenes) -> bool:
    return xref.database == _SYMBOL and xref.identifier.upper() in human.former
