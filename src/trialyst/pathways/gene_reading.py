"""How a gene that somebody names is understood among the genes that pathways hold.

An id is one gene of one organism. A symbol is the gene of that name in every organism. Another name
is read as the symbol it stands for, else as the gene that most nodes with this label are; where it
stands for several, or these differ, it is ambiguous and means any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from trialyst.pathways.gene_index import Held, HeldGene
from trialyst.pathways.gene_names import SymbolsOf
from trialyst.pathways.genes import GeneName, symbol_key
from trialyst.pathways.organisms import HUMAN

__all__ = ["GeneReading", "ReadAs", "read_gene"]

LookUp = Callable[[str], Sequence[HeldGene]]
"""Gives what a key leads to."""


class ReadAs(StrEnum):
    """What a name of a gene was taken for."""

    ID = "id"
    SYMBOL = "symbol"
    ALIAS = "alias"
    LABEL = "label"
    """Of nodes: no symbol or alias that is known here."""
    AMBIGUOUS = "ambiguous"
    """An id of several genes, or a name of several, such as that of a family."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class GeneReading:
    """The gene that was understood, and what of it pathways hold."""

    read_as: ReadAs
    held: tuple[HeldGene, ...] = ()
    symbols: tuple[str, ...] = ()
    """What the gene is called, the human one first; of several genes where it is ambiguous."""
    labelled: frozenset[int] = frozenset()
    """Pathways, by ordinal, with a node that only bears the name as its label, while no id or
    symbol says that it is the gene; they are not among those that hold it."""

    def ordinals(self, organism: str | None = None) -> frozenset[int]:
        """Give the pathways that hold it; by a name, those that hold the gene of an organism."""
        by_name = self.read_as is not ReadAs.ID and organism is not None
        return _ordinals(
            held for held in self.held if not by_name or held.organism in (organism, "")
        )

    def symbols_in(self, organism: str) -> tuple[str, ...]:
        """Give what the gene is called in one organism; several where it is ambiguous."""
        if self.read_as is ReadAs.AMBIGUOUS:
            return self.symbols
        return _symbols(held for held in self.held if held.organism == organism)


def read_gene(name: GeneName, look_up: LookUp, symbols_of: SymbolsOf) -> GeneReading:
    """Understand a gene as it was written."""
    reading = _read_id(name, look_up, symbols_of) if name.id else None
    if name.name and (reading is None or reading.read_as is ReadAs.UNKNOWN):
        return _read_name(name.name, look_up, symbols_of)
    return reading or GeneReading(ReadAs.UNKNOWN)


def _read_id(name: GeneName, look_up: LookUp, symbols_of: SymbolsOf) -> GeneReading:
    found = look_up(name.id or "")
    genes = [held for held in found if held.kind is Held.GENE]
    if genes:
        return GeneReading(ReadAs.ID, tuple(genes), _symbols(genes))
    for symbol in symbols_of(name.hgnc) if name.hgnc else ():
        held = _genes(symbol, look_up).get(HUMAN)
        return GeneReading(ReadAs.ID, (held,) if held else (), (symbol,))
    several = tuple(symbol for held in found for symbol in held.symbol.split("\t") if symbol)
    if len(several) > 1:
        return GeneReading(ReadAs.AMBIGUOUS, tuple(found), several)
    return GeneReading(ReadAs.ID if found else ReadAs.UNKNOWN, tuple(found), several)


def _read_name(name: str, look_up: LookUp, symbols_of: SymbolsOf) -> GeneReading:
    meant = _genes(name, look_up)
    labels = {held.organism: held for held in look_up(symbol_key(name)) if held.kind is Held.LABEL}
    called = HUMAN in meant and _is_called(meant[HUMAN], name)
    symbols = () if called else tuple(symbols_of(name))
    aliased = [_genes(symbol, look_up) for symbol in symbols]
    human = _symbols(genes[HUMAN] for genes in (*aliased, meant) if HUMAN in genes)
    if len(symbols) > 1 or len(human) > 1:
        held = tuple(held for genes in (*aliased, meant) for held in genes.values())
        several = tuple(dict.fromkeys((*symbols, *human)))
        return _with_labels(GeneReading(ReadAs.AMBIGUOUS, held, several), labels)
    chosen = labels | (aliased[0] if aliased else {}) | meant
    if not chosen:
        return _read_absent(name, symbols)
    held = tuple(chosen.values())
    return _with_labels(GeneReading(_read_as(name, chosen), held, _symbols(held)), labels)


def _with_labels(reading: GeneReading, labels: Mapping[str, HeldGene]) -> GeneReading:
    """Tell the pathways that only bear the name as a label."""
    only = _ordinals(labels.values()) - reading.ordinals()
    return replace(reading, labelled=only)


def _read_as(name: str, chosen: Mapping[str, HeldGene]) -> ReadAs:
    """Say how a name was read for human genes, or where there is none for the others."""
    held = [chosen[HUMAN]] if HUMAN in chosen else list(chosen.values())
    if all(each.kind is Held.LABEL for each in held):
        return ReadAs.LABEL
    return ReadAs.SYMBOL if any(_is_called(each, name) for each in held) else ReadAs.ALIAS


def _read_absent(name: str, symbols: tuple[str, ...]) -> GeneReading:
    """Read a name of what no pathway here holds."""
    if not symbols:
        return GeneReading(ReadAs.UNKNOWN)
    read_as = ReadAs.SYMBOL if symbols[0].upper() == name.upper() else ReadAs.ALIAS
    return GeneReading(read_as, (), symbols)


def _genes(name: str, look_up: LookUp) -> dict[str, HeldGene]:
    """Give the gene of a name by organism: the one that is called so, else the one meant by it."""
    found = [held for held in look_up(symbol_key(name)) if held.kind is Held.GENE]
    return {held.organism: held for held in sorted(found, key=lambda held: _is_called(held, name))}


def _is_called(held: HeldGene, name: str) -> bool:
    return held.symbol.upper() == name.upper()


def _symbols(genes: Iterable[HeldGene]) -> tuple[str, ...]:
    """Give distinct symbols, whatever their case, the human one first."""
    found: dict[str, str] = {}
    for held in sorted(genes, key=lambda held: held.organism != HUMAN):
        found.setdefault(held.symbol.upper(), held.symbol)
    return tuple(found.values())


def _ordinals(genes: Iterable[HeldGene]) -> frozenset[int]:
    return frozenset(ordinal for held in genes for ordinal in held.ordinals)
