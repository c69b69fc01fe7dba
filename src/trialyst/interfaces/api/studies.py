"""`/studies`: the query string to a query, the hits to a page of JSON or CSV."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from trialyst.ctgov.params import parse_params
from trialyst.ctgov.query import TrialQuery
from trialyst.interfaces.api.arguments import read_arguments, read_choice, read_flag, split_list
from trialyst.interfaces.api.columns import choose_columns, render_table
from trialyst.interfaces.api.holdings import ServedRegistry, holdings_of
from trialyst.interfaces.api.pages import read_form, render_page
from trialyst.interfaces.api.projection import QUERY_FIELDS
from trialyst.interfaces.api.responses import json_response
from trialyst.interfaces.api.tokens import decode_token, encode_token

__all__ = ["list_studies"]


async def list_studies(request: Request) -> Response:
    """Answer `/studies`."""
    arguments = read_arguments(request, None)
    return await run_in_threadpool(_build_page, holdings_of(request).registry, arguments)


@dataclass(frozen=True, slots=True)
class _Found:
    """One page of stored studies and where it stands."""

    studies: Collection[bytes]
    total: int | None
    token: str | None
    is_first: bool


def _build_page(registry: ServedRegistry, arguments: dict[str, str]) -> Response:
    query = parse_params(arguments)
    if read_choice(arguments, "format", ("json", "csv")) == "csv":
        columns = choose_columns(split_list(arguments, "fields"))
        page = _find(registry, query, arguments)
        table = render_table(page.studies, columns, header=page.is_first)
        return Response(table, media_type="text/csv", headers=_paging_headers(page))
    asks = QUERY_FIELDS in arguments.get("fields", "").lower()
    form = read_form(arguments, registry.searched_pieces(query) if asks else ())
    page = _find(registry, query, arguments)
    lines = [form(raw) for raw in page.studies]
    return json_response(render_page(lines, total=page.total, token=page.token))


def _find(registry: ServedRegistry, query: TrialQuery, arguments: dict[str, str]) -> _Found:
    generation = registry.generation
    token = arguments.get("pageToken") or None
    counted = read_flag(arguments, "countTotal")
    offset = 0 if token is None else decode_token(token, generation)
    if offset > len(registry):
        return _Found((), None, None, is_first=False)
    hits = registry.find(query, offset=offset, limit=query.page_size)
    end = offset + len(hits.numbers)
    return _Found(
        studies=registry.raw(hits.numbers),
        total=hits.total if counted and token is None else None,
        token=encode_token(generation, end) if hits.numbers and end < hits.total else None,
        is_first=token is None,
    )


def _paging_headers(page: _Found) -> dict[str, str]:
    given = {"x-next-page-token": page.token, "x-total-count": page.total}
    return {name: str(value) for name, value in given.items() if value is not None}
