"""A pathway drawn as SVG from its own coordinates, with some of its genes highlighted.

The drawing is a file of its own: no script, no link to load, all text escaped. A pathway without
coordinates is laid out here, and the drawing says so.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from trialyst.pathways.drawing.geometry import Spot, line_path, padded, route, shorten
from trialyst.pathways.drawing.heads import draw_head, head_length
from trialyst.pathways.drawing.layout import lay_out
from trialyst.pathways.drawing.legend import (
    HIGHLIGHT_FILL,
    HIGHLIGHT_STROKE,
    KIND_COLORS,
    Margins,
    draw_margins,
    measure_margins,
)
from trialyst.pathways.drawing.lettering import FONT, add, clean, write_in_box
from trialyst.pathways.drawing.scene import Scene, Way, build_scene
from trialyst.pathways.drawing.shapes import draw_shape, to_color
from trialyst.pathways.gene_names import SymbolsOf, no_symbols
from trialyst.pathways.genes import GeneName, node_keys, parse_gene, symbol_key
from trialyst.pathways.pathway import (
    Arrow,
    Drawing,
    Group,
    Label,
    Line,
    Look,
    Node,
    NodeKind,
    Pathway,
)

__all__ = ["Figure", "HighlightedGene", "pathway_figure"]

LAYOUT_NOTE = "Layout made by Trialyst: the pathway has no coordinates here."
SOME_PLACED_NOTE = "Nodes without coordinates stand below; their places were made by Trialyst."
_PLAIN = Look()
_INK = "#343a40"
_EDGE = 24.0
_GENES = (NodeKind.GENE, NodeKind.PROTEIN, NodeKind.RNA)


@dataclass(frozen=True, slots=True)
class HighlightedGene:
    """A gene as it was asked for, and the labels of the nodes that it is."""

    given: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, and what of the wish for highlights it could fulfil."""

    svg: str
    """A whole SVG document."""
    highlighted: tuple[HighlightedGene, ...]
    not_found: tuple[str, ...]
    """Genes, as written, that are not on the pathway."""
    notes: tuple[str, ...] = ()
    """What the reader must know of the drawing, such as a layout that is not the authors'."""


def pathway_figure(
    pathway: Pathway,
    *,
    highlight: Sequence[str] = (),
    symbols_of: SymbolsOf = no_symbols,
    gene_address: str | None = None,
) -> Figure:
    """Draw a pathway; genes to highlight are symbols or ids, compared exactly.

    Args:
        gene_address: Makes each gene a link to this address with its label behind.

    Raises:
        InvalidCrossReference: a gene with a prefix, and behind it what its database never writes.
    """
    lit, highlighted, not_found = _find_genes(pathway, highlight, symbols_of)
    scene = build_scene(lay_out(pathway))
    notes = tuple(_notes(pathway, scene))
    margins = measure_margins(pathway, padded(scene.extent, _EDGE), notes=notes, lit=bool(lit))
    svg = _render(scene, frozenset(lit), margins, gene_address)
    return Figure(svg, highlighted, not_found, notes)


def _notes(pathway: Pathway, scene: Scene) -> list[str]:
    without = [node for node in pathway.nodes if node.box is None]
    notes = []
    if without:
        notes.append(LAYOUT_NOTE if len(without) == len(pathway.nodes) else SOME_PLACED_NOTE)
    if not pathway.interactions_known:
        notes.append("Only a list of nodes was at hand: interactions are unknown, not absent.")
    if scene.undrawn:
        notes.append(f"Interactions without a place, not drawn: {scene.undrawn}.")
    return notes


def _find_genes(
    pathway: Pathway, genes: Sequence[str], symbols_of: SymbolsOf
) -> tuple[set[str], tuple[HighlightedGene, ...], tuple[str, ...]]:
    by_key: dict[str, list[Node]] = {}
    for node in pathway.nodes:
        for key in node_keys(node):
            by_key.setdefault(key, []).append(node)
    lit: set[str] = set()
    found: list[HighlightedGene] = []
    missing: list[str] = []
    for given in dict.fromkeys(text.strip() for text in genes if text.strip()):
        name = parse_gene(given)
        nodes = _with_keys(name.keys, by_key) or _with_keys(_others(name, symbols_of), by_key)
        lit |= {node.id for node in nodes}
        if nodes:
            labels = tuple(dict.fromkeys(node.label for node in nodes))
            found.append(HighlightedGene(given, labels))
        else:
            missing.append(given)
    return lit, tuple(found), tuple(missing)


def _with_keys(keys: Iterable[str], by_key: Mapping[str, list[Node]]) -> list[Node]:
    return [node for key in keys for node in by_key.get(key, ())]


def _others(name: GeneName, symbols_of: SymbolsOf) -> list[str]:
    known = name.hgnc or name.name
    return [symbol_key(symbol) for symbol in symbols_of(known)] if known else []


