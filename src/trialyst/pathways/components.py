"""What a pathway is made of: things merged across id systems, and every connected interaction.

Two nodes are one component when they are of one kind and share an identifier that names one thing,
or, where neither has any, a label. Nothing is merged on a likeness of names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from trialyst.pathways.databases import Subject, find_database
from trialyst.pathways.pathway import (
    Arrow,
    Direction,
    End,
    EndKind,
    Group,
    Interaction,
    Node,
    NodeKind,
    Pathway,
    Xref,
)

__all__ = ["Component", "Components", "Edge", "Participant", "build_components"]

# Mapped lists of these hold the products of several genes, or of one gene many times.
_SHARED = frozenset({"uniprot", "refseq", "eccode", "brenda", "interpro", "pfam", "omim", "go"})

_WORDS = {kind: kind.name.lower() for kind in NodeKind}


@dataclass(frozen=True, slots=True)
class Component:
    """A gene, protein, metabolite or other thing, which may be drawn several times."""

    id: str
    """The identifier its author gave as `prefix:identifier`, else its label; unique within one
    kind."""
    label: str
    kind: NodeKind
    xrefs: tuple[Xref, ...]
    nodes: tuple[str, ...]
    """Ids of the nodes that draw it."""
    members: tuple[str, ...] = ()
    """For a complex: the ids of the components it is made of."""

    @property
    def symbol(self) -> str:
        """The symbol of a gene: HGNC's where it is known, else the label."""
        found = (xref.identifier for xref in self.xrefs if xref.database == "hgnc.symbol")
        return next(found, self.label)


@dataclass(frozen=True, slots=True)
class Participant:
    """One side of an interaction."""

    kind: str
    """`gene`, `protein`, `rna`, `metabolite`, `complex`, `pathway` or `other`; `group`; the
    `interaction` it acts on; `state`; or `label`, a text or shape of the drawing."""
    id: str
    """Of the component, group, interaction, state or label."""
    label: str
    members: tuple[str, ...] = ()
    """Of a group or complex: the ids of its components."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An interaction with both ends connected."""

    id: str
    source: Participant
    target: Participant
    type: Arrow
    direction: Direction
    pmids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Components:
    """All of a pathway's components and interactions."""

    genes: tuple[Component, ...] = ()
    """Gene products and RNA."""
    proteins: tuple[Component, ...] = ()
    metabolites: tuple[Component, ...] = ()
    complexes: tuple[Component, ...] = ()
    others: tuple[Component, ...] = ()
    """Linked pathways, events and what the file does not name."""
    interactions: tuple[Edge, ...] = ()
    unconnected: int = 0
    """Lines of the drawing with an end that touches nothing."""

    @property
    def gene_products(self) -> tuple[Component, ...]:
        """Genes and proteins, a gene that is also drawn as its protein twice."""
        return self.genes + self.proteins


def build_components(pathway: Pathway) -> Components:
    """Merge the nodes of a pathway and resolve its interactions."""
    merged = [_component(nodes) for nodes in _merge(pathway.nodes)]
    by_node = {node: component for component in merged for node in component.nodes}
    groups = {group.id: group for group in pathway.groups}
    complexes = [_complex(g, groups, by_node) for g in pathway.groups if g.is_complex]
    resolver = _Resolver(pathway, by_node, groups)
    connected = [each for each in pathway.interactions if each.connected]
    return Components(
        genes=_of(merged, NodeKind.GENE, NodeKind.RNA),
        proteins=_of(merged, NodeKind.PROTEIN),
        metabolites=_of(merged, NodeKind.METABOLITE),
        complexes=(*_of(merged, NodeKind.COMPLEX), *complexes),
        others=_of(merged, NodeKind.PATHWAY, NodeKind.OTHER),
        interactions=tuple(resolver.edge(each) for each in connected),
        unconnected=len(pathway.interactions) - len(connected),
    )


def _of(components: Iterable[Component], *kinds: NodeKind) -> tuple[Component, ...]:
    return tuple(component for component in components if component.kind in kinds)


