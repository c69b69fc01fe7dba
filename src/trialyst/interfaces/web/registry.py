"""The registry page: what is here and how old, sync, check, and the models of this machine."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trialyst.errors import InvalidInput, TrialystError
from trialyst.interfaces.runtime import open_reader
from trialyst.interfaces.web.forms import read_form
from trialyst.interfaces.web.jobs import Job
from trialyst.interfaces.web.models import find_models
from trialyst.interfaces.web.site import Site, page, render, site_of
from trialyst.interfaces.web.streaming import stream
from trialyst.registry import (
    LiveService,
    Subset,
    SyncPlan,
    SyncProgress,
    read_requirements,
    sync_registry,
    verify_registry,
)
from trialyst.vocabulary import open_vocabulary

__all__ = ["health", "routes", "show", "start", "stop", "watch"]


@page
async def show(request: Request) -> Response:
    """Show the page."""
    site = site_of(request)
    trials = await site.trials()
    provenance = await trials.provenance()
    try:
        status = (await trials.status()).model_dump()
    except InvalidInput:
        status = None
    values = {
        "status": status,
        "stale": provenance.stale_note(site.now()),
        "directory": str(site.settings.registry),
        "service": site.settings.ctgov_url,
        "job": site.jobs.current,
        "models": await find_models(site.settings),
    }
    return await render(request, "registry.html", values)


@page
async def start(request: Request) -> Response:
    """Begin a sync or a check."""
    form = await read_form(request)
    site = site_of(request)
    work = request.path_params["work"]
    if work == "verify":
        site.jobs.start("The check of every record", partial(_verify, site))
    else:
        condition = str(form.get("condition") or "").strip()
        subset = Subset(condition=condition) if condition else None
        site.jobs.start("The sync", partial(_sync, site, subset))
    return RedirectResponse("/registry", 303)


@page
async def stop(request: Request) -> Response:
    """Stop what is under way."""
    await read_form(request)
    site_of(request).jobs.stop()
    return RedirectResponse("/registry", 303)


async def watch(request: Request) -> Response:
    """Send how far the work is, as it goes on."""
    return stream(site_of(request).jobs.watch())


async def _verify(site: Site, job: Job) -> None:
    directory = await _directory(site)
    report = await asyncio.to_thread(
        lambda: verify_registry(
            directory, progress=lambda done, total: job.tell("Checking", done, total)
        )
    )
    job.lines += [f"{report.records:,} records and {report.sites:,} sites checked."]
    job.lines += report.problems or ["Everything agrees."]


async def _directory(site: Site) -> Any:
    status = await (await site.trials()).status()
    from pathlib import Path

    return Path(status.path)


async def _sync(site: Site, subset: Subset | None, job: Job) -> None:
    from trialyst.transport import open_transport

    settings = site.settings

    def tell(said: SyncPlan | SyncProgress) -> None:
        if isinstance(said, SyncPlan):
            job.lines.append(
                f"{said.what}: {said.studies:,} studies, about {said.download_bytes / 1e6:,.0f} MB "
                f"to fetch, {said.disk_bytes / 1e6:,.0f} MB on disk."
            )
        else:
            _tell_progress(job, said)

    transport = open_transport(settings)
    try:
        report = await sync_registry(
            settings.registry,
            LiveService(transport, settings.ctgov_url),
            subset=subset,
            tell=tell,
            vocabulary=await asyncio.to_thread(open_vocabulary, settings.home),
        )
    finally:
        await transport.aclose()
    job.lines.append(
        f"{report.records:,} studies: {report.new:,} new, {report.changed:,} changed, "
        f"{report.removed:,} removed."
    )
    await asyncio.to_thread(
        lambda: read_requirements(
            settings.registry,
            partial(open_reader, settings.home),
            processes=os.cpu_count() or 1,
            progress=lambda told: job.tell("Reading criteria", told.trials, told.total),
        )
    )


def _tell_progress(job: Job, said: SyncProgress) -> None:
    job.tell(str(said.stage), said.done, said.total or 0)


async def health(request: Request) -> Response:
    """Say whether the registry answers, for programs that watch the server."""
    from starlette.responses import JSONResponse

    try:
        provenance = await site_of(request).provenance()
    except TrialystError as error:
        return JSONResponse({"ok": False, "problem": error.message}, 503)
    return JSONResponse({"ok": True, **provenance.model_dump(mode="json")})


routes = [
    Route("/registry", show),
    Route("/registry/progress", watch),
    Route("/registry/stop", stop, methods=["POST"]),
    Route("/registry/{work:str}", start, methods=["POST"]),
    Route("/health", health),
]
