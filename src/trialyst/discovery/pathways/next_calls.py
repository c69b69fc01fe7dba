"""What to ask after each answer about pathways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trialyst.hints import Call

__all__ = ["after_components", "after_enrichment", "after_pathway", "after_pathways"]

_GENES = 50
"""Genes to ask about at once."""


def after_pathways(items: Sequence[Mapping[str, Any]], *, query: str) -> Iterator[Call]:
    """Say what follows a list of pathways."""
    for item in items[:1]:
        yield Call("get_pathway", {"pathway_id": item["id"]}, "The first of them.")
        yield Call(
            "get_pathway_components", {"pathway_id": item["id"]}, "Its parts and interactions."
        )
    if not items:
        yield Call("search_pathways", {"query": query}, "Pathways by words.")
        yield Call("search_trials", {"query": query}, "Trials that name it.")


def after_pathway(pathway: Mapping[str, Any], *, papers: bool) -> Iterator[Call]:
    """Say what follows a pathway.

    Args:
        papers: whether it has papers that were left out.
    """
    asked = {"pathway_id": pathway["id"]}
    yield Call("get_pathway_components", asked, "Its parts and interactions.")
    if papers:
        yield Call("get_pathway", {**asked, "literature": True}, "Its papers too.")
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
