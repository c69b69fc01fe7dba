"""GPML 2013a and 2021 to pathways; the two differ in names and nesting, not in what they say.

Refuses what is no GPML, is cut short, or is unsafe XML. What is merely odd (a node without an id,
a reference to nothing) is kept and marked.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Iterator

from trialyst.errors import InvalidInput
from trialyst.markup import BadMarkup, parse_markup
from trialyst.pathways.connections import read_interaction, read_line
from trialyst.pathways.databases import Subject, find_database, parse_xref
from trialyst.pathways.errors import DamagedPathway
from trialyst.pathways.graphics import number, read_box, read_look
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.literature import read_citations, read_terms
from trialyst.pathways.pathway import (
    Drawing,
    EndKind,
    Group,
    Interaction,
    Label,
    Node,
    NodeKind,
    Pathway,
    State,
    Xref,
)

__all__ = ["parse_gpml", "to_node_kind"]

NAMESPACES = ("http://pathvisio.org/GPML/2013a", "http://pathvisio.org/GPML/2021")

# GPML 2013a's names where GPML 2021's differ by more than their first letter.
_RENAMED = {
    "GraphId": "elementId",
    "GraphRef": "elementRef",
    "Database": "dataSource",
    "ID": "identifier",
    "Name": "title",
    "Last-Modified": "lastModified",
    "LineThickness": "lineWidth",
    "Style": "type",
}
_DESCRIPTION = "WikiPathways-description"
_KINDS = {kind.value.lower(): kind for kind in NodeKind} | {"dna": NodeKind.GENE}
_BY_SUBJECT = {
    Subject.GENE: NodeKind.GENE,
    Subject.PROTEIN: NodeKind.PROTEIN,
    Subject.METABOLITE: NodeKind.METABOLITE,
}
_STAMP = re.compile(r"^(\d{4})-?(\d{2})-?(\d{2})")
_VERSION = re.compile(r"^(WP\d+)(?:_(r\d+))?", re.IGNORECASE)


def parse_gpml(data: bytes, *, name: str | None = None) -> Pathway:
    """Read a GPML file; `name` is its file name, for messages and where the file states no id.

    Raises:
        DamagedPathway: it cannot be read, and why.
    """
    try:
        root, namespace = parse_markup(data, rename=_RENAMED)
    except BadMarkup as problem:
        raise DamagedPathway(str(problem), name=name) from None
    if root.tag != "Pathway" or namespace not in NAMESPACES:
        raise DamagedPathway(
            f"it is no GPML 2013a or 2021 but {namespace or root.tag!r}", name=name
        )
    return _Reader(root, name).read()


def to_node_kind(text: str | None, xrefs: tuple[Xref, ...] = ()) -> NodeKind:
    """Give the kind of a node; where the file does not say, its database does.

    >>> to_node_kind("RNA"), to_node_kind("Event")
    (<NodeKind.RNA: 'Rna'>, <NodeKind.OTHER: 'Other'>)
    >>> to_node_kind(None, (Xref("ncbigene", "1585"),))
    <NodeKind.GENE: 'GeneProduct'>
    """
    stated = (text or "").strip().lower()
    if stated and stated not in {"unknown", "undefined"}:
        return _KINDS.get(stated, NodeKind.OTHER)
    database = find_database(xrefs[0].database) if xrefs else None
    return _BY_SUBJECT.get(database.subject, NodeKind.OTHER) if database else NodeKind.OTHER


class _Reader:
    """One pathway in the making."""

    def __init__(self, root: ET.Element, name: str | None) -> None:
        self._root = root
        self._name = name
        self._all: dict[str, list[ET.Element]] = defaultdict(list)
        for each in root.iter():
            self._all[each.tag].append(each)
        self._ids = {id for each in root.iter() if (id := each.get("elementId"))}
        self._given: set[str] = set()
        self._groups = self._group_ids()

    def read(self) -> Pathway:
        root = self._root
        version = _VERSION.match(root.get("version", ""))
        organism = " ".join((root.get("organism") or "").split())
        if not organism:
            raise DamagedPathway("it names no organism", name=self._name)
        stamp = _STAMP.match(root.get("lastModified", ""))
        nodes = tuple(self._node(each) for each in self._all["DataNode"])
        kinds = self._kinds()
        return Pathway(
            id=self._pathway_id(version.group(1) if version else None),
            name=" ".join((root.get("title") or "").split()) or "Untitled",
            organism=organism,
            description=self._description(),
            nodes=nodes,
            interactions=tuple(self._interactions(kinds)),
            groups=self._read_groups(nodes),
            states=tuple(self._states()),
            literature=read_citations(root),
            terms=read_terms(root),
            authors=self._authors(),
            last_modified="-".join(stamp.groups()) if stamp else None,
            revision=version.group(2) if version else None,
            drawing=self._drawing(),
        )

    def _pathway_id(self, stated: str | None) -> str:
        in_name = re.findall(r"WP\d+", self._name or "")
        candidate = stated or (in_name[-1] if in_name else None)
        try:
            return str(PathwayId.parse(candidate or ""))
        except InvalidInput:
            raise DamagedPathway(
                "neither the file nor its name gives an id", name=self._name
            ) from None

    def _description(self) -> str:
        described = self._root.find("Description")
        if described is not None and (described.text or "").strip():
            return (described.text or "").strip()
        comments = self._root.findall("Comment")
        return "\n\n".join(
            text
            for each in comments
            if each.get("source") == _DESCRIPTION and (text := (each.text or "").strip())
        )

    def _authors(self) -> tuple[str, ...]:
        stated = self._root.get("author", "").strip().strip("[]")
        old = [name.strip() for name in stated.split(",")]
        new = [each.get("name", "") for each in self._all["Author"]]
        return tuple(dict.fromkeys(name for name in [*old, *new] if name))

    def _node(self, element: ET.Element) -> Node:
        xrefs = _xrefs(element)
        stated = element.get("type")
        kind = to_node_kind(stated, xrefs)
        references, comments = _remarks(element)
        return Node(
            id=self._new_id(element, "node"),
            label=_label(element),
            kind=kind,
            xrefs=xrefs,
            group=self._group_of(element),
            type=stated if kind is NodeKind.OTHER else None,
            references=references,
            comments=comments,
            box=read_box(element),
            look=read_look(element),
        )

    def _interactions(self, kinds: dict[str, EndKind]) -> Iterator[Interaction]:
        for element in self._all["Interaction"]:
            yield read_interaction(
                element,
                id=self._new_id(element, "interaction"),
                kinds=kinds,
                xrefs=_xrefs(element),
                remarks=_remarks,
            )

    def _states(self) -> Iterator[State]:
        inside = {
            id(state): node.get("elementId")
            for node in self._all["DataNode"]
            for state in node.iter("State")
        }
        for element in self._all["State"]:
            graphics = element.find("Graphics")
            given = {} if graphics is None else graphics.attrib
            _, comments = _remarks(element)
            yield State(
                id=self._new_id(element, "state"),
                label=_label(element),
                node=inside.get(id(element)) or element.get("elementRef") or "",
                xrefs=_xrefs(element),
                comments=comments,
                offset=(number(given.get("relX")), number(given.get("relY"))),
                box=read_box(element),
            )

    def _group_ids(self) -> dict[str, str]:
        """Give what members call a group and what interactions call it; 2013a has two ids."""
        found: dict[str, str] = {}
        for element in self._all["Group"]:
            own = element.get("elementId")
            called = element.get("groupId") or own or ""
            found[called] = own or (f"group:{called}" if called in self._ids else called)
        return found

    def _group_of(self, element: ET.Element) -> str | None:
        return self._groups.get(element.get("groupRef", ""))

    def _read_groups(self, nodes: tuple[Node, ...]) -> tuple[Group, ...]:
        members: dict[str, list[str]] = {}
        for node in nodes:
            if node.group:
                members.setdefault(node.group, []).append(node.id)
        elements = list(self._all["Group"])
        own = [
            self._groups[each.get("groupId") or each.get("elementId") or ""] for each in elements
        ]
        for element, id in zip(elements, own, strict=True):
            parent = self._group_of(element)
            if parent and parent != id:
                members.setdefault(parent, []).append(id)
        return tuple(
            Group(
                id=id,
                members=tuple(members.get(id, ())),
                label=_label(element),
                style=element.get("type") or "None",
                xrefs=_xrefs(element),
            )
            for element, id in zip(elements, own, strict=True)
        )

    def _kinds(self) -> dict[str, EndKind]:
        """Say of every id what it stands for; of an id given twice, the data comes first."""
        anchors = [anchor for each in self._all["Interaction"] for anchor in each.iter("Anchor")]
        lines = [anchor for each in self._all["GraphicalLine"] for anchor in each.iter()]
        told: list[tuple[EndKind, Iterable[ET.Element]]] = [
            (EndKind.LABEL, lines),
            (EndKind.LABEL, [*self._all["Label"], *self._all["Shape"]]),
            (EndKind.ANCHOR, anchors),
            (EndKind.STATE, self._all["State"]),
            (EndKind.GROUP, self._all["Group"]),
            (EndKind.NODE, self._all["DataNode"]),
        ]
        return {
            id: kind
            for kind, elements in told
            for each in elements
            if (id := each.get("elementId"))
        }

    def _drawing(self) -> Drawing | None:
        graphics = self._root.find("Graphics")
        if graphics is None:
            return None
        labels = [
            Label(each.get("elementId"), _label(each), box, read_look(each))
            for tag in ("Shape", "Label")
            for each in self._all[tag]
            if (box := read_box(each))
        ]
        return Drawing(
            width=number(graphics.get("boardWidth")),
            height=number(graphics.get("boardHeight")),
            labels=tuple(labels),
            lines=tuple(read_line(each) for each in self._all["GraphicalLine"]),
        )

    def _new_id(self, element: ET.Element, word: str) -> str:
        """Give the element's own id, or a new one where it has none or shares it."""
        id = element.get("elementId") or ""
        at = len(self._given)
        while not id or id in self._given:
            id, at = f"{word}:{at}", at + 1
        self._given.add(id)
        return id


def _label(element: ET.Element) -> str:
    return " ".join((element.get("textLabel") or "").split())


def _xrefs(element: ET.Element) -> tuple[Xref, ...]:
    given = element.find("Xref")
    if given is None:
        return ()
    xref = parse_xref(given.get("dataSource", ""), given.get("identifier", ""))
    return (xref,) if xref else ()


def _remarks(element: ET.Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the ids of the citations of an element, and its comments."""
    old = [(each.text or "").strip() for each in element.findall("BiopaxRef")]
    new = [each.get("elementRef", "") for each in element.findall("CitationRef")]
    comments = [(each.text or "").strip() for each in element.findall("Comment")]
    return (
        tuple(dict.fromkeys(id for id in [*old, *new] if id)),
        tuple(text for text in comments if text),
    )
