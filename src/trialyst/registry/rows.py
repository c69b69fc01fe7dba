"""Rows: the few short pieces of every study that overviews are made of, kept apart and ready.

A landscape of 20,000 studies reads 20,000 rows of some hundred bytes instead of as many records.
Which pieces a row holds is decided here; registries built before have no rows, and are read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any

import msgspec

from trialyst.essie.pieces import Piece, pieces

__all__ = [
    "ROW_PIECES",
    "open_structs",
    "pack_row",
    "place_counted",
    "row_reader",
    "row_spans",
    "unpack_row",
]

ROW_PIECES = (
    "NCTId",
    "OverallStatus",
    "WhyStopped",
    "StudyType",
    "Phase",
    "DesignPrimaryPurpose",
    "EnrollmentCount",
    "EnrollmentType",
    "StartDate",
    "StartDateType",
    "PrimaryCompletionDate",
    "PrimaryCompletionDateType",
    "CompletionDate",
    "CompletionDateType",
    "StudyFirstPostDate",
    "LastUpdatePostDate",
    "ResultsFirstPostDate",
    "LeadSponsorName",
    "LeadSponsorClass",
    "Condition",
    "ConditionMeshTerm",
    "InterventionType",
    "InterventionName",
    "InterventionMeshTerm",
)
"""In the order of the stored tuple; a change needs a new name of the table they are stored in."""
COUNTED = ("LocationCountry",)
"""Stored behind them, each value once, as every source gives it: a trial has many sites."""

Row = tuple[tuple[Any, ...], ...]

_BRACKET = ord("[")
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[tuple[Any, ...], ...]).decode


@cache
def row_spans() -> Mapping[str, str | None]:
    """Name, for each piece of a row, the list of structures it stands in, None where in none."""
    return {name: _list_around(pieces()[name]) for name in ROW_PIECES}


def _list_around(piece: Piece) -> str | None:
    while piece.parent is not None:
        piece = pieces()[piece.parent]
        if piece.is_list:
            return piece.name
    return None


def open_structs(spans: Mapping[str, bytes]) -> dict[str, list[Any]]:
    """Decode the lists of structures that pieces of a row stand in."""
    return {name: _items(spans[name]) for name in _lists_around() if name in spans}


def pack_row(
    spans: Mapping[str, bytes],
    structs: dict[str, list[Any]],
    values: Mapping[str, Sequence[Any]],
) -> bytes:
    """Give the row of a study.

    Args:
        spans: the JSON of its pieces and structures, as they were written.
        structs: what `open_structs` made of them.
        values: the distinct values of pieces that are only counted by.
    """
    plain = b",".join([spans.get(name, b"") for name in _plain_columns()])
    # One look at all of them tells that none has a blank, as in nearly all studies.
    listed = _listed if b'""' in plain or b"null" in plain else _bracketed
    columns = [
        listed(written)
        if (written := spans.get(name)) is not None
        else _encode(_values(structs[around], key))
        if around in structs
        else b"[]"
        for name, around, key in _columns()
    ]
    columns.extend([_encode(values.get(name, ())) for name in COUNTED])
    return b"[%b]" % b",".join(columns)


@cache
def _columns() -> tuple[tuple[str, str | None, str], ...]:
    return tuple((name, around, pieces()[name].path[-1]) for name, around in row_spans().items())


@cache
def _plain_columns() -> tuple[str, ...]:
    return tuple(name for name, around in row_spans().items() if around is None)


@cache
def _lists_around() -> frozenset[str]:
    return frozenset(filter(None, row_spans().values()))


def _items(written: bytes) -> list[Any]:
    value = msgspec.json.decode(written)
    return value if type(value) is list else [value]


def _values(items: Sequence[Any], key: str) -> list[Any]:
    found: list[Any] = []
    for item in items:
        value = item.get(key) if type(item) is dict else None
        found.extend(value if type(value) is list else (value,))
    return _without_blanks(found)


def _listed(written: bytes) -> bytes:
    if b'""' in written or b"null" in written:
        return _encode(_without_blanks(_items(written)))
    return _bracketed(written)


def _bracketed(written: bytes) -> bytes:
    return written if written[0] == _BRACKET else b"[%b]" % written


def _without_blanks(values: Sequence[Any]) -> list[Any]:
    return [value for value in values if value not in ("", None)]


def unpack_row(packed: bytes) -> Row:
    """Give a row: a tuple of values for each of `ROW_PIECES`, then of `COUNTED`."""
    return _decode(packed)


@lru_cache(64)
def row_reader(names: tuple[str, ...]) -> Callable[[bytes], Row] | None:
    """Give what reads some pieces out of a packed row; None if a row does not hold them all.

    What was not asked for is passed over, which costs a fraction of reading it.
    """
    stored = (*ROW_PIECES, *COUNTED)
    if not names or not set(names) <= set(stored):
        return None
    wanted: tuple[Any, ...] = tuple(
        tuple[Any, ...] if name in names else msgspec.Raw for name in stored
    )
    decode = msgspec.json.Decoder(tuple[wanted]).decode  # type: ignore[valid-type]
    places = [stored.index(name) for name in names]
    if len(places) == 1:
        return lambda packed: (decode(packed)[places[0]],)
    choose = itemgetter(*places)
    return lambda packed: choose(decode(packed))


def place_counted(name: str) -> int | None:
    """Give where a row holds the values of a piece to count by; None if it does not."""
    stored = (*ROW_PIECES, *COUNTED)
    return stored.index(name) if name in stored else None
