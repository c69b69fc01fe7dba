"""The `fields` parameter: names of pieces, modules, areas and paths to the pieces they bring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from trialyst.errors import InvalidInput
from trialyst.essie.areas import find_area
from trialyst.essie.pieces import Piece, find_piece
from trialyst.registry.slices import Slice, slice_of

__all__ = ["QUERY_FIELDS", "compile_fields"]

QUERY_FIELDS = "@query"
"""Stands for all pieces the query searches."""


def compile_fields(names: Iterable[str], searched: Collection[Piece] | None = None) -> Slice:
    """Give the slice for a field list; `searched` is what `@query` stands for, if it may occur.

    Raises:
        InvalidInput: a name is no piece, area or path of a study.
    """
    chosen = {
        piece.name for name in names for piece in _resolve(name, searched) if not piece.indexed_only
    }
    return slice_of(frozenset(chosen))


def _resolve(name: str, searched: Collection[Piece] | None) -> Iterator[Piece]:
    area = find_area(name)
    piece = find_piece(name)
    if piece is not None and not piece.indexed_only:
        yield piece
    elif area is not None:
        for part in area.parts:
            yield from part.pieces
    elif name.lower() == QUERY_FIELDS and searched is not None:
        yield from searched
    else:
        raise InvalidInput(f"Parameter 'fields' contains invalid field name: '{name}'")