def _merge(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Yield the nodes of each component, in the order of their first."""
    parent = list(range(len(nodes)))

    def find(at: int) -> int:
        while parent[at] != at:
            parent[at] = at = parent[parent[at]]
        return at

    owner: dict[tuple[NodeKind, str], int] = {}
    for at, node in enumerate(nodes):
        for key in _keys(node):
            other = owner.setdefault((node.kind, key), at)
            low, high = sorted((find(at), find(other)))
            parent[high] = low
    merged: dict[int, list[Node]] = {}
    for at, node in enumerate(nodes):
        merged.setdefault(find(at), []).append(node)
    return iter(merged.values())


def _keys(node: Node) -> list[str]:
    if not node.xrefs:
        return [f"={node.label.casefold()}"] if node.label else []
    own, mapped = node.xrefs[0], node.xrefs[1:]
    return [str(own), *(str(xref) for xref in mapped if _names_one(xref, node.kind))]


def _names_one(xref: Xref, kind: NodeKind) -> bool:
    """Whether a mapped identifier of a node of this kind can only be of the same thing."""
    database = find_database(xref.database)
    if xref.database in _SHARED or database is None:
        return False
    wanted = Subject.METABOLITE if kind is NodeKind.METABOLITE else Subject.GENE
    return database.subject is wanted


def _component(nodes: Sequence[Node]) -> Component:
    xrefs = tuple(dict.fromkeys(xref for node in nodes for xref in node.xrefs))
    first = nodes[0]
    return Component(
        id=str(xrefs[0]) if xrefs else first.label or first.id,
        label=first.label,
        kind=first.kind,
        xrefs=xrefs,
        nodes=tuple(node.id for node in nodes),
    )


def _complex(group: Group, groups: dict[str, Group], by_node: dict[str, Component]) -> Component:
    members = _members(group, groups, by_node)
    label = group.label or " : ".join(dict.fromkeys(member.label for member in members))
    return Component(
        id=str(group.xrefs[0]) if group.xrefs else group.id,
        label=label,
        kind=NodeKind.COMPLEX,
        xrefs=group.xrefs,
        nodes=(group.id,),
        members=tuple(dict.fromkeys(member.id for member in members)),
    )


def _members(
    group: Group, groups: dict[str, Group], by_node: dict[str, Component]
) -> list[Component]:
    """Give the components of a group and of the groups in it; a loop of groups ends."""
    found: dict[tuple[NodeKind, str], Component] = {}
    seen: set[str] = set()
    waiting = [group]
    while waiting:
        current = waiting.pop()
        seen.add(current.id)
        for member in current.members:
            if member in by_node:
                component = by_node[member]
                found.setdefault((component.kind, component.id), component)
            elif member in groups and member not in seen:
                waiting.append(groups[member])
    return list(found.values())


class _Resolver:
    """Turns ends of interactions into what they touch."""

    def __init__(
        self, pathway: Pathway, by_node: dict[str, Component], groups: dict[str, Group]
    ) -> None:
        self._by_node = by_node
        self._groups = groups
        self._labels = {node.id: node.label for node in pathway.nodes}
        self._anchors = {
            anchor.id: each.id for each in pathway.interactions for anchor in each.anchors
        }
        self._states = {state.id: state for state in pathway.states}
        texts = pathway.drawing.labels if pathway.drawing else ()
        self._texts = {label.id: label.text for label in texts if label.id}
        self._pmids = {each.id: each.pmid for each in pathway.literature if each.pmid}

    def edge(self, interaction: Interaction) -> Edge:
        cited = (self._pmids.get(reference) for reference in interaction.references)
        return Edge(
            id=interaction.id,
            source=self._participant(interaction.source),
            target=self._participant(interaction.target),
            type=interaction.type,
            direction=interaction.direction,
            pmids=tuple(dict.fromkeys(pmid for pmid in cited if pmid)),
        )

    def _participant(self, end: End) -> Participant:
        ref = end.ref or ""
        if end.kind is EndKind.NODE and ref in self._by_node:
            component = self._by_node[ref]
            return Participant(_WORDS[component.kind], component.id, self._labels[ref])
        if end.kind is EndKind.GROUP and ref in self._groups:
            return self._group(self._groups[ref])
        if end.kind is EndKind.ANCHOR and ref in self._anchors:
            return Participant("interaction", self._anchors[ref], "")
        if end.kind is EndKind.STATE and ref in self._states:
            state = self._states[ref]
            on = self._labels.get(state.node, "")
            return Participant("state", ref, f"{state.label} on {on}" if on else state.label)
        return Participant("label", ref, self._texts.get(ref, ""))

    def _group(self, group: Group) -> Participant:
        members = _members(group, self._groups, self._by_node)
        return Participant(
            "complex" if group.is_complex else "group",
            group.id,
            group.label or " : ".join(dict.fromkeys(member.label for member in members)),
            tuple(dict.fromkeys(member.id for member in members)),
        )
