"""The `sort` parameter: up to two date or number pieces, or relevance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trialyst.ctgov.errors import BadParameter
from trialyst.ctgov.query import RELEVANCE, SortKey
from trialyst.ctgov.suggest import nearest
from trialyst.essie.pieces import Kind, find_piece, pieces

__all__ = ["parse_sort", "render_sort"]

MAX_SORT_KEYS = 2

_ITEM = re.compile(r"(@relevance|[a-zA-Z][a-zA-Z0-9\-. ]*)(?::(asc|desc))?")
_DESCENDS = {Kind.DATE: True, Kind.NUMBER: False}
"""The kinds one can sort by, and whether the highest value comes first by default."""


def parse_sort(text: str) -> tuple[SortKey, ...]:
    """Read a list of sort items.

    >>> parse_sort("LastUpdatePostDate,EnrollmentCount:desc")[0]
    SortKey(piece='LastUpdatePostDate', descending=True)
    """
    if not text.strip():
        return ()
    items = re.split(r"[,|]", text)
    if len(items) > MAX_SORT_KEYS:
        raise BadParameter(
            f"Parameter `sort` has more than {MAX_SORT_KEYS} items", invalid_input=text
        )
    return tuple(_parse_item(position, item) for position, item in enumerate(items, start=1))


def _parse_item(position: int, item: str) -> SortKey:
    shape = _ITEM.fullmatch(item.strip())
    if not shape:
        raise BadParameter(
            f"Item {position} in parameter `sort` has incorrect format",
            hint="Write a piece name or @relevance, then :asc or :desc if you like.",
            invalid_input=item,
        )
    name, direction = shape.groups()
    if name == RELEVANCE:
        return SortKey(RELEVANCE, descending=direction != "asc")
    piece = find_piece(name)
    if piece is None:
        raise BadParameter(
            f"Parameter 'sort' contains invalid field name: '{name}'",
            hint=_advice(name),
            invalid_input=item,
        )
    if piece.kind not in _DESCENDS:
        kind = Kind.TEXT if piece.kind is Kind.ENUM else piece.kind
        raise BadParameter(
            f"Unsupported sort field type: {kind}",
            hint="Sort by a date, a number or @relevance.",
            invalid_input=item,
        )
    descending = direction == "desc" if direction else _DESCENDS[piece.kind]
    return SortKey(piece.name, descending=descending)


def _advice(name: str) -> str:
    sortable = (piece.name for piece in pieces().values() if piece.kind in _DESCENDS)
    meant = nearest(name, sortable)
    guess = f"Did you mean {meant}? " if meant else ""
    return f"{guess}Sort by a date or number piece such as StartDate, or by @relevance."


def render_sort(keys: Sequence[SortKey]) -> str:
    """Write sort keys as the API takes them."""
    return ",".join(f"{key.piece}:{'desc' if key.descending else 'asc'}" for key in keys)
