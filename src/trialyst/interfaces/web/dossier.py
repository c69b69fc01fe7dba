"""A dossier to read and to save: what the registry says of a drug in a condition."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.agents import run_supervisor
from trialyst.agents.document import Block, Document, Listing, Picture
from trialyst.agents.layout import lay_out
from trialyst.agents.writing import DossierForm, read_question, render_dossier
from trialyst.errors import NotFound
from trialyst.interfaces.web.parameters import refuse_unknown
from trialyst.interfaces.web.repurposing import asked_of, read_cutoff
from trialyst.interfaces.web.site import page, render, site_of
from trialyst.interfaces.web.templating import clean

__all__ = ["linked", "routes", "save", "show", "to_sections"]

_ID = re.compile(r"\bNCT\d{8}\b|\bPMID[: ]?\d+\b")
_MEDIA = {
    DossierForm.HTML: "text/html; charset=utf-8",
    DossierForm.MARKDOWN: "text/markdown; charset=utf-8",
    DossierForm.JSON: "application/json",
    DossierForm.PDF: "application/pdf",
}


def linked(text: str) -> Markup:
    """Give a sentence with the trials and papers that it cites as links."""

    def link(found: re.Match[str]) -> str:
        name = found[0]
        number = re.sub(r"\D", "", name)
        pubmed = f"https://pubmed.ncbi.nlm.nih.gov/{number}/"
        return f'<a href="{f"/trial/{name}" if name.startswith("NCT") else pubmed}">{name}</a>'

    return Markup(_ID.sub(link, str(escape(clean(text)))))


async def _dossier(request: Request) -> Any:
    asked: Mapping[str, Any] = asked_of(request, "drug", "condition") | read_cutoff(request)
    client = await asyncio.to_thread(site_of(request).served.repurposing)
    return await run_supervisor(client, read_question(asked))


@page
async def show(request: Request) -> Response:
    """Show the dossier."""
    asked, cutoff = asked_of(request, "drug", "condition"), read_cutoff(request)
    dossier = await _dossier(request)
    document = lay_out(dossier)
    sections = await asyncio.to_thread(to_sections, document)
    values = {"asked": asked, "cutoff": cutoff, "document": document, "sections": sections}
    values["forms"] = list(DossierForm)
    return await render(request, "dossier.html", values)


def to_sections(document: Document) -> list[tuple[str, list[dict[str, Any]]]]:
    """Give the parts of a document as a template shows them."""
    return [(each.title, [_to_block(block) for block in each.blocks]) for each in document.sections]


def _to_block(block: Block) -> dict[str, Any]:
    if isinstance(block, Listing):
        lines = [(each.kind.value, linked(each.cited)) for each in block.sentences]
        return {"kind": "list", "lines": lines}
    if isinstance(block, Picture):
        drawn = Markup(block.draw("svg").decode("utf-8"))
        told = " ".join(block.text.replace("█", " ").split())
        return {"kind": "picture", "svg": drawn, "title": block.title, "told": told}
    rows = [[linked(cell) for cell in row] for row in block.rows]
    return {"kind": "table", "heads": block.heads, "rows": rows, "title": block.title}


@page
async def save(request: Request) -> Response:
    """Give the dossier as a file."""
    refuse_unknown(request)
    try:
        form = DossierForm(request.path_params["form"])
    except ValueError:
        raise NotFound(
            "A dossier is not saved as that", hint=f"Use one of {', '.join(DossierForm)}."
        ) from None
    dossier = await _dossier(request)
    written = await asyncio.to_thread(render_dossier, dossier, form)
    question = dossier.question
    named = re.sub(r"[^a-z0-9]+", "-", f"{question.drug} {question.condition}".lower())
    headers = {"Content-Disposition": f'attachment; filename="dossier-{named.strip("-")}.{form}"'}
    return Response(written, media_type=_MEDIA[form], headers=headers)


routes = [
    Route("/repurposing/dossier", show),
    Route("/repurposing/dossier.{form:str}", save),
]
