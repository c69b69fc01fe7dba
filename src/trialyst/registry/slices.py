"""Some pieces of a stored study, cut out of its JSON without building the rest of it.

The chosen pieces become a decoder that skips every other byte. Keeps array positions; a parent
whose leaves are absent stays as an empty object. Knows nothing of who asks or why.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec

from trialyst.essie.pieces import Piece, pieces

__all__ = ["Slice", "slice_of"]

Tree: TypeAlias = "dict[Piece, Tree | None]"
"""Chosen pieces below a parent in record order; None is a piece taken whole."""

_encode = msgspec.json.Encoder().encode


class Slice:
    """A set of pieces, ready to be cut out of any number of studies."""

    def __init__(self, chosen: Iterable[Piece]) -> None:
        self._tree = _build_tree({piece.name for piece in chosen})
        self._decode = msgspec.json.Decoder(_build_struct(self._tree)).decode

    def cut(self, raw: bytes) -> bytes:
        """Give the study with the chosen pieces only, as JSON on one line."""
        try:
            return _encode(self._decode(raw))
        except msgspec.ValidationError:
            # A record whose shape is not the model's: slower, but just as strict.
            return _encode(_prune(msgspec.json.decode(raw), self._tree))


@lru_cache(maxsize=256)
def slice_of(names: frozenset[str]) -> Slice:
    """Give the slice of the pieces with these canonical names."""
    table = pieces()
    return Slice(table[name] for name in names)


def _build_tree(names: set[str]) -> Tree:
    table = pieces()
    wanted = names.union(*(_ancestors(table[name]) for name in names))
    root: Tree = {}
    branches: dict[str | None, Tree] = {None: root}
    for piece in table.values():
        if piece.name in wanted and piece.parent in branches:
            below: Tree | None = None if piece.name in names else {}
            branches[piece.parent][piece] = below
            if below is not None:
                branches[piece.name] = below
    return root


def _ancestors(piece: Piece) -> list[str]:
    found: list[str] = []
    while piece.parent is not None:
        found.append(piece.parent)
        piece = pieces()[piece.parent]
    return found


def _build_struct(tree: Tree) -> type[msgspec.Struct]:
    fields: list[tuple[str, Any, Any]] = []
    for piece, below in tree.items():
        kind: Any = msgspec.Raw
        if below is not None:
            kind = _build_struct(below)
            kind = list[kind] if piece.is_list else kind
        key = msgspec.field(default=msgspec.UNSET, name=piece.path[-1])
        fields.append((f"f{len(fields)}", kind | msgspec.UnsetType, key))
    return msgspec.defstruct("Cut", fields)


def _prune(value: Any, tree: Tree) -> Any:
    if isinstance(value, list):
        return [_prune(item, tree) for item in value]
    if not isinstance(value, dict):
        return {}
    return {
        key: value[key] if below is None else _prune(value[key], below)
        for piece, below in tree.items()
        if (key := piece.path[-1]) in value
    }
