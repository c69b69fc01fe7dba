"""A document as PDF: the same one always gives the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trialyst.agents.document import Block, Document, Grid, Listing, Picture
from trialyst.agents.page import link_of
from trialyst.agents.sentences import SentenceKind

if TYPE_CHECKING:
    from reportlab.lib.styles import ParagraphStyle

__all__ = ["render_pdf"]

_IDS = re.compile(r"\b(?:NCT\d{8}|PMID \d{1,9})\b")
_REGULAR, _BOLD = "DejaVuSans", "DejaVuSans-Bold"
_MARGIN = 48.0
_PAGE = (595.28, 841.89)
"""A4, in points."""
_WIDTH = _PAGE[0] - 2 * _MARGIN
_LINK, _GREY, _WARN = "#0b5394", "#555555", "#a33b00"


def render_pdf(document: Document) -> bytes:
    """Write a document."""
    from reportlab.platypus import SimpleDocTemplate

    _fonts()
    written = io.BytesIO()
    template = SimpleDocTemplate(
        written,
        pagesize=_PAGE,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=document.title,
        author="trialyst",
        subject=document.subtitle,
        invariant=1,
    )
    mark = "SYNTHETIC RECORDS · " if document.synthetic else ""

    def foot(canvas: Any, _: Any) -> None:
        canvas.setFont(_REGULAR, 7)
        canvas.setFillGray(0.4)
        canvas.drawString(_MARGIN, 26, f"{mark}{document.title}"[:110])
        canvas.drawRightString(_PAGE[0] - _MARGIN, 26, str(canvas.getPageNumber()))

    template.build(list(_flow(document)), onFirstPage=foot, onLaterPages=foot)
    return written.getvalue()


@cache
def _fonts() -> None:
    """Register a font with the letters of names and units; it comes with the charts' library."""
    import matplotlib
    from reportlab.pdfbase.pdfmetrics import registerFont, registerFontFamily
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name in (_REGULAR, _BOLD):
        registerFont(TTFont(name, str(folder / f"{name}.ttf")))
    registerFontFamily(_REGULAR, normal=_REGULAR, bold=_BOLD, italic=_REGULAR, boldItalic=_BOLD)


@cache
def _style(name: str) -> ParagraphStyle:
    from reportlab.lib.styles import ParagraphStyle

    plain = {"fontName": _REGULAR, "fontSize": 8.5, "leading": 11.5}
    looks: dict[str, dict[str, Any]] = {
        "title": {"fontName": _BOLD, "fontSize": 16, "leading": 20},
        "subtitle": {"textColor": _GREY, "spaceAfter": 8},
        "section": {
            "fontName": _BOLD,
            "fontSize": 11.5,
            "leading": 15,
            "spaceBefore": 12,
            "keepWithNext": 1,
        },
        "table title": {"fontName": _BOLD, "spaceBefore": 6, "spaceAfter": 2, "keepWithNext": 1},
        "warning": {"fontName": _BOLD, "textColor": _WARN, "spaceAfter": 4},
        "finding": {"leftIndent": 10, "bulletIndent": 0, "spaceAfter": 2},
        "aside": {"leftIndent": 10, "bulletIndent": 0, "spaceAfter": 2, "textColor": _GREY},
        "cell": {"fontSize": 6.6, "leading": 8.2},
        "head": {"fontName": _BOLD, "fontSize": 6.6, "leading": 8.2},
    }
    return ParagraphStyle(name, **{**plain, **looks[name]})


def _flow(document: Document) -> Iterator[Any]:
    from reportlab.platypus import Paragraph

    yield Paragraph(escape(document.title), _style("title"))
    yield Paragraph(escape(document.subtitle), _style("subtitle"))
    for warning in document.warnings:
        yield Paragraph(escape(warning), _style("warning"))
    for section in document.sections:
        yield Paragraph(escape(section.title), _style("section"))
        for block in section.blocks:
            yield from _block(block, linked=not document.synthetic)


def _block(block: Block, *, linked: bool) -> Iterator[Any]:
    from reportlab.lib.utils import ImageReader
    from reportlab.platypus import Image, Paragraph

    if isinstance(block, Listing):
        for sentence in block.sentences:
            look = "finding" if sentence.kind is SentenceKind.FINDING else "aside"
            yield Paragraph(_text(sentence.cited, linked=linked), _style(look), bulletText="•")
    elif isinstance(block, Picture):
        data = block.draw("png")
        width, height = ImageReader(io.BytesIO(data)).getSize()
        yield Image(io.BytesIO(data), width=_WIDTH, height=_WIDTH * height / width)
        if block.caption:
            yield Paragraph(escape(block.caption), _style("cell"))
    elif block.rows:
        if block.title:
            yield Paragraph(escape(block.title), _style("table title"))
        yield _table(block, linked=linked)


def _table(grid: Grid, *, linked: bool) -> Any:
    from reportlab.platypus import Paragraph, Table

    rows = [
        [Paragraph(_text(cell, linked=linked), _style("cell")) for cell in row] for row in grid.rows
    ]
    if grid.heads is not None:
        rows.insert(0, [Paragraph(escape(head), _style("head")) for head in grid.heads])
    lines = [
        ("LINEBELOW", (0, 0), (-1, -1), 0.3, "#dddddd"),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
    ]
    return Table(
        rows,
        colWidths=_widths(grid),
        style=lines,
        repeatRows=0 if grid.heads is None else 1,
        hAlign="LEFT",
        spaceAfter=6,
    )


def _widths(grid: Grid) -> list[float]:
    """Share the page by the longest word and the length of the texts of each column."""
    columns: list[Sequence[str]] = [*zip(*grid.rows, strict=True)]
    heads = grid.heads or [""] * len(columns)
    wanted = [
        max(_longest_word((head, *column)) * 4.2 + 8, min(max(map(len, column)), 46) * 3.0)
        for head, column in zip(heads, columns, strict=True)
    ]
    if grid.heads is None:
        return [190.0, _WIDTH - 190.0]
    scale = _WIDTH / sum(wanted)
    return [width * scale for width in wanted]


def _longest_word(texts: Sequence[str]) -> int:
    return min(max(len(word) for text in texts for word in [*text.split(), ""]), 16)


def _text(text: str, *, linked: bool) -> str:
    safe = escape("".join(each if each.isprintable() else " " for each in text))
    if not linked:
        return safe
    return _IDS.sub(
        lambda found: f'<a href="{link_of(found[0])}" color="{_LINK}">{found[0]}</a>', safe
    )
