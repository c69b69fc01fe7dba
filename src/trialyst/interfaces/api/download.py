"""`/studies/download`: the whole registry as one zip, one file a study, as the live bulk file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from trialyst.errors import InvalidInput
from trialyst.ids import NctId
from trialyst.interfaces.api.archive import iter_zip
from trialyst.interfaces.api.arguments import read_arguments, read_choice
from trialyst.interfaces.api.holdings import ServedRegistry, holdings_of

__all__ = ["ZIPPED", "download_studies", "zip_headers"]

ZIPPED = "json.zip"


async def download_studies(request: Request) -> Response:
    """Answer `/studies/download`; the only format is `json.zip`, and there are no filters."""
    arguments = read_arguments(request, ("format",))
    if "format" not in arguments:
        raise InvalidInput(f"Parameter `format` is required and must be `{ZIPPED}`")
    read_choice(arguments, "format", (ZIPPED,))
    registry = holdings_of(request).registry
    modified = datetime.fromisoformat(registry.data_timestamp)
    return StreamingResponse(
        iter_zip(_files(registry), modified),
        media_type="application/zip",
        headers=zip_headers("ctg-studies.json.zip"),
    )


def zip_headers(name: str) -> dict[str, str]:
    """Give the header that names the file to save."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _files(registry: ServedRegistry) -> Iterator[tuple[str, bytes]]:
    for number, raw in registry.iter_raw():
        yield f"{number % 100:02d}/{NctId(number)}.json", raw
