"""SVG that any page can hold: no style of its own, nothing that points elsewhere, no names."""

from __future__ import annotations

import re

__all__ = ["to_plain_svg"]


def to_plain_svg(svg: bytes) -> bytes:
    """Leave out what points elsewhere, and the names of groups, which a page may have once."""
    text = svg.decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r"\s*<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", text, flags=re.S)
    # A page that allows no inline style shows attributes all the same.
    text = re.sub(r' style="([^"]*)"', lambda found: _attributes(found[1]), text)
    return text.encode("utf-8")


def _attributes(style: str) -> str:
    """Give the declarations of a style as attributes of the element.

    >>> _attributes("fill: #ffffff; stroke: none")
    ' fill="#ffffff" stroke="none"'
    """
    declared = (each.partition(":") for each in style.split(";") if each.strip())
    return "".join(f' {name.strip()}="{value.strip()}"' for name, _, value in declared)
