"""Every generated value stands where the API has it, with the type the API gives it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from trialyst.essie.enums import enums
from trialyst.essie.pieces import Kind, pieces

Study = dict[str, Any]
Leaf = tuple[tuple[str, ...], int, Any]

_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2})?)?)?")
_FULL_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_AGE = re.compile(r"\d+ (Year|Month|Week|Day|Hour|Minute)s?")
_BY_PATH = {piece.path: piece for piece in pieces().values() if not piece.indexed_only}


def _leaves(value: Any, path: tuple[str, ...] = (), depth: int = 0) -> Iterator[Leaf]:
    if isinstance(value, dict) and path[-1:] != ("geoPoint",):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key), depth)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, path, depth + 1)
    else:
        yield path, depth, value


def _all(studies: list[Study]) -> Iterator[Leaf]:
    for study in studies:
        yield from _leaves(study)


def test_every_leaf_is_a_piece_at_the_right_depth(studies: list[Study]) -> None:
    shapes = {(path, depth) for path, depth, _ in _all(studies)}
    unknown = [path for path, _ in shapes if path not in _BY_PATH]
    assert not unknown
    assert all(_BY_PATH[path].list_depth == depth for path, depth in shapes)


def test_enum_values_are_valid(studies: list[Study]) -> None:
    valid = {name: {value.value for value in table.values} for name, table in enums().items()}
    seen = {(path, value) for path, _, value in _all(studies) if _kind(path) is Kind.ENUM}
    wrong = [(path, value) for path, value in seen if value not in valid[_BY_PATH[path].type]]
    assert not wrong


def _kind(path: tuple[str, ...]) -> Kind:
    return _BY_PATH[path].kind


def test_values_have_their_type(studies: list[Study]) -> None:
    for path, _, value in _all(studies):
        match _kind(path):
            case Kind.BOOLEAN:
                assert isinstance(value, bool), path
            case Kind.NUMBER:
                assert type(value) is int, path
            case Kind.GEO:
                assert set(value) == {"lat", "lon"}, path
            case _:
                assert isinstance(value, str), path
                assert value.strip(), path


def test_dates_and_ages_are_well_formed(studies: list[Study]) -> None:
    for path, _, value in _all(studies):
        if _kind(path) is Kind.DATE:
            exact = _BY_PATH[path].type == "NormalizedDate"
            assert (_FULL_DATE if exact else _DATE).fullmatch(value), (path, value)
        elif _kind(path) is Kind.AGE:
            assert _AGE.fullmatch(value), (path, value)


def test_texts_keep_to_their_length(studies: list[Study]) -> None:
    for path, _, value in _all(studies):
        limit = _BY_PATH[path].max_chars
        if limit and isinstance(value, str):
            assert len(value) <= limit, (path, value)


def test_nothing_is_empty(studies: list[Study]) -> None:
    def empty(value: Any) -> bool:
        if isinstance(value, dict):
            return not value or any(empty(inner) for inner in value.values())
        return isinstance(value, list) and (not value or any(empty(inner) for inner in value))

    assert not any(empty(study) for study in studies)
