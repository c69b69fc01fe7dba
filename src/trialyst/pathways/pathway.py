"""One model of a pathway, whatever it was read from: GPML, the static files or the starter set.

Positions are kept as drawn, so that a pathway can be drawn again. Ends of an interaction name what
they touch by its id in the pathway; where nothing is touched, nothing is invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "Anchor",
    "Arrow",
    "Box",
    "Citation",
    "Direction",
    "Drawing",
    "End",
    "EndKind",
    "Group",
    "Interaction",
    "Label",
    "Line",
    "Look",
    "Node",
    "NodeKind",
    "OntologyTerm",
    "Pathway",
    "Point",
    "State",
    "Xref",
]


class NodeKind(StrEnum):
    """What a node stands for; the values are GPML's own."""

    GENE = "GeneProduct"
    PROTEIN = "Protein"
    RNA = "Rna"
    METABOLITE = "Metabolite"
    COMPLEX = "Complex"
    PATHWAY = "Pathway"
    OTHER = "Other"
    """Events, cell types, concepts, and whatever the file does not name."""

    @property
    def is_gene(self) -> bool:
        """Whether the node is a gene or a gene's product."""
        return self in {NodeKind.GENE, NodeKind.PROTEIN, NodeKind.RNA}


class Arrow(StrEnum):
    """What an interaction does to its target; the values are GPML 2021's, and three more."""

    UNDIRECTED = "Undirected"
    DIRECTED = "Directed"
    CONVERSION = "Conversion"
    INHIBITION = "Inhibition"
    CATALYSIS = "Catalysis"
    STIMULATION = "Stimulation"
    BINDING = "Binding"
    TRANSLOCATION = "Translocation"
    TRANSCRIPTION_TRANSLATION = "TranscriptionTranslation"
    MODIFICATION = "Modification"
    CLEAVAGE = "Cleavage"
    OTHER = "Other"
    """A head that stands for no effect of its own, such as a branch or a gap."""


class Direction(StrEnum):
    """Which way an interaction works."""

    FORWARD = "forward"
    """From source to target."""
    BOTH = "both"
    NONE = "none"
    """The line has no head: the two are related, and no more is said."""


class EndKind(StrEnum):
    """What an end of an interaction touches."""

    NODE = "node"
    GROUP = "group"
    ANCHOR = "anchor"
    """A point on another interaction."""
    STATE = "state"
    LABEL = "label"
    """A text or a shape that is no data node."""


@dataclass(frozen=True, slots=True)
class Xref:
    """An identifier in a database, named by its Bioregistry prefix.

    >>> str(Xref("ncbigene", "1585")), str(Xref("chebi", "15846"))
    ('ncbigene:1585', 'chebi:15846')
    """

    database: str
    """A Bioregistry prefix: `ncbigene`, `ensembl`, `uniprot`, `hgnc.symbol`, `hgnc`, `chebi`."""
    identifier: str
    """The local part, without a prefix of its own."""

    def __str__(self) -> str:
        return f"{self.database}:{self.identifier}"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its centre, in the drawing's own units; y grows downwards."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Look:
    """How something is drawn, as far as the file says."""

    color: str | None = None
    """Six hexadecimal digits."""
    fill: str | None = None
    shape: str | None = None
    line_style: str | None = None
    line_width: float | None = None
    font_size: float | None = None
    rotation: float | None = None
    """Radians, clockwise."""
    z_order: int = 0


