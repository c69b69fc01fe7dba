"""SVG that any page can hold: no style of its own, nothing that points elsewhere, no names.

What is drawn with a mark says what it is, and leads where the mark says: a bar to its trials.
"""

from __future__ import annotations

import base64
import json
import re
from html import escape

__all__ = ["to_mark", "to_plain_svg"]

_MARKED = re.compile(r'<g id="mark-([\w-]+)">(.*?)</g>', re.S)


def to_mark(title: str, link: str | None = None) -> str:
    """Give the name of a group that has a title, and leads somewhere by mouse and keyboard."""
    told = json.dumps([title, link]).encode()
    return f"mark-{base64.urlsafe_b64encode(told).decode().rstrip('=')}"


def _told(found: re.Match[str]) -> str:
    padded = found[1] + "=" * (-len(found[1]) % 4)
    title, link = json.loads(base64.urlsafe_b64decode(padded))
    told = f"<title>{escape(title)}</title>{found[2]}"
    if link is None:
        return f"<g>{told}</g>"
    return f'<a href="{escape(link)}" aria-label="{escape(title)}">{told}</a>'


def to_plain_svg(svg: bytes) -> bytes:
    """Leave out what points elsewhere, and the names of groups, which a page may have once."""
    text = svg.decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.S)
    text = _MARKED.sub(_told, text)
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
