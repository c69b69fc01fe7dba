"""A gene as people name it, read exactly: a symbol, or an identifier of a known database."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trialyst.errors import AmbiguousQuery, InvalidCrossReference
from trialyst.hints import Argument, Hint
from trialyst.pathways.databases import Subject, find_database, parse_xref
from trialyst.pathways.pathway import Node, Pathway, Xref

__all__ = [
    "GeneName",
    "Mention",
    "find_mentions",
    "node_keys",
    "parse_gene",
    "symbol_key",
    "to_mention",
    "xref_key",
]

_ENSEMBL = re.compile(r"^ENS[A-Z]*\d{11}(?:\.\d+)?$", re.IGNORECASE)
_UNIPROT = re.compile(
    r"^(?:[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})$"
)
_ISOFORM = re.compile(r"-\d+$")
_LOCAL = {
    "ncbigene": re.compile(r"^[1-9]\d{0,9}$"),
    "hgnc": re.compile(r"^[1-9]\d{0,5}$"),
    "ensembl": _ENSEMBL,
    "uniprot": _UNIPROT,
}
_SYMBOL = "symbol:"
_EXAMPLES = {
    "ncbigene": "ncbigene:7124",
    "hgnc": "HGNC:11892",
    "ensembl": "ensembl:ENSG00000232810",
    "uniprot": "uniprot:P01375",
}
# What people write before an accession; `HGNC` is the accession's own prefix, not the symbol's.
_WRITTEN = {"hgnc": "hgnc", "entrez gene": "ncbigene", "symbol": "hgnc.symbol", "l": "ncbigene"}


class Mention(NamedTuple):
    """What one node says of the gene it stands for."""

    label: str = ""
    """As written; empty where the node is not said to be a gene."""
    symbols: tuple[str, ...] = ()
    """HGNC symbols in upper case; several where its id is of several genes."""
    ids: tuple[str, ...] = ()
    """Keys of its ids; the first is the one its author gave."""


class GeneName(NamedTuple):
    """A gene as it was written: an id, a name, or what may be either."""

    id: str | None = None
    """The key of an id."""
    name: str | None = None
    """A symbol, or another name."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys a node of the gene may have."""
        keys = (self.id, symbol_key(self.name) if self.name else None)
        return tuple(key for key in keys if key)

    @property
    def hgnc(self) -> str | None:
        """The id, if it is an HGNC accession."""
        return self.id.upper() if self.id and self.id.startswith("hgnc:") else None


def parse_gene(text: str) -> GeneName:
    """Read a gene: a number is an Entrez id, ENSG... Ensembl, P01375 UniProt, else a symbol.

    >>> parse_gene("10").keys, parse_gene("tnf").keys
    (('ncbigene:10',), ('symbol:TNF',))
    >>> parse_gene("HGNC:11892")
    GeneName(id='hgnc:11892', name=None)

    Raises:
        AmbiguousQuery: nothing was named.
        InvalidCrossReference: a prefix, and behind it what its database never writes.
    """
    name = text.strip()
    if not name:
        raise AmbiguousQuery(
            "No gene was named",
            hint="Pass a gene symbol such as TNF, or an Entrez, Ensembl, UniProt or HGNC id.",
            invalid_input=text,
        )
    if name.isascii() and name.isdigit():
        return _identified(text, "ncbigene", name)
    if ":" in name:
        return _prefixed(text, name)
    if _ENSEMBL.match(name):
        return _identified(text, "ensembl", name.upper())
    upper = name.upper()
    if _UNIPROT.match(_ISOFORM.sub("", upper)):
        return GeneName(xref_key(Xref("uniprot", upper)), name)
    return GeneName(name=name)


def find_mentions(pathway: Pathway) -> tuple[Mention, ...]:
    """Give what the nodes of a pathway say of genes, each thing once."""
    return tuple(dict.fromkeys(each for node in pathway.nodes if (each := _mention(node))))


def _mention(node: Node) -> Mention | None:
    mention = to_mention(node.xrefs, node.label.strip() if node.kind.is_gene else "")
    return mention if any(mention) else None


def to_mention(xrefs: Iterable[Xref], label: str = "") -> Mention:
    """Give what some ids of one node, and its label, say of a gene."""
    keys = [xref_key(xref) for xref in xrefs if _is_of_gene(xref)]
    symbols = (key.removeprefix(_SYMBOL) for key in keys if key.startswith(_SYMBOL))
    ids = (key for key in keys if not key.startswith(_SYMBOL))
    return Mention(label, tuple(dict.fromkeys(symbols)), tuple(dict.fromkeys(ids)))


def _is_of_gene(xref: Xref) -> bool:
    database = find_database(xref.database)
    return database is not None and database.subject in {Subject.GENE, Subject.PROTEIN}


def xref_key(xref: Xref) -> str:
    """Give the key of an id, the same for every spelling of it.

    >>> xref_key(Xref("uniprot", "p04637-2")), xref_key(Xref("hgnc.symbol", "Tnf"))
    ('uniprot:P04637', 'symbol:TNF')
    """
    if xref.database == "hgnc.symbol":
        return symbol_key(xref.identifier)
    local = _ISOFORM.sub("", xref.identifier) if xref.database == "uniprot" else xref.identifier
    return f"{xref.database}:{local.upper()}"


def symbol_key(symbol: str) -> str:
    """Give the key of a gene's symbol, or of another name of it."""
    return f"{_SYMBOL}{symbol.strip().upper()}"


def _prefixed(text: str, name: str) -> GeneName:
    prefix, _, local = name.partition(":")
    lowered = prefix.strip().lower()
    database = find_database(_WRITTEN.get(lowered, lowered)) or find_database(prefix.strip())
    if database is None or database.subject not in {Subject.GENE, Subject.PROTEIN}:
        raise InvalidCrossReference(
            f"{prefix!r} is not a database of genes that is known here",
            hint="Use a gene symbol, or a prefix among ncbigene, ensembl, uniprot and HGNC.",
            invalid_input=text,
        )
    if database.prefix == "hgnc.symbol":
        return GeneName(name=local.strip())
    return _identified(text, database.prefix, local.strip())


def _identified(text: str, prefix: str, local: str) -> GeneName:
    xref = parse_xref(prefix, _ISOFORM.sub("", local.upper()) if prefix == "uniprot" else local)
    shape = _LOCAL.get(prefix)
    if xref is None or (shape and not shape.match(xref.identifier)):
        example = _EXAMPLES.get(prefix)
        raise InvalidCrossReference(
            f"{text!r} is not an identifier of {prefix}",
            hint=Hint("Write it as in {id}.", id=Argument("gene_id", example)) if example else None,
            invalid_input=text,
        )
    return GeneName(xref_key(xref))


def node_keys(node: Node) -> Iterator[str]:
    """Yield the keys under which a node is found; none where it is no gene."""
    listed = [xref_key(xref) for xref in node.xrefs if _is_of_gene(xref)]
    yield from listed
    if node.kind.is_gene and not any(key.startswith(_SYMBOL) for key in listed) and node.label:
        yield symbol_key(node.label)
