"""The match page: a note is read, what was read is corrected, trials are ranked and judged again.

Everything about the patient is held in the visit, in memory. Pages that show it may not be kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trialyst.agents.patient_report import ReportForm, render_match
from trialyst.errors import InvalidInput, NotFound
from trialyst.interfaces.runtime import describe_judge
from trialyst.interfaces.web.failures import to_failure
from trialyst.interfaces.web.forms import read_form, read_text
from trialyst.interfaces.web.models import find_models
from trialyst.interfaces.web.notes import mark_note
from trialyst.interfaces.web.runs import MatchRun
from trialyst.interfaces.web.site import page, render, site_of
from trialyst.interfaces.web.streaming import stream
from trialyst.interfaces.web.visits import Visit
from trialyst.matching.correcting import Correction, FormSection, form_lines
from trialyst.matching.correcting.lines import SINGLE
from trialyst.matching.report_view import to_match_view
from trialyst.starter import sample_patients

__all__ = [
    "add_facts",
    "correct",
    "end",
    "find",
    "read_corrections",
    "read_note",
    "routes",
    "save_report",
    "show",
    "watch",
]

RULES = "rules"
_SHOWN = 50
"""Trials on the page; the report has all."""
_ALL_CRITERIA = 500
_MOST_ASKED = 6
"""Facts to ask at once: a visit is short."""
_MEDIA = {
    ReportForm.HTML: "text/html; charset=utf-8",
    ReportForm.MARKDOWN: "text/markdown; charset=utf-8",
    ReportForm.JSON: "application/json",
}


def _visit(request: Request) -> Visit:
    """Give what the visitor left, or raise where nothing is left any more."""
    visit = site_of(request).visits.find(request)
    if visit is None or "profile" not in visit.left:
        raise InvalidInput(
            "There is no note here any more",
            hint="Notes are kept for half an hour without a request; paste it again.",
        )
    return visit


@page
async def show(request: Request) -> Response:
    """Show where the match stands: the empty form, the facts that were read, or the trials."""
    site = site_of(request)
    visit = site.visits.find(request)
    left: Mapping[str, Any] = {} if visit is None else visit.left
    values: dict[str, Any] = {"failure": left.get("failure"), "note": left.get("note", "")}
    if "profile" not in left:
        values["samples"] = sample_patients()
        return await render(request, "match.html", values, private=True)
    profile, run = left["profile"], left.get("run")
    report = None if run is None else run.report
    lines = form_lines(profile.chart)
    values |= {
        "profile": profile,
        "marked": mark_note(profile.note, lines),
        "sections": {each.value: [] for each in FormSection},
        "single": [each.value for each in SINGLE],
        "options": left.get("options", {}),
        "models": await find_models(site.settings),
        "asking": left.get("asking"),
        "run": run,
        "report": None if report is None else to_match_view(report, **_PART),
        "asked": [] if report is None else report.facts_to_ask[:_MOST_ASKED],
    }
    for line in lines:
        values["sections"][line.section.value].append(line)
    return await render(request, "patient.html", values, private=True)


_PART = {"first": 1, "top": _SHOWN, "criteria": _ALL_CRITERIA}


def _back(request: Request) -> Response:
    response = RedirectResponse("/match", 303)
    site_of(request).visits.remember(request, response)
    return response


@page
async def read_note(request: Request) -> Response:
    """Read a note, a FHIR bundle or a sample patient."""
    form = await read_form(request)
    site = site_of(request)
    text = await read_text(form, "note", "file")
    sample = str(form.get("sample") or "")
    if not text and sample:
        text = next((each.note for each in sample_patients() if each.name == sample), "")
    visit = site.visits.open(request)
    await _forget_run(visit)
    visit.left = {"note": text}
    matching = await asyncio.to_thread(site.served.matching)
    try:
        profile = await matching.profile(text or None)
    except InvalidInput as error:
        visit.left["failure"] = to_failure(error)
        return _back(request)
    visit.left |= {"original": profile, "profile": profile, "corrections": [], "answers": []}
    return _back(request)


@page
async def correct(request: Request) -> Response:
    """Correct, take out or add facts; trials that were judged are judged again."""
    form = await read_form(request)
    visit = _visit(request)
    corrections = [*visit.left["corrections"], *read_corrections(form)]
    return await _corrected(request, visit, corrections, visit.left["answers"])


@page
async def add_facts(request: Request) -> Response:
    """Take the answers to what was asked; trials are judged again."""
    form = await read_form(request)
    visit = _visit(request)
    answers = [
        (name.removeprefix("ask."), str(value).strip())
        for name, value in form.multi_items()
        if name.startswith("ask.") and str(value).strip()
    ]
    return await _corrected(
        request, visit, visit.left["corrections"], [*visit.left["answers"], *answers]
    )


def read_corrections(form: FormData) -> list[Correction]:
    """Read which lines were changed, taken out or added."""
    found: list[Correction] = []
    for name, value in form.multi_items():
        kind, _, rest = name.partition(".")
        section, _, number = rest.partition(".")
        if section not in [each.value for each in FormSection]:
            continue
        words = str(value).strip()
        if kind == "add" and words:
            found.append(Correction(section=FormSection(section), added=words))
        elif kind == "line":
            shown = str(form.get(f"was.{section}.{number}") or "")
            gone = form.get(f"remove.{section}.{number}") is not None or not words
            if shown and (gone or words != shown):
                added = None if gone else words
                part = FormSection(section)
                found.append(Correction(section=part, removed=shown, added=added))
    return found


async def _corrected(
    request: Request,
    visit: Visit,
    corrections: list[Correction],
    answers: list[tuple[str, str]],
) -> Response:
    matching = await asyncio.to_thread(site_of(request).served.matching)
    visit.left.pop("failure", None)
    try:
        profile = await matching.correct(visit.left["original"], corrections, answers=answers)
    except InvalidInput as error:
        visit.left["failure"] = to_failure(error)
        return _back(request)
    visit.left |= {"profile": profile, "corrections": corrections, "answers": answers}
    if visit.left.get("run") is not None:
        await _start(request, visit)
    return _back(request)


@page
async def find(request: Request) -> Response:
    """Begin to find and judge trials; a model is asked only after saying what it will be sent."""
    form = await read_form(request)
    visit = _visit(request)
    visit.left.pop("failure", None)
    names = ("near", "status", "judge")
    options = {name: str(form.get(name) or "").strip() for name in names}
    visit.left["options"] = {name: value for name, value in options.items() if value}
    judge = options["judge"] or RULES
    try:
        sent = describe_judge(judge, settings=site_of(request).settings)
    except InvalidInput as error:
        visit.left["failure"] = to_failure(error)
        return _back(request)
    if sent and form.get("agreed") != judge:
        visit.left["asking"] = {"judge": judge, "sent": sent}
        return _back(request)
    visit.left.pop("asking", None)
    await _start(request, visit)
    return _back(request)


async def _start(request: Request, visit: Visit) -> None:
    await _forget_run(visit)
    site = site_of(request)
    matching = await asyncio.to_thread(site.served.matching)
    visit.left["run"] = MatchRun(
        matching, visit.left["profile"], visit.left.get("options", {}), site.settings
    ).start(site.matching_slots)


async def _forget_run(visit: Visit) -> None:
    run: MatchRun | None = visit.left.get("run")
    if run is not None:
        run.stop()


async def watch(request: Request) -> Response:
    """Send how far the judging is, as it goes on."""
    visit = site_of(request).visits.find(request)
    run: MatchRun | None = None if visit is None else visit.left.get("run")
    if run is None:
        return Response(status_code=404)
    return stream(run.watch())


@page
async def save_report(request: Request) -> Response:
    """Give the coordinator's report as a file."""
    run: MatchRun | None = _visit(request).left.get("run")
    try:
        form = ReportForm(request.path_params["form"])
    except ValueError:
        raise NotFound(
            "A report is not saved as that", hint=f"Use one of {', '.join(ReportForm)}."
        ) from None
    if run is None or run.report is None:
        raise InvalidInput("There is no report yet", hint="Find trials first.")
    written = await asyncio.to_thread(render_match, run.report, form)
    headers = {
        "Content-Disposition": f'attachment; filename="match-report.{form}"',
        "Cache-Control": "no-store",
    }
    return Response(written, media_type=_MEDIA[form], headers=headers)


@page
async def end(request: Request) -> Response:
    """End the session: the note and everything read from it are gone."""
    await read_form(request)
    visits = site_of(request).visits
    visit = visits.find(request)
    if visit is not None:
        await _forget_run(visit)
    visits.end(request)
    return _back(request)


routes = [
    Route("/match", show),
    Route("/match/read", read_note, methods=["POST"]),
    Route("/match/facts", correct, methods=["POST"]),
    Route("/match/answers", add_facts, methods=["POST"]),
    Route("/match/find", find, methods=["POST"]),
    Route("/match/progress", watch),
    Route("/match/report.{form:str}", save_report),
    Route("/match/end", end, methods=["POST"]),
]
