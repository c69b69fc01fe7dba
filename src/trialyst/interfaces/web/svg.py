"""Elements of SVG, escaped: what figures and maps are made of."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from trialyst.interfaces.web.templating import clean

__all__ = ["cut", "element", "figure", "link"]


def element(name: str, /, *children: str, **attributes: object) -> Markup:
    """Give an element; `class_` is `class`, `stroke_width` is `stroke-width`, None is left out.

    >>> element("text", "a < b", x=1.25, text_anchor="end")
    Markup('<text x="1.25" text-anchor="end">a &lt; b</text>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(str(escape(clean(child))) for child in children)
    return Markup(f"<{name}{written}>{inner}</{name}>")


def _text(value: object) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else clean(str(value))


def link(address: str | None, label: str, *children: str) -> Markup:
    """Give what leads somewhere, reached by the keyboard too; without an address the children."""
    if address is None:
        return element("g", *children)
    return element("a", *children, href=address, aria_label=label)


def figure(children: Iterable[str], *, width: float, height: float, label: str) -> Markup:
    """Give a figure of a page."""
    view = f"0 0 {width:g} {height:g}"
    return element("svg", *children, class_="figure", role="group", aria_label=label, viewBox=view)


def cut(text: str, longest: int) -> str:
    """Give a text that fits, on one line."""
    line = " ".join(clean(text).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"
