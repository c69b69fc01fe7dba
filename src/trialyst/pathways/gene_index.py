"""Which genes the pathways hold, merged across id systems: one gene, whatever id a node gives it.

An id names the gene that the table of human genes says, else the one that most nodes with this id
are. A node that lists ids of several genes has no say in that, and no id joins two genes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from trialyst.pathways.genes import Mention, symbol_key
from trialyst.pathways.human_genes import NO_GENES, HumanGenes
from trialyst.pathways.organisms import HUMAN

__all__ = ["GeneIndex", "Held", "HeldGene"]

_MOST = 2 / 3
"""The share of the nodes with a label that must be of one gene for the label to mean it."""
_FEWEST = 2
"""Such nodes, at least."""
_ONE_A_GENE = ("ncbigene", "ensembl")
"""Databases in which a gene has one id."""
_SHARED = frozenset("brenda eccode homologene interpro omim pdb pfam rfam".split())
"""Databases in which an id is of a family, a function or a disease, and never names a gene."""


class Held(StrEnum):
    """What pathways are said to hold."""

    GENE = "gene"
    LABEL = "label"
    """Nodes with a label that is no symbol of a gene, such as the name of a family."""
    ID = "id"
    """Nodes with an id that names no gene for certain, or several."""


@dataclass(frozen=True, slots=True)
class HeldGene:
    """A gene of one organism, or a label or an id of nodes, and the pathways that hold it."""

    kind: Held
    symbol: str
    """As written; for an id the symbols of the genes it names, else of those whose nodes list it,
    with a tab between them."""
    organism: str
    """Empty for an id."""
    ordinals: Sequence[int]
    keys: Sequence[str] = ()
    """What leads to it."""


class _Gene(NamedTuple):
    organism: str
    name: str
    """In upper case."""


@dataclass(slots=True)
class _Holders:
    """The pathways that hold something, and how it is written there."""

    ordinals: set[int] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    labels: Counter[str] = field(default_factory=Counter)
    genes: Counter[_Gene] = field(default_factory=Counter)
    """Of a label or an id: the genes of its nodes."""

    def add(self, ordinal: int, label: str = "") -> None:
        self.ordinals.add(ordinal)
        self.labels[label] += 1


class GeneIndex:
    """Gathers what the nodes of pathways say of genes, in the order of the pathways' ordinals."""

    def __init__(self, human: HumanGenes = NO_GENES) -> None:
        self._human = human
        self._pathways: list[tuple[str, tuple[Mention, ...]]] = []

    def add(self, organism: str, mentions: tuple[Mention, ...]) -> None:
        """Add the next pathway."""
        self._pathways.append((organism, mentions))

    def held(self) -> Iterator[HeldGene]:
        """Yield every gene with the pathways that hold it and the keys that lead to it."""
        naming = _Naming(self._human, self._pathways)
        genes: defaultdict[_Gene, _Holders] = defaultdict(_Holders)
        labels: defaultdict[_Gene, _Holders] = defaultdict(_Holders)
        ids: defaultdict[str, _Holders] = defaultdict(_Holders)
        for ordinal, (organism, mentions) in enumerate(self._pathways):
            for mention in mentions:
                found = naming.genes_of(organism, mention)
                for gene in found:
                    genes[gene].add(ordinal, mention.label)
                for key in mention.ids:
                    named = naming.gene_of(key)
                    if named in found:
                        genes[named].keys.add(key)
                    else:
                        ids[key].add(ordinal)
                        ids[key].genes.update(found)
                label = _Gene(organism, mention.label.upper())
                if label.name and label not in found:
                    labels[label].add(ordinal, mention.label)
                    labels[label].genes.update(found if len(found) == 1 else ())
        for label in genes.keys() & labels.keys():
            genes[label].ordinals |= labels.pop(label).ordinals
        for label, holders in labels.items():
            if meant := _meant(holders.genes):
                genes[meant].keys.add(symbol_key(label.name))
        yield from (self._gene(*item) for item in sorted(genes.items()))
        yield from (_label(*item) for item in sorted(labels.items()))
        yield from (self._id(*item) for item in sorted(ids.items()))

    def _gene(self, gene: _Gene, holders: _Holders) -> HeldGene:
        keys = holders.keys | {symbol_key(gene.name)}
        written = _most_written(gene.name, holders)
        if gene.organism == HUMAN:
            keys |= set(self._human.keys(gene.name))
            written = self._human.written(gene.name, written)
        return HeldGene(Held.GENE, written, gene.organism, sorted(holders.ordinals), sorted(keys))

    def _id(self, key: str, holders: _Holders) -> HeldGene:
        names = self._human.named_by(key) or sorted({gene.name for gene in holders.genes})
        symbols = "\t".join(self._human.written(name, name) for name in names)
        return HeldGene(Held.ID, symbols, "", sorted(holders.ordinals), [key])


