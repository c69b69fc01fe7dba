"""Repurposing: how far a drug was tried for a condition, its trials, a matrix, the scout."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.agents.charts import Cell, draw_matrix
from trialyst.agents.matrix import ask_matrix
from trialyst.agents.scout import scout_indications
from trialyst.errors import InvalidInput
from trialyst.interfaces.web.failures import to_failure
from trialyst.interfaces.web.home import examples
from trialyst.interfaces.web.links import path_of
from trialyst.interfaces.web.site import page, render, site_of
from trialyst.repurposing import RepurposingClient, listing
from trialyst.vocabulary import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "asked_of",
    "client_of",
    "read_cutoff",
    "routes",
    "show",
    "show_matrix",
    "show_scout",
    "show_trials",
    "split_names",
]

_MOST_CELLS = 150
"""Pairs of a matrix that a page asks for while somebody waits."""
_PAGE_SIZE = 20
_EXAMPLES = 4
_LINES = re.compile(r"[;\n]")
_MOST_PARTS = 4
"""Of a name between its own commas: `Leukemia, Lymphocytic, Chronic, B-Cell`."""


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


async def client_of(request: Request) -> RepurposingClient:
    """Give the client on the newest source."""
    return await asyncio.to_thread(site_of(request).served.repurposing)


@page
async def show(request: Request) -> Response:
    """Show how far a drug was tried for a condition, and why it is graded so."""
    asked, cutoff = asked_of(request, "drug", "condition"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "found": None, "failure": None}
    if len(asked) < 2:
        values["examples"] = await _examples(request)
    else:
        try:
            found = await listing.read_whitespace(await client_of(request), **asked, **cutoff)
            values["found"] = found.to_wire()
        except InvalidInput as error:
            values["failure"] = to_failure(error)
    return await render(request, "repurposing.html", values)


async def _examples(request: Request) -> Sequence[tuple[str, str]]:
    """Give drugs that this registry has many trials of, each with its most frequent condition."""
    site = site_of(request)
    counted, source = await site.count({}), await site.source()
    made = await asyncio.to_thread(lambda: examples(counted["breakdowns"], source.names))
    pairs = []
    for drug in made["drugs"][:_EXAMPLES]:
        told = await site.count({"intervention": drug}, by=("condition",))
        pairs += [(drug, each) for each in list(told["breakdowns"]["condition"]["counts"])[:1]]
    return pairs


@page
async def show_trials(request: Request) -> Response:
    """Show the trials behind a count: of a drug, for a condition or any."""
    asked, cutoff = asked_of(request, "drug", "condition", "cursor"), read_cutoff(request)
    client = await client_of(request)
    found = await listing.list_drug_trials(client, **asked, **cutoff, page_size=_PAGE_SIZE)
    values = {"asked": asked, "cutoff": cutoff, "found": found.to_wire()}
    return await render(request, "drug_trials.html", values)


@page
async def show_matrix(request: Request) -> Response:
    """Show drugs against conditions."""
    asked, cutoff = asked_of(request, "drugs", "conditions"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "rows": [], "failure": None}
    if len(asked) == 2:
        names = (await client_of(request)).vocabulary
        drugs = split_names(names, asked["drugs"], Kind.DRUG)
        conditions = split_names(names, asked["conditions"], Kind.CONDITION)
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
            values["chart"] = await asyncio.to_thread(_heat_map, items, cutoff)
    return await render(request, "matrix.html", values)


def split_names(vocabulary: Vocabulary, text: str, kind: Kind) -> list[str]:
    """Give the names of a list with commas; a name that has a comma of its own stays whole."""
    names: list[str] = []
    for line in _LINES.split(text):
        parts = [part.strip() for part in line.split(",")]
        while parts:
            # The longest beginning that is one name, as `Diabetes Mellitus, Type 2` is.
            size = next(
                (
                    size
                    for size in range(min(len(parts), _MOST_PARTS), 1, -1)
                    if vocabulary.resolve(", ".join(parts[:size]), kinds=(kind,)).exact
                ),
                1,
            )
            names.append(", ".join(parts[:size]))
            parts = parts[size:]
    return list(dict.fromkeys(filter(None, names)))


def _heat_map(items: Sequence[Mapping[str, Any]], cutoff: Mapping[str, Any]) -> Markup:
    cells = [
        Cell(
            each["drug"],
            each["condition"],
            each["grade"],
            each["exact_match_count"] + each.get("narrower_match_count", 0),
            path_of("/repurposing", drug=each["drug"], condition=each["condition"], **cutoff),
        )
        for each in items
    ]
    return Markup(draw_matrix(cells, title="Grade and trials of each pair").decode("utf-8"))


async def _matrix(
    request: Request, drugs: list[str], conditions: list[str], cutoff: Mapping[str, Any]
) -> Any:
    if len(drugs) * len(conditions) > _MOST_CELLS:
        raise InvalidInput(
            f"{len(drugs)} drugs against {len(conditions)} conditions are too many for a page",
            hint=f"Ask for up to {_MOST_CELLS} pairs; a shell takes more.",
        )
    client = await client_of(request)
    return await ask_matrix(client, drugs=drugs, conditions=conditions, **cutoff)


@page
async def show_scout(request: Request) -> Response:
    """Show where else a drug might be tried."""
    asked, cutoff = asked_of(request, "drug"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "found": None, "failure": None}
    if asked:
        try:
            report = await scout_indications(await client_of(request), **asked, **cutoff)
            values["found"] = report.to_wire()
        except InvalidInput as error:
            values["failure"] = to_failure(error)
    return await render(request, "scout.html", values)


routes = [
    Route("/repurposing", show),
    Route("/repurposing/trials", show_trials),
    Route("/repurposing/matrix", show_matrix),
    Route("/repurposing/scout", show_scout),
]
