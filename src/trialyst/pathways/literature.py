"""Papers and ontology terms of a GPML file, in both of its versions."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from trialyst.pathways.databases import parse_xref
from trialyst.pathways.pathway import Citation, OntologyTerm, Xref

__all__ = ["read_citations", "read_terms"]

_PMID = re.compile(r"^\d{1,8}$")


def read_citations(root: ET.Element) -> tuple[Citation, ...]:
    """Give what the pathway cites: Biopax in GPML 2013a, `Citation` in GPML 2021."""
    old = [_publication(each) for each in root.iter("PublicationXref")]
    new = [_citation(each) for each in root.iter("Citation") if each.get("elementId")]
    return tuple({citation.id: citation for citation in [*old, *new]}.values())


def read_terms(root: ET.Element) -> tuple[OntologyTerm, ...]:
    """Give the ontology terms, each once."""
    old = [
        OntologyTerm(_text(each, "ID"), _text(each, "TERM"), _text(each, "Ontology") or None)
        for each in root.iter("openControlledVocabulary")
    ]
    new = [_annotation(each) for each in root.iter("Annotation") if each.get("value")]
    return tuple({term.id: term for term in [*old, *new] if term.id}.values())


def _publication(element: ET.Element) -> Citation:
    ids = [each.text or "" for each in element.iter("ID")]
    databases = [each.text or "" for each in element.iter("DB")]
    pairs = zip(databases, ids, strict=False)
    xrefs = tuple(dict.fromkeys(xref for pair in pairs if (xref := parse_xref(*pair))))
    return Citation(
        id=element.get("id", ""),
        pmid=_pmid(xrefs),
        xrefs=xrefs,
        title=_text(element, "TITLE") or None,
        source=_text(element, "SOURCE") or None,
        year=_text(element, "YEAR") or None,
        authors=tuple(name for each in element.iter("AUTHORS") if (name := (each.text or ""))),
    )


def _citation(element: ET.Element) -> Citation:
    given = element.find("Xref")
    xref = None
    if given is not None:
        xref = parse_xref(given.get("dataSource", ""), given.get("identifier", ""))
    url = element.find("Url")
    return Citation(
        id=element.get("elementId", ""),
        pmid=_pmid((xref,) if xref else ()),
        xrefs=(xref,) if xref else (),
        source=url.get("link") if url is not None else None,
    )


def _annotation(element: ET.Element) -> OntologyTerm:
    given = element.find("Xref")
    prefix, local = (
        ("", "") if given is None else (given.get("dataSource", ""), given.get("identifier", ""))
    )
    curie = local if ":" in local or not prefix else f"{prefix.upper()}:{local}"
    return OntologyTerm(curie, element.get("value", ""), element.get("type"))


def _pmid(xrefs: tuple[Xref, ...]) -> str | None:
    found = (x.identifier for x in xrefs if x.database == "pubmed" and _PMID.match(x.identifier))
    return next(found, None)


def _text(element: ET.Element, tag: str) -> str:
    found = element.find(tag)
    return " ".join((found.text or "").split()) if found is not None else ""
