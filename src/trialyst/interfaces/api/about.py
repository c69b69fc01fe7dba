"""`/version` and the endpoints that describe the study structure."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from trialyst.interfaces.api.arguments import read_arguments, read_flag
from trialyst.interfaces.api.holdings import holdings_of
from trialyst.interfaces.api.reference import render_enums, render_metadata, render_search_areas
from trialyst.interfaces.api.responses import API_VERSION, json_response

__all__ = ["get_enums", "get_metadata", "get_search_areas", "get_version"]


async def get_version(request: Request) -> Response:
    """Answer `/version`."""
    read_arguments(request, ())
    timestamp = holdings_of(request).registry.data_timestamp
    body = {"apiVersion": API_VERSION, "dataTimestamp": timestamp}
    return json_response(msgspec.json.encode(body))


async def get_metadata(request: Request) -> Response:
    """Answer `/studies/metadata`; no field is historic only here."""
    arguments = read_arguments(request, ("includeIndexedOnly", "includeHistoricOnly"))
    read_flag(arguments, "includeHistoricOnly")
    indexed_only = read_flag(arguments, "includeIndexedOnly")
    return json_response(render_metadata(indexed_only=indexed_only))


async def get_search_areas(request: Request) -> Response:
    """Answer `/studies/search-areas`."""
    read_arguments(request, ())
    return json_response(render_search_areas())


async def get_enums(request: Request) -> Response:
    """Answer `/studies/enums`."""
    read_arguments(request, ())
    return json_response(render_enums())
