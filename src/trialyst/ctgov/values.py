"""The values of a piece in a study, found along the piece table."""

from __future__ import annotations

from typing import Any

from trialyst.essie.pieces import Piece

__all__ = ["row_values", "values_at"]

_ONCE = frozenset({"LocationCountry"})


def values_at(study: Any, piece: Piece) -> list[Any]:
    """Collect every value of a piece in a decoded study, lists flattened, blanks left out."""
    found = [study]
    for key in piece.path:
        below: list[Any] = []
        for node in found:
            child = node.get(key) if type(node) is dict else None
            if type(child) is list:
                below.extend(child)
            elif child is not None:
                below.append(child)
        if not below:
            return below
        found = below
    return [value for value in found if value not in ("", None)]


def row_values(study: Any, piece: Piece) -> tuple[Any, ...]:
    """Give the values of a piece for a row; the countries of the sites each once."""
    found = values_at(study, piece)
    return tuple(dict.fromkeys(found)) if piece.name in _ONCE else tuple(found)