@dataclass(frozen=True, slots=True)
class Node:
    """A gene, protein, metabolite, complex or other thing on the pathway."""

    id: str
    """Unique within the pathway."""
    label: str
    kind: NodeKind = NodeKind.GENE
    xrefs: tuple[Xref, ...] = ()
    """The same thing in several databases; the first is the one its author gave."""
    group: str | None = None
    """The id of the group it belongs to."""
    type: str | None = None
    """The file's own word where `kind` is OTHER, such as `Event`."""
    references: tuple[str, ...] = ()
    """Ids of the pathway's citations."""
    comments: tuple[str, ...] = ()
    box: Box | None = None
    look: Look | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A modification of a node, such as a phosphorylation."""

    id: str
    label: str
    node: str
    """The id of the node it sits on."""
    xrefs: tuple[Xref, ...] = ()
    comments: tuple[str, ...] = ()
    offset: tuple[float, float] = (0.0, 0.0)
    """Where on the node: -1 to 1 from left to right and from top to bottom."""
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes that belong together."""

    id: str
    members: tuple[str, ...]
    """Ids of nodes and of groups."""
    label: str = ""
    style: str = "Group"
    """`Group`, `Complex`, `Pathway` ..., in the file's own words."""
    xrefs: tuple[Xref, ...] = ()

    @property
    def is_complex(self) -> bool:
        """Whether the members are bound to each other."""
        return self.style == "Complex"


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a line, in the order drawn."""

    x: float
    y: float
    arrow: Arrow = Arrow.UNDIRECTED


@dataclass(frozen=True, slots=True)
class Anchor:
    """A point on an interaction that other interactions may touch."""

    id: str
    position: float = 0.5
    """How far along the line, 0 to 1."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of an interaction; `ref` is None where it touches nothing."""

    ref: str | None = None
    kind: EndKind | None = EndKind.NODE
    """None where it touches nothing, or something that is not in the file."""

    @property
    def connected(self) -> bool:
        """Whether the end touches something that is on the pathway."""
        return self.ref is not None and self.kind is not None


@dataclass(frozen=True, slots=True)
class Interaction:
    """A line between two things; source and target follow the effect, not the drawing."""

    id: str
    source: End
    target: End
    type: Arrow = Arrow.DIRECTED
    """What it does to its target."""
    back: Arrow | None = None
    """What it does to its source, where it works both ways."""
    xrefs: tuple[Xref, ...] = ()
    references: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    points: tuple[Point, ...] = ()
    """The line as drawn, which may run from target to source."""
    connector: str | None = None
    """`Straight`, `Elbow`, `Curved` or `Segmented`."""
    look: Look | None = None

    @property
    def direction(self) -> Direction:
        """Which way it works."""
        if self.back is not None:
            return Direction.BOTH
        return Direction.NONE if self.type is Arrow.UNDIRECTED else Direction.FORWARD

    @property
    def connected(self) -> bool:
        """Whether both ends touch something on the pathway."""
        return self.source.connected and self.target.connected


@dataclass(frozen=True, slots=True)
class Citation:
    """A paper, book or page that the pathway rests on."""

    id: str
    """Unique within the pathway."""
    pmid: str | None = None
    xrefs: tuple[Xref, ...] = ()
    title: str | None = None
    source: str | None = None
    year: str | None = None
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OntologyTerm:
    """A term that the pathway is annotated with."""

    id: str
    """As its ontology writes it: `PW:0000003`, `DOID:10763`, `CL:0000650`."""
    name: str
    ontology: str | None = None
    """`Pathway Ontology`, `Disease`, `Cell Type` ..., in the file's own words."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text or a shape of the drawing that stands for no data."""

    id: str | None
    text: str
    box: Box
    look: Look | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the drawing that stands for no interaction."""

    points: tuple[Point, ...]
    connector: str | None = None
    look: Look | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is needed to draw the pathway and nothing else."""

    width: float
    height: float
    labels: tuple[Label, ...] = ()
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Pathway:
    """A pathway of one organism."""

    id: str
    """`WP554`."""
    name: str
    organism: str
    """The scientific name: `Homo sapiens`."""
    description: str = ""
    nodes: tuple[Node, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    groups: tuple[Group, ...] = ()
    states: tuple[State, ...] = ()
    literature: tuple[Citation, ...] = ()
    terms: tuple[OntologyTerm, ...] = ()
    authors: tuple[str, ...] = ()
    last_modified: str | None = None
    """`yyyy-MM-dd`."""
    revision: str | None = None
    """`r139872`."""
    interactions_known: bool = True
    """False where only a list of nodes was at hand, so that no interactions says nothing."""
    drawing: Drawing | None = None

    @property
    def url(self) -> str:
        """The page of the pathway."""
        return f"https://www.wikipathways.org/instance/{self.id}"

    def genes(self) -> Iterator[Node]:
        """Yield the nodes that are genes or their products, in order."""
        return (node for node in self.nodes if node.kind.is_gene)
