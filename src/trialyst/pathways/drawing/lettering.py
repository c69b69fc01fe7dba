"""Text in a drawing: cleaned of what XML cannot hold, broken into lines and fitted to its box."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from trialyst.pathways.drawing.geometry import write_number
from trialyst.pathways.pathway import Box

__all__ = ["add", "clean", "write_in_box", "write_line"]

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
_SMALLEST = 5.0
_LINE_HEIGHT = 1.15
# An average letter of a sans-serif face is this share of its size wide.
_LETTER = 0.56
# XML 1.0 has no place for these, escaped or not.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Leave out characters that no XML file may hold.

    >>> clean("a\\x00b\\x1b")
    'ab'
    """
    return _FORBIDDEN.sub("", text)


def add(parent: ET.Element, tag: str, **attributes: str | float | None) -> ET.Element:
    """Add an element; `_` in a name stands for `-`, and None leaves an attribute out."""
    element = ET.SubElement(parent, tag)
    for name, value in attributes.items():
        if value is not None:
            text = clean(value) if isinstance(value, str) else write_number(value)
            element.set(name.rstrip("_").replace("_", "-"), text)
    return element


def write_line(
    parent: ET.Element,
    text: str,
    *,
    x: float,
    y: float,
    size: float = 11,
    **attributes: str | float | None,
) -> ET.Element:
    """Write one line of text."""
    element = add(parent, "text", x=x, y=y, font_size=size, **attributes)
    element.text = clean(text)
    return element


def write_in_box(
    parent: ET.Element, text: str, box: Box, *, size: float, fill: str, bold: bool = False
) -> None:
    """Write a text in the middle of a box, in as many lines and as small as it needs."""
    words = clean(text).split()
    if not words:
        return
    lines, size = _fitted(words, box, size)
    element = add(
        parent,
        "text",
        font_size=size,
        fill=fill,
        text_anchor="middle",
        font_weight="bold" if bold else None,
    )
    top = box.y - (len(lines) - 1) * size * _LINE_HEIGHT / 2 + size * 0.35
    for at, line in enumerate(lines):
        span = add(element, "tspan", x=box.x, y=top + at * size * _LINE_HEIGHT)
        span.text = line


def _fitted(words: list[str], box: Box, size: float) -> tuple[list[str], float]:
    size = max(_SMALLEST, min(size, 60.0))
    while True:
        lines = _broken(words, max(1, int(box.width / (size * _LETTER))))
        wide = max(map(len, lines)) * size * _LETTER > box.width * 1.05
        high = len(lines) * size * _LINE_HEIGHT > max(box.height, size) * 1.1
        if size <= _SMALLEST or not (wide or high):
            return lines, size
        size = max(_SMALLEST, size - 0.5)


def _broken(words: list[str], letters: int) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
