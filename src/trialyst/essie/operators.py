"""The arguments in the brackets of context operators: names, levels, bounds and circles."""

from __future__ import annotations

import re
from enum import StrEnum
from math import isfinite
from typing import NoReturn, TypeVar

from trialyst.essie import ast
from trialyst.essie.errors import EssieError, clip
from trialyst.essie.tokens import Token

__all__ = ["apply_operator", "read_source"]

_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]*)?"
_RADIUS = re.compile(rf"({_NUMBER})\s*(mi|km)", re.IGNORECASE)
_DEGREES = re.compile(_NUMBER)
_COVERAGES = {kind.casefold(): kind for kind in ast.CoverageKind}
_LEVELS = {level.casefold(): level for level in ast.ExpansionLevel}

Choice = TypeVar("Choice", bound=StrEnum)


def apply_operator(token: Token, child: ast.Node, *, text: str) -> ast.Node:
    """Wrap a child in the prefix operator a token stands for."""
    span = ast.Span(token.start, child.span.end)
    match token.keyword:
        case "AREA":
            name, colon, suffix = token.value.partition(":")
            if colon and suffix.strip().casefold() != "size":
                _refuse(token, text, "After the colon only `size` can stand: AREA[Phase:size].")
            return ast.Area(_name(token, name, text), child, size=bool(colon), span=span)
        case "SEARCH":
            return ast.Search(_name(token, token.value, text), child, span=span)
        case "TILT":
            return ast.Tilt(_name(token, token.value, text), child, span=span)
        case "EXPANSION":
            level = _choose(token, _LEVELS, text, what="expansion")
            return ast.Expansion(level, child, span=span)
        case "COVERAGE" | "COVER":
            kind = _choose(token, _COVERAGES, text, what="coverage")
            return ast.Coverage(kind, child, span=span)
        case _:
            return ast.Not(child, span=span)


def read_source(token: Token, *, text: str) -> ast.Node:
    """Read a `RANGE[...]` or `DISTANCE[...]`."""
    if token.keyword == "RANGE":
        return _read_range(token, text)
    return _read_distance(token, text)


def _read_range(token: Token, text: str) -> ast.Range:
    bounds = [_unquote(bound.strip()) for bound in token.value.split(",")]
    if len(bounds) != 2 or not all(bounds) or '"' in "".join(bounds):
        _refuse(token, text, "Write two bounds, as in RANGE[2020-01-01, MAX].")
    low, high = bounds
    return ast.Range(
        None if low == "MIN" else low,
        None if high == "MAX" else high,
        span=ast.Span(token.start, token.end),
    )


def _unquote(bound: str) -> str:
    if len(bound) > 1 and bound[0] == bound[-1] == '"':
        return bound[1:-1].strip()
    return bound


def _read_distance(token: Token, text: str) -> ast.Distance:
    parts = [part.strip() for part in token.value.split(",")]
    radius = _RADIUS.fullmatch(parts[-1])
    if len(parts) != 3 or not radius or not all(map(_DEGREES.fullmatch, parts[:2])):
        _refuse(token, text, "Write latitude, longitude, radius: DISTANCE[42.36, -71.06, 50 mi].")
    numbers = [float(part) for part in (*parts[:2], radius[1])]
    if not all(map(isfinite, numbers)):
        _refuse(token, text, "The numbers are too large.")
    latitude, longitude, length = numbers
    span = ast.Span(token.start, token.end)
    return ast.Distance(latitude, longitude, length, radius[2].lower(), span=span)


def _name(token: Token, raw: str, text: str) -> str:
    name = raw.strip()
    if not name:
        _refuse(token, text, f"Name a field in the brackets after {token.keyword}.")
    return name


def _choose(token: Token, choices: dict[str, Choice], text: str, *, what: str) -> Choice:
    choice = choices.get(token.value.strip().casefold())
    if choice is None:
        raise EssieError(
            f"Invalid {what}: {clip(token.value.strip())}",
            text=text,
            position=token.start + len(token.keyword) + 1,
            hint=f"Use one of {', '.join(choices.values())}.",
        )
    return choice


def _refuse(token: Token, text: str, hint: str) -> NoReturn:
    written = clip(text[token.start : token.end])
    raise EssieError(
        f"no viable alternative at input '{written}'", text=text, position=token.start, hint=hint
    )
