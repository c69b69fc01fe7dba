"""Repurposing: how far a drug was tried, its trials, a matrix, the field, failures, the scout."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.agents.charts import draw_phases, draw_stop_reasons, draw_timeline
from trialyst.agents.matrix import ask_matrix
from trialyst.agents.scout import scout_indications
from trialyst.errors import InvalidInput
from trialyst.interfaces.web.failures import to_failure
from trialyst.interfaces.web.site import page, render, site_of
from trialyst.repurposing import listing

__all__ = [
    "asked_of",
    "read_cutoff",
    "routes",
    "show",
    "show_field",
    "show_matrix",
    "show_scout",
    "show_stopped",
    "show_trials",
]

_MOST_CELLS = 150
"""Pairs of a matrix that a page asks for while somebody waits."""
_PAGE_SIZE = 20
_LISTED = re.compile(r"[;\n]|,(?!\s*(?:Type|type)\b)")


def asked_of(request: Request, *names: str) -> dict[str, str]:
    """Give what an address asks for of some names; a blank field was not filled in."""
    given = {name: request.query_params.get(name, "").strip() for name in names}
    return {name: value for name, value in given.items() if value}


def read_cutoff(request: Request) -> dict[str, Any]:
    """Give the day that the registry is seen on, if one is asked for."""
    cutoff: dict[str, Any] = asked_of(request, "date_before")
    if cutoff and request.query_params.get("point_in_time"):
        cutoff["point_in_time"] = True
    return cutoff


async def _client(request: Request) -> Any:
    return await asyncio.to_thread(site_of(request).served.repurposing)


@page
async def show(request: Request) -> Response:
    """Show how far a drug was tried for a condition, and why it is graded so."""
    asked, cutoff = asked_of(request, "drug", "condition"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "found": None, "failure": None}
    if "drug" in asked and "condition" in asked:
        try:
            found = await listing.read_whitespace(await _client(request), **asked, **cutoff)
            values["found"] = found.to_wire()
        except InvalidInput as error:
            values["failure"] = to_failure(error)
    return await render(request, "repurposing.html", values)


@page
async def show_trials(request: Request) -> Response:
    """Show the trials behind a count: of a drug, for a condition or any."""
    asked, cutoff = asked_of(request, "drug", "condition", "cursor"), read_cutoff(request)
    client = await _client(request)
    found = await listing.list_drug_trials(client, **asked, **cutoff, page_size=_PAGE_SIZE)
    values = {"asked": asked, "cutoff": cutoff, "found": found.to_wire()}
    return await render(request, "drug_trials.html", values)


@page
async def show_matrix(request: Request) -> Response:
    """Show drugs against conditions."""
    asked, cutoff = asked_of(request, "drugs", "conditions"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "rows": [], "failure": None}
    if len(asked) == 2:
        drugs, conditions = (
            list(dict.fromkeys(filter(None, map(str.strip, _LISTED.split(asked[name])))))
            for name in ("drugs", "conditions")
        )
        try:
            answer = await _matrix(request, drugs, conditions, cutoff)
        except InvalidInput as error:
            values["failure"] = to_failure(error)
        else:
            size = len(conditions)
            items = answer["items"]
            values["conditions"] = conditions
            values["rows"] = [items[at : at + size] for at in range(0, len(items), size)]
            values["notes"] = answer["provenance"]
    return await render(request, "matrix.html", values)


async def _matrix(
    request: Request, drugs: list[str], conditions: list[str], cutoff: Mapping[str, Any]
) -> Any:
    if len(drugs) * len(conditions) > _MOST_CELLS:
        raise InvalidInput(
            f"{len(drugs)} drugs against {len(conditions)} conditions are too many for a page",
            hint=f"Ask for up to {_MOST_CELLS} pairs; a shell takes more.",
        )
    client = await _client(request)
    return await ask_matrix(client, drugs=drugs, conditions=conditions, **cutoff)


@page
async def show_field(request: Request) -> Response:
    """Show who works on a condition, how far along, the trend, and what will read out next."""
    asked, cutoff = asked_of(request, "condition", "cursor"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "found": None, "failure": None}
    if "condition" in asked or "cursor" in asked:
        try:
            client = await _client(request)
            found = await listing.list_competitors(client, **asked, **cutoff, page_size=_PAGE_SIZE)
            values["found"] = told = found.to_wire()
            if "starts_by_year" in told:
                values["charts"] = await asyncio.to_thread(_field_charts, told)
        except InvalidInput as error:
            values["failure"] = to_failure(error)
    return await render(request, "landscape.html", values)


def _field_charts(told: Mapping[str, Any]) -> list[Markup]:
    years = (told.get("starts_by_year", {}), told.get("stops_by_year", {}))
    drawn = [
        draw_phases(told.get("phase_distribution", {}), title="Trials by phase"),
        draw_timeline(*years, title="Starts and stops by year"),
    ]
    return [Markup(each.decode("utf-8")) for each in drawn]


@page
async def show_stopped(request: Request) -> Response:
    """Show trials that stopped early, and why."""
    asked, cutoff = asked_of(request, "query", "cursor"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "found": None, "failure": None}
    if asked:
        try:
            client = await _client(request)
            found = await listing.list_stopped(client, **asked, **cutoff, page_size=_PAGE_SIZE)
            values["found"] = told = found.to_wire()
            counts = told["summary"]["categories"]
            drawn = await asyncio.to_thread(
                lambda: draw_stop_reasons(counts, title="Why they stopped")
            )
            values["chart"] = Markup(drawn.decode("utf-8"))
        except InvalidInput as error:
            values["failure"] = to_failure(error)
    return await render(request, "stopped.html", values)


@page
async def show_scout(request: Request) -> Response:
    """Show where else a drug might be tried."""
    asked, cutoff = asked_of(request, "drug"), read_cutoff(request)
    found = None
    if asked:
        report = await scout_indications(await _client(request), **asked, **cutoff)
        found = report.to_wire()
    values = {"asked": asked, "cutoff": cutoff, "found": found}
    return await render(request, "scout.html", values)


routes = [
    Route("/repurposing", show),
    Route("/repurposing/trials", show_trials),
    Route("/repurposing/matrix", show_matrix),
    Route("/repurposing/landscape", show_field),
    Route("/repurposing/stopped", show_stopped),
    Route("/repurposing/scout", show_scout),
]
