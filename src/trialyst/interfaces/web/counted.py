"""The trials behind the counts of the pages about a drug and a condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.agents.scouted import list_of_relatives
from trialyst.errors import InvalidInput
from trialyst.ids import NctId
from trialyst.interfaces.web.links import path_of
from trialyst.interfaces.web.repurposing import asked_of, client_of, read_cutoff
from trialyst.interfaces.web.site import page, render
from trialyst.repurposing import RepurposingClient
from trialyst.repurposing.counted import LANDSCAPE_COUNTS, list_landscape, list_whitespace
from trialyst.repurposing.listing import need_text
from trialyst.repurposing.views import to_trial

__all__ = ["routes", "show_of_field", "show_of_pair", "show_of_scout"]

_PAGE_SIZE = 20
_WORDS = {
    "both": "of both",
    "exact": "of both, about just this condition",
    "narrower": "of the drug for a narrower condition",
    "graded": "that the grade rests on",
    "mentioned": "of the condition that name the drug but do not give it",
    "drug": "that name the drug",
    "condition": "that name the condition",
    "tested": "that test the drug for the condition",
    "comparator": "that compare with the drug",
    "background": "that give the drug as background treatment",
    "diagnostic": "that give the drug to diagnose",
    "unstated": "that give the drug in a role the record does not state",
}
_BACK = {
    "/repurposing": ("drug", "condition"),
    "/repurposing/landscape": ("condition",),
    "/repurposing/scout": ("drug",),
}
"""What each page with counts is asked by."""


@page
async def show_of_pair(request: Request) -> Response:
    """Show the trials behind a count of a drug and a condition."""
    asked, cutoff = asked_of(request, "drug", "condition", "counted"), read_cutoff(request)
    client = await client_of(request)
    drug = need_text(asked, "drug", such_as="semaglutide")
    condition = need_text(asked, "condition", such_as="NASH")
    counted = asked.get("counted", "both")
    asking = client.asking(cutoff.get("date_before"), point_in_time="point_in_time" in cutoff)
    ids = await list_whitespace(asking, drug, condition, counted)
    title = f"{drug} in {condition}: trials {_WORDS.get(counted, counted)}"
    return await _show(request, client, ids, title=title, back="/repurposing")


@page
async def show_of_field(request: Request) -> Response:
    """Show the trials behind a count of a landscape."""
    asked, cutoff = asked_of(request, "condition", *LANDSCAPE_COUNTS), read_cutoff(request)
    client = await client_of(request)
    condition = need_text(asked, "condition", such_as="asthma")
    parts = {name: value for name, value in asked.items() if name != "condition"}
    asking = client.asking(cutoff.get("date_before"), point_in_time="point_in_time" in cutoff)
    ids = await list_landscape(asking, condition, **parts)
    told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in parts.items())
    title = f"{condition}: trials with a phase{f', {told}' if told else ''}"
    return await _show(request, client, ids, title=title, back="/repurposing/landscape")


@page
async def show_of_scout(request: Request) -> Response:
    """Show the trials of drugs near a drug in a condition, as the scout counts them."""
    asked, cutoff = asked_of(request, "drug", "condition"), read_cutoff(request)
    client = await client_of(request)
    drug = need_text(asked, "drug", such_as="semaglutide")
    condition = need_text(asked, "condition", such_as="NASH")
    asking = client.asking(cutoff.get("date_before"), point_in_time="point_in_time" in cutoff)
    ids = await list_of_relatives(asking, drug, condition)
    title = f"{condition}: trials of drugs near {drug}"
    return await _show(request, client, ids, title=title, back="/repurposing/scout")


async def _show(
    request: Request, client: RepurposingClient, ids: Sequence[str], *, title: str, back: str
) -> Response:
    number = _page_number(request)
    shown = ids[(number - 1) * _PAGE_SIZE : number * _PAGE_SIZE]
    cutoff = read_cutoff(request)
    asking = client.asking(cutoff.get("date_before"), point_in_time="point_in_time" in cutoff)
    trials = await client.source.get_many([NctId.parse(each) for each in shown])
    asked: dict[str, Any] = {**asked_of(request, "drug", "condition")}
    here = {name: value for name, value in request.query_params.items() if name != "page"}
    more = path_of(request.url.path, **here, page=number + 1)
    values = {
        "asked": asked,
        "cutoff": cutoff,
        "title": title,
        "back": path_of(back, **{name: asked.get(name) for name in _BACK[back]}, **cutoff),
        "total": len(ids),
        "items": [to_trial(each, known_at=asking.known_at).model_dump() for each in trials],
        "more": more if number * _PAGE_SIZE < len(ids) else None,
    }
    return await render(request, "counted.html", values)


def _page_number(request: Request) -> int:
    text = request.query_params.get("page", "1").strip() or "1"
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= 100_000 and len(text) < 7):
        raise InvalidInput(f"{text[:40]!r} is no page", hint="Pages are numbered from 1 on.")
    return int(text)


routes = [
    Route("/repurposing/counted", show_of_pair),
    Route("/repurposing/landscape/trials", show_of_field),
    Route("/repurposing/scout/trials", show_of_scout),
]
