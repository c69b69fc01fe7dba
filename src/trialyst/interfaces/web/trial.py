"""The page of one trial, in the order a person reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trialyst.annotation.results import read_posted
from trialyst.discovery.changes import list_revisions
from trialyst.discovery.sections import SECTIONS
from trialyst.discovery.similar import find_similar
from trialyst.eligibility.views import read_trials, to_criteria_view
from trialyst.ids import NctId
from trialyst.interfaces.runtime import open_parser
from trialyst.interfaces.web.figures import draw_forest, draw_timeline
from trialyst.interfaces.web.maps import draw_sites
from trialyst.interfaces.web.site import page, render, site_of

if TYPE_CHECKING:
    from trialyst.eligibility.criteria import ReadCriterion

__all__ = ["routes", "show"]

_MOST_SITES = 200
_MOST_TABLES = 50
_MILESTONES = {"STARTED": "Started", "COMPLETED": "Completed", "NOT COMPLETED": "Not completed"}
_DEEPEST = 3
"""Steps by which a criterion of a list below a list is moved in."""


@page
async def show(request: Request) -> Response:
    """Show the page; other spellings of an id lead to its own address."""
    written = request.path_params["nct_id"]
    nct_id = NctId.parse(written)
    if written != str(nct_id):
        return RedirectResponse(f"/trial/{nct_id}", 303)
    site = site_of(request)
    near = request.query_params.get("near", "").strip() or None
    discovery = await asyncio.to_thread(site.served.discovery)
    source = await site.source()
    trial = await source.get(nct_id)
    posted = await source.get_results(nct_id)
    answer, places, results, read, similar, drawn = await asyncio.gather(
        discovery.get_trial(str(nct_id), sections=list(SECTIONS)),
        discovery.get_trial_locations(str(nct_id), near=near, page_size=_MOST_SITES),
        discovery.get_results(str(nct_id), page_size=_MOST_TABLES),
        read_trials(source, [trial], lambda: open_parser(site.settings.home)),
        find_similar(source, trial),
        draw_sites(source, [trial], near=near),
    )
    values = {
        # A record may say nothing at all of what a section is about.
        "trial": {name: {} for name in SECTIONS} | answer.to_dict(),
        "dates": answer.get("dates", {}),
        "criteria": _nested(read[0]),
        "timeline": draw_timeline(answer.get("dates", {}), today=site.now().date()),
        "places": places,
        "near": near,
        "drawn": drawn,
        "results": results,
        "judged": None if posted is None else read_posted(posted),
        "tables": [_table(each) for each in results["items"]],
        "similar": similar,
        "revisions": await list_revisions(source, NctId.parse(trial.nct_id)),
    }
    return await render(request, "trial.html", values)


def _nested(read: Sequence[ReadCriterion]) -> list[dict[str, Any]]:
    """Give criteria as read, each with how deep it stands in the lists of others."""
    deep = [0] * len(read)
    for place, each in enumerate(read):
        for child in each.opens.children if each.opens else ():
            deep[child] = deep[place] + 1
    shown = to_criteria_view(read)
    return [{**each, "deep": min(level, _DEEPEST)} for each, level in zip(shown, deep, strict=True)]


def _table(table: Mapping[str, Any]) -> dict[str, Any]:
    """Give a table of posted results as rows of cells, a column a group."""
    groups = [(each["id"], each.get("title") or each["id"]) for each in table.get("groups", ())]
    shown = {**table, "columns": [title for _, title in groups], "rows": [], "forest": None}
    if "milestones" in table:
        shown["rows"] = [
            [
                _MILESTONES.get(step["title"], step["title"]),
                *(step["counts"].get(each, "") for each, _ in groups),
            ]
            for step in (*table["milestones"], *table["not_completed"])
        ]
    elif "values" in table:
        shown["rows"] = _measured(table["values"], groups)
        shown["forest"] = draw_forest(table.get("analyses", ()), dict(groups))
    elif "events" in table:
        shown["rows"] = [
            [event["term"], *(_events(event["counts"].get(each)) for each, _ in groups)]
            for event in table["events"]
        ]
    return shown


def _measured(
    values: Sequence[Mapping[str, Any]], groups: Sequence[tuple[str, str]]
) -> list[list[str]]:
    rows: dict[str, dict[str, str]] = {}
    for cell in values:
        rows.setdefault(cell.get("category", ""), {})[cell.get("group", "")] = _cell(cell)
    return [[name, *(row.get(each, "") for each, _ in groups)] for name, row in rows.items()]


def _cell(cell: Mapping[str, Any]) -> str:
    text = cell.get("value", "")
    if "lower_limit" in cell or "upper_limit" in cell:
        return f"{text} ({cell.get('lower_limit', '')} to {cell.get('upper_limit', '')})"
    return f"{text} ± {cell['spread']}" if "spread" in cell else text


def _events(counts: Mapping[str, int] | None) -> str:
    if not counts:
        return ""
    affected, at_risk = counts.get("affected"), counts.get("at_risk")
    if affected is None:
        return ""
    return f"{affected:,} of {at_risk:,}" if at_risk else f"{affected:,}"


routes = [Route("/trial/{nct_id:path}", show)]
