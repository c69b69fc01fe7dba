"""The judge: a naive evaluator of Essie trees over decoded studies, one study at a time.

Imports nothing from the registry and no search library; all it shares with the engine are the
tables of pieces, areas and enums and the folding of words. Only the expansion levels None and
Term have a meaning here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import asin, cos, radians, sin, sqrt
from typing import Any

from tests.registry.oracle.records import Record, folded_text, searchable_pieces
from trialyst.essie import areas, ast
from trialyst.essie.ast import CoverageKind, ExpansionLevel
from trialyst.essie.enums import enums
from trialyst.essie.pieces import Kind, Piece, find_piece
from trialyst.essie.values import age_days
from trialyst.folding import fold, phrase_variants

__all__ = ["km_between", "matches", "predicate"]

EARTH_RADIUS_KM = 6371.0088
KM = {"km": 1.0, "mi": 1.609344}

Target = Piece | areas.Area
Test = Callable[[Record], bool]


@dataclass(frozen=True, slots=True)
class Context:
    """What the operators around a term say about it."""

    target: Target
    size: bool = False
    level: ExpansionLevel = ExpansionLevel.RELAXATION
    coverage: CoverageKind = CoverageKind.CONTAINS


def matches(node: ast.Node, study: Mapping[str, Any], area_name: str = "BasicSearch") -> bool:
    """Say whether a study matches, bare terms being looked for in the named area."""
    return predicate(node, area_name)(Record(study))


def predicate(node: ast.Node, area_name: str = "BasicSearch") -> Test:
    """Give the test that a tree puts to each record."""
    return _test(node, Context(_find_target(area_name)))


def _test(node: ast.Node, context: Context) -> Test:
    match node:
        case ast.And(children=children):
            every = [_test(child, context) for child in children]
            return lambda record: all(test(record) for test in every)
        case ast.Or(children=children):
            either = [_test(child, context) for child in children]
            return lambda record: any(test(record) for test in either)
        case ast.Not(child=child):
            denied = _test(child, context)
            return lambda record: not denied(record)
        case ast.Search(document="Location", child=child):
            local = _test(child, _site_context(context))
            return lambda record: any(local(site) for site in record.locations())
        case ast.Area() | ast.Search() | ast.Coverage() | ast.Expansion() | ast.Tilt():
            return _test(node.child, _inner_context(node, context))
    return _source_test(node, context)


def _inner_context(node: ast.Node, context: Context) -> Context:
    match node:
        case ast.Area(name=name, size=size):
            return replace(context, target=_find_target(name), size=size)
        case ast.Coverage(kind=kind):
            return replace(context, coverage=kind)
        case ast.Expansion(level=level):
            return replace(context, level=level)
    return context


def _site_context(context: Context) -> Context:
    """Bare words about a site are looked for in what makes its place."""
    target = context.target
    if isinstance(target, Piece) and target.in_location:
        return context
    return replace(context, target=_find_target("LocationSearch"), size=False)


def _source_test(node: ast.Node, context: Context) -> Test:
    match node:
        case ast.All():
            return lambda record: True
        case ast.Phrase(text=text):
            return _term_test(text, context)
        case ast.Words(words=words):
            return _term_test(" ".join(words).replace(" ,", ","), context)
        case ast.Missing():
            return lambda record: not _values(record, context)
        case ast.Range(low=low, high=high):
            return _range_test(low, high, context)
        case ast.Distance(radius=radius, unit=unit):
            return lambda record: any(
                km_between(node, point) <= radius * KM[unit] for point in _values(record, context)
            )
    raise TypeError(node)


def _term_test(text: str, context: Context) -> Test:
    target = context.target
    if isinstance(target, areas.Area):
        searched = [piece for part in target.parts for piece in part.pieces]
        return _area_test(text, searched, context)
    match _kind(context):
        case Kind.STRUCT:
            return _area_test(text, _pieces_below(target), context)
        case Kind.TEXT:
            return _text_test(text, (target,), context)
        case Kind.ENUM:
            named = enums()[target.type].find(text)
            assert named is not None, text
            return lambda record: named.value in record.values(target)
        case Kind.BOOLEAN:
            wanted = {"true": True, "false": False}[text.lower()]
            unstated = [False] if target.name == "HasResults" else []
            return lambda record: wanted in (record.values(target) or unstated)
    return _range_test(text, text, context)


def _pieces_below(struct: Piece) -> list[Piece]:
    depth = len(struct.path)
    return [piece for piece in searchable_pieces() if piece.path[:depth] == struct.path]


def _area_test(text: str, searched: Sequence[Piece], context: Context) -> Test:
    in_text = _text_test(
        text, tuple(piece for piece in searched if piece.kind is Kind.TEXT), context
    )
    enumerated = [piece for piece in searched if piece.kind is Kind.ENUM]
    as_written = context.level is ExpansionLevel.NONE
    wanted = text if as_written else tuple(fold(text))

    def names_a_value(record: Record) -> bool:
        return any(
            wanted in (_labels(piece.type, code) if as_written else _folded(piece.type, code))
            for piece in enumerated
            for code in record.values(piece)
        )

    return lambda record: in_text(record) or names_a_value(record)


@cache
def _labels(type_name: str, code: str) -> tuple[str, ...]:
    for value in enums()[type_name].values:
        if value.value == code:
            return (code, value.label, *value.exceptions.values())
    return (code,)


@cache
def _folded(type_name: str, code: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(fold(label)) for label in _labels(type_name, code))


def _text_test(text: str, searched: tuple[Piece, ...], context: Context) -> Test:
    assert context.level in (ExpansionLevel.NONE, ExpansionLevel.TERM)
    names = tuple(piece.name for piece in searched)
    wanted = _spellings(text, context.coverage)

    def stands_in(folded: str) -> bool:
        return any(spelling in folded for spelling in wanted)

    def stands_as_written(record: Record) -> bool:
        return any(
            _is_written(text, str(value), context.coverage) and stands_in(folded_text([value]))
            for piece in searched
            for value in record.values(piece)
        )

    if context.level is ExpansionLevel.TERM:
        return lambda record: stands_in(record.folded(names))
    return lambda record: stands_in(record.folded(names)) and stands_as_written(record)


def _spellings(text: str, coverage: CoverageKind) -> tuple[str, ...]:
    start = "|" if coverage in (CoverageKind.FULL_MATCH, CoverageKind.STARTS_WITH) else ""
    end = "|" if coverage in (CoverageKind.FULL_MATCH, CoverageKind.ENDS_WITH) else ""
    variants = [variant for variant in phrase_variants(text) if variant]
    return tuple(f"{start} {' '.join(variant)} {end}" for variant in variants)


def _is_written(text: str, value: str, coverage: CoverageKind) -> bool:
    text, value = (" ".join(string.split()) for string in (text, value))
    places = [found.start() for found in re.finditer(f"(?={re.escape(text)})", value)]
    if coverage in (CoverageKind.FULL_MATCH, CoverageKind.STARTS_WITH):
        places = [place for place in places if place == 0]
    if coverage in (CoverageKind.FULL_MATCH, CoverageKind.ENDS_WITH):
        places = [place for place in places if place + len(text) == len(value)]
    return any(
        not value[place - 1 : place].isalnum() and not value[place + len(text) :][:1].isalnum()
        for place in places
    )


def _range_test(low: str | None, high: str | None, context: Context) -> Test:
    kind = _kind(context)
    readers: dict[Kind, Callable[[Any], Any]]
    readers = {Kind.DATE: _first_day, Kind.AGE: age_days, Kind.NUMBER: float}
    read = readers[kind]
    least = None if low is None else read(low)
    most = None if high is None else _last_day(high) if kind is Kind.DATE else read(high)

    def lies_within(value: Any) -> bool:
        # A record may hold "200" where a number belongs; only a number compares as one.
        if isinstance(value, str) is (kind is Kind.NUMBER):
            return False
        key = read(value)
        if key is None:
            return False
        return (least is None or least <= key) and (most is None or key <= most)

    return lambda record: any(lies_within(value) for value in _values(record, context))


def _values(record: Record, context: Context) -> list[Any]:
    assert isinstance(context.target, Piece)
    return record.sizes(context.target) if context.size else record.values(context.target)


def _first_day(text: str) -> tuple[str, ...]:
    year, month, day = _date_parts(text)
    return year, month or "01", day or "01"


def _last_day(text: str) -> tuple[str, ...]:
    year, month, day = _date_parts(text)
    return year, month or "12", day or "31"


def _date_parts(text: str) -> tuple[str, str, str]:
    if american := re.fullmatch(r"(\d\d)/(\d\d)/(\d{4})", text):
        month, day, year = american.groups()
        return year, month, day
    return text[:4], text[5:7], text[8:10]


def km_between(circle: ast.Distance, point: Mapping[str, float]) -> float:
    """Measure the great circle from the middle of a circle to a point."""
    lat1, lat2 = radians(circle.latitude), radians(point["lat"])
    half_lat, half_lon = (lat2 - lat1) / 2, radians(point["lon"] - circle.longitude) / 2
    haversine = sin(half_lat) ** 2 + cos(lat1) * cos(lat2) * sin(half_lon) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(haversine))


def _kind(context: Context) -> Kind:
    assert isinstance(context.target, Piece)
    return Kind.NUMBER if context.size else context.target.kind


@cache
def _find_target(name: str) -> Target:
    target = areas.find_area(name) or find_piece(name)
    assert target is not None, name
    return target
