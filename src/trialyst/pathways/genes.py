"""A gene as people name it, read exactly: a symbol, or an identifier of a known database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from trialyst.errors import AmbiguousQuery, InvalidCrossReference
from trialyst.pathways.databases import Subject, find_database, parse_xref
from trialyst.pathways.pathway import Node, Pathway, Xref

__all__ = ["GeneName", "gene_keys", "node_keys", "parse_gene", "xref_keys"]

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
_EXAMPLES = {
    "ncbigene": "ncbigene:7124",
    "hgnc": "HGNC:11892 (a number; a symbol is written without a prefix)",
    "ensembl": "ensembl:ENSG00000232810",
    "uniprot": "uniprot:P01375",
}
# What people write before an accession; `HGNC` is the accession's own prefix, not the symbol's.
_WRITTEN = {"hgnc": "hgnc", "entrez gene": "ncbigene", "symbol": "hgnc.symbol", "l": "ncbigene"}


class GeneName(NamedTuple):
    """The keys a gene may be found under; any of them will do."""

    keys: tuple[str, ...]
    hgnc: str | None = None
    """An HGNC accession, which the site's files leave out: ask for its symbol too."""

    def with_symbol(self, symbol_of: Callable[[str], str | None]) -> GeneName:
        """Add the symbol of an HGNC accession, where it is known."""
        symbol = symbol_of(self.hgnc) if self.hgnc else None
        return GeneName((*self.keys, _symbol_key(symbol))) if symbol else self


def parse_gene(text: str) -> GeneName:
    """Read a gene: a number is an Entrez id, ENSG... Ensembl, P01375 UniProt, else a symbol.

    >>> parse_gene("10").keys, parse_gene("tnf").keys
    (('ncbigene:10',), ('symbol:TNF',))
    >>> parse_gene("HGNC:11892")
    GeneName(keys=('hgnc:11892',), hgnc='HGNC:11892')

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
        accession = _ISOFORM.sub("", upper)
        return GeneName((f"uniprot:{accession}", _symbol_key(name)))
    return GeneName((_symbol_key(name),))


def gene_keys(pathway: Pathway) -> set[str]:
    """Give every key under which the genes of a pathway are found."""
    return {key for node in pathway.nodes for key in node_keys(node)}


def xref_keys(xrefs: Iterable[Xref]) -> Iterator[str]:
    """Yield the keys of those identifiers that are of genes or proteins."""
    for xref in xrefs:
        database = find_database(xref.database)
        if database and database.subject in {Subject.GENE, Subject.PROTEIN}:
            yield _key(xref.database, xref.identifier)


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
        return GeneName((_symbol_key(local),))
    return _identified(text, database.prefix, local.strip())


def _identified(text: str, prefix: str, local: str) -> GeneName:
    xref = parse_xref(prefix, _ISOFORM.sub("", local.upper()) if prefix == "uniprot" else local)
    shape = _LOCAL.get(prefix)
    if xref is None or (shape and not shape.match(xref.identifier)):
        example = _EXAMPLES.get(prefix)
        raise InvalidCrossReference(
            f"{text!r} is not an identifier of {prefix}",
            hint=f"Write it as in {example}." if example else None,
            invalid_input=text,
        )
    hgnc = f"HGNC:{xref.identifier}" if prefix == "hgnc" else None
    return GeneName((_key(xref.database, xref.identifier),), hgnc)


def node_keys(node: Node) -> Iterator[str]:
    """Yield the keys under which a node is found; none where it is no gene."""
    symbols = [xref.identifier for xref in node.xrefs if xref.database == "hgnc.symbol"]
    if node.kind.is_gene:
        yield from (_symbol_key(symbol) for symbol in symbols or [node.label] if symbol)
    yield from xref_keys(node.xrefs)


def _key(prefix: str, local: str) -> str:
    return f"{prefix}:{local.upper()}"


def _symbol_key(symbol: str) -> str:
    return f"symbol:{symbol.strip().upper()}"
