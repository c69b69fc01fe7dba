"""Forms that were sent: bounded, kept in memory, and only from pages of this server."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import Request

from trialyst.errors import InvalidInput
from trialyst.interfaces.web.site import site_of

__all__ = ["MAX_BYTES", "read_form", "read_text"]

MAX_BYTES = 4 * 2**20
"""A FHIR bundle of a long record has a few megabytes."""
_MAX_FIELDS = 500


class _InMemory(MultiPartParser):
    """Keeps files in memory: a note that was dropped on a page never touches a disk."""

    spool_max_size = MAX_BYTES + 1


def _too_large() -> InvalidInput:
    return InvalidInput(
        f"More than {MAX_BYTES // 2**20} MB were sent",
        hint="Send one note or one FHIR bundle; a bundle of several patients can be split.",
    )


async def _bounded(request: Request) -> AsyncGenerator[bytes, None]:
    taken = 0
    async for chunk in request.stream():
        taken += len(chunk)
        if taken > MAX_BYTES:
            raise _too_large()
        yield chunk


async def read_form(request: Request) -> FormData:
    """Give a form of this server's own.

    Raises:
        InvalidInput: it is too large, no form at all, or of another page.
    """
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > MAX_BYTES:
        raise _too_large()
    kind = request.headers.get("content-type", "").partition(";")[0]
    stream = _bounded(request)
    try:
        if kind == "multipart/form-data":
            parser: Any = _InMemory(
                request.headers, stream, max_fields=_MAX_FIELDS, max_part_size=MAX_BYTES
            )
        elif kind == "application/x-www-form-urlencoded":
            parser = FormParser(request.headers, stream, max_part_size=MAX_BYTES)
        else:
            raise InvalidInput("No form was sent", hint="Use the form of the page.")
        form: FormData = await parser.parse()
        request.state.form = form
    except MultiPartException as error:
        raise InvalidInput(
            f"The form cannot be read: {error.message}", hint="Use the form of the page."
        ) from error
    site_of(request).visits.check_seal(request, form.get("csrf"))
    return form


async def read_text(form: FormData, field: str, upload: str) -> str:
    """Give what was typed, or else the file that was dropped, as text.

    Raises:
        InvalidInput: the file is no text.
    """
    typed = str(form.get(field) or "").strip()
    file = form.get(upload)
    if typed or not isinstance(file, UploadFile) or not file.size:
        return typed
    try:
        return (await file.read()).decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{file.filename!r} is no text in UTF-8", hint="Save it as plain text or as FHIR JSON."
        ) from error
