"""`/studies/download`: the whole registry as one zip, one file a study, as the live bulk file.

Beside that form, RIS of every study, which is ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from trialyst.ctgov.parse import parse_trial
from trialyst.errors import InvalidInput
from trialyst.ids import NctId
from trialyst.interfaces.api.archive import iter_zip
from trialyst.interfaces.api.arguments import read_arguments, read_choice, split_list
from trialyst.interfaces.api.holdings import ServedRegistry, holdings_of
from trialyst.interfaces.citations import RIS_MEDIA, RIS_TAGS, render_ris

__all__ = ["ZIPPED", "download_studies", "file_headers", "read_tags"]

ZIPPED = "json.zip"
_FORMATS = (ZIPPED, "ris")


async def download_studies(request: Request) -> Response:
    """Answer `/studies/download`; there are no filters."""
    arguments = read_arguments(request, ("format", "fields"))
    if "format" not in arguments:
        raise InvalidInput(f"Parameter `format` is required and must be `{ZIPPED}`")
    form = read_choice(arguments, "format", _FORMATS)
    registry = holdings_of(request).registry
    if form == "ris":
        tags = read_tags(arguments)
        lines = (render_ris(parse_trial(raw), tags) for _, raw in registry.iter_raw())
        headers = file_headers("ctg-studies.ris")
        return StreamingResponse(lines, media_type=RIS_MEDIA, headers=headers)
    if "fields" in arguments:
        raise InvalidInput("`fields` is unknown parameter")
    modified = datetime.fromisoformat(registry.data_timestamp)
    return StreamingResponse(
        iter_zip(_files(registry), modified),
        media_type="application/zip",
        headers=file_headers("ctg-studies.json.zip"),
    )


def read_tags(arguments: dict[str, str]) -> list[str] | None:
    """Read `fields` as tags of RIS; None where all are wanted."""
    tags = split_list(arguments, "fields")
    for tag in tags or ():
        if tag not in RIS_TAGS:
            raise InvalidInput(f"Parameter 'fields' contains invalid RIS tag: '{tag}'")
    return tags


def file_headers(name: str) -> dict[str, str]:
    """Give the header that names the file to save."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _files(registry: ServedRegistry) -> Iterator[tuple[str, bytes]]:
    for number, raw in registry.iter_raw():
        yield f"{number % 100:02d}/{NctId(number)}.json", raw
