"""A document as Markdown: charts are bars of text, so that it reads in a terminal and anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trialyst.agents.document import Block, Document, Grid, Listing, Picture
from trialyst.agents.sentences import Sentence, SentenceKind

__all__ = ["render_markdown"]

_SPECIAL = re.compile(r"([\\`*\[\]<|])")


def render_markdown(document: Document) -> str:
    """Write a document."""
    return "\n\n".join(_parts(document)) + "\n"


def _parts(document: Document) -> Iterator[str]:
    yield f"# {_escape(document.title)}"
    yield _escape(document.subtitle)
    yield from (f"> **{_escape(warning)}**" for warning in document.warnings)
    for section in document.sections:
        yield f"## {_escape(section.title)}"
        for block in section.blocks:
            yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Listing):
        if block.sentences:
            yield "\n".join(map(_sentence, block.sentences))
    elif isinstance(block, Picture):
        yield f"**{_escape(block.title)}**"
        yield f"```text\n{block.text}\n```"
        if block.caption:
            yield f"*{_escape(block.caption)}*"
    elif block.rows:
        if block.title:
            yield f"**{_escape(block.title)}**"
        yield _table(block)


def _sentence(sentence: Sentence) -> str:
    text = _escape(sentence.cited)
    return f"- {text}" if sentence.kind is SentenceKind.FINDING else f"- *{text}*"


def _table(grid: Grid) -> str:
    heads = grid.heads or ("", "")
    rows = [heads, ["---"] * len(heads), *grid.rows]
    return "\n".join(map(_row, rows))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell if cell == '---' else _escape(cell) for cell in cells)} |"


def _escape(text: str) -> str:
    if not text.isprintable():
        text = "".join(each if each.isprintable() else " " for each in text)
    line = " ".join(text.split())
    return _SPECIAL.sub(r"\\\1", line)
