"""Rows: the few short pieces of every study that overviews are made of, kept apart and ready.

A landscape of 20,000 studies reads 20,000 rows of some hundred bytes instead of as many records.
Which pieces a row holds is decided here; registries built before have no rows, and are read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

import msgspec

__all__ = [
    "ROW_PIECES",
    "pack_row",
    "place_counted",
    "row_reader",
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

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[tuple[Any, ...], ...]).decode


def pack_row(cells: bytes, values: Mapping[str, Sequence[Any]]) -> bytes:
    """Give the row of a study.

    Args:
        cells: a list of JSON for each of `ROW_PIECES`, with a comma between them.
        values: the distinct values of pieces that are only counted by.
    """
    return b"[%b,%b]" % (cells, b",".join([_encode(values.get(name, ())) for name in COUNTED]))


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
