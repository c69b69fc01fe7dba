"""The values of a piece in a study, found along the piece table."""

from __future__ import annotations

from typing import Any

from trialyst.essie.pieces import Piece

__all__ = ["values_at"]


def values_at(study: Any, piece: Piece) -> list[Any]:
    """Collect every value of a piece in a decoded study, lists flattened, blanks left out."""
    found = [study]
    for key in piece.path:
        children = (node.get(key) for node in found if type(node) is dict)
        found = []
        for child in children:
            if type(child) is list:
                found.extend(child)
            elif child is not None:
                found.append(child)
    return [value for value in found if value not in ("", None)]
