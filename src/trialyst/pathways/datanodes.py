"""The files beside a GPML file: the list of its nodes with all their ids, and its summary.

The datanodes TSV names each thing in every id system, which GPML does not; joined to the GPML's
nodes by the identifier their author gave, it makes a node findable under any of them.
"""

from __future__ import annotations

import html
from dataclasses import replace
from typing import Any

import msgspec

from trialyst.pathways.databases import parse_curie, parse_curies
from trialyst.pathways.errors import DamagedPathway
from trialyst.pathways.gpml import to_node_kind
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.pathway import Node, NodeKind, OntologyTerm, Pathway, Xref

__all__ = ["join_nodes", "parse_datanodes", "parse_info"]

_ID_COLUMNS = (
    "HGNC",
    "NCBI gene",
    "Ensembl",
    "UniProt",
    "ChEBI",
    "InChI",
    "PubChem",
    "ChemSpider",
    "HMDB",
    "KEGG",
    "LipidMaps",
    "Wikidata",
)


def parse_datanodes(data: bytes, *, name: str | None = None) -> tuple[Node, ...]:
    """Read a datanodes TSV; the first identifier of a node is the one its author gave.

    Raises:
        DamagedPathway: it has no header of ours, or cannot be read as text.
    """
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise DamagedPathway(f"its characters cannot be read: {error}", name=name) from None
    header = lines[0].split("\t") if lines else []
    if not {"Label", "Type", "Identifier"} <= set(header):
        raise DamagedPathway("it does not begin with the columns of a datanodes file", name=name)
    rows = (dict(zip(header, line.split("\t"), strict=False)) for line in lines[1:] if line)
    return tuple(node for at, row in enumerate(rows) if (node := _node(row, at)))


def parse_info(data: bytes, *, name: str | None = None) -> Pathway:
    """Read a `-info.json`: a pathway without nodes.

    Raises:
        DamagedPathway: it is no JSON, or lacks an id, a title or an organism.
    """
    try:
        info = msgspec.json.decode(data, type=dict[str, Any])
        return Pathway(
            id=str(PathwayId.parse(info["wpid"])),
            name=" ".join(str(info["title"]).split()),
            organism=str(info["organisms"][0]),
            description=html.unescape(str(info.get("description") or "")),
            terms=tuple(OntologyTerm(str(id), "") for id in info.get("ontology-ids") or ()),
            authors=tuple(map(str, info.get("authors") or ())),
            last_modified=str(info["last-edited"]) if info.get("last-edited") else None,
            revision=str(info["revision"]) if info.get("revision") else None,
            interactions_known=False,
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise DamagedPathway(f"it is no summary of a pathway: {error}", name=name) from None


def join_nodes(pathway: Pathway, listed: tuple[Node, ...]) -> Pathway:
    """Give each node the ids that the list has for it; a pathway without nodes gets the list's."""
    if not pathway.nodes:
        return replace(pathway, nodes=listed)
    known = {node.xrefs[0]: node.xrefs for node in listed if node.xrefs}
    nodes = tuple(
        replace(node, xrefs=_united(node.xrefs, known[node.xrefs[0]]))
        if node.xrefs and node.xrefs[0] in known
        else node
        for node in pathway.nodes
    )
    return replace(pathway, nodes=nodes)


def _node(row: dict[str, str], at: int) -> Node | None:
    own = parse_curie(row.get("Identifier", ""))
    mapped = (xref for column in _ID_COLUMNS for xref in parse_curies(row.get(column, "")))
    xrefs = _united((own,) if own else (), tuple(mapped))
    label = " ".join(row.get("Label", "").split())
    if not label and not xrefs:
        return None
    stated = row.get("Type", "").strip() or None
    kind = to_node_kind(stated, xrefs)
    comment = row.get("Comment", "").strip().strip('"').strip()
    return Node(
        id=f"row:{at + 1}",
        label=label or xrefs[0].identifier,
        kind=kind,
        xrefs=xrefs,
        type=stated if kind is NodeKind.OTHER else None,
        comments=(comment,) if comment else (),
    )


def _united(first: tuple[Xref, ...], more: tuple[Xref, ...]) -> tuple[Xref, ...]:
    return tuple(dict.fromkeys((*first, *more)))