def _render(scene: Scene, lit: frozenset[str], margins: Margins, gene_address: str | None) -> str:
    pathway, page = scene.pathway, margins.page
    left, top = page.x - page.width / 2, page.y - page.height / 2
    # A picture hides what is inside it from who hears the page; a group shows its links.
    role = "img" if gene_address is None else "group"
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": role})
    root.set("viewBox", f"{left:.1f} {top:.1f} {page.width:.1f} {page.height:.1f}")
    root.set("width", f"{page.width:.0f}")
    root.set("height", f"{page.height:.0f}")
    root.set("font-family", FONT)
    add(root, "title").text = clean(f"{pathway.name} ({pathway.organism}), {pathway.id}")
    add(root, "rect", x=left, y=top, width=page.width, height=page.height, fill="#ffffff")
    drawing = pathway.drawing or Drawing(0.0, 0.0)
    _draw_labels(root, [label for label in drawing.labels if _is_shape(label)])
    _draw_groups(root, scene)
    lines = add(root, "g", fill="none")
    for line in drawing.lines:
        _draw_line(lines, line)
    for way in scene.ways:
        _draw_way(lines, way)
    for spot in scene.spots.values():
        add(lines, "circle", cx=spot.x, cy=spot.y, r=1.8, fill=_INK)
    for node in sorted(pathway.nodes, key=lambda node: (node.look or _PLAIN).z_order):
        linked = gene_address is not None and node.kind in _GENES and bool(node.label.strip())
        address = f"{gene_address}{quote(' '.join(node.label.split()))}" if linked else None
        parent = root if address is None else add(root, "a", href=address)
        _draw_node(parent, node, scene, lit=node.id in lit)
    for state in pathway.states:
        if box := scene.boxes.get(state.id):
            draw_shape(root, "oval", box, fill="#ffffff", stroke=_INK)
            write_in_box(root, state.label, box, size=9, fill=_INK)
    _draw_labels(root, [label for label in drawing.labels if not _is_shape(label)])
    draw_margins(root, margins)
    return ET.tostring(root, encoding="unicode")


def _is_shape(label: Label) -> bool:
    return (label.look or _PLAIN).shape not in {None, "None"}


def _draw_labels(root: ET.Element, labels: Sequence[Label]) -> None:
    for label in sorted(labels, key=lambda label: (label.look or _PLAIN).z_order):
        look = label.look or _PLAIN
        color = to_color(look.color, _INK)
        if _is_shape(label):
            draw_shape(
                root,
                look.shape,
                label.box,
                rotation=look.rotation,
                fill=to_color(look.fill, "none"),
                fill_opacity="0.35",
                **_stroke(look, color),
            )
        write_in_box(root, label.text, label.box, size=look.font_size or 12, fill=color)


def _draw_groups(root: ET.Element, scene: Scene) -> None:
    for group in scene.pathway.groups:
        box = scene.boxes.get(group.id)
        if box is None:
            continue
        complex_ = group.is_complex
        group_element = add(root, "g")
        draw_shape(
            group_element,
            "complex" if complex_ else "rectangle",
            box,
            fill="#f1f3f5" if complex_ else "#f8f9fa",
            fill_opacity="0.6",
            stroke="#868e96",
            stroke_dasharray=None if complex_ else "4 3",
        )
        add(group_element, "title").text = clean(_group_title(group))


def _group_title(group: Group) -> str:
    kind = "Complex" if group.is_complex else "Group"
    return f"{kind}: {group.label}" if group.label else f"{kind} of {len(group.members)}"


def _draw_line(parent: ET.Element, line: Line) -> None:
    if len(line.points) < 2:
        return
    look = line.look or _PLAIN
    color = to_color(look.color, "#868e96")
    spots = [Spot(point.x, point.y) for point in line.points]
    corners = route(spots, line.connector, first=None, last=None)
    add(
        parent,
        "path",
        d=line_path(corners, curved=line.connector == "Curved"),
        **_stroke(look, color),
    )
    if line.points[-1].arrow is not Arrow.UNDIRECTED:
        draw_head(parent, line.points[-1].arrow, before=corners[-2], tip=corners[-1], color=color)


def _draw_way(parent: ET.Element, way: Way) -> None:
    if len(way.corners) < 2:
        return
    look = way.interaction.look or _PLAIN
    color = to_color(look.color, _INK)
    shown = shorten(way.corners, head_length(way.last))
    shown = shorten(shown[::-1], head_length(way.first))[::-1]
    element = add(parent, "g", class_=f"interaction {way.interaction.type.value}")
    add(element, "path", d=line_path(shown, curved=way.curved), **_stroke(look, color))
    draw_head(element, way.last, before=way.corners[-2], tip=way.corners[-1], color=color)
    draw_head(element, way.first, before=way.corners[1], tip=way.corners[0], color=color)


def _stroke(look: Look, color: str) -> dict[str, str | float | None]:
    broken = (look.line_style or "").lower() in {"broken", "dashed", "dots", "dotted"}
    return {
        "stroke": color,
        "stroke_width": min(max(look.line_width or 1.0, 0.5), 8.0),
        "stroke_dasharray": "5 3" if broken else None,
    }


def _draw_node(root: ET.Element, node: Node, scene: Scene, *, lit: bool) -> None:
    box = scene.boxes.get(node.id)
    if box is None:
        return
    look = node.look or _PLAIN
    kind = KIND_COLORS[node.kind]
    color = to_color(look.color, kind)
    element = add(root, "g", class_=f"node {node.kind.value}{' highlighted' if lit else ''}")
    shape = look.shape or ("roundedrectangle" if node.kind is NodeKind.PATHWAY else None)
    style: dict[str, str | float | None]
    if lit:
        style = {"fill": HIGHLIGHT_FILL, "stroke": HIGHLIGHT_STROKE, "stroke_width": 2.5}
        shape = None if shape == "None" else shape
    else:
        style = {"fill": to_color(look.fill, "#ffffff"), **_stroke(look, color)}
    draw_shape(element, shape, box, rotation=look.rotation, **style)
    size = look.font_size or 11
    write_in_box(element, node.label, box, size=size, fill="#000000" if lit else color, bold=lit)
    ids = ", ".join(map(str, node.xrefs[:6]))
    add(element, "title").text = clean(f"{node.label} ({ids})" if ids else node.label)
