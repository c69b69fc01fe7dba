"""What to ask after each answer about pathways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialyst.hints import Call
from trialyst.pathways.gene_reading import ReadAs
from trialyst.pathways.words import single_words

if TYPE_CHECKING:
    from trialyst.pathways.gene_reading import GeneReading
    from trialyst.pathways.respelling import Respelling

__all__ = [
    "after_components",
    "after_enrichment",
    "after_pathway",
    "after_pathways",
    "instead_of_gene",
    "instead_of_words",
]

_GENES = 20
"""Genes to ask about at once."""


def after_pathways(items: Sequence[Mapping[str, Any]], *, query: str) -> Iterator[Call]:
    """Say what follows a list of pathways."""
    for item in items[:1]:
        yield Call("get_pathway", {"pathway_id": item["id"]}, "The first of them.")
        yield Call(
            "get_pathway_components", {"pathway_id": item["id"]}, "Its parts and interactions."
        )
    if not items:
        yield Call("search_trials", {"query": query}, "Trials that name it.")


def instead_of_words(query: str, respelt: Sequence[Respelling]) -> Iterator[Call]:
    """Give searches for what misspelt words may have meant, where that is not clear."""
    for each in respelt:
        for word in () if each.used else each.offered:
            meant = " ".join(word if w == each.word else w for w in single_words(query))
            yield Call("search_pathways", {"query": meant}, f"If {word} was meant.")


def instead_of_gene(
    gene: str, reading: GeneReading, *, organism: str | None, found: int
) -> Iterator[Call]:
    """Give lists of what else may have been meant by a gene."""
    if reading.read_as is ReadAs.AMBIGUOUS:
        for symbol in reading.symbols:
            yield Call("get_pathways_for_gene", {"gene_id": symbol}, f"If {symbol} was meant.")
    elif not found and reading.read_as is ReadAs.ID and organism:
        for symbol in reading.symbols:
            asked = {"gene_id": symbol, "organism": organism}
            yield Call("get_pathways_for_gene", asked, f"The gene of that name in {organism}.")
    if reading.labelled or not found:
        yield Call("search_pathways", {"query": gene}, "Pathways that name it.")


def after_pathway(pathway: Mapping[str, Any]) -> Iterator[Call]:
    """Say what follows a pathway."""
    asked = {"pathway_id": pathway["id"]}
    yield Call("get_pathway_components", asked, "Its parts and interactions.")
    if pathway["literature_count"] and "literature" not in pathway:
        why = f"Its papers, {pathway['literature_count']} of them."
        yield Call("get_pathway", {**asked, "literature": True}, why)
    if pathway["genes"]:
        chosen = list(pathway["genes"][:_GENES])
        yield Call("enrich_pathways", {"genes": chosen}, "Pathways that share its genes.")
    yield Call("search_trials", {"query": pathway["title"]}, "Trials that name it.")


def after_components(pathway_id: str, genes: Sequence[str]) -> Iterator[Call]:
    """Say what follows the parts of a pathway."""
    yield Call("get_pathway", {"pathway_id": pathway_id}, "What it is about, and ids elsewhere.")
    if genes:
        yield Call("enrich_pathways", {"genes": list(genes[:_GENES])}, "Pathways that share them.")


def after_enrichment(items: Sequence[Mapping[str, Any]]) -> Iterator[Call]:
    """Say what follows ranked pathways."""
    for item in items[:1]:
        yield Call("get_pathway", {"pathway_id": item["id"]}, "The first of them.")
        for gene in item["overlap"][:1]:
            yield Call("get_pathways_for_gene", {"gene_id": gene}, "Pathways of its first gene.")
