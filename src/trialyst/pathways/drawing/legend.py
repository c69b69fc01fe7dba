"""What stands around a drawing: title, organism, id, legend, notes and licence."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trialyst.pathways.drawing.geometry import Spot
from trialyst.pathways.drawing.heads import HEAD_WORDS, draw_head, head_length
from trialyst.pathways.drawing.lettering import add, write_line
from trialyst.pathways.pathway import Arrow, Box, NodeKind, Pathway
from trialyst.pathways.starter import STARTER_NOTICE, STARTER_REVISION

__all__ = [
    "HIGHLIGHT_FILL",
    "HIGHLIGHT_STROKE",
    "KIND_COLORS",
    "Margins",
    "draw_margins",
    "measure_margins",
]

HIGHLIGHT_FILL = "#ffe066"
HIGHLIGHT_STROKE = "#c92a2a"
KIND_COLORS = {
    NodeKind.GENE: "#000000",
    NodeKind.PROTEIN: "#1b4965",
    NodeKind.RNA: "#990099",
    NodeKind.METABOLITE: "#0000ff",
    NodeKind.COMPLEX: "#7b4f12",
    NodeKind.PATHWAY: "#14961e",
    NodeKind.OTHER: "#495057",
}
_KIND_WORDS = {
    NodeKind.GENE: "gene product",
    NodeKind.PROTEIN: "protein",
    NodeKind.RNA: "RNA",
    NodeKind.METABOLITE: "metabolite",
    NodeKind.COMPLEX: "complex",
    NodeKind.PATHWAY: "pathway",
    NodeKind.OTHER: "other",
}
_LICENCE = "WikiPathways, CC0 1.0"
_NARROWEST = 560.0
_HEADER = 52.0
_ENTRY = 185.0
_LINE = 17.0
_LETTER = 5.6


@dataclass(frozen=True, slots=True)
class Margins:
    """The page around a drawing, and what is written on its margins."""

    page: Box
    inner: Box
    title: str
    subtitle: str
    kinds: tuple[NodeKind, ...]
    arrows: tuple[Arrow, ...]
    lit: bool
    lines: tuple[str, ...]
    """Notes and licence, one a line."""


def measure_margins(pathway: Pathway, inner: Box, *, notes: Sequence[str], lit: bool) -> Margins:
    """Work out how large the page is."""
    width = max(inner.width, _NARROWEST)
    inner = Box(inner.x, inner.y, width, inner.height)
    kinds = tuple(kind for kind in NodeKind if any(node.kind is kind for node in pathway.nodes))
    used = {arrow for each in pathway.interactions for arrow in (each.type, each.back)}
    arrows = tuple(arrow for arrow in HEAD_WORDS if arrow in used)
    lines = tuple(_broken([*notes, _source(pathway)], int((width - 32) / _LETTER)))
    per_row = max(1, int((width - 32) // _ENTRY))
    rows = -(-(len(kinds) + len(arrows) + lit) // per_row)
    footer = 14.0 + (rows + len(lines)) * _LINE + 8.0
    page = Box(inner.x, inner.y + (footer - _HEADER) / 2, width, inner.height + _HEADER + footer)
    about = [pathway.organism, pathway.id]
    if pathway.last_modified:
        about.append(f"last modified {pathway.last_modified}")
    return Margins(
        page, inner, pathway.name, " · ".join(about), kinds, arrows, lit=lit, lines=lines
    )


def draw_margins(root: ET.Element, margins: Margins) -> None:
    """Write the title above a drawing, and the legend and the licence below."""
    page, inner = margins.page, margins.inner
    left, top = page.x - page.width / 2 + 16, page.y - page.height / 2
    size = max(8.0, min(17.0, (page.width - 32) / (max(len(margins.title), 1) * 0.6)))
    write_line(root, margins.title, x=left, y=top + 25, size=size, font_weight="bold")
    write_line(root, margins.subtitle, x=left, y=top + 43, size=11, fill="#495057")
    legend = add(root, "g", class_="legend")
    y = inner.y + inner.height / 2 + 18
    per_row = max(1, int((page.width - 32) // _ENTRY))
    entries = [*margins.kinds, *margins.arrows, *(["highlighted"] if margins.lit else [])]
    for at, entry in enumerate(entries):
        x = left + (at % per_row) * _ENTRY
        _draw_entry(legend, entry, x=x, y=y + (at // per_row) * _LINE)
    y += -(-len(entries) // per_row) * _LINE
    for at, line in enumerate(margins.lines):
        write_line(root, line, x=left, y=y + at * _LINE, size=10, fill="#495057")


def _draw_entry(legend: ET.Element, entry: NodeKind | Arrow | str, *, x: float, y: float) -> None:
    if isinstance(entry, Arrow):
        start, tip = Spot(x, y - 4), Spot(x + 26, y - 4)
        end = tip.x - head_length(entry)
        add(legend, "path", d=f"M{x:.1f},{y - 4:.1f} L{end:.1f},{y - 4:.1f}", stroke="#343a40")
        draw_head(legend, entry, before=start, tip=tip, color="#343a40")
        text = HEAD_WORDS[entry]
    else:
        kind = entry if isinstance(entry, NodeKind) else None
        stroke = KIND_COLORS[kind] if kind else HIGHLIGHT_STROKE
        fill = "#ffffff" if kind else HIGHLIGHT_FILL
        add(legend, "rect", x=x, y=y - 9, width=26, height=11, fill=fill, stroke=stroke)
        text = _KIND_WORDS[kind] if kind else "highlighted gene"
    write_line(legend, text, x=x + 33, y=y, size=10, fill="#000000")


def _source(pathway: Pathway) -> str:
    if pathway.revision == STARTER_REVISION:
        return STARTER_NOTICE
    revision = f" · revision {pathway.revision}" if pathway.revision else ""
    return f"{_LICENCE} · {pathway.url}{revision} · drawn by Trialyst"


def _broken(texts: Sequence[str], letters: int) -> Iterator[str]:
    for text in texts:
        line = ""
        for word in text.split():
            if line and len(line) + 1 + len(word) > letters:
                yield line
                line = ""
            line = f"{line} {word}".strip()
        yield line
