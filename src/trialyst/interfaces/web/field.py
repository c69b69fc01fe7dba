"""A field: who works on a condition, what reads out next, and what stopped, and why."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.agents.charts import draw_phases, draw_stop_reasons, draw_timeline
from trialyst.agents.critique import assess_stopped
from trialyst.agents.field_charts import draw_pipelines, draw_read_outs
from trialyst.errors import InvalidInput
from trialyst.interfaces.web.failures import to_failure
from trialyst.interfaces.web.links import path_of, trial_path
from trialyst.interfaces.web.repurposing import asked_of, client_of, read_cutoff
from trialyst.interfaces.web.site import page, render
from trialyst.repurposing import listing
from trialyst.repurposing.pages import LandscapePage
from trialyst.repurposing.queries import read_cutoff as read_day
from trialyst.repurposing.severity import Closeness

if TYPE_CHECKING:
    from trialyst.repurposing.models import ConditionLandscape, TerminatedTrial
    from trialyst.repurposing.pages import StoppedPage

__all__ = ["routes", "show_field", "show_stopped"]

_PAGE_SIZE = 20
_MOST_ROWS = 20
"""Sponsors and read-outs of a chart, as many as of the tables below it."""
_LISTED = "/repurposing/landscape/trials"
_CLOSENESS = {
    "drug": Closeness.DRUG,
    "class": Closeness.CLASS,
    "target": Closeness.CLASS,
    "condition": Closeness.CONDITION,
}
"""What a stopped trial shares with what was asked for; words alone tell nothing of it."""
_BY_SEVERITY = "severity"
_MOST_ORDERED = 200
"""Trials that are put in order of severity: as many as the tool gives at once."""


@page
async def show_field(request: Request) -> Response:
    """Show who works on a condition, how far along, the trend, and what will read out next."""
    asked, cutoff = asked_of(request, "condition", "cursor"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "found": None, "failure": None}
    if asked:
        try:
            client = await client_of(request)
            found, whole = await listing.survey_field(
                client, **asked, **cutoff, page_size=_PAGE_SIZE
            )
            values["found"] = found.to_wire()
            asked.setdefault("condition", found.condition.asked)
            today = read_day(cutoff.get("date_before")) or client.clock().date()
            if isinstance(found, LandscapePage):
                values["charts"] = await asyncio.to_thread(_field_charts, whole, cutoff, today)
        except InvalidInput as error:
            values["failure"] = to_failure(error)
    return await render(request, "landscape.html", values)


def _field_charts(
    found: ConditionLandscape, cutoff: Mapping[str, Any], today: datetime.date
) -> dict[str, Markup]:
    condition = found.condition.asked

    def trials(**part: str) -> str:
        return path_of(_LISTED, condition=condition, **part, **cutoff)

    drawn = {
        "phases": draw_phases(
            found.phase_distribution,
            title="Trials by phase",
            link=lambda phase: trials(phase=phase),
        ),
        "years": draw_timeline(
            found.starts_by_year,
            found.stops_by_year,
            title="Starts and stops by year",
            partial=today.year,
            link=lambda kind, year: trials(**{kind: year}),
        ),
    }
    if found.pipelines:
        drawn["pipelines"] = draw_pipelines(
            found.pipelines[:_MOST_ROWS],
            title="Pipelines by sponsor and phase",
            link=lambda sponsor, drug: trials(sponsor=sponsor, drug=drug),
        )
    if found.read_outs:
        drawn["read_outs"] = draw_read_outs(
            found.read_outs[:_MOST_ROWS], title="What reads out next", today=today, link=trial_path
        )
    return {name: Markup(each.decode("utf-8")) for name, each in drawn.items()}


@page
async def show_stopped(request: Request) -> Response:
    """Show trials that stopped early, why, and how grave that is."""
    asked, cutoff = asked_of(request, "query", "category", "order", "cursor"), read_cutoff(request)
    values: dict[str, Any] = {"asked": asked, "cutoff": cutoff, "found": None, "failure": None}
    if "query" in asked or "cursor" in asked:
        try:
            values |= await _stopped(request, asked, cutoff)
        except InvalidInput as error:
            values["failure"] = to_failure(error)
    return await render(request, "stopped.html", values)


async def _stopped(
    request: Request, asked: Mapping[str, str], cutoff: Mapping[str, Any]
) -> dict[str, Any]:
    client = await client_of(request)
    ordered = asked.get("order") == _BY_SEVERITY
    given: dict[str, Any] = {name: asked[name] for name in ("query", "cursor") if name in asked}
    size = _MOST_ORDERED if ordered else _PAGE_SIZE
    given |= {"page_size": size, **({"max_results": _MOST_ORDERED} if ordered else {})}
    found = await listing.list_stopped(client, category=asked.get("category"), **given, **cutoff)
    today = read_day(cutoff.get("date_before")) or client.clock().date()
    known_now = not cutoff.get("point_in_time")
    told = found.to_wire()
    rows = _assessed(found, told["items"], today, papers=known_now)
    if ordered:
        rows.sort(key=lambda row: -row["severity"]["score"] if row["severity"] else 1)
    query = found.names[0].asked

    def of_reason(category: str) -> str:
        return path_of("/repurposing/stopped", query=query, category=category, **cutoff)

    counted, others = (told["summary"].get(name, 0) for name in ("trials", "other_trials"))
    which = f": the {counted:,} that give a drug" if others else ""
    chart = await asyncio.to_thread(
        lambda: draw_stop_reasons(
            told["summary"]["categories"], title=f"Why they stopped{which}", link=of_reason
        )
    )
    return {"found": told, "rows": rows, "chart": Markup(chart.decode("utf-8")), "query": query}


def _assessed(
    found: StoppedPage, wire: Sequence[Mapping[str, Any]], today: datetime.date, *, papers: bool
) -> list[dict[str, Any]]:
    """Give each trial with its severity, None where words alone were asked for."""
    tie = _CLOSENESS.get(str(found.names[0].kind))

    def assess(trial: TerminatedTrial) -> dict[str, Any] | None:
        if tie is None:
            return None
        has_paper = papers and bool(trial.reporting_references)
        return assess_stopped(trial, tie, today, has_paper=has_paper).model_dump()

    pairs = zip(found.items, wire, strict=True)
    return [{**shown, "severity": assess(trial)} for trial, shown in pairs]


routes = [
    Route("/repurposing/landscape", show_field),
    Route("/repurposing/stopped", show_stopped),
]