class _Naming:
    """Which gene an id names, and which genes a node stands for."""

    def __init__(
        self, human: HumanGenes, pathways: Sequence[tuple[str, tuple[Mention, ...]]]
    ) -> None:
        self._human = human
        self._voted: dict[str, _Gene] = {}
        nodes = [(organism, mention) for organism, mentions in pathways for mention in mentions]
        # Ids of genes first: what they name decides whose the other ids of their nodes are.
        self._voted |= _settle(self._count(nodes, genes=True), human)
        self._voted |= _settle(self._count(nodes, genes=False), human)
        self._names = set(self._voted.values())

    def gene_of(self, key: str) -> _Gene | None:
        """Give the one gene that an id names; None where it names several or none is known."""
        symbols = self._human.named_by(key)
        if symbols:
            return _Gene(HUMAN, symbols[0]) if len(symbols) == 1 else None
        return self._voted.get(key)

    def genes_of(self, organism: str, mention: Mention) -> set[_Gene]:
        """Give the genes that a node stands for: by its author's id and its symbols, else by any
        other id; and the gene whose symbol is its label, whatever its id says."""
        is_human = organism == HUMAN or any(map(self._human.named_by, mention.ids))
        place = HUMAN if is_human else organism
        listed = {_Gene(place, self._human.current(symbol)) for symbol in mention.symbols}
        approved = {each for each in listed if each.name in self._human.ids}
        found = (
            self._human_genes(mention.ids[:1]) | approved
            or self._human_genes(mention.ids)
            or listed
            or self._named_genes(mention)
        )
        label = _Gene(organism, mention.label.upper())
        by_label = label in self._names or (organism == HUMAN and label.name in self._human.ids)
        return found | {label} if by_label else found

    def _human_genes(self, keys: Sequence[str]) -> set[_Gene]:
        return {_Gene(HUMAN, name) for key in keys for name in self._human.named_by(key)}

    def _count(self, nodes: Sequence[tuple[str, Mention]], *, genes: bool) -> dict[str, _Votes]:
        """Count what the nodes with an id that the table does not know are."""
        votes: defaultdict[str, _Votes] = defaultdict(_Votes)
        for organism, mention in nodes:
            keys = [key for key in _telling_ids(mention) if _is_of_gene(key) is genes]
            named = self._named_genes(mention)
            if not named and (genes or not any(map(_is_of_gene, mention.ids))):
                named = self._gene_called(organism, mention)
            for key in keys if len(named) == 1 else ():
                if not self._human.named_by(key):
                    votes[key].add(*named, mapped=bool(mention.symbols))
        return votes

    def _named_genes(self, mention: Mention) -> set[_Gene]:
        """Give the genes that the ids of a node name, its author's first of all."""
        named = self._human_genes(mention.ids[:1]) or self._human_genes(mention.ids)
        return named or {self._voted[key] for key in mention.ids if key in self._voted}

    def _gene_called(self, organism: str, mention: Mention) -> set[_Gene]:
        """Give the gene that a node is called, by its symbol or its label; none if in doubt."""
        if len(mention.symbols) == 1:
            return {_Gene(organism, self._human.current(mention.symbols[0]))}
        name, known = mention.label.upper(), self._human.ids
        # The label of a human node may be a family's, such as VEGF, unless it is a symbol.
        certain = name in known or organism != HUMAN or not known
        return {_Gene(organism, name)} if name and certain else set()


@dataclass(slots=True)
class _Votes:
    """What the nodes with an id are."""

    genes: Counter[_Gene] = field(default_factory=Counter)
    mapped: set[_Gene] = field(default_factory=set)
    """Genes that a node's mapping names, not its label alone."""

    def add(self, gene: _Gene, *, mapped: bool) -> None:
        self.genes[gene] += 1
        self.mapped |= {gene} if mapped else set()

    def winner(self) -> _Gene | None:
        """Give what more than half of them are."""
        (gene, count), *_ = self.genes.most_common(1)
        return gene if 2 * count > self.genes.total() else None


def _settle(votes: Mapping[str, _Votes], human: HumanGenes) -> dict[str, _Gene]:
    """Give the gene that each id names by its votes.

    Of ids of genes that one label has, only that of most nodes names the gene, and none where the
    table knows the gene by another: a label may be a family's, or an ortholog's.
    """
    won = {key: gene for key, each in votes.items() if (gene := each.winner())}
    claims: Counter[tuple[_Gene, str]] = Counter()
    for key, gene in won.items():
        claims[gene, _database(key)] += votes[key].genes[gene]
    known = {(gene, _database(key)) for gene in won.values() for key in _table_keys(gene, human)}
    return {
        key: gene
        for key, gene in won.items()
        if not _is_of_gene(key)
        or gene in votes[key].mapped
        or (
            (claim := (gene, _database(key))) not in known
            and 2 * votes[key].genes[gene] > claims[claim]
        )
    }


def _table_keys(gene: _Gene, human: HumanGenes) -> Sequence[str]:
    return human.keys(gene.name) if gene.organism == HUMAN else ()


def _database(key: str) -> str:
    return key.partition(":")[0]


def _is_of_gene(key: str) -> bool:
    return _database(key) in _ONE_A_GENE


def _telling_ids(mention: Mention) -> Sequence[str]:
    """Give the ids of a node that are certainly of one gene: of several genes only its author's."""
    databases = Counter(_database(key) for key in mention.ids)
    of_one = len(mention.symbols) < 2 and all(databases[each] < 2 for each in _ONE_A_GENE)
    keys = mention.ids if of_one else mention.ids[:1]
    return [key for key in keys if _database(key) not in _SHARED]


def _meant(genes: Counter[_Gene]) -> _Gene | None:
    """Give the gene that a label means: that of nearly all its nodes."""
    for gene, count in genes.most_common(1):
        if count >= _FEWEST and count >= _MOST * genes.total():
            return gene
    return None


def _label(label: _Gene, holders: _Holders) -> HeldGene:
    written = _most_written(label.name, holders)
    keys = [symbol_key(label.name)]
    return HeldGene(Held.LABEL, written, label.organism, sorted(holders.ordinals), keys)


def _most_written(name: str, holders: _Holders) -> str:
    written = (label for label, _ in holders.labels.most_common() if label.upper() == name)
    return next(chain(written, [name]))
