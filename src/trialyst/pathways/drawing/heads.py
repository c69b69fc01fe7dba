"""Heads of lines, one look for each effect; the legend shows the same."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

from trialyst.pathways.drawing.geometry import Spot
from trialyst.pathways.drawing.lettering import add
from trialyst.pathways.pathway import Arrow

__all__ = ["HEAD_WORDS", "draw_head", "head_length"]

HEAD_WORDS = {
    Arrow.DIRECTED: "leads to",
    Arrow.STIMULATION: "stimulation",
    Arrow.INHIBITION: "inhibition",
    Arrow.CONVERSION: "conversion",
    Arrow.CATALYSIS: "catalysis",
    Arrow.BINDING: "binding",
    Arrow.MODIFICATION: "modification",
    Arrow.TRANSLOCATION: "translocation",
    Arrow.TRANSCRIPTION_TRANSLATION: "transcription or translation",
    Arrow.CLEAVAGE: "cleavage",
    Arrow.OTHER: "other",
    Arrow.UNDIRECTED: "related",
}

# Drawn for a line that comes from the left and ends at 0,0; O is filled with the paper.
_PATHS = {
    Arrow.DIRECTED: ("M0,0 L-9,-4.5 L-9,4.5 Z", True),
    Arrow.STIMULATION: ("M0,0 L-9,-4.5 L-9,4.5 Z", False),
    Arrow.CONVERSION: ("M0,0 L-11,-3.5 L-8,0 L-11,3.5 Z", True),
    Arrow.INHIBITION: ("M-1,-6.5 L-1,6.5", False),
    Arrow.BINDING: ("M-8,-5.5 L0,0 L-8,5.5", False),
    Arrow.MODIFICATION: ("M0,0 L-5,-4 L-10,0 L-5,4 Z", True),
    Arrow.TRANSLOCATION: ("M0,0 L-6,-4.5 L-6,4.5 Z M-6,0 L-12,-4.5 L-12,4.5 Z", False),
    Arrow.TRANSCRIPTION_TRANSLATION: (
        "M0,0 L-7,-4 L-7,4 Z M-11,-6 L-11,6",
        True,
    ),
    Arrow.CLEAVAGE: ("M-10,-6 L-4,6 M-4,0 L0,0", False),
    Arrow.OTHER: ("M0,-3.5 L-7,-3.5 L-7,3.5 L0,3.5 Z", True),
}
_LENGTHS = {
    Arrow.UNDIRECTED: 0.0,
    Arrow.INHIBITION: 1.0,
    Arrow.BINDING: 1.0,
    Arrow.CONVERSION: 8.0,
    Arrow.MODIFICATION: 10.0,
    Arrow.TRANSLOCATION: 12.0,
    Arrow.TRANSCRIPTION_TRANSLATION: 7.0,
    Arrow.CLEAVAGE: 4.0,
    Arrow.OTHER: 7.0,
}
_CIRCLE = 4.5


def head_length(arrow: Arrow) -> float:
    """Say how much of a line its head takes."""
    return _LENGTHS.get(arrow, 9.0)


def draw_head(parent: ET.Element, arrow: Arrow, *, before: Spot, tip: Spot, color: str) -> None:
    """Draw the head of a line that ends at a point; nothing for a line without effect."""
    if arrow is Arrow.UNDIRECTED:
        return
    angle = math.degrees(math.atan2(tip.y - before.y, tip.x - before.x))
    place = f"translate({tip.x:.1f} {tip.y:.1f}) rotate({angle:.1f})"
    if arrow is Arrow.CATALYSIS:
        add(
            parent,
            "circle",
            cx=-_CIRCLE,
            cy=0,
            r=_CIRCLE,
            transform=place,
            fill="#ffffff",
            stroke=color,
        )
        return
    path, filled = _PATHS[arrow]
    closed = path.endswith("Z")
    fill = color if filled else "#ffffff" if closed else "none"
    add(parent, "path", d=path, transform=place, fill=fill, stroke=color)
