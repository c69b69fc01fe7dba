"""Terms, ranges and the other operands, read as tests on the place they stand in."""

from __future__ import annotations

from typing import NoReturn

from trialyst.errors import InvalidInput
from trialyst.essie import ast
from trialyst.essie.areas import Area
from trialyst.essie.ast import CoverageKind
from trialyst.essie.enums import enums
from trialyst.essie.errors import clip
from trialyst.essie.pieces import Kind, Piece
from trialyst.essie.resolved import (
    Absent,
    Between,
    Everything,
    MatchEnum,
    MatchFlag,
    MatchText,
    Near,
    Resolved,
    SizeBetween,
)
from trialyst.essie.scope import Refusal, Scope, to_target
from trialyst.essie.values import age_days, parse_date, parse_number

__all__ = ["ORDERED", "resolve_source"]

ORDERED = (Kind.DATE, Kind.NUMBER, Kind.AGE)
"""The kinds of pieces whose values have an order."""

_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
_KM_PER_MILE = 1.609344
# The documentation's limits for DISTANCE, in the unit it was written in.
_MAX_RADIUS = {"mi": 500.0, "km": 805.0}


def resolve_source(node: ast.Node, scope: Scope) -> Resolved:
    """Read an operand in its scope, or raise a Refusal."""
    match node:
        case ast.Words():
            text = " ".join(node.words).replace(" ,", ",")
            return _resolve_term(text, node, scope)
        case ast.Phrase():
            return _resolve_term(" ".join(node.text.split()), node, scope)
        case ast.Range():
            return _resolve_range(node, scope)
        case ast.Distance():
            return _resolve_distance(node, scope)
        case ast.Missing():
            return _resolve_missing(node, scope)
        case ast.All():
            return Everything()
        case _:
            raise TypeError(f"{type(node).__name__} is no operand of an expression")


def _resolve_term(text: str, node: ast.Node, scope: Scope) -> Resolved:
    place = scope.place
    if isinstance(place, Area) or (place.kind in (Kind.TEXT, Kind.STRUCT) and not scope.size):
        return _resolve_text(text, node, scope)
    if scope.size:
        size = _read_size(text, node)
        return SizeBetween(place, size, size)
    match place.kind:
        case Kind.ENUM:
            return MatchEnum(place, _read_enum(place, text, node))
        case Kind.BOOLEAN:
            return MatchFlag(place, _read_flag(place, text, node))
        case Kind.GEO:
            _refuse_kind("text search", place, node, hint="Use DISTANCE[lat, lon, radius] there.")
        case _:
            low, high = _read_interval(place, text, node)
            return Between(place, low, high)


def _resolve_text(text: str, node: ast.Node, scope: Scope) -> MatchText:
    target = to_target(scope.place)
    if not target.parts:
        assert isinstance(scope.place, Piece)
        _refuse_kind("text search", scope.place, node, hint="Name one of the pieces below it.")
    quoted = isinstance(node, ast.Phrase)
    return MatchText(
        target,
        text,
        quoted=quoted,
        level=scope.level_of(quoted=quoted),
        coverage=scope.coverage or CoverageKind.CONTAINS,
    )


def _resolve_range(node: ast.Range, scope: Scope) -> Resolved:
    place = scope.place
    if isinstance(place, Area) or not (scope.size or place.kind in ORDERED):
        _refuse_kind("RANGE", place, node, hint="Use RANGE under AREA of a date, number or age.")
    # MAX as the low end, or MIN as the high one, leaves no value between them.
    if node.low == "MAX" or node.high == "MIN":
        return SizeBetween(place, 1, 0) if scope.size else Between(place, 1, 0)
    if scope.size:
        sizes = [None if end is None else _read_size(end, node) for end in (node.low, node.high)]
        return SizeBetween(place, *sizes)
    low = None if node.low is None else _read_interval(place, node.low, node)[0]
    high = None if node.high is None else _read_interval(place, node.high, node)[1]
    return Between(place, low, high)


def _resolve_missing(node: ast.Missing, scope: Scope) -> Absent:
    if isinstance(scope.place, Area) or scope.size:
        raise Refusal(
            "MISSING needs the AREA of a field",
            node=node,
            hint="Name a piece before it, as in AREA[Phase]MISSING, or escape it: \\MISSING.",
        )
    return Absent(scope.place)


def _resolve_distance(node: ast.Distance, scope: Scope) -> Near:
    if isinstance(scope.place, Area) or scope.place.kind is not Kind.GEO:
        _refuse_kind(
            "DISTANCE", scope.place, node, hint="Write AREA[LocationGeoPoint]DISTANCE[...]."
        )
    maximum = _MAX_RADIUS.get(node.unit, 0.0)
    if not 1 <= node.radius <= maximum:
        raise Refusal(
            f"Invalid radius: {node.radius:g}{node.unit}",
            node=node,
            hint="The radius is from 1 to 500 mi, or from 1 to 805 km.",
        )
    if abs(node.latitude) > 90 or abs(node.longitude) > 180:
        raise Refusal(
            f"Invalid geo point: {node.latitude:g}, {node.longitude:g}",
            node=node,
            hint="Latitude is from -90 to 90, then longitude from -180 to 180.",
        )
    km = node.radius * _KM_PER_MILE if node.unit == "mi" else node.radius
    return Near(node.latitude, node.longitude, km)


def _read_enum(piece: Piece, text: str, node: ast.Node) -> str:
    enumeration = enums()[piece.type]
    found = enumeration.find(text)
    if found is None:
        allowed = ", ".join(f"`{value.value}`" for value in enumeration.values)
        raise Refusal(
            f"Allowed values for enum field `{piece.dotted_path}` are {allowed}",
            node=node,
            hint="Use one of the allowed values; quote ALL to mean the value.",
        )
    return found.value


def _read_flag(piece: Piece, text: str, node: ast.Node) -> bool:
    value = _FLAGS.get(text.casefold())
    if value is None:
        raise Refusal(
            f"Allowed values for boolean field `{piece.dotted_path}` are `true`, `false`",
            node=node,
            hint="Use true or false; MISSING finds the studies that say neither.",
        )
    return value


def _read_interval(piece: Piece, text: str, node: ast.Node) -> tuple[int | float, int | float]:
    try:
        if piece.kind is Kind.DATE:
            return parse_date(text)
        if piece.kind is Kind.NUMBER:
            number = parse_number(text)
            return number, number
    except InvalidInput as error:
        raise Refusal(error.message, node=node, hint=error.hint) from None
    days = age_days(text)
    if days is None:
        raise Refusal(
            f"Invalid time: {clip(text)!r}",
            node=node,
            hint="Write a number and a unit, such as 18 Years or 6 Months.",
        )
    return days, days


def _read_size(text: str, node: ast.Node) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise Refusal(f"Invalid size: {clip(text)!r}", node=node, hint="A size is a whole number.")
    return int(text)


def _refuse_kind(what: str, place: Area | Piece, node: ast.Node, *, hint: str) -> NoReturn:
    kind = "area" if isinstance(place, Area) else place.kind.value
    raise Refusal(f"Unsupported {what} field type: {kind}", node=node, hint=hint)
