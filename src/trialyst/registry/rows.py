"""Rows: the few short pieces of every study that overviews are made of, kept apart and ready.

A landscape of 20,000 studies reads 20,000 rows of some hundred bytes instead of as many records.
Which pieces a row holds is decided here; registries built before have no rows, and are read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

import msgspec

from trialyst.ctgov.values import values_at
from trialyst.essie.pieces import pieces
from trialyst.registry.slices import slice_of

__all__ = ["ROW_PIECES", "choose_columns", "pack_row", "unpack_row"]

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

Row = tuple[tuple[Any, ...], ...]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[tuple[Any, ...], ...]).decode


def pack_row(record: bytes) -> bytes | None:
    """Give the row of a stored record; None of one that only a look at all of it can judge."""
    try:
        study = msgspec.json.decode(slice_of(frozenset(ROW_PIECES)).cut(record))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return _encode([values_at(study, piece) for piece in _row_pieces()])


def unpack_row(packed: bytes) -> Row:
    """Give a row: a tuple of values for each of `ROW_PIECES`."""
    return _decode(packed)


def choose_columns(names: Sequence[str]) -> Callable[[Row], Row] | None:
    """Give what picks the pieces out of a row; None if a row does not hold them all."""
    if not names or not set(names) <= set(ROW_PIECES):
        return None
    places = [ROW_PIECES.index(name) for name in names]
    if len(places) == 1:
        return lambda row: (row[places[0]],)
    return itemgetter(*places)


@cache
def _row_pieces() -> tuple[Any, ...]:
    return tuple(pieces()[name] for name in ROW_PIECES)
