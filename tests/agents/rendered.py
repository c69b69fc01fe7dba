"""What a reader of a dossier sees, taken apart again."""

from __future__ import annotations

import asyncio
import re

from trialyst.agents import (
    Dossier,
    DossierForm,
    Question,
    Rephraser,
    render_dossier,
    run_supervisor,
)
from trialyst.agents.document import Document, Grid, Listing, Picture
from trialyst.agents.layout import lay_out
from trialyst.agents.sentences import Sentence
from trialyst.pubmed import PubMed
from trialyst.repurposing import RepurposingClient

__all__ = ["IDS", "ask", "sentences_of", "shown_text", "text_of"]

IDS = re.compile(r"NCT\d{8}|PMID \d+")
COVERAGE = "Coverage and method"


def ask(
    client: RepurposingClient,
    question: Question,
    *,
    pubmed: PubMed | None = None,
    rephraser: Rephraser | None = None,
) -> Dossier:
    """Write a dossier, blocking."""
    return asyncio.run(run_supervisor(client, question, pubmed=pubmed, rephraser=rephraser))


def text_of(dossier: Dossier, form: DossierForm) -> str:
    """Give a file of text."""
    return render_dossier(dossier, form).decode("utf-8")


def sentences_of(document: Document) -> list[Sentence]:
    """Give every sentence of a document."""
    return [
        sentence
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Listing)
        for sentence in block.sentences
    ]


def shown_text(dossier: Dossier, *, drawn: bool = False) -> str:
    """Give every word and cell that speaks of records, line by line, and what is drawn too."""
    lines: list[str] = []
    for section in lay_out(dossier).sections:
        if section.title == COVERAGE:
            continue
        for block in section.blocks:
            if isinstance(block, Listing):
                lines += [sentence.cited for sentence in block.sentences]
            elif isinstance(block, Grid):
                lines += [cell for row in block.rows for cell in row]
            elif isinstance(block, Picture):
                lines += block.text.splitlines()
                if drawn:
                    svg = block.draw("svg").decode()
                    lines += re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    return "\n".join(lines)
