"""`/stats/*`: counts over the whole registry; a filter is refused, as on the live service."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from trialyst.errors import InvalidInput, NotFound
from trialyst.essie.pieces import Piece, find_piece, pieces
from trialyst.ids import NctId
from trialyst.interfaces.api.arguments import read_arguments, split_list
from trialyst.interfaces.api.field_counts import FieldCounts
from trialyst.interfaces.api.holdings import holdings_of
from trialyst.interfaces.api.responses import json_response
from trialyst.registry.stats import RANGE_BYTES, RANGES, ListSizes, Statistics, StudySizes
from trialyst.registry.tallies import FieldType, FieldValues, field_type

__all__ = ["count_all", "get_field_sizes", "get_field_values", "get_one_field_values", "get_sizes"]


async def get_sizes(request: Request) -> Response:
    """Answer `/stats/size`."""
    read_arguments(request, ())
    sizes = await run_in_threadpool(holdings_of(request).statistics.study_sizes)
    return json_response(msgspec.json.encode(_render_sizes(sizes)))


async def get_field_values(request: Request) -> Response:
    """Answer `/stats/field/values` and its old path."""
    arguments = read_arguments(request, ("types", "fields"))
    types = _read_types(split_list(arguments, "types") if arguments.get("types") else None)
    counts: FieldCounts | None = request.app.state.field_counts
    if counts is not None and "fields" not in arguments:
        return await run_in_threadpool(_build_all, request, counts, types)
    chosen = _choose(split_list(arguments, "fields"), lambda piece: field_type(piece) in types)
    return json_response(msgspec.json.encode(await _render_fields(request, chosen)))


async def get_one_field_values(request: Request) -> Response:
    """Answer `/stats/fieldValues/{field}`: one object, not a list."""
    read_arguments(request, ())
    name = request.path_params["field"]
    chosen = _choose([name], lambda piece: field_type(piece) is not None)
    if not chosen:
        raise _unknown(name)
    return json_response(msgspec.json.encode((await _render_fields(request, chosen))[0]))


async def get_field_sizes(request: Request) -> Response:
    """Answer `/stats/field/sizes`."""
    arguments = read_arguments(request, ("fields",))
    chosen = _choose(
        split_list(arguments, "fields"), lambda piece: piece.is_list and not piece.indexed_only
    )
    found = await run_in_threadpool(holdings_of(request).statistics.list_sizes, chosen)
    return json_response(msgspec.json.encode([_render_list(sizes) for sizes in found]))


def _build_all(request: Request, counts: FieldCounts, types: set[FieldType]) -> Response:
    registry = holdings_of(request).registry
    counted = counts.get(registry.directory, registry.generation)
    return json_response(msgspec.json.encode([each for each in counted if each["type"] in types]))


def count_all(directory: Path) -> list[dict[str, Any]]:
    """Count the values of every field of the registry in a directory, as they are answered."""
    from trialyst.registry import Registry

    with Registry.open(directory) as registry:
        found = Statistics(registry).field_values(
            _choose(None, lambda piece: bool(field_type(piece)))
        )
    return [_render_values(values) for values in found]


def _read_types(names: Sequence[str] | None) -> set[FieldType]:
    if names is None:
        return set(FieldType)
    for name in names:
        if name not in FieldType.__members__:
            raise InvalidInput(f"Invalid value in parameter `types`: `{name}`")
    return {FieldType(name) for name in names}


def _choose(names: Sequence[str] | None, counted: Callable[[Piece], bool]) -> list[Piece]:
    if names is None:
        return [piece for piece in pieces().values() if counted(piece)]
    found: dict[str, Piece] = {}
    for name in names:
        piece = find_piece(name)
        if piece is None:
            raise _unknown(name)
        found[piece.name] = piece
    return [piece for piece in found.values() if counted(piece)]


def _unknown(name: str) -> NotFound:
    return NotFound(f"Unknown piece name of field path: {name}")


async def _render_fields(request: Request, chosen: Sequence[Piece]) -> list[dict[str, Any]]:
    found = await run_in_threadpool(holdings_of(request).statistics.field_values, chosen)
    return [_render_values(values) for values in found]


def _render_sizes(sizes: StudySizes) -> dict[str, Any]:
    step = RANGE_BYTES // 1024
    bounds = [f"{step * index} - {step * (index + 1)} kb" for index in range(RANGES)]
    bounds.append(f"{step * RANGES} kb and more")
    return {
        "totalStudies": sizes.total,
        "averageSizeBytes": sizes.average,
        "percentiles": {f"{share}%": size for share, size in sizes.percentiles.items()},
        "ranges": [
            {"sizeRange": bound, "studiesCount": count}
            for bound, count in zip(bounds, sizes.ranges, strict=True)
        ],
        "largestStudies": [
            {"id": str(NctId(number)), "sizeBytes": size} for number, size in sizes.largest
        ],
    }


def _render_values(values: FieldValues) -> dict[str, Any]:
    return {
        "type": values.type,
        "piece": values.piece.name,
        "field": values.piece.dotted_path,
        "missingStudiesCount": values.missing,
        **_render_details(values),
    }


def _render_details(values: FieldValues) -> dict[str, Any]:
    if values.flags is not None:
        return {"falseCount": values.flags[False], "trueCount": values.flags[True]}
    if values.unique is not None:
        return _render_ranking(values)
    span = {"min": values.low, "max": values.high, "avg": values.average}
    details = {key: value for key, value in span.items() if value is not None}
    return details | ({"formats": values.formats} if values.type is FieldType.DATE else {})


def _render_ranking(values: FieldValues) -> dict[str, Any]:
    details: dict[str, Any] = {
        "uniqueValuesCount": values.unique,
        "topValues": [{"value": value, "studiesCount": count} for value, count in values.top],
    }
    if values.longest is not None:
        text = values.longest.value
        nct_id = str(NctId(values.longest.number))
        details["longest"] = {"length": len(text), "nctId": nct_id, "value": text}
    return details


def _render_list(sizes: ListSizes) -> dict[str, Any]:
    known = [size for size, _ in sizes.studies]
    return {
        "piece": sizes.piece.name,
        "field": sizes.piece.dotted_path,
        "uniqueSizesCount": len(known),
        **({"minSize": min(known), "maxSize": max(known)} if known else {}),
        "topSizes": [{"size": size, "studiesCount": count} for size, count in sizes.studies],
    }
