"""Outlines of nodes, groups, cell parts and other shapes, and safe colours."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

from trialyst.pathways.drawing.geometry import Spot, line_path, write_number
from trialyst.pathways.drawing.lettering import add
from trialyst.pathways.pathway import Box

__all__ = ["draw_shape", "to_color"]

_COLOR = re.compile(r"^#?([0-9a-fA-F]{6})(?:[0-9a-fA-F]{2})?$")
# Corners as shares of half the width and height.
_POLYGONS = {
    "triangle": ((1, 0), (-1, -1), (-1, 1)),
    "pentagon": ((1, 0), (0.31, -1), (-1, -0.59), (-1, 0.59), (0.31, 1)),
    "hexagon": ((1, 0), (0.5, -1), (-0.5, -1), (-1, 0), (-0.5, 1), (0.5, 1)),
    "octagon": (
        (1, 0.41),
        (1, -0.41),
        (0.41, -1),
        (-0.41, -1),
        (-1, -0.41),
        (-1, 0.41),
        (-0.41, 1),
        (0.41, 1),
    ),
    "complex": (
        (1, 0.7),
        (1, -0.7),
        (0.9, -1),
        (-0.9, -1),
        (-1, -0.7),
        (-1, 0.7),
        (-0.9, 1),
        (0.9, 1),
    ),
}
_OVALS = {"oval", "ellipse", "cell", "nucleus", "nucleolus", "vacuole", "lysosome", "vesicle"}
_CELL_PARTS = {
    "mitochondria",
    "endoplasmicreticulum",
    "sarcoplasmicreticulum",
    "golgiapparatus",
    "organelle",
    "cytosolregion",
    "extracellularregion",
    "membraneregion",
}


def to_color(text: str | None, default: str) -> str:
    """Give a colour that is safe to write; `Transparent` is none, and nonsense is the default.

    >>> to_color("ff0000", "none"), to_color("Transparent", "#fff"), to_color("url(x)", "#fff")
    ('#ff0000', 'none', '#fff')
    """
    given = (text or "").strip()
    if given.lower() == "transparent":
        return "none"
    match = _COLOR.match(given)
    return f"#{match.group(1).lower()}" if match else default


def draw_shape(
    parent: ET.Element,
    shape: str | None,
    box: Box,
    *,
    rotation: float | None = None,
    **attributes: str | float | None,
) -> None:
    """Draw an outline; an unknown shape is a rectangle, `None` is nothing."""
    name = (shape or "rectangle").lower().replace(" ", "").removeprefix("mim-")
    if name == "none":
        return
    if rotation:
        degrees = write_number(math.degrees(rotation))
        place = f"{write_number(box.x)} {write_number(box.y)}"
        attributes["transform"] = f"rotate({degrees} {place})"
    if name in _OVALS:
        add(
            parent,
            "ellipse",
            cx=box.x,
            cy=box.y,
            rx=abs(box.width) / 2,
            ry=abs(box.height) / 2,
            **attributes,
        )
    elif path := _path(name, box):
        if name in {"arc", "brace"}:
            attributes["fill"] = "none"
        add(parent, "path", d=path, **attributes)
    else:
        add(
            parent,
            "rect",
            x=box.x - abs(box.width) / 2,
            y=box.y - abs(box.height) / 2,
            width=abs(box.width),
            height=abs(box.height),
            rx=_radius(name, box),
            **attributes,
        )


def _radius(name: str, box: Box) -> float | None:
    share = {"roundedrectangle": 0.25}.get(name, 0.45 if name in _CELL_PARTS else 0.0)
    return min(abs(box.width), abs(box.height), 80.0) * share or None


def _path(name: str, box: Box) -> str | None:
    half_width, half_height = abs(box.width) / 2, abs(box.height) / 2
    if name in _POLYGONS:
        corners = [
            Spot(box.x + x * half_width, box.y + y * half_height) for x, y in _POLYGONS[name]
        ]
        return f"{line_path(corners)} Z"
    left, right = write_number(box.x - half_width), write_number(box.x + half_width)
    middle, top = write_number(box.y), write_number(box.y - half_height)
    bottom = write_number(box.y + half_height)
    if name == "arc":
        radii = f"{write_number(half_width)},{write_number(half_height)}"
        return f"M{right},{middle} A{radii} 0 0 1 {left},{middle}"
    if name == "brace":
        centre = write_number(box.x)
        return (
            f"M{left},{bottom} Q{left},{middle} {write_number(box.x - half_width / 2)},{middle} "
            f"Q{centre},{middle} {centre},{top} "
            f"Q{centre},{middle} {write_number(box.x + half_width / 2)},{middle} "
            f"Q{right},{middle} {right},{bottom}"
        )
    return None
