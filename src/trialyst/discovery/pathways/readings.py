"""How the arguments of the pathway tools were understood, as every answer tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trialyst.pathways.gene_reading import ReadAs
from trialyst.pathways.genes import parse_gene
from trialyst.pathways.organisms import HUMAN
from trialyst.questions.readings import ArgumentReading, to_understood

if TYPE_CHECKING:
    from trialyst.pathways.enrichment import Enrichment
    from trialyst.pathways.gene_reading import GeneReading
    from trialyst.pathways.source import SearchPage

__all__ = ["tell_gene", "tell_genes", "tell_organism", "tell_words"]

Understood = dict[str, dict[str, Any]]

_IDS = {
    "ncbigene": "Entrez id",
    "ensembl": "Ensembl id",
    "uniprot": "UniProt accession",
    "hgnc": "HGNC accession",
}
_HOW = {
    ReadAs.SYMBOL: "symbol",
    ReadAs.ALIAS: "another name",
    ReadAs.LABEL: "label of nodes that no id names",
}


def tell_words(query: str, page: SearchPage) -> Understood:
    """Say how the words of a search were read."""
    lacking = Counter(word for hit in page.items for word in hit.missing)
    reading = ArgumentReading(
        asked=query,
        kind="query",
        known=True,
        corrected=page.text if any(each.used for each in page.respelt) else None,
        nearest=tuple(word for each in page.respelt if not each.used for word in each.offered),
        dropped=tuple(lacking) or None,
        note="No pathway has all the words: each lacks some of these." if lacking else None,
    )
    return _told(reading)


def tell_organism(organism: str | None, *, otherwise: str) -> Understood:
    """Say which organism was asked for, or what stands in for one that was not."""
    if organism is None:
        return {"organism": {"note": otherwise}}
    return _told(ArgumentReading(asked=organism, kind="organism", known=True))


def tell_gene(gene: str, reading: GeneReading) -> Understood:
    """Say which gene was meant, and by what it was known."""
    several = reading.read_as is ReadAs.AMBIGUOUS
    return _told(
        ArgumentReading(
            asked=gene,
            kind="gene_id",
            known=reading.read_as is not ReadAs.UNKNOWN,
            name=reading.symbols[0] if reading.symbols and not several else None,
            how=_HOW.get(reading.read_as) or _id_of(gene),
            ambiguous=several,
            may_mean=reading.symbols if several else (),
            note=" ".join(_gene_notes(gene, reading)) or None,
        )
    )


def _id_of(gene: str) -> str | None:
    database = (parse_gene(gene).id or "").partition(":")[0]
    return _IDS.get(database, f"{database} id") if database else None


def _gene_notes(gene: str, reading: GeneReading) -> Iterator[str]:
    if reading.read_as is ReadAs.AMBIGUOUS:
        yield "Given are the pathways that hold any of these."
    organisms = sorted({held.organism for held in reading.held} - {"", HUMAN})
    if reading.read_as is ReadAs.ID and organisms:
        yield f"A gene of {organisms[0]}."
    if reading.labelled:
        yield (
            f"{len(reading.labelled)} more pathways have a node labelled {gene!r} that no id names."
        )


def tell_genes(result: Enrichment) -> Understood:
    """Say what became of the genes of a list; the answer has each of them."""
    query = result.query
    given = len(query.recognised) + len(query.repeated)
    given += len(query.ambiguous) + len(query.unrecognised)
    return {"genes": {"note": f"{len(result.used)} genes count of the {given} given."}}


def _told(reading: ArgumentReading) -> Understood:
    return {reading.kind: to_understood(reading.kind, reading)}
