"""Shapes of a pathway for the tools: pure functions to plain values, absent ones left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from trialyst.discovery.views import present
from trialyst.pathways.ids import PathwayId

if TYPE_CHECKING:
    from trialyst.pathways.components import Component, Components, Edge, Participant
    from trialyst.pathways.pathway import Citation, Pathway
    from trialyst.pathways.source import PathwayHit, PathwaySummary

__all__ = [
    "COMPONENT_KINDS",
    "to_candidate",
    "to_component",
    "to_counts",
    "to_curie",
    "to_heading",
    "to_interaction",
    "to_pathway",
    "to_slim_candidate",
]

COMPONENT_KINDS = ("genes", "proteins", "metabolites", "complexes", "others")
_CROSS_REFERENCES = ("ncbigene", "ensembl", "uniprot", "chebi")
"""The databases in which a pathway's genes and metabolites are named beside it."""


def to_curie(pathway_id: str) -> str:
    """Give an id as the tools write it.

    >>> to_curie("WP554")
    'WP:WP554'
    """
    return PathwayId.parse(pathway_id).curie


def to_slim_candidate(hit: PathwayHit) -> dict[str, Any]:
    """Give what one needs to choose a pathway by its title."""
    return {**to_heading(hit.pathway), "score": hit.score}


def to_candidate(hit: PathwayHit) -> dict[str, Any]:
    """Give the `PathwaySearchCandidate` of the searches."""
    pathway = hit.pathway
    counts = {
        "genes": pathway.genes,
        "metabolites": pathway.metabolites,
        "interactions": pathway.interactions,
    }
    told = present({"description": pathway.description, "component_counts": present(counts)})
    return {**to_heading(pathway), **told, "score": hit.score}


def to_heading(pathway: PathwaySummary | Pathway) -> dict[str, Any]:
    """Give the id, the title and the organism."""
    return {
        "id": to_curie(pathway.id),
        "title": pathway.name or pathway.id,
        "organism": pathway.organism,
    }


def to_pathway(pathway: Pathway, parts: Components, *, literature: bool) -> dict[str, Any]:
    """Give a pathway with all that is known of it but its single interactions; papers if asked."""
    papers = [told for each in pathway.literature if (told := _citation(each))]
    return {
        **to_heading(pathway),
        **present(
            {
                "description": pathway.description,
                "last_modified": pathway.last_modified,
                "revision": pathway.revision,
                "authors": list(filter(None, pathway.authors)),
                "genes": _distinct(each.symbol for each in parts.gene_products),
                "metabolites": _distinct(each.label for each in parts.metabolites),
                "ontology_terms": [
                    present({"id": term.id, "name": term.name, "ontology": term.ontology})
                    for term in pathway.terms
                ],
                "literature_count": len(papers),
                "literature": papers if literature else None,
                "component_counts": to_counts(pathway, parts),
                "cross_references": _cross_references(pathway, parts),
            }
        ),
    }


def to_counts(pathway: Pathway, parts: Components) -> dict[str, int]:
    """Count the parts of a pathway; interactions only where they are known."""
    counts = {kind: len(getattr(parts, kind)) for kind in COMPONENT_KINDS}
    known = {"interactions": len(parts.interactions)} if pathway.interactions_known else {}
    return {**counts, **known}


def _cross_references(pathway: Pathway, parts: Components) -> dict[str, Any]:
    found: dict[str, Any] = {
        "url": pathway.url,
        "pubmed": _distinct(each.pmid for each in pathway.literature),
        "ontologies": _distinct(term.id for term in pathway.terms),
    }
    components = (*parts.gene_products, *parts.metabolites)
    for database in _CROSS_REFERENCES:
        ids = (_first(component, database) for component in components)
        found[database] = _distinct(ids)
    return {name: value for name, value in found.items() if value}


def _first(component: Component, database: str) -> str | None:
    """Give a component's id in a database; of several the first, which its author may have given.

    A gene has many UniProt entries, most of them fragments; `get_pathway_components` has them all.
    """
    ids = (xref.identifier for xref in component.xrefs if xref.database == database)
    return next(ids, None)


def _citation(citation: Citation) -> dict[str, Any]:
    others = [str(xref) for xref in citation.xrefs if xref.database != "pubmed"]
    return present(
        {
            "pmid": citation.pmid,
            "title": citation.title,
            "source": citation.source,
            "year": citation.year,
            "authors": list(filter(None, citation.authors)) or None,
            "xrefs": others or None,
        }
    )


def to_component(component: Component) -> dict[str, Any]:
    """Give a component with its ids in every database."""
    xrefs: dict[str, list[str]] = {}
    for xref in component.xrefs:
        xrefs.setdefault(xref.database, []).append(xref.identifier)
    return present(
        {
            "id": component.id,
            "label": component.label,
            "type": component.kind,
            "symbol": component.symbol if component.kind.is_gene else None,
            "xrefs": xrefs,
            "members": list(component.members) or None,
        }
    )


def to_interaction(edge: Edge) -> dict[str, Any]:
    """Give an interaction with what its ends touch."""
    return present(
        {
            "id": edge.id,
            "source": _participant(edge.source),
            "target": _participant(edge.target),
            "type": edge.type,
            "direction": edge.direction,
            "pmids": list(edge.pmids) or None,
        }
    )


def _participant(participant: Participant) -> dict[str, Any]:
    return present(
        {
            "kind": participant.kind,
            "id": participant.id,
            "label": participant.label,
            "members": list(participant.members) or None,
        }
    )


def _distinct(values: Iterable[str | None]) -> list[str]:
    def told() -> Iterator[str]:
        yield from (value for value in values if value)

    return list(dict.fromkeys(told()))
