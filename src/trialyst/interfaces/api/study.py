"""`/studies/{nctId}`: one study, by any spelling of its number or of an alias."""

from __future__ import annotations

import re
from datetime import datetime

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from trialyst.ctgov.parse import parse_trial
from trialyst.errors import InvalidInput, NotFound
from trialyst.ids import NctId
from trialyst.interfaces.api.archive import iter_zip
from trialyst.interfaces.api.arguments import read_arguments, read_choice, split_list
from trialyst.interfaces.api.columns import choose_columns, render_table
from trialyst.interfaces.api.download import ZIPPED, file_headers, read_tags
from trialyst.interfaces.api.holdings import ServedRegistry, holdings_of
from trialyst.interfaces.api.pages import read_form
from trialyst.interfaces.api.research_study import FHIR_MEDIA, render_research_study
from trialyst.interfaces.api.responses import json_response
from trialyst.interfaces.citations import RIS_MEDIA, render_ris

__all__ = ["get_study"]

_SHAPE = re.compile(r"nct0*([1-9][0-9]{0,7})", re.IGNORECASE | re.ASCII)
_FORMATS = ("json", "csv", ZIPPED, "fhir.json", "ris")


async def get_study(request: Request) -> Response:
    """Answer `/studies/{nctId}`; an alias redirects to the study that has it."""
    arguments = read_arguments(request, ("format", "markupFormat", "fields"))
    number = _read_number(request.path_params["nct_id"])
    registry = holdings_of(request).registry
    found = await run_in_threadpool(registry.resolve_number, number)
    if found is None:
        raise NotFound(f"NCT number {NctId(number)} not found")
    if found != number:
        path = request.url.path.rpartition("/")[0] + f"/{NctId(found)}"
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(path + query, status_code=301)
    return await run_in_threadpool(_build_study, registry, number, arguments)


def _read_number(text: str) -> int:
    shape = _SHAPE.fullmatch(text)
    if not shape:
        raise InvalidInput(f"Parameter `nctId` has incorrect format: `{text}`", invalid_input=text)
    return int(shape.group(1))


def _build_study(registry: ServedRegistry, number: int, arguments: dict[str, str]) -> Response:
    form = read_choice(arguments, "format", _FORMATS)
    if form == "fhir.json":
        if "fields" in arguments:
            raise InvalidInput("Parameter `fields` must be absent for format `fhir.json`")
        resource = render_research_study(parse_trial(registry.raw([number])[0]))
        return Response(resource, media_type=FHIR_MEDIA)
    if form == "ris":
        tags = read_tags(arguments)
        return Response(
            render_ris(parse_trial(registry.raw([number])[0]), tags), media_type=RIS_MEDIA
        )
    if form == "csv":
        columns = choose_columns(split_list(arguments, "fields"))
        table = render_table(registry.raw([number]), columns, header=True)
        return Response(table, media_type="text/csv")
    body = read_form(arguments)(registry.raw([number])[0])
    if form == "json":
        return json_response(body)
    name = f"{NctId(number)}.json"
    files = iter_zip([(name, body)], datetime.fromisoformat(registry.data_timestamp))
    headers = file_headers(f"{name}.zip")
    return Response(b"".join(files), media_type="application/zip", headers=headers)
