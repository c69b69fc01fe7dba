"""The first page: one box for everything, what is loaded, and worked examples on just that."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trialyst.discovery.destinations import Destination, Place, find_destination
from trialyst.interfaces.web.forms import read_form
from trialyst.interfaces.web.links import path_of, trial_path
from trialyst.interfaces.web.maps import draw_world
from trialyst.interfaces.web.site import page, render, site_of
from trialyst.vocabulary import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["examples", "go", "routes", "show", "world"]

_LOOKED_AT = 30
_KEEP_A_DAY = "public, max-age=86400"


@page
async def show(request: Request) -> Response:
    """Show the page."""
    site = site_of(request)
    counted = await site.count({})
    source = await site.source()
    provenance = await source.provenance()
    values = {
        "counted": counted,
        "examples": await asyncio.to_thread(lambda: examples(counted["breakdowns"], source.names)),
        "stale": provenance.stale_note(site.now()),
    }
    return await render(request, "home.html", values)


def examples(breakdowns: Mapping[str, Any], names: Vocabulary) -> Mapping[str, Any]:
    """Give a condition and a drug that this registry has many trials of, and more such drugs."""
    conditions = list(breakdowns["condition"]["counts"])[:_LOOKED_AT]
    drugs = [
        name
        for name in list(breakdowns["intervention"]["counts"])[:_LOOKED_AT]
        if names.resolve(name, kinds=(Kind.DRUG,)).exact
    ]
    # A name without a comma reads as a person writes it.
    plain = [name for name in conditions if "," not in name]
    return {"condition": [*plain, "asthma"][0], "drug": [*drugs, "metformin"][0], "drugs": drugs}


@page
async def go(request: Request) -> Response:
    """Lead to the place that a text means; a note is left with the visit, never in an address."""
    form = await read_form(request)
    text = str(form.get("q") or "").strip()
    if not text:
        return RedirectResponse("/search", 303)
    site = site_of(request)
    source = await site.source()
    found = await asyncio.to_thread(lambda: find_destination(source.names, text))
    if found.place is Place.NOTE:
        site.visits.open(request).left["note"] = text
    response = RedirectResponse(_address(found), 303)
    site.visits.remember(request, response)
    return response


def _address(found: Destination) -> str:
    asked = dict(found.arguments)
    match found.place:
        case Place.TRIAL:
            return trial_path(asked["nct_id"])
        case Place.PATHWAY:
            return f"/pathways/{asked['pathway_id']}"
        case Place.GENE:
            return path_of("/pathways", **asked)
        case Place.REPURPOSING:
            return path_of("/repurposing", **asked)
        case Place.NOTE:
            return "/match"
        case Place.SEARCH:
            return path_of("/search", **asked)


async def world(request: Request) -> Response:
    """Give the land below every map."""
    headers = {"Cache-Control": _KEEP_A_DAY}
    return Response(draw_world(), media_type="image/svg+xml", headers=headers)


routes = [Route("/", show), Route("/go", go, methods=["POST"]), Route("/world.svg", world)]
