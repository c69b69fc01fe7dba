"""A document as one HTML page that holds everything: style, charts, no script, nothing to load."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from trialyst.agents.document import Block, Document, Grid, Listing, Picture
from trialyst.agents.sentences import Sentence
from trialyst.unseen import without_unseen

__all__ = ["link_of", "render_page"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:60rem;
margin:2rem auto;padding:0 1rem}
h1{font-size:1.7rem;margin:0}h2{font-size:1.2rem;margin:2.2rem 0 .6rem;border-bottom:1px solid #ccc}
h3{font-size:1rem;margin:1.4rem 0 .4rem}.sub{color:#555;margin:.2rem 0 1rem}
.warning{background:#fff3cd;border:2px solid #d55e00;padding:.6rem .8rem;font-weight:600}
ul{padding-left:1.2rem}li{margin:.25rem 0}li.method,li.coverage{color:#555;font-style:italic}
li,td{overflow-wrap:break-word}
table{border-collapse:collapse;font-size:.86rem;margin:.6rem 0;width:100%}
th,td{border-bottom:1px solid #ddd;padding:.3rem .5rem;text-align:left;vertical-align:top}
thead th{border-bottom:2px solid #888}.facts{width:auto}.facts th{font-weight:500;color:#555}
.short{white-space:nowrap}
figure{margin:1rem 0}figcaption{font-size:.78rem;color:#666}
figure svg{max-width:100%;height:auto}a{color:#0b5394}
.scroll{overflow-x:auto}
@media screen and (max-width:40rem){.scroll td:not(.short){min-width:11rem}
figure{overflow-x:auto}figure svg{max-width:none}}
@media screen and (prefers-color-scheme:dark){body{color:#e4e4e4;background:#17191d}
.sub,li.method,li.coverage,.facts th,figcaption{color:#aaa}
.warning{background:#3a2c00}a{color:#8ab8f0}
h2,th,td{border-color:#444}figure svg{background:#fff}}
@media print{body{margin:0;max-width:none}a{color:inherit}h2,h3{break-after:avoid}
figure,tr{break-inside:avoid}.scroll{overflow:visible}.scroll table{font-size:.66rem}
.scroll th,.scroll td{padding:.2rem .25rem}}
""".strip()
_SHORT = 12
"""A cell up to this long is kept on one line: an id, a date, a phase, a number."""
_IDS = re.compile(r"\b(?:(NCT\d{8})|PMID (\d{1,9}))\b")


def render_page(document: Document) -> str:
    """Write a document; the same one always gives the same text."""
    return without_unseen("".join(f"{line}\n" for line in _lines(document)))


def link_of(source: str) -> str:
    """Give the address of a trial or a paper, as `NCT01234567` or `PMID 123`."""
    if source.startswith("NCT"):
        return f"https://clinicaltrials.gov/study/{source}"
    return f"https://pubmed.ncbi.nlm.nih.gov/{source.removeprefix('PMID ')}/"


def _lines(document: Document) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{escape(document.title)}</title>"
    yield f"<style>{_STYLE}</style></head><body><main>"
    yield f"<h1>{escape(document.title)}</h1>"
    yield f'<p class="sub">{escape(document.subtitle)}</p>'
    for warning in document.warnings:
        yield f'<p class="warning" role="note">{escape(warning)}</p>'
    for section in document.sections:
        yield f"<section><h2>{escape(section.title)}</h2>"
        for block in section.blocks:
            yield from _block(block, linked=not document.synthetic)
        yield "</section>"
    yield "</main></body></html>"


def _block(block: Block, *, linked: bool) -> Iterator[str]:
    if isinstance(block, Listing):
        if block.sentences:
            yield "<ul>"
            yield from (_sentence(each, linked=linked) for each in block.sentences)
            yield "</ul>"
    elif isinstance(block, Picture):
        values = " ".join(block.text.replace("█", " ").split())
        yield f'<figure role="img" aria-label="{escape(f"{block.title}: {values}")}">'
        yield block.draw("svg").decode("utf-8")
        if block.caption:
            yield f"<figcaption>{escape(block.caption)}</figcaption>"
        yield "</figure>"
    elif block.rows:
        yield from _table(block, linked=linked)


def _sentence(sentence: Sentence, *, linked: bool) -> str:
    return f'<li class="{sentence.kind.value}">{_text(sentence.cited, linked=linked)}</li>'


def _table(grid: Grid, *, linked: bool) -> Iterator[str]:
    if grid.title:
        yield f"<h3>{escape(grid.title)}</h3>"
    if grid.heads is None:
        yield '<table class="facts"><tbody>'
        for name, value in grid.rows:
            told = _text(value, linked=linked)
            yield f'<tr><th scope="row">{escape(name)}</th><td>{told}</td></tr>'
    else:
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in grid.heads)
        yield f'<div class="scroll" tabindex="0"><table><thead><tr>{heads}</tr></thead><tbody>'
        for row in grid.rows:
            cells = "".join(_cell(cell, linked=linked) for cell in row)
            yield f"<tr>{cells}</tr>"
    yield "</tbody></table>" if grid.heads is None else "</tbody></table></div>"


def _cell(text: str, *, linked: bool) -> str:
    marked = ' class="short"' if len(text) <= _SHORT else ""
    return f"<td{marked}>{_text(text, linked=linked)}</td>"


def _text(text: str, *, linked: bool) -> str:
    safe = escape(text)
    if not linked:
        return safe
    return _IDS.sub(lambda found: f'<a href="{link_of(found[0])}">{found[0]}</a>', safe)
