"""Positions and looks of GPML elements, and numbers that may be missing or damaged."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from trialyst.pathways.pathway import Box, Look

__all__ = ["number", "read_box", "read_look"]

_FARTHEST = 1e6
"""Coordinates are in pixels; a drawing of more is a damaged file."""
_DOUBLE = "DoubleLineProperty"
_EMPTY = ET.Element("Graphics")


def number(text: str | None, default: float = 0.0) -> float:
    """Read a number; what is none, or too large to be drawn, is the default."""
    try:
        value = float(text) if text else default
    except ValueError:
        return default
    return value if abs(value) <= _FARTHEST else default


def read_box(element: ET.Element) -> Box | None:
    """Give the rectangle of an element; None where it has none."""
    graphics = element.find("Graphics")
    if graphics is None or graphics.get("centerX") is None:
        return None
    return Box(
        number(graphics.get("centerX")),
        number(graphics.get("centerY")),
        number(graphics.get("width")),
        number(graphics.get("height")),
    )


def read_look(element: ET.Element) -> Look | None:
    """Give how an element is drawn; None where nothing is said."""
    graphics = element.find("Graphics")
    given = (graphics if graphics is not None else _EMPTY).attrib
    style = given.get("lineStyle") or given.get("borderStyle")
    if any(each.get("key", "").endswith(_DOUBLE) for each in element.iterfind("Attribute")):
        style = "Double"
    look = Look(
        color=given.get("color") or given.get("textColor") or given.get("lineColor"),
        fill=given.get("fillColor"),
        shape=given.get("shapeType"),
        line_style=style,
        line_width=_optional(given.get("lineWidth") or given.get("borderWidth")),
        font_size=_optional(given.get("fontSize")),
        rotation=_optional(given.get("rotation")),
        z_order=int(number(given.get("zOrder"))),
    )
    return look if look != Look() else None


def _optional(text: str | None) -> float | None:
    return None if text is None else number(text)
